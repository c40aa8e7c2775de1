"""Five lessons on real positions. Nothing of them is taken on trust: what is right is seen by the detectors,
the certificates and the solver when somebody answers, and the tests check every step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from claimeven.position import Position
from claimeven.reasons import certify, facts
from claimeven.reasons.planned.certificates import Certificate

StepKind = Literal["show", "find", "who", "plan"]
Test = Callable[[Position, int], bool]


def shows(*kinds: str) -> Test:
    """A move of which the rules show one of these facts."""
    return lambda position, column: any(fact.kind in kinds for fact in facts(position, column))


def stops_forks(position: Position, column: int) -> bool:
    """A move after which they can make no two threats at once."""
    after = position.play(column)
    return not any(shows("fork", "stacked", "wins_now")(after, reply) for reply in after.legal)


@dataclass(frozen=True)
class Step:
    """One thing to look at or to do; `kind` says which.

    show: look. find: a column for which `test` holds. who: x, o or =. plan: play a plan to its end.
    The words of a step are in the catalogues of the page: lesson.<name>.<number from 1>.
    """

    kind: StepKind
    moves: str
    test: Test | None = None
    then: str = ""  # moves that lead on to where a plan begins

    @property
    def position(self) -> Position:
        return Position.parse(self.moves + self.then)

    @property
    def plan(self) -> Certificate | None:
        """Steps that lead on to a plan show it; the others show threats."""
        return certify(self.position) if self.then else None


@dataclass(frozen=True)
class Lesson:
    steps: tuple[Step, ...]
    themes: tuple[str, ...]  # of the puzzles at its end
    rating: str


LESSONS: Mapping[str, Lesson] = {
    "threats": Lesson(
        (
            Step("show", "445566"),
            Step("find", "445566", shows("wins_now")),
            Step("find", "14141", shows("blocks")),
            Step("show", "3436634"),
            Step("find", "3436634", shows("gives_win")),
        ),
        ("win",),
        "500-900",
    ),
    "forks": Lesson(
        (
            Step("show", "41315"),
            Step("find", "17577544", shows("fork")),
            Step("find", "413", stops_forks),
            Step("find", "21711244", shows("fork")),
            Step("find", "355445443", shows("stacked")),
        ),
        ("fork", "stacked"),
        "600-1100",
    ),
    "parity": Lesson(
        (
            Step("show", "3421343344432422636"),
            Step("who", "34647446633463663473"),
            Step("show", "34647446633463663473"),
            Step("who", "346114446466411166555551"),
        ),
        ("parity",),
        "900-1600",
    ),
    "zugzwang": Lesson(
        (
            Step("show", "5364454455242224227666665533", then="3"),
            Step("find", "536445445524222422766666553333", shows("zugzwang")),
            Step("show", "544444555545222", then="2"),
            Step("plan", "544444555545222", then="2"),
        ),
        ("zugzwang",),
        "500-1100",
    ),
    "claimeven": Lesson(
        (
            Step("show", "3275225373553", then="2"),
            Step("plan", "3275225373553", then="2"),
            Step("show", "3347453441343342527", then="1"),
            Step("plan", "3347453441343342527", then="1"),
        ),
        ("zugzwang", "parity"),
        "700-1500",
    ),
}
