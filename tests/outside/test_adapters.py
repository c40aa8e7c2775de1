"""Our environments by the tests of those who define them, and OpenSpiel's rules beside ours."""

import json
import random
import subprocess
import sys
import tempfile
import warnings
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from claimeven import Board, Position, make_agent, play_match
from claimeven.adapters import gymnasium as gym_door
from claimeven.adapters import openspiel, pettingzoo, planes
from claimeven.adapters.pixels import CELL
from claimeven.agents import AgentNonsenseError, Choice
from claimeven.agents.agent import sure
from claimeven.errors import InputError, MoveError
from claimeven.formats import grid
from claimeven.formats import kaggle as kaggle_format
from claimeven.formats import openspiel as openspiel_format
from claimeven.limit import Limit
from kit.places import ROOT

KAGGLE = ROOT / "build" / "venv-kaggle" / "bin" / "python"
BOARDS = [Board(), Board(5, 4, 3), Board(10, 10, 5), Board(1, 3, 2)]
# What PettingZoo's test says of every environment with an action mask, and of an empty board; its own too.
KNOWN = {
    "Observation is not a NumPy array",
    "Observation numpy array is all zeros.",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


# PettingZoo ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_pettingzoo_says_that_our_environment_is_one(board: Board) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        api_test(pettingzoo.env(str(board)), num_cycles=100)
        seed_test(lambda: pettingzoo.env(board), num_cycles=20)
    assert {str(warning.message) for warning in said} <= KNOWN


def test_pettingzoo_a_game() -> None:
    env = pettingzoo.env(render_mode="ansi")
    env.reset()
    for column in (3, 0, 3, 0, 3, 0, 3):
        env.step(column)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert env.render().splitlines()[3] == "4 . . .(X). . ."
    assert env.unwrapped.position.moves == "4141414"


def test_pettingzoo_an_illegal_move_loses() -> None:
    env = pettingzoo.env("2x1x2")
    env.reset()
    env.step(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says so, too
        env.step(1)
    assert env.rewards["player_1"] == -1
    assert all(env.terminations.values())


# Gymnasium -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", ["first", "second", "random"])
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_gymnasium_says_that_our_environment_is_one(board: Board, turn: str) -> None:
    env = gymnasium.make(f"claimeven.adapters.gymnasium:{gym_door.ID}", board=str(board), turn=turn)
    check_env(env.unwrapped)


def test_gymnasium_games_end_with_their_reward() -> None:
    env = gym_door.ConnectFour("level:9", turn="second", limit="200n")
    rewards = []
    for seed in range(5):
        _, info = env.reset(seed=seed)
        ended, reward = False, 0.0
        while not ended:
            assert env.position.side == 1
            action = int(np.flatnonzero(info["action_mask"])[0])
            _, reward, ended, _, info = env.step(action)
        rewards.append(reward)
        assert Position.parse(info["moves"]) == env.position
    assert rewards == [-1.0] * 5


def test_gymnasium_is_the_same_for_the_same_seed() -> None:
    def game(seed: int) -> str:
        env = gym_door.ConnectFour("random")
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            _, _, ended, _, info = env.step(int(np.flatnonzero(info["action_mask"])[-1]))
        return str(env.position)

    assert game(3) == game(3)
    assert len({game(seed) for seed in range(5)}) > 1


def test_gymnasium_an_illegal_move_loses() -> None:
    env = gym_door.ConnectFour("first", "2x2x3", turn="first")
    env.reset(seed=0)
    env.step(0)
    _, reward, ended, _, info = env.step(0)
    assert (reward, ended, info["illegal"]) == (-1.0, True, True)


def test_gymnasium_an_ended_episode_stays_ended() -> None:
    env = gym_door.ConnectFour("first", "2x2x2", turn="first")
    with pytest.raises(ResetNeeded):
        env.step(0)  # it has not begun
    for last in (0, 5):  # a move that wins, and one that is illegal
        env.reset(seed=0)
        env.step(1)
        _, reward, ended, _, _ = env.step(last)
        assert (reward, ended) == (1.0 if last == 0 else -1.0, True)
        position = env.position
        for _ in range(2):
            with pytest.raises(ResetNeeded):
                env.step(0)
        assert env.position == position
    env.reset()
    assert env.step(0)[1:3] == (0.0, False)


def test_gymnasium_tells_the_legal_columns_as_maskable_ppo_asks() -> None:
    env = gymnasium.make(gym_door.ID, opponent="first", board="3x1x3", turn="first")
    env.reset(seed=0)
    asked = env.get_wrapper_attr("action_masks")
    assert asked().dtype == bool
    assert asked().tolist() == [True, True, True]
    _, _, _, _, info = env.step(np.int64(2))
    assert asked().tolist() == [False, True, False]
    assert info["action_mask"].tolist() == [0, 1, 0]


def right_most(position: Position) -> Any:
    return np.int64(max(position.legal))


def last_by_planes(observation: Any, action_mask: Any) -> Any:
    assert observation.shape == (6, 7, 2)
    assert observation[:, :, 0].sum() + 1 == observation[:, :, 1].sum()  # it sees itself first, and is second
    return np.argmax(action_mask * np.arange(1, 8))


@pytest.mark.parametrize(
    "opponent",
    [make_agent("first"), right_most, gym_door.Policy("last", last_by_planes)],
    ids=["agent", "function", "policy"],
)
def test_gymnasium_opponents_may_be_objects_and_functions(opponent: Any) -> None:
    env = gym_door.ConnectFour(opponent, turn="first")
    env.reset(seed=0)
    _, _, _, _, info = env.step(np.array(3))  # sb3 gives arrays without dimensions
    assert info["moves"] == ("41" if hasattr(opponent, "name") and opponent.name == "first" else "47")
    assert type(info["moves"]) is str


def test_gymnasium_an_opponent_is_replaced_between_games() -> None:
    env = gymnasium.make(gym_door.ID, opponent="first", turn="first")
    env.reset(seed=0)
    env.unwrapped.set_opponent(right_most)  # type: ignore[attr-defined]
    assert env.step(3)[4]["moves"] == "41"  # the game goes on as it began
    env.reset()
    assert env.step(3)[4]["moves"] == "47"


@pytest.mark.parametrize("turn", ["first", "second"])
def test_gymnasium_starts_from_any_position(turn: Any) -> None:
    env = gym_door.ConnectFour(right_most, turn=turn)
    for start in ("445", Position.parse("445"), "44"):
        observation, info = env.reset(options={"start": start})
        moves = start if isinstance(start, str) else "445"
        waits = (len(moves) % 2 == 0) != (turn == "first")
        assert info["moves"] == moves + "7" * waits
        assert observation.sum() == len(info["moves"])
    assert env.reset()[1]["moves"] == ("" if turn == "first" else "7")
    for no_start in ("1212121", Position(Board(9, 7)), "48"):
        with pytest.raises(InputError):
            env.reset(options={"start": no_start})


def test_gymnasium_refuses_what_cannot_play() -> None:
    env = gym_door.ConnectFour()
    for nobody in ("nobody", 7, None):
        with pytest.raises(InputError):
            env.set_opponent(nobody)  # type: ignore[arg-type]
        with pytest.raises(InputError):
            gym_door.ConnectFour(nobody)  # type: ignore[arg-type]
    for answer in (7, 3.0, None):

        def nonsense(position: Position, answer: Any = answer) -> Any:
            return answer

        env = gym_door.ConnectFour(nonsense, turn="first")
        env.reset()
        with pytest.raises(AgentNonsenseError, match="legal columns"):
            env.step(0)


def test_what_was_learned_plays_matches() -> None:
    policy = gym_door.Policy("central", lambda seen, legal: np.argmax(legal * [1, 2, 3, 4, 3, 2, 1]))
    result = play_match(policy, "random", games=20, seed=1)
    assert result.names == ("central", "random")
    assert result.faults(0) == {}
    assert result.wins > 10
    with pytest.raises(MoveError):
        policy.choose(Position.parse("1212121"))


# Pictures ------------------------------------------------------------------------------------------


def test_pixels_show_every_stone_and_the_line() -> None:
    env = gym_door.ConnectFour(right_most, turn="first", render_mode="rgb_array")
    zoo = pettingzoo.env(render_mode="rgb_array")
    env.reset(seed=0)
    zoo.reset()
    for column in (3, 6, 2, 6, 1):
        zoo.step(column)
    for column in (3, 2, 1):
        env.step(column)
    picture = env.render()
    assert (picture.shape, picture.dtype) == ((6 * CELL, 7 * CELL, 3), np.uint8)
    cells = picture.reshape(6, CELL, 7, CELL, 3).transpose(0, 2, 1, 3, 4)
    seen = np.vectorize({cells[5, 3].tobytes(): 1, cells[5, 6].tobytes(): 2, cells[0, 0].tobytes(): 0}.get)(
        np.array([[cell.tobytes() for cell in row] for row in cells], object)
    )
    assert seen.tolist() == grid.to_rows(env.position, "top")
    assert not np.array_equal(cells[5, 3].mean(axis=2) > 100, cells[5, 6].mean(axis=2) > 100)  # told by shape
    zoo.step(6)
    assert np.array_equal(zoo.render(), picture)
    env.step(0)  # it wins: the line looks different from before
    won = env.render().reshape(6, CELL, 7, CELL, 3).transpose(0, 2, 1, 3, 4)
    assert not np.array_equal(won[5, 3], cells[5, 3])
    assert np.array_equal(won[5, 6], cells[5, 6])


@pytest.mark.parametrize("board", [*BOARDS, Board(12, 9)], ids=str)
def test_planes_are_the_grid(board: Board) -> None:
    """Bits become cells all at once: held against the cells one by one, on boards of one word and of two."""
    chance = random.Random(5)
    for _ in range(20):
        position = Position(board)
        while not position.is_over:
            position = position.play(chance.choice(position.legal))
            rows = np.array(grid.to_rows(position, "top"))
            for side in (0, 1):
                seen = planes.planes(position, side)
                assert (seen.dtype, seen.flags.writeable) == (np.dtype(np.int8), True)
                assert np.array_equal(seen, np.stack([rows == side + 1, rows == 2 - side], axis=2))
            legal = planes.mask(position)
            assert legal.dtype == np.int8
            assert tuple(np.flatnonzero(legal)) == position.legal


# OpenSpiel -----------------------------------------------------------------------------------------


def agree(seed: int, games: int) -> None:
    """Random games on random boards, both rules side by side."""
    chance = random.Random(seed)
    sizes = [(7, 6, 4)] * 3 + [(4, 4, 3), (5, 4, 4), (6, 7, 4), (8, 7, 5), (9, 6, 4), (3, 9, 3)]
    for _ in range(games):
        board = Board(*chance.choice(sizes))
        position, state = Position(board), openspiel.game_of(board).new_initial_state()
        while True:
            assert str(state) == openspiel_format.board_text(position)
            assert state.is_terminal() == position.is_over
            assert tuple(state.legal_actions()) == position.legal
            if position.is_over:
                break
            assert state.current_player() == position.side
            column = chance.choice(position.legal)
            state.apply_action(column)
            position = position.play(column)
        first = 0.0 if position.winner is None else 1.0 - 2.0 * position.winner
        assert state.returns() == [first, -first]


def test_openspiel_agrees_with_our_rules() -> None:
    agree(1, 60)


@pytest.mark.slow
def test_openspiel_agrees_for_long() -> None:
    agree(2, 100_000)


def test_openspiel_there_and_back() -> None:
    for moves in ("", "4453", "1122334"):
        position = Position.parse(moves)
        assert openspiel.position_of(openspiel.state_of(position)) == position
    unknown = Position.parse("7/7/7/7/3o3/2oxx2 x")
    assert str(openspiel.state_of(unknown)) == openspiel_format.board_text(unknown)
    with pytest.raises(InputError, match="must be connect_four, not 'tic_tac_toe'"):
        openspiel.board_of(pyspiel.load_game("tic_tac_toe"))


def test_openspiel_plays_with_our_agents() -> None:
    board = Board(6, 5)
    bot = openspiel.Bot(make_agent("level:9", seed=1), Limit(nodes=500))
    for seed in range(3):
        state = openspiel.game_of(board).new_initial_state()
        assert pyspiel.evaluate_bots(state, [bot, pyspiel.make_uniform_random_bot(1, seed)], seed) == [1, -1]
    policy, action = bot.step_with_policy(openspiel.state_of(Position.parse("112233", board)))
    assert action == 3
    assert dict(policy)[3] == 1.0


def test_we_play_with_bots_of_openspiel() -> None:
    board = Board(5, 4)
    result = play_match(openspiel.mcts_agent(board, 200, seed=3), "random", games=6, board=board)
    assert result.wins + result.draws + result.losses == 6
    assert result.wins >= 4
    uniform = openspiel.BotAgent("uniform", lambda side: pyspiel.make_uniform_random_bot(side, 1))
    assert play_match(uniform, "level:9", games=4, limit=Limit(nodes=500)).losses == 4


# All of them ---------------------------------------------------------------------------------------


class Script:
    """Plays what is written."""

    name = "script"

    def __init__(self, *columns: int) -> None:
        self._columns = iter(columns)

    def choose(self, position: Position, limit: Limit = Limit()) -> Choice:  # noqa: B008
        return sure(next(self._columns), position)


def test_one_asymmetric_game_is_the_same_everywhere() -> None:
    """Every door has its own rows and planes; a game without symmetry tells them apart."""
    game = (3, 3, 2, 0)
    own = [[0] * 7, [0] * 7, [0] * 7, [0] * 7, [0, 0, 0, 2, 0, 0, 0], [2, 0, 1, 1, 0, 0, 0]]  # from the top
    position = Position.parse("4431")
    assert grid.to_rows(position, "top") == own
    assert kaggle_format.to_board(position) == [cell for row in own for cell in row]

    def from_planes(seen: Any, mine: int) -> list[list[int]]:
        found: list[list[int]] = (seen[:, :, 0] * mine + seen[:, :, 1] * (3 - mine)).tolist()
        return found

    zoo = pettingzoo.env()
    zoo.reset()
    for column in game:
        zoo.step(column)
    assert from_planes(zoo.observe("player_0")["observation"], 1) == own
    assert from_planes(zoo.observe("player_1")["observation"], 2) == own

    env = gym_door.ConnectFour("first", turn="first")
    env.reset()
    env._agent = Script(game[1], game[3])
    env.step(game[0])
    assert from_planes(env.step(game[2])[0], 1) == own

    state = openspiel.state_of(position)
    tensor = np.array(state.observation_tensor()).reshape(3, 6, 7)  # row 0 is the bottom one
    assert (tensor[0] + 2 * tensor[1])[::-1].astype(int).tolist() == own
    assert str(state).split() == ["".join(".xo"[cell] for cell in row) for row in own]


@pytest.mark.slow
@pytest.mark.skipif(not KAGGLE.exists(), reason="`make kaggle` installs kaggle-environments")
def test_the_originals_show_the_same_boards() -> None:
    """Kaggle's own board and that of PettingZoo's own environment, after the same moves."""
    code = """if True:
        import json, sys, warnings
        warnings.simplefilter("ignore")
        from kaggle_environments import make
        from pettingzoo.classic import connect_four_v3
        moves = (3, 3, 2, 0)
        env = make("connectx")
        for number, column in enumerate(moves):
            env.step([column, None] if number % 2 == 0 else [None, column])
        zoo = connect_four_v3.env()
        zoo.reset()
        for column in moves:
            zoo.step(column)
        seen = [zoo.observe(f"player_{side}") for side in (0, 1)]
        seen = [{name: array.tolist() for name, array in each.items()} for each in seen]
        json.dump([env.state[0].observation.board, seen], open(sys.argv[1], "w"))
    """
    position = Position.parse("4431")
    env = pettingzoo.env()
    env.reset()
    for column in (3, 3, 2, 0):
        env.step(column)
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run([KAGGLE, "-c", code, file.name], check=True, capture_output=True)
        board, seen = json.load(file)
    assert board == kaggle_format.to_board(position)
    for side in (0, 1):
        ours = env.observe(f"player_{side}")
        assert seen[side] == {name: array.tolist() for name, array in ours.items()}


def test_nothing_of_it_is_loaded_without_need() -> None:
    code = "import sys, claimeven, claimeven.cli, claimeven.adapters; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "gymnasium", "pettingzoo", "pyspiel"} & set(loaded.split())
