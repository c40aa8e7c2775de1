"""n-tuple networks learn: by playing themselves, or from exact labels; resumable, the same for the same seed.

Pons' positions judge every look and teach nothing: neither they nor what follows from them by one move is
among the labels that are learned from.
"""

import json
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimeven import _core
from claimeven.agents.kinds.ntuple import STEP, NTupleFile
from claimeven.arena.measure import pons_questions
from claimeven.board import Board
from claimeven.errors import InputError
from claimeven.learn.points import ONLY, CurvePoint, Quality, curve_json
from claimeven.learn.training import undisturbed
from claimeven.runner import write_whole

if TYPE_CHECKING:
    from claimeven._core import NTuple
    from claimeven.arrays import Values, Words

GAMES_SLICE, LABELS_SLICE = 2_000, 20_000  # between which Ctrl-C is heard
LAST = 0.02  # the share of the first steps that is left at last

Look = Callable[[CurvePoint], None]  # called with every look at how good it is


@dataclass(frozen=True)
class Recipe:
    """All that a training depends on, but labels."""

    tuples: int = 70
    length: int = 8  # cells of a tuple
    seed: int = 1
    alpha: float = 10.0  # of games: the first step of all tables together
    trace: float = 0.8  # lambda: how much of the rest of a game counts, and not what follows next
    epsilon: float = 0.1  # share of moves by chance
    openings: int = 12  # moves by chance that begin a game, at most
    threats: int = 0  # tuples more, which see threats
    rate: float = 0.04  # of labels: the first step of each table
    stages: tuple[int, ...] = ()  # from so many stones on the tables have other weights


@dataclass
class Training:
    """Tables, and how far they are."""

    recipe: Recipe
    net: "NTuple" = field(repr=False)
    tuples: list[list[int]] = field(repr=False)
    done: int = 0  # games, or labelled positions
    curve: list[CurvePoint] = field(default_factory=list)
    before: list["Story"] = field(default_factory=list)  # the trainings that it went on from

    @classmethod
    def begun(cls, recipe: Recipe) -> "Training":
        tuples = _core.random_tuples(recipe.tuples, recipe.length, recipe.seed)
        tuples += _core.random_threats(recipe.threats, recipe.seed)
        return cls(recipe, _core.NTuple(tuples, list(recipe.stages)), tuples)

    @classmethod
    def resumed(cls, out: Path) -> "Training":
        """As `write` left it."""
        try:
            line, _, numbers = state_path(out).read_bytes().partition(b"\n")
            about = json.loads(line)
            story = Story.from_json(about)
            training = cls.begun(story.recipe)
            size = training.net.size * array("f").itemsize
            training.net.set_weights(numbers[:size])
            training.net.set_memory(numbers[size:])
            before = [Story.from_json(one) for one in about.get("before", [])]
            return replace(training, done=story.done, curve=story.curve, before=before)
        except FileNotFoundError:
            raise InputError("training.not_there", out=out) from None
        except (ValueError, TypeError, KeyError) as error:
            raise InputError("file.damaged", path=state_path(out)) from error

    @classmethod
    def following(cls, start: Path, recipe: Recipe) -> "Training":
        """Another training with the tables of this one and what they remember: its steps are as large as this
        recipe says, and shrink anew."""
        old = cls.resumed(start)
        tables = {
            name: getattr(old.recipe, name) for name in ("tuples", "length", "threats", "seed", "stages")
        }
        before = [*old.before, old.story()]
        return replace(old, recipe=replace(recipe, **tables), done=0, curve=[], before=before)

    def story(self) -> "Story":
        return Story(self.recipe, self.done, list(self.curve))

    def write(self, out: Path) -> None:
        """The file to play with; beside it what it takes to go on."""
        about = self.story().to_json()
        if self.before:
            about["before"] = [story.to_json() for story in self.before]
        NTupleFile(self.tuples, self.net.steps(STEP), about, self.recipe.stages).write(out)
        numbers = self.net.weights() + self.net.memory()
        write_whole(state_path(out), json.dumps(about).encode() + b"\n" + numbers)

    def look(self) -> CurvePoint:
        """How it does on Pons' 6,000 positions, as it is; a point of its curve."""
        questions = pons_questions()
        mine, mask = (
            array("Q", [getattr(question.position, half) for question in questions]).tobytes()
            for half in ("mine", "mask")
        )
        answers = list(zip(questions, self.net.choices(mine, mask), strict=True))
        quality = Quality(
            keeps=round(100 * sum(q.keeps(c) for q, c in answers) / len(answers), 2),
            optimal=round(100 * sum(q.is_optimal(c) for q, c in answers) / len(answers), 2),
        )
        point = CurvePoint({ONLY: quality}, done=self.done)
        self.curve.append(point)
        return point


