"""One game that was played, of a match or a tournament."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from claimeven.game import Game, Reason, Record
from claimeven.position import Position

FAULTS = ("illegal", "crash", "time")  # endings that are the loser's own fault
ERROR = "Error"  # the tag that says what went wrong


@dataclass(frozen=True)
class Played:
    number: int  # 2i and 2i + 1 are pair i: the same opening with the colours swapped
    players: tuple[int, int]  # by their numbers in the plan; the first one moves first
    record: Record
    began: str = ""
    ms: tuple[float, ...] = ()  # thinking time of every move

    @cached_property
    def game(self) -> Game:
        """The game to be looked at, with the times of its moves where they are known."""
        game = Game.from_record(self.record)
        game.times = {ply: round(ms) for ply, ms in enumerate(self.ms, game.start.ply + 1)}
        return game

    @property
    def opening(self) -> Position:
        return self.game.start

    @property
    def sides(self) -> tuple[int, int]:
        """Who had side 0 and side 1 in the end: who took the first disc by the pie rule had side 0."""
        first, second = self.players
        return (second, first) if self.record.pie == "swapped" else (first, second)

    def mover(self, ply: int) -> int:
        """Who dropped the disc after so many stones; the first one may have become the other's."""
        return (self.sides if ply else self.players)[ply % 2]

    @property
    def first_is(self) -> int:
        """Who moved first."""
        return self.players[0]

    @property
    def winner(self) -> int | None:
        """The number of the agent that won."""
        assert self.record.result is not None
        side = self.record.result.winner
        return None if side is None else self.sides[side]

    @property
    def reason(self) -> Reason:
        assert self.record.result is not None
        return self.record.result.reason

    def points(self, agent: int) -> float:
        return 0.5 if self.winner is None else float(self.winner == agent)

    @property
    def fault(self) -> str:
        """Why the loser lost, if by its own fault."""
        return self.reason if self.reason in FAULTS else ""

    @property
    def error(self) -> str:
        """What went wrong, when an agent lost by its own fault."""
        return self.record.tags.get(ERROR, "")


def pair_points(pair: Sequence[Played], agent: int) -> int:
    """Half points of an agent in the two games of a pair: where it stands in a tally of five."""
    return int(2 * sum(game.points(agent) for game in pair))
