"""What an operator may change; the rest is in the protocol."""

from dataclasses import dataclass

DAY_MS = 24 * 3600 * 1000


@dataclass(frozen=True)
class Settings:
    grace: int = 30_000  # milliseconds until an absent player counts as gone; three times that in slow games
    grace_after_bye: int = 10_000
    slow_clock: int = 600_000
    first_move: int = 30_000  # until a timed game between people is aborted because somebody does not begin
    no_show: int = 90_000  # until who does not make their first move in a tournament has lost
    round_pause: int = 10_000  # between two rounds of a tournament
    event_look: int = 1_000  # between two looks at the tournaments that go on
    drain: int = 5_000  # milliseconds in which a server of a cluster that stops gives its games to the others
    rest_after: int = 60_000  # milliseconds an idle game stays in memory; one that is over goes at once
    sweep: int = 10_000  # between two looks for them
    forget_unstarted_after: int = DAY_MS
    keep_days: int = 0  # that a game of strangers is kept after its last move; 0: for ever
    keep_players_days: int = 0  # that a player is kept after they were last here; 0: for ever
    cleaning: int = 3_600_000  # between two looks for games to forget; the first is as long after the start
    trust_clock_after: int = DAY_MS  # milliseconds since the start: until then it may have been set ahead
    check_after: int = 5_000  # milliseconds after the start a large file is looked through for damage
    max_games_in_memory: int = 20_000
