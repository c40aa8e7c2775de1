"""How good an agent's moves are, judged by exact scores: sharper than games, and in a fraction of the time.

A move *keeps the outcome* when a won position stays won and a drawn one drawn; it is *optimal* when it has
the best score: the quickest win or the slowest loss. A position is *decisive* when its moves differ in
outcome: only there can a move lose one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from claimeven import pons
from claimeven.agents import Agent, AgentError, Choice, close, make_agent
from claimeven.arena.statistics import Interval, holm, sign_test, wilson
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.notation import quote
from claimeven.position import Board, Position
from claimeven.runner import Execute, Progress, run
from claimeven.solver import Solver, outcome_of


@dataclass(frozen=True)
class Question:
    """A position with the exact score of every legal column, for the side to move."""

    set: str
    position: Position
    scores: Mapping[int, int]

    @property
    def is_decisive(self) -> bool:
        return len(set(map(outcome_of, self.scores.values()))) > 1

    def keeps(self, column: int) -> bool:
        return outcome_of(self.scores[column]) == outcome_of(max(self.scores.values()))

    def is_optimal(self, column: int) -> bool:
        return self.scores[column] == max(self.scores.values())


@dataclass(frozen=True)
class Answer:
    question: Question
    column: int | None  # None when the agent failed
    keeps: float  # probability that the agent keeps the outcome: over the weights of its choice
    is_optimal: float
    error: str = ""


@dataclass(frozen=True)
class Share:
    """So many of so many, and between which bounds the true share lies with 95 % confidence."""

    successes: float
    trials: int

    @property
    def value(self) -> float:
        return self.successes / self.trials if self.trials else 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.successes, self.trials)


@dataclass(frozen=True)
class Measurement:
    """The answers of one agent."""

    name: str
    answers: tuple[Answer, ...]

    def keeping(self, set: str | None = None, *, decisive: bool = False) -> Share:
        """Outcome-keeping moves, of all positions or of one set."""
        chosen = self._chosen(set, decisive)
        return Share(sum(answer.keeps for answer in chosen), len(chosen))

    def optimal(self, set: str | None = None, *, decisive: bool = False) -> Share:
        """Score-optimal moves."""
        chosen = self._chosen(set, decisive)
        return Share(sum(answer.is_optimal for answer in chosen), len(chosen))

    @property
    def sets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(answer.question.set for answer in self.answers))

    @property
    def errors(self) -> tuple[str, ...]:
        return tuple(answer.error for answer in self.answers if answer.error)

    def _chosen(self, set: str | None, decisive: bool) -> list[Answer]:
        return [
            answer
            for answer in self.answers
            if set in (None, answer.question.set) and (answer.question.is_decisive or not decisive)
        ]


@dataclass(frozen=True)
class Comparison:
    """Two agents on the same positions: where only one of them was right with the column it took."""

    only_first: int
    only_second: int
    measure: str = "keeping"  # what is right: to keep the outcome; or optimal
    agents: tuple[int, int] = (0, 1)  # by their numbers, among several
    p_holm: float = 1.0  # the p-value, corrected for all comparisons made together

    @property
    def p_value(self) -> float:
        """McNemar's exact test that both are equally good."""
        return sign_test(self.only_first, self.only_second)


def measure(
    entrant: str | Agent,
    questions: Iterable[Question] | None = None,
    limit: Limit | None = None,
    seed: int = 0,
    report: Callable[[Answer], None] | None = None,
) -> Measurement:
    """Ask an agent for a move in every position; Pons' six sets unless others are given."""
    agent = make_agent(entrant, seed) if isinstance(entrant, str) else entrant
    answers = []
    try:
        for question in pons_questions() if questions is None else questions:
            answers.append(_answer(agent, question, limit or Limit()))
            if report is not None:
                report(answers[-1])
    finally:
        if isinstance(entrant, str):
            close(agent)
    return Measurement(agent.name, tuple(answers))