@dataclass(frozen=True)
class Story:
    """A training as its files tell it."""

    recipe: Recipe
    done: int
    curve: list[CurvePoint]

    def to_json(self) -> dict[str, object]:
        recipe = asdict(self.recipe) | {"stages": list(self.recipe.stages)}  # as JSON has them
        return {"recipe": recipe, "done": self.done, "curve": curve_json(self.curve)}

    @classmethod
    def from_json(cls, about: Mapping[str, Any]) -> "Story":
        recipe = about["recipe"]
        made = Recipe(**recipe | {"stages": tuple(recipe.get("stages", ()))})
        return cls(made, about["done"], [CurvePoint.from_json(point) for point in about["curve"]])


def state_path(out: Path) -> Path:
    return out.with_suffix(".state")


def play_games(training: Training, games: int, out: Path, every: int, look: Look) -> None:
    """Go on until so many games against itself are played in all; a look and a file after every so many."""
    recipe, net = training.recipe, training.net
    past = sum(one.done for one in training.before)  # other games than those it has played

    def advance(count: int) -> None:
        net.play(
            first_game=past + training.done,
            games=count,
            seed=recipe.seed,
            alpha=recipe.alpha * _share(training.done, games, GAMES_SLICE),
            lambda_=recipe.trace,
            epsilon=recipe.epsilon,
            openings=recipe.openings,
        )

    _advance(training, games, GAMES_SLICE, advance, out, every, look)


def learn_labels(
    training: Training, labels: "tuple[Words, Values]", rounds: int, out: Path, every: int, look: Look
) -> None:
    """Go on until every labelled position has been seen so many times."""
    import numpy as np

    from claimeven.learn.labels.sample import Draws

    (words, scores), count = labels, len(labels[0])
    orders: dict[int, np.ndarray] = {}

    def advance(size: int) -> None:
        number, first = divmod(training.done, count)
        if number not in orders:
            orders.clear()
            orders[number] = np.argsort(Draws(training.recipe.seed + number).words(count), kind="stable")
        chosen = orders[number][first : first + size]
        rate = training.recipe.rate * _share(training.done, rounds * count, LABELS_SLICE)
        mine, mask = (words[chosen, half].astype("<u8").tobytes() for half in range(2))
        training.net.learn(mine, mask, scores[chosen].tobytes(), rate)

    _advance(training, rounds * count, LABELS_SLICE, advance, out, every, look, whole=count)


def _share(done: int, total: int, slice: int) -> float:
    """Of the first steps: they shrink on a straight line, the same wherever a training was stopped."""
    return LAST + (1 - LAST) * (1 - done // slice * slice / total)


def _advance(
    training: Training,
    until: int,
    most: int,
    advance: Callable[[int], None],
    out: Path,
    every: int,
    look: Look,
    whole: int | None = None,
) -> None:
    """In slices that end where a look is due, or a round of labels."""
    try:
        while training.done < until:
            steps = [most, every] if whole is None else [most, every, whole]
            count = min(until, *((training.done // step + 1) * step for step in steps)) - training.done
            with undisturbed():
                advance(count)
                training.done += count
            if training.done % every == 0 or training.done == until:
                look(training.look())
                training.write(out)
    except KeyboardInterrupt:
        if training.done:
            training.write(out)
        raise


def labels_to_learn(paths: Sequence[Path]) -> "tuple[Words, Values]":
    """The labelled positions of these files as `mine` and `mask`, without those that judge."""
    import numpy as np

    from claimeven.learn.labels import read_labels

    words, scores = list[Any](), list[Any]()
    for path in paths:
        labels = read_labels(path)
        if not labels.board.is_standard:
            raise InputError("training.labels", path=path, board=labels.board)
        words.append(labels.words())
        scores.append(labels.scores)
    return _without_judges(np.concatenate(words), np.concatenate(scores))


def _without_judges(words: "Words", scores: "Values") -> "tuple[Words, Values]":
    import numpy as np

    from claimeven.learn.labels import ILLEGAL
    from claimeven.learn.labels.bits import Geometry
    from claimeven.learn.labels.sample import canonical

    geometry, kept = Geometry(Board()), scores.copy()
    columns = [np.uint64(geometry.column(column)) for column in range(geometry.board.columns)]
    asked = np.array([(q.position.mine, q.position.mask) for q in pons_questions()], np.uint64)
    judges = [canonical(geometry, asked[:, 0], asked[:, 1])]
    for column in columns:
        cell = geometry.landing(asked[:, 1]) & column
        judges.append(canonical(geometry, asked[:, 0] ^ asked[:, 1], asked[:, 1] | cell)[cell != 0])
    secret = np.unique(np.concatenate(judges))
    mine, mask = words[:, 0], words[:, 1]
    for number, column in enumerate(columns):
        cell = geometry.landing(mask) & column
        kept[_is_among(canonical(geometry, mine ^ mask, mask | cell), secret) & (cell != 0), number] = ILLEGAL
    is_free = ~_is_among(canonical(geometry, mine, mask), secret)
    return words[is_free], kept[is_free]


def _is_among(keys: "Words", some: "Words") -> "Any":
    import numpy as np

    places = np.minimum(np.searchsorted(some, keys), len(some) - 1)
    return some[places] == keys
