"""How good the moves of a tournament were, judged by exact scores (measure.py says what the words mean)."""

import random
from collections.abc import Mapping, Sequence
from functools import cache

from claimeven.arena.measure import Question, Share
from claimeven.arena.play.played import Played
from claimeven.arena.result import Part, Quality
from claimeven.arena.statistics import Interval
from claimeven.game import Game
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.runner import Progress, run
from claimeven.solver import Solver

MOVES = 200  # judged of each agent, unless told otherwise
# On other boards than 7x6x4 a position may be out of reach. A number of nodes, not of seconds: the same
# positions are judged everywhere.
REACH = Limit(nodes=3_000_000)


def judge(
    games: Sequence[Played],
    agents: int,
    *,
    moves: int = MOVES,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> dict[int, Quality]:
    """Of every agent: how many moves kept the outcome and how many were best, among so many drawn by seed.

    The same move in the same position counts once: repeating a game is no further evidence.
    """
    made: list[dict[tuple[int, int], Position]] = [{} for _ in range(agents)]
    for game in games:
        positions = Game.from_record(game.record)
        for position, column in zip(positions.positions, positions.columns, strict=False):
            if positions.pie != "no" and not position.ply:
                continue  # which first disc is best is another question where the other may take it
            made[game.mover(position.ply)].setdefault((position.key, column), position)
    rng = random.Random(f"quality/{seed}")
    chosen = [rng.sample(sorted(own.items(), key=_by_key), min(moves, len(own))) for own in made]
    asked = {position.key: position for own in chosen for _, position in own}
    keys = sorted(asked)
    items = [(str(asked[key].board), asked[key].text) for key in keys]
    # A worker takes a second to start: not worth it for a handful.
    workers = workers if len(items) > 200 else 1
    answers = run(scores, items, workers=workers, per_shard=16, progress=progress)
    known = dict(zip(keys, answers, strict=True))
    return {number: _summary(own, known) for number, own in enumerate(chosen)}


def _by_key(entry: tuple[tuple[int, int], Position]) -> tuple[int, int]:
    return entry[0]


def _summary(
    own: Sequence[tuple[tuple[int, int], Position]], known: Mapping[int, list[tuple[int, int]] | None]
) -> Quality:
    judged = [
        (Question("game", position, dict(scores)), column)
        for (key, column), position in own
        if (scores := known[key]) is not None
    ]
    decisive = [(question, column) for question, column in judged if question.is_decisive]
    return Quality(
        moves=len(judged),
        unknown=len(own) - len(judged),
        optimal=_part(sum(question.is_optimal(column) for question, column in judged), len(judged)),
        decisive=len(decisive),
        keeping=_part(sum(question.keeps(column) for question, column in decisive), len(decisive)),
    )


def _part(successes: int, trials: int) -> Part:
    share = Share(successes, trials)
    low, high = share.interval
    return Part(successes, round(share.value, 6), Interval(round(low, 6), round(high, 6)))


# In a worker ----------------------------------------------------------------------------------------


def scores(item: tuple[str, str], seed: int) -> list[tuple[int, int]] | None:
    """The task: the exact value of every column, or None when it is out of reach."""
    board, text = Board.parse(item[0]), item[1]
    position = Position.parse(text, board)
    solver = _solver()
    if board.is_standard:
        found = solver.analyse(position)
    else:
        solver.clear()  # what it has learned from others would stretch the reach
        found = solver.analyse(position, REACH)
    if not found.is_complete:
        return None
    return [(column, score.value) for column, score in found.scores.items()]


@cache
def _solver() -> Solver:
    return Solver(megabytes=64)