def measure_all(
    specs: Sequence[str],
    questions: Sequence[Question],
    limit: Limit | None = None,
    seed: int = 0,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    execute: Execute | None = None,
) -> list[Measurement]:
    """Several agents on many cores. Every question has a seed of its own, so that the answers depend neither
    on the number of workers nor on the other questions; all agents get the same seeds."""
    names = [_name(spec) for spec in specs]
    texts = [(str(q.position.board), q.position.text, str(limit or Limit())) for q in questions]
    found = []
    for number, (spec, name) in enumerate(zip(specs, names, strict=True)):

        def show(done: int, total: int, before: int = number * len(questions)) -> None:
            if progress is not None:
                progress(before + done, total * len(specs))

        items = [(spec, *text) for text in texts]
        given = run(_given, items, workers=workers, seed=seed, per_shard=25, progress=show, execute=execute)
        answers = [_judged(q, *answer) for q, answer in zip(questions, given, strict=True)]
        found.append(Measurement(name, tuple(answers)))
    return found


def _name(spec: str) -> str:
    agent = make_agent(spec, 0)
    close(agent)
    return agent.name


def _given(item: tuple[str, str, str, str], seed: int) -> tuple[int | None, list[tuple[int, float]], str]:
    """The task: the column, the weights, and what went wrong."""
    spec, board, start, limit = item
    agent = make_agent(spec, seed)
    try:
        choice = agent.choose(Position.parse(start, Board.parse(board)), Limit.parse(limit))
        return choice.column, list(choice.weights.items()), ""
    except AgentError as error:
        return None, [], str(error)
    finally:
        close(agent)


def compare(first: Measurement, second: Measurement, measure: str = "keeping") -> Comparison:
    pairs = list(zip(first.answers, second.answers, strict=True))
    if any(a.question.position != b.question.position for a, b in pairs):
        raise InputError("measure.positions")
    right = [(_is_right(a, measure), _is_right(b, measure)) for a, b in pairs]
    return Comparison(right.count((True, False)), right.count((False, True)), measure)


def compare_all(found: Sequence[Measurement]) -> list[Comparison]:
    """Every two of them, by both measures, with p-values corrected for the number of all these tests."""
    compared = [
        replace(compare(found[one], found[other], measure), agents=(one, other))
        for measure in ("keeping", "optimal")
        for one, other in combinations(range(len(found)), 2)
    ]
    corrected = holm([comparison.p_value for comparison in compared])
    return [replace(each, p_holm=p) for each, p in zip(compared, corrected, strict=True)]


def _is_right(answer: Answer, measure: str) -> bool:
    if answer.column is None:
        return False
    question = answer.question
    return (question.keeps if measure == "keeping" else question.is_optimal)(answer.column)


def _answer(agent: Agent, question: Question, limit: Limit) -> Answer:
    try:
        choice: Choice = agent.choose(question.position, limit)
    except AgentError as error:
        return _judged(question, None, [], str(error))
    return _judged(question, choice.column, choice.weights.items(), "")


def _judged(
    question: Question, column: int | None, weights: Iterable[tuple[int, float]], error: str
) -> Answer:
    weights = list(weights)
    return Answer(
        question,
        column,
        sum(weight for column, weight in weights if weight and question.keeps(column)),
        sum(weight for column, weight in weights if weight and question.is_optimal(column)),
        error,
    )


# Positions ----------------------------------------------------------------------------------------


@cache
def pons_questions(per_set: int | None = None) -> tuple[Question, ...]:
    """P. Pons' six sets, from the easiest to the hardest, or the first so many positions of each."""
    return tuple(
        Question(long, Position.parse(scored.moves), scores)
        for name, long in pons.NAMES.items()
        for scored, scores in list(zip(pons.read_set(name), pons.read_columns(name), strict=True))[:per_set]
    )


def questions_from(lines: Iterable[str], solver: Solver, board: Board | None = None) -> list[Question]:
    """Positions of a file, one per line, scored by the solver; a second word, such as a score, is ignored."""
    questions = []
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            position = Position.parse(text if "/" in text else text.split()[0], board)
        except InputError as error:
            raise error.wrapped("in_line", line=number) from None
        if position.is_over:
            raise InputError("over.text", text=quote(text)).wrapped("in_line", line=number)
        scores = {column: score.value for column, score in solver.analyse(position).scores.items()}
        questions.append(Question("file", position, scores))
    return questions
