"""Matches: colour-swapped pairs, and every ending is data, whatever an agent does."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from claimeven import cli
from claimeven.agents import AgentError, Choice, make_agent
from claimeven.agents.agent import sure
from claimeven.arena import play_game, play_match
from claimeven.arena.play.openings import short_openings
from claimeven.arena.play.played import Played
from claimeven.errors import InputError, MoveError
from claimeven.game.record import json_text
from claimeven.limit import Limit
from claimeven.position import Board, Position


class Villain:
    """An agent that does something else instead of choosing, from its third move on."""

    def __init__(self, deed: Callable[[Position, Limit], Any]) -> None:
        self.name = "villain"
        self.deed = deed
        self.moves = 0

    def choose(self, position: Position, limit: Limit = Limit()) -> Choice:  # noqa: B008
        self.moves += 1
        if self.moves <= 2:
            return make_agent("first").choose(position)
        answer: Choice = self.deed(position, limit)
        return answer


def raising(error: BaseException) -> Callable[[Position, Limit], Any]:
    def deed(position: Position, limit: Limit) -> Any:
        raise error

    return deed


RELEASE = threading.Event()


@pytest.fixture(autouse=True)
def release() -> Iterator[None]:
    """Let stalling threads go at the end of a test."""
    RELEASE.clear()
    yield
    RELEASE.set()


def stall(position: Position, limit: Limit) -> Any:
    RELEASE.wait(60)


def fill_column(position: Position, limit: Limit) -> Choice:
    return Choice(99, {})


VILLAINS = {
    "raises": (raising(ZeroDivisionError("oops")), "crash"),
    "exits": (raising(SystemExit(1)), "crash"),
    "asks too late": (raising(MoveError("the game is over")), "crash"),
    "fails": (raising(AgentError("gone")), "crash"),
    "plays outside": (fill_column, "illegal"),
    "lies": (lambda position, limit: Choice("4", {}), "illegal"),  # type: ignore[arg-type]
    "says nothing": (lambda position, limit: None, "illegal"),
    "says yes": (lambda position, limit: Choice(True, {}), "illegal"),
    "stalls": (stall, "time"),
}


@pytest.mark.parametrize(("deed", "reason"), VILLAINS.values(), ids=VILLAINS)
def test_villains_lose_and_the_match_goes_on(deed: Callable[..., Any], reason: str) -> None:
    limit = Limit(seconds=0.2, nodes=1000) if reason == "time" else Limit(nodes=1000)
    result = play_match(
        lambda seed: Villain(deed), "random", games=2, limit=limit, grace=0.05, openings=["33"]
    )
    assert (result.wins, result.draws, result.losses) == (0, 0, 2)
    assert result.endings == result.faults(0) == {reason: 2}
    assert result.faults(1) == {}
    assert all(game.error.startswith("villain: ") for game in result.games)
    assert all(len(game.game.moves) >= 4 for game in result.games)


def test_a_villain_that_obeys_the_stop_is_gone_soon() -> None:
    ended = threading.Event()

    def wait(position: Position, limit: Limit) -> Any:
        assert limit.stop is not None
        limit.stop.wait(60)
        ended.set()

    play_match(lambda seed: Villain(wait), "random", games=2, limit=Limit(seconds=0.05), grace=0.01)
    assert ended.wait(5)


def test_pairs_swap_colours_on_the_same_opening() -> None:
    openings = ["4", "12", "7766"]
    result = play_match("first", "random", games=6, openings=openings)
    assert [game.first_is for game in result.games] == [0, 1] * 3
    assert [game.opening.moves for game in result.games] == ["4", "4", "12", "12", "7766", "7766"]
    for game in result.games:
        names = [player.name for player in game.game.players]
        assert names == (["first", "random"] if game.first_is == 0 else ["random", "first"])
        assert game.game.start == game.opening
        assert game.game.result is not None
    assert result.wins + result.draws + result.losses == 6
    assert sum(result.pairs) == 3
    assert [sum(result.by_seat(seat)) for seat in (0, 1)] == [3, 3]
    points = sum(n * count for n, count in enumerate(result.pairs)) / 2
    assert points == result.wins + result.draws / 2 == result.score * 6


def test_the_same_seed_gives_the_same_match() -> None:
    def moves(seed: int) -> list[str]:
        games = play_match("mcts:simulations=50", "random", games=8, seed=seed).games
        return [game.game.moves for game in games]

    assert moves(1) == moves(1) != moves(2)


def test_the_command_plays_the_same_games(tmp_path: Path) -> None:
    specs = ("mcts:simulations=30", "random")
    options = ["--games", "12", "--seed", "7", "--openings", "balanced-6", "--limit", "500n", "--judge", "0"]
    assert cli.run(["arena", *specs, *options, "--workers", "2", "--out", str(tmp_path / "out")]) == 0
    lines = (tmp_path / "out" / "games.jsonl").read_text().splitlines()
    heard: list[Played] = []
    match = play_match(
        *specs, games=12, seed=7, openings="balanced-6", limit=Limit(nodes=500), report=heard.append
    )
    assert [json_text(game.record) for game in match.games] == lines
    assert tuple(heard) == match.games
    # An agent made elsewhere plays them too, if it is made from the same seeds.
    made = play_match(
        lambda seed: make_agent(specs[0], seed), specs[1], 12, "balanced-6", Limit(nodes=500), seed=7
    )
    assert [game.game.moves for game in made.games] == [game.game.moves for game in match.games]


def test_a_stop_and_an_exact_limit_reach_the_agent() -> None:
    """They cannot be written as text, so they must not travel as text."""
    seen: list[Limit] = []

    class Looking:
        name = "looking\nfor its limit"

        def choose(self, position: Position, limit: Limit = Limit()) -> Choice:  # noqa: B008
            seen.append(limit)
            return sure(position.legal[0], position)

    stop = threading.Event()
    result = play_match(Looking(), "random", games=2, limit=Limit(seconds=1 / 3, stop=stop))
    assert {(limit.seconds, limit.stop) for limit in seen} == {(1 / 3, stop)}
    assert result.names == ("looking for its limit", "random")


def test_a_class_makes_agents_and_its_failure_is_heard_before_the_match() -> None:
    class Counting:
        made = 0
        name = "counting"

        def __init__(self, seed: int) -> None:
            Counting.made += 1
            if Counting.made > 5:
                raise RuntimeError("too many")

        def choose(self, position: Position, limit: Limit = Limit()) -> Choice:  # noqa: B008
            return sure(position.legal[0], position)

    assert play_match(Counting, "first", games=4).faults(0) == {}
    assert Counting.made == 5
    with pytest.raises(RuntimeError, match="too many"):
        play_match(Counting, "first", games=2)


def test_agents_can_be_given_as_objects() -> None:
    agent = make_agent("minimax:depth=2")
    result = play_match(agent, lambda seed: make_agent("random", seed), games=4)
    assert result.names == ("minimax:depth=2", "random")
    assert result.score > 0.5


def test_openings_are_different_and_open() -> None:
    assert [position.moves for position in short_openings(Board(), 1)] == [""]
    for count, ply in ((4, 1), (5, 2), (25, 2), (26, 3), (121, 3), (122, 4)):
        openings = short_openings(Board(), count)
        assert {position.ply for position in openings} == {ply}
        assert len({position.canonical_key for position in openings}) == len(openings) >= count
    tiny = short_openings(Board(2, 2, 2), 100)
    assert tiny
    assert not any(position.is_over for position in tiny)
    assert play_match("first", "random", games=20, board=Board(2, 2, 2)).distinct <= 20


def test_a_match_on_any_board() -> None:
    result = play_match("rules", "random", games=4, board=Board(5, 4, 3))
    assert {str(game.game.board) for game in result.games} == {"5x4x3"}


@pytest.mark.parametrize("games", [0, 1, 3, -2])
def test_odd_matches_are_refused(games: int) -> None:
    with pytest.raises(InputError, match="an even number"):
        play_match("first", "first", games=games)


def test_bad_openings_are_refused() -> None:
    with pytest.raises(InputError, match="at least one opening"):
        play_match("first", "first", games=2, openings=[])
    with pytest.raises(InputError, match="the game is over"):
        play_match("first", "first", games=2, openings=["1212121"])


def test_one_game_has_times_and_players() -> None:
    game, error = play_game((make_agent("first"), make_agent("rules", 1)), Position.parse("44"))
    assert error == ""
    assert game.result is not None
    assert [player.kind for player in game.players] == ["agent", "agent"]
    assert len(game.times) == len(game.moves)
    assert type(game).from_json(game.to_json()) == game
