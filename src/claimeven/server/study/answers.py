"""What the routes that teach answer. These types *are* the format; columns, rows and sides count from 1."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, field

from claimeven.arena.result import TournamentResult
from claimeven.map.reason import Why as MapWhy
from claimeven.map.told import Kind as MapKind
from claimeven.map.walk import Goal as MapGoal
from claimeven.puzzles.hints import Stage
from claimeven.puzzles.puzzle import Goal
from claimeven.reasons.reviewed.mistake import MistakeKind
from claimeven.reasons.reviewed.moments import MoveClass, Wanted
from claimeven.school.unit import TaskKind
from claimeven.school.verdict import Mark
from claimeven.server.errors import Fault
from claimeven.server.messages import Side, Spot
from claimeven.server.study.shapes import BoardState, PlanShape, Played, Shapes, Threat, Value
from claimeven.server.study.told import Explained
from claimeven.solver import Outcome

Who = Annotated[str, Meta(pattern="^[xo=]$")]
Exact = int | None  # a score, where it is known

# Analysis --------------------------------------------------------------------------------------------


class ColumnValue(Struct, frozen=True):
    column: int
    row: int
    score: int | None
    outcome: Outcome | None
    moves: int | None
    low: int
    high: int
    best: bool
    keeps: bool
    words: str


class Analysed(BoardState, frozen=True):
    exact: bool
    value: Value | None
    columns: tuple[ColumnValue, ...]
    best: tuple[int, ...]
    keeping: int
    line: str
    threats: tuple[Threat, ...]
    nodes: int
    seconds: float
    is_book: bool


class Values(Struct, frozen=True):
    exact: bool
    moves: str | None
    values: tuple[Exact, ...]  # for the first player


class Hinted(Struct, frozen=True):
    columns: tuple[int, ...]  # the best ones, with the last hint alone
    text: str


class Refuted(Value, frozen=True):
    """What is wrong with a column."""

    column: int
    exact: bool
    best: int
    text: str
    numbers: str  # how many moves it takes, where the text does not say it; else empty
    overlay: Shapes


class ExplorerRow(Value, frozen=True):
    column: int
    replies: int
    keeping: int
    best_replies: tuple[int, ...]


class Explored(Struct, frozen=True):
    exact: bool
    moves: str | None
    rows: tuple[ExplorerRow, ...] | None


# Games -----------------------------------------------------------------------------------------------


class Accuracy(Struct, frozen=True):
    kept: int
    asked: int
    percent: float | None
    unknown: int


class ToldMove(Struct, frozen=True):
    ply: int
    side: Side
    column: int
    kind: MoveClass = field(name="class")
    value: Value | None
    best: tuple[int, ...]
    best_value: Value | None
    why: str  # what its class says
    deep: bool  # it gave something away that hardly anybody sees at the board


class ToldMoment(Struct, frozen=True):
    """A mistake to learn from, and to try again; `index` is that of the move in `classes`."""

    index: int
    ply: int
    also: tuple[int, ...]
    side: Side
    column: int
    kind: MistakeKind
    depth: int
    better: tuple[int, ...]
    wanted: Wanted  # what each of `better` does
    cells: tuple[Spot, ...]
    fours: tuple[tuple[Spot, ...], ...]
    line: tuple[int, ...]
    state: BoardState
    question: str
    heading: str
    sentences: tuple[str, ...]  # the first is the one to tell if there is time for one
    text: str  # all of them


class DecidedBy(Struct, frozen=True):
    """The mistake that cost the loser the game; null where nobody won, or nothing could be seen."""

    sentence: (
        str  # the one to tell, with `ended` and the heading of the moment; `moment.text` has the others too
    )
    reason: str  # the same without these
    moment: ToldMoment | None
    ended: str = ""  # what ended the game, where that was not what `moment` allowed; said first
    again: ToldMoment | None = None  # where more could be kept, if the game was lost before `moment`
    is_lost: bool = False  # with best play, there or at `moment`: one can only hold out


class ToldTurn(Struct, frozen=True):
    """A turning point of a game; `index` is that of the move in `classes`."""

    index: int
    ply: int
    side: Side
    column: int
    kind: MoveClass = field(name="class")
    state: BoardState
    keeping: tuple[int, ...]
    played: Explained
    better: Explained


class Reviewed(Struct, frozen=True):
    exact: bool
    size: str
    start: str
    moves: str
    states: tuple[BoardState, ...]
    story: tuple[str, ...]
    moments: tuple[ToldMoment, ...]
    later: tuple[int, ...]  # plies of what is too deep to be a moment
    tip: str
    values: tuple[Exact, ...]
    accuracy: tuple[Accuracy, ...]
    classes: tuple[ToldMove, ...]
    turning_points: tuple[ToldTurn, ...]


class Formats(Struct, frozen=True):
    formats: tuple[str, ...]


class Checked(Struct, frozen=True):
    """Stones that somebody placed: the position that they are, or why they are none."""

    legal: bool
    state: BoardState | UnsetType = UNSET
    message: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    params: dict[str, str] | UnsetType = UNSET


# Puzzles -----------------------------------------------------------------------------------------------


class PuzzleRow(Struct, frozen=True):
    id: str
    theme: str
    rating: int
    steps: int  # discs to find


class Puzzles(Struct, frozen=True):
    themes: tuple[str, ...]
    total: int
    puzzles: tuple[PuzzleRow, ...]


class Question(Struct, frozen=True):
    id: str
    goal: Goal
    themes: tuple[str, ...]
    rating: int
    steps: int
    side: Side
    owner: Side | None  # whose cell is asked for
    state: BoardState


class PuzzleHint(Struct, frozen=True):
    stage: Stage | None
    text: str | None
    cells: tuple[Spot, ...]
    left: int


class Verdict(Struct, frozen=True):
    """Of an answer to a puzzle."""

    right: bool
    done: bool
    state: BoardState
    played: str | UnsetType = UNSET
    reply: int | UnsetType | None = UNSET
    expected: int | UnsetType = UNSET
    who: Who | UnsetType = UNSET
    text: str | UnsetType = UNSET
    numbers: str | UnsetType = UNSET  # of a wrong column: what the solver says
    overlay: Shapes | UnsetType = UNSET
    explanation: Explained | UnsetType = UNSET


class Solution(Struct, frozen=True):
    answer: str
    cell: Spot | None  # where one is asked for
    discs: tuple[Played, ...]
    state: BoardState
    text: str


# The school --------------------------------------------------------------------------------------------


class SchoolRow(Struct, frozen=True):
    """A unit in the list; `state` is a small picture of it."""

    name: str
    title: str
    about: str
    tasks: tuple[str, ...]
    state: BoardState


class School(Struct, frozen=True):
    units: tuple[SchoolRow, ...]


class SchoolShow(Struct, frozen=True):
    text: str
    state: BoardState
    cells: tuple[Spot, ...]
    threats: tuple[Threat, ...]
    plan: PlanShape | None


class SchoolTask(Struct, frozen=True):
    id: str
    kind: TaskKind
    text: str
    state: BoardState
    side: Side
    options: tuple[str, ...]
    cell: Spot | None
    on_discs: bool  # cells with a disc may be marked, too


class SchoolGame(Struct, frozen=True):
    text: str
    state: BoardState
    level: int
    side: Side


class ToldUnit(Struct, frozen=True):
    name: str
    title: str
    about: str
    shows: tuple[SchoolShow, ...]
    tasks: tuple[SchoolTask, ...]
    check: tuple[SchoolTask, ...]
    game: SchoolGame


class SchoolVerdict(Struct, frozen=True):
    """What the teacher says; `state` is to be shown now, `cells` and `line` are to be lit."""

    mark: Mark
    text: str
    state: BoardState
    cells: tuple[Spot, ...]
    line: tuple[Played, ...]
    played: str
    reply: int | None


# A small match ------------------------------------------------------------------------------------------


class Matched(Struct, frozen=True):
    """As the files of `claimeven arena --out` say it; every game is a line of games.jsonl."""

    result: TournamentResult
    games: tuple[str, ...]


# Lines of a streamed answer --------------------------------------------------------------------------


class Line(Struct, frozen=True, tag_field="t"):
    pass


class ProgressLine(Line, frozen=True, tag="progress"):
    seconds: float = 0.0
    nodes: int | UnsetType = UNSET
    done: int | UnsetType = UNSET
    of: int | UnsetType = UNSET
    waiting: bool | UnsetType = UNSET


class FailedLine(Line, frozen=True, tag="error"):
    error: Fault


class AnalysedLine(Line, frozen=True, tag="answer"):
    answer: Analysed


class ReviewedLine(Line, frozen=True, tag="answer"):
    answer: Reviewed


class MatchedLine(Line, frozen=True, tag="answer"):
    answer: Matched


# The map ---------------------------------------------------------------------------------------------


class MapPicture(Struct, frozen=True):
    """Of every node, each in a list of its own: how many nodes before it its parent is (0: it has none), the
    number of the kind of its reason (or -1), and the columns from the parent."""

    size: str
    side: Side  # whose strategy it is
    goal: MapGoal  # what it holds
    places: int  # of the whole map; of a large one the lists have those with few discs
    ends: int
    plans: int
    whys: tuple[MapWhy, ...]
    back: tuple[int, ...]  # small numbers, most of them alike: they travel in few bytes
    marks: tuple[int, ...]
    steps: tuple[str, ...]


class MapPlan(Struct, frozen=True):
    """What is played, but for fours that are completed or stopped: see docs/map.md.

    Only what some game asks for from here on, and of the exceptions those after a disc that does not fill its
    column."""

    urgent: tuple[Spot, ...]
    exceptions: tuple[tuple[Spot, tuple[Spot, ...]], ...]
    spare: tuple[Spot, ...]
    keys: tuple[Spot, ...]  # the cells that decide, by the words
    shut: tuple[Spot, ...]  # nobody plays there, nor above, until the opponent has nothing else


class MapReply(Struct, frozen=True):
    """A column of the opponent and the answer; `moves` lead to the position after both."""

    column: int
    answer: int
    moves: str
    wins: bool
    loses: bool  # by force, so that who resists does not play it; known where a plan is followed
    node: int | None  # the place after both, unless a plan is followed
    why: MapWhy | None  # of a leaf there
    said: str


class MapPlace(Struct, frozen=True):
    state: BoardState
    kind: MapKind
    column: int | None  # what the map plays here, if it is to move
    node: int | None  # where this is; under a plan, where it began
    why: MapWhy | None
    move: str
    idea: str  # why the plan wins, in one sentence
    # What stands, how the rest is filled, what is left in the end.
    acts: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    how: tuple[str, ...]  # what it plays, each exception with its reason
    numbers: tuple[str, ...]  # how often the fours decide
    rest: tuple[str, ...]  # the other exceptions
    fours: tuple[tuple[Spot, ...], ...]  # that decide, by the words
    threes: tuple[tuple[Spot, ...], ...]  # other fours that lack one disc already, not to be played yet
    rivals: tuple[tuple[Spot, ...], ...]  # the same of the other side
    poison: tuple[Spot, ...]  # where the other side loses now, unless it does everywhere
    line: tuple[Played, ...]  # a long game in which it is followed
    safe: int  # so many discs of it until everything that is left loses
    left: tuple[Spot, ...]  # what that is
    shown: tuple[str, ...]  # a text for each disc of it
    plan: MapPlan | None
    replies: tuple[MapReply, ...]
