"""Monte Carlo tree search: what each option does, and what system C's search did wrong."""

import math
import statistics

import pytest

from claimeven.agents import Choice, make_agent
from claimeven.agents.choice import TableUse, TreeUse
from claimeven.arena import play_match
from claimeven.arena.elo import score_interval
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Solver

EXTRAS = ["", ",tt", ",lgr=1", ",lgr=2", ",lgr=3,forget", ",solver", ",decisive", ",hybrid,solver,decisive"]


def ask(
    spec: str, moves: str = "", board: Board | None = None, limit: Limit | None = None, seed: int = 1
) -> Choice:
    return make_agent(spec, seed).choose(Position.parse(moves, board), limit or Limit())


def tree(choice: Choice) -> TreeUse:
    assert choice.effort.tree is not None
    return choice.effort.tree


def table(choice: Choice) -> TableUse:
    found = tree(choice).table
    assert found is not None
    return found


def test_playouts_are_uniform() -> None:
    """At random the first player of 7x6x4 scores 55.7 %: 55.6 % wins and 0.3 % draws (known)."""
    opinions = ask("mcts:simulations=200000,exploration=100", limit=Limit(depth=1)).opinions
    assert statistics.mean(opinion.value or 0 for opinion in opinions) == pytest.approx(0.557, abs=0.005)
    visits = [opinion.visits or 0 for opinion in opinions]
    assert max(visits) < 2 * min(visits)


@pytest.mark.parametrize("extras", EXTRAS)
def test_the_books_balance(extras: str) -> None:
    found = ask(f"mcts:simulations=3000{extras}", "44")
    assert found.effort.playouts == 3000
    assert sum(opinion.visits or 0 for opinion in found.opinions) == 3000
    assert all(0 <= (opinion.value or 0) <= 1 for opinion in found.opinions)
    assert tree(found).nodes > 1000


@pytest.mark.parametrize("extras", EXTRAS)
def test_same_seed_same_tree(extras: str) -> None:
    first, second, other = (ask(f"mcts:simulations=2000{extras}", "4", seed=seed) for seed in (1, 1, 2))
    assert dict(first.info, seconds=0) == dict(second.info, seconds=0)
    assert first.info["visits"] != other.info["visits"]


@pytest.mark.parametrize("extras", EXTRAS)
def test_it_opens_in_the_centre(extras: str) -> None:
    """System C's replies were stored under the wrong column: with them it opened beside the centre."""
    choice = make_agent(f"mcts:simulations=30000{extras}", 3).choose(Position())
    assert choice.column == 3


def test_one_simulation_is_enough_for_an_answer() -> None:
    """System C compared means of unvisited columns: not a number."""
    for final in ("visits", "mean"):
        found = ask(f"mcts:simulations=1,final={final}")
        assert sum(opinion.visits or 0 for opinion in found.opinions) == 1
        assert not any(math.isnan(opinion.value or 0) for opinion in found.opinions)


# Last good replies -------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 3])
def test_replies_are_found_again(length: int) -> None:
    """System C looked up replies of two moves under the wrong moves: 1.2 % of its look-ups found one."""
    replies = tree(ask(f"mcts:simulations=20000,lgr={length}")).replies
    assert set(replies) == set(range(1, length + 1))
    longest = replies[length]
    assert longest.played > 0.2 * longest.asked


def test_draws_teach_nothing() -> None:
    """On a board without lines every game is a draw: system C learned replies from draws."""
    replies = tree(ask("mcts:simulations=500,lgr=2", board=Board(4, 2, 5))).replies
    assert {count.played for count in replies.values()} == {0}


def test_forgetting_forgets() -> None:
    kept, forgot = (tree(ask(f"mcts:simulations=20000,lgr=1{extra}")).replies[1] for extra in ("", ",forget"))
    assert forgot.played / forgot.asked < kept.played / kept.asked


# The table ---------------------------------------------------------------------------------------


def test_positions_are_shared() -> None:
    found = table(ask("mcts:simulations=20000,tt", "44"))
    assert 0.2 < found.hits / found.lookups < 0.6
    assert tree(ask("mcts:simulations=2000", "44")).table is None


def test_a_small_table_is_bounded_and_replaces() -> None:
    found = table(ask("mcts:simulations=20000,tt,table=64"))
    assert found.replaced > 1000
    assert found.hits < table(ask("mcts:simulations=20000,tt")).hits


def test_the_tree_is_bounded() -> None:
    found = ask("mcts:simulations=60000,megabytes=1")
    assert tree(found).is_full
    assert tree(found).nodes * 28 <= 1 << 20
    assert found.effort.playouts == 60000


# The solver --------------------------------------------------------------------------------------


@pytest.mark.parametrize("extras", ["", ",tt", ",hybrid", ",decisive"])
@pytest.mark.parametrize("board", ["4x3x3", "4x4x3", "3x3x3"])
def test_small_boards_are_proven(board: str, extras: str) -> None:
    """With the solver the tree ends in a proof, and it is right."""
    position = Position(Board.parse(board))
    choice = make_agent(f"mcts:solver{extras}", 1).choose(position, Limit(nodes=300_000))
    exact = Solver(book=False).analyse(position)
    assert exact.score is not None
    assert (choice.effort.playouts or 0) < 300_000
    for opinion in choice.opinions:
        assert opinion.proven in (None, exact.scores[opinion.column].outcome)
    assert choice.opinion(choice.column).proven == exact.score.outcome


def test_without_the_solver_nothing_but_the_end_is_proven() -> None:
    assert not any(opinion.proven for opinion in ask("mcts:simulations=2000", "4455").opinions)
    assert any(opinion.proven for opinion in ask("mcts:simulations=2000,solver", "4455").opinions)


# Reuse -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extras", ["", ",tt", ",tt,solver,lgr=2"])
def test_the_tree_is_kept_between_moves(extras: str) -> None:
    agent = make_agent(f"mcts:simulations=3000,reuse{extras}", 5)
    position, reused = Position.parse("4"), []
    while not position.is_over:
        choice = agent.choose(position)
        assert choice.column in position.legal
        if choice.effort.tree is not None:
            reused.append(choice.effort.tree.reused)
            visits = sum(opinion.visits or 0 for opinion in choice.opinions)
            playouts = choice.effort.playouts or 0
            # Every visit but the first of a node went on to one of its children.
            assert playouts <= visits <= playouts + reused[-1]
        position = position.play(choice.column)
    assert reused[0] == 0
    assert sum(count > 0 for count in reused) >= len(reused) - 2
    assert tree(agent.choose(Position())).reused == 0  # another game


def test_reuse_gives_two_searches_for_one() -> None:
    agent = make_agent("mcts:simulations=5000,reuse", 5)
    first, again = (tree(agent.choose(Position.parse("44"))) for _ in range(2))
    assert (first.reused, again.reused) == (0, 5000)


# Strength ----------------------------------------------------------------------------------------


def test_more_simulations_are_stronger() -> None:
    assert play_match("mcts:simulations=400", "mcts:simulations=20", games=20, seed=1).score > 0.7


def test_it_beats_the_rules() -> None:
    """System C's report: every variant of MCTS beats the heuristic player (998 of 1,000 games)."""
    match = play_match("mcts:simulations=2000", "rules", games=60, seed=1)
    assert score_interval(match.pairs).low > 0.5


def test_replies_know_the_moves_of_the_tree() -> None:
    """System C's replies knew only the moves of the playout: none for its first move."""
    found = tree(ask("mcts:simulations=2,lgr=1", board=Board(2, 1, 3)))
    assert found.replies[1].asked == 2  # each playout is one move long, after one in the tree
