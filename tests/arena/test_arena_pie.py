"""The pie rule among agents: each takes the first disc where it judges it good; matches count it right."""

import json
from pathlib import Path

import pytest

from claimeven.agents import Choice, choose_in_pie, make_agent
from claimeven.agents.agent import NO_LIMIT, sure
from claimeven.agents.choice import Opinion
from claimeven.arena import play_game, play_match, store
from claimeven.arena.page.replay import replay_json
from claimeven.arena.play import tournament
from claimeven.arena.play.schedule import Plan
from claimeven.arena.quality import judge
from claimeven.arena.standings import result
from claimeven.errors import InputError
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Solver

EVERY_KIND = ["level:1", "level:5", "perfect", "minimax:depth=4", "mcts:simulations=300", "neural", "ntuple"]
EVERY_KIND += ["human", "rules", "random", "first", "checked", "neural:simulations=50"]


class Says:
    """Thinks of every column what it was told."""

    name = "says"

    def __init__(self, *opinions: Opinion, even: float = 0.5, column: int = 0) -> None:
        self.opinions, self.even, self.column = opinions, even, column
        self.asked: list[int] = []

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        self.asked.append(position.ply)
        return sure(self.column, position, self.opinions, even=self.even)


@pytest.mark.parametrize("board", ["7x6", "6x5", "5x5", "6x4", "4x4"])
def test_perfect_swaps_exactly_where_the_first_disc_wins(board: str) -> None:
    agent, solver = make_agent("perfect", 1), Solver()
    for column in range(Board.parse(board).columns):
        position = Position(Board.parse(board)).play(column)
        assert choose_in_pie(agent, position).swaps == (solver.score(position).value < 0)


@pytest.mark.parametrize("board", ["7x6", "6x5", "6x4"])
def test_perfect_drops_the_disc_that_is_worth_least_to_either(board: str) -> None:
    """Whoever drops it gets what the other leaves: never more than the evenest disc is worth."""
    empty, solver = Position(Board.parse(board)), Solver()
    scores = {column: score.value for column, score in solver.analyse(empty).scores.items()}
    column = choose_in_pie(make_agent("perfect", 1), empty).column
    assert abs(scores[column]) == min(map(abs, scores.values()))


def test_no_draw_is_lost_by_perfect_in_a_game_with_the_rule() -> None:
    """On 7x6 there is a first disc that draws, so with the rule the game is a draw."""
    game, error = play_game((make_agent("perfect", 1), make_agent("perfect", 2)), Position(), pie=True)
    assert (error, game.result and game.result.reason, game.pie) == ("", "full", "yes")


@pytest.mark.parametrize(
    ("opinion", "even", "swaps"),
    [
        (Opinion(0, score=-1), 0.5, True),
        (Opinion(0, score=0), 0.5, False),
        (Opinion(0, score=2), 0.5, False),
        (Opinion(0, ends=-12), 0.0, True),
        (Opinion(0, ends=3), 0.0, False),
        (Opinion(0, proven="loss"), 0.5, True),
        (Opinion(0, proven="draw"), 0.5, False),
        (Opinion(0, value=0.49, visits=10), 0.5, True),
        (Opinion(0, value=0.51, visits=10), 0.5, False),
        (Opinion(0, value=0.49), 0.0, False),
        (Opinion(0, value=-0.1), 0.0, True),
        (Opinion(0, value=3.0, bounds=(-4, -1)), 0.0, True),
        (Opinion(0, value=-3.0, bounds=(1, 4)), 0.0, False),
    ],
)
def test_who_tells_what_it_expects_is_believed(opinion: Opinion, even: float, swaps: bool) -> None:
    agent = Says(opinion, even=even)
    assert choose_in_pie(agent, Position.parse("4")).swaps == swaps
    assert agent.asked == [1]


@pytest.mark.parametrize(("disc", "swaps"), [("2", True), ("6", True), ("4", False), ("1", False)])
def test_who_tells_nothing_takes_the_disc_that_it_would_have_dropped(disc: str, swaps: bool) -> None:
    agent = Says(column=1)
    assert choose_in_pie(agent, Position.parse(disc)).swaps == swaps
    assert agent.asked == [1, 0]


def test_the_first_disc_is_the_evenest_that_it_knows_of() -> None:
    values = (0.9, 0.6, 0.48, 0.55, 0.7, 0.2, 0.1)
    agent = Says(*(Opinion(column, value=value) for column, value in enumerate(values)))
    assert choose_in_pie(agent, Position()).column == 2
    assert agent.asked == [0]
    partly = Says(Opinion(0, value=0.8))
    choose_in_pie(partly, Position())
    assert partly.asked == [0, 1, 1, 1, 1]  # mirror images once
    assert choose_in_pie(Says(column=5), Position()).column == 5


@pytest.mark.parametrize("spec", EVERY_KIND)
def test_every_kind_plays_such_games_the_same_by_the_same_seed(spec: str) -> None:
    one, again = (play_match(spec, "random", 4, seed=3, pie=True, limit=Limit(nodes=2000)) for _ in range(2))
    assert [game.record for game in one.games] == [game.record for game in again.games]
    assert all(game.record.pie != "no" and not game.fault for game in one.games)


def test_a_strong_first_disc_is_taken_and_the_game_counts_for_who_took_it(tmp_path: Path) -> None:
    starts = (Position.parse("4"),)
    plan = Plan(("perfect", "random"), games=2, openings=starts, pie=True)
    games = tournament.play(plan)
    # In one of them perfect is to move after a winning disc, which it takes: side 0 is its own then.
    one = next(game for game in games if game.players == (1, 0))
    assert (one.record.pie, one.sides, one.winner) == ("swapped", (0, 1), 0)
    assert one.record.players[0].name == "perfect"
    assert len(one.ms) == len(one.record.moves)
    assert one.mover(1) == 1  # who lost the disc moves on
    found = result(plan, games)
    store.write(tmp_path / "kept", games, found, "")
    assert [game.players for game in store.read_games(tmp_path / "kept", found)] == [(0, 1), (1, 0)]
    assert store.read_result(tmp_path / "kept").plan.pie
    told = json.loads(replay_json(found, [one]))["games"][0]
    assert told["first"] == 0
    assert told["end"].startswith("perfect wins")


def test_an_agent_in_a_process_of_its_own_decides_the_same() -> None:
    plan = Plan(("minimax:depth=3", "mcts:simulations=50"), games=10, seed=3, pie=True)
    for item in plan.items()[:2]:
        plain, careful = (task(item, 5) for task in (tournament.play_pair, tournament.play_pair_carefully))
        assert [game["record"] for game in plain] == [game["record"] for game in careful]


def test_the_first_disc_of_such_a_game_is_not_judged() -> None:
    plan = Plan(("perfect", "perfect:threads=2"), games=2, openings=(Position(),), pie=True)
    quality = judge(tournament.play(plan), 2, moves=1000)
    assert all(one.moves and one.optimal.share == 1 for one in quality.values())


def test_openings_leave_room_for_the_rule() -> None:
    plan = Plan(("random", "first"), games=20, pie=True)
    assert sorted(start.ply for start in plan.starts) == [0, 1, 1, 1, 1]
    assert Plan(("random", "first"), games=20).settings().named().keys() == plan.settings().named().keys() - {
        "pie"
    }
    with pytest.raises(InputError, match="at most one disc, not with 6"):
        Plan(("random", "first"), games=4, openings="balanced-6", pie=True)
