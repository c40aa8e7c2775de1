"""What a training came to, as JSON and in words."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from claimeven.notation import plural

if TYPE_CHECKING:
    from claimeven.agents.kinds.qcurve import Point
    from claimeven.agents.kinds.qtable import Table
    from claimeven.learn import Check

CHECKED_CELLS = 20  # boards up to this size are checked against every reply
MATCH = 100  # games


def point_line(point: "Point") -> str:
    scores = [f"{name} {score.value:.0%}" for name, score in point.scores.items()]
    # A board may have no position in which a move could spoil anything: then there is nothing to tell.
    kept = [f"good moves {point.kept.value:.1%}"] if point.kept.positions else []
    return " · ".join([counted(point.games, "game"), counted(point.states, "position"), *kept, *scores])


def counted(number: int, noun: str) -> str:
    return f"{number:,} {plural(noun, number)}"


@dataclass(frozen=True)
class Match:
    """What came of the match that was asked for."""

    opponent: str
    wins: int
    draws: int
    losses: int
    score: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Trained:
    table: "Table"
    checks: "tuple[Check, ...] | None"  # against every reply, with each side
    match: Match | None

    @property
    def point(self) -> "Point | None":
        return self.table.curve[-1] if self.table.curve else None

    def data(self) -> dict[str, object]:
        """The contract of `claimeven train --json`."""
        checks = self.checks and [asdict(check) | {"share": check.share} for check in self.checks]
        return {
            **self.table.settings(),
            "games": self.table.games,
            "states": self.table.states,
            "is_full": self.table.is_full,
            "point": self.point and asdict(self.point),
            "checks": checks,
            "match": self.match and asdict(self.match),
        }

    def lines(self, out: Path) -> Iterator[str]:
        table = self.table
        positions = counted(table.states, "position")
        yield f"{counted(table.games, 'game')} on {table.board}; {positions} in {out}"
        if table.is_full:
            yield f"Note: the table is full; more fits with --megabytes above {table.megabytes}."
        for name, score in self.point.scores.items() if self.point else ():
            low, high = score.interval
            yield f"score against {name}: {score.value:.1%} [{low:.1%}, {high:.1%}]"
        for check in self.checks or ():
            seat = ("first", "second")[check.side]
            yield f"as {seat} player against every reply: {_kept(check)}; {_losses(check)}"
        if (match := self.match) is not None:
            low, high = match.interval
            yield (
                f"match against {match.opponent}: {match.wins} won, {match.draws} drawn, {match.losses} lost;"
                f" {match.score:.1%} [{low:.1%}, {high:.1%}]"
            )


def looked_at(table: "Table", opponent: str | None) -> Trained:
    """What can be said of a table, also after a match if there is an opponent."""
    from claimeven.learn import check
    from claimeven.runner import Bar

    checks = None
    if table.board.cells <= CHECKED_CELLS:
        with Bar() as bar:
            checks = check(table.best, table.board, bar.count("positions", "against every reply: "))
    return Trained(table, checks, None if opponent is None else _match(table, opponent))


def _match(table: "Table", opponent: str) -> Match:
    from claimeven.agents.kinds.qlearning import QLearningAgent
    from claimeven.arena import play_match
    from claimeven.arena.elo import score_interval

    agent = QLearningAgent("qlearning", table)
    played = play_match(agent, opponent, MATCH, board=table.board, seed=table.seed)
    low, high = score_interval(played.pairs)
    return Match(opponent, played.wins, played.draws, played.losses, played.score, (low, high))


def _kept(check: "Check") -> str:
    if not check.decisive:
        return "no decisive position was met"
    noun = plural("position", check.decisive)
    return f"outcome kept in {check.kept} of {check.decisive} decisive {noun} ({check.share:.2%})"


def _losses(check: "Check") -> str:
    start = {"win": "a won", "draw": "a drawn", "loss": "a lost"}[check.value]
    ways = f"lost {check.lost} {plural('way', check.lost)}" if check.lost else "never lost"
    return f"{ways} from {start} start"
