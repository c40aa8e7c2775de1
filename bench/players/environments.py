"""Positions and environments beside those of others: python bench/players/environments.py [ROUNDS]

`pip install pygame` first: PettingZoo's own connect_four imports it.

The same random games are played through by everyone, in turns, so that a busy machine slows all of them
alike; the clock is the processor's. Each line is the best round: how many a second, and how many times the
peer's.
"""

import random
import sys
import time
import warnings
from collections.abc import Callable
from itertools import cycle, islice

import gymnasium
import numpy as np
import pyspiel
from pettingzoo import AECEnv

from claimeven import Position, Solver
from claimeven.adapters import pettingzoo
from claimeven.adapters.gymnasium import ID
from claimeven.adapters.planes import mask, planes
from claimeven.arrays import words_of
from claimeven.notation import moves_text

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of pygame
    from pettingzoo.classic import connect_four_v3

Games = list[list[int]]
SPIEL = pyspiel.load_game("connect_four")


def random_games(count: int, seed: int) -> Games:
    chance = random.Random(seed)
    games = []
    for _ in range(count):
        position, game = Position(), []
        while not position.is_over:
            game.append(chance.choice(position.legal))
            position = position.play(game[-1])
        games.append(game)
    return games


def our_playouts(games: Games) -> None:
    """Games by chance, until they have as many plies as the others play."""
    chance, left = random.Random(1), sum(map(len, games))
    while left > 0:
        position = Position()
        while not position.is_over:
            position = position.play(chance.choice(position.legal))
        left -= position.ply


def spiel_playouts(games: Games) -> None:
    chance, left = random.Random(1), sum(map(len, games))
    while left > 0:
        state = SPIEL.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        left -= state.move_number()


def our_quick_playouts(games: Games) -> None:
    """The same with as little besides the rules as Python allows."""
    chance, left = random.Random(1).random, sum(map(len, games))
    while left > 0:
        position = Position()
        while legal := position.legal:
            position = position.play(legal[int(chance() * len(legal))])
        left -= position.ply


def spiel_quick_playouts(games: Games) -> None:
    chance, left = random.Random(1).random, sum(map(len, games))
    while left > 0:
        state = SPIEL.new_initial_state()
        while legal := state.legal_actions():
            state.apply_action(legal[int(chance() * len(legal))])
        left -= state.move_number()


def our_moves(games: Games) -> None:
    """Moves alone: nobody asks what is legal, nor whether it is over."""
    for game in games:
        position = Position()
        for column in game:
            position = position.play(column)


def spiel_moves(games: Games) -> None:
    for game in games:
        state = SPIEL.new_initial_state()
        for column in game:
            state.apply_action(column)


def our_careful_moves(games: Games) -> None:
    for game in games:
        position = Position()
        for column in game:
            assert not position.is_over
            assert column in position.legal
            position = position.play(column)


def spiel_careful_moves(games: Games) -> None:
    for game in games:
        state = SPIEL.new_initial_state()
        for column in game:
            assert not state.is_terminal()
            assert column in state.legal_actions()
            state.apply_action(column)


def our_children(games: Games) -> None:
    """Every child of a position, as a search makes them: the parent stays."""
    position, left = Position.parse("4453"), sum(map(len, games))
    while left > 0:
        children = [position.play(column) for column in position.legal]
        left -= len(children)


def spiel_children(games: Games) -> None:
    state, left = SPIEL.new_initial_state(), sum(map(len, games))
    for column in (3, 3, 4, 2):
        state.apply_action(column)
    while left > 0:
        children = [state.child(column) for column in state.legal_actions()]
        left -= len(children)


def zoo(env: AECEnv) -> Callable[[Games], None]:
    def run(games: Games) -> None:
        for game in games:
            env.reset()
            for column in game:
                observation, _, _, _, _ = env.last()
                assert observation["action_mask"][column]
                env.step(column)

    return run


def gym_env(games: Games) -> None:
    """As many steps as the games have plies; the opponent's moves come on top."""
    env = gymnasium.make(ID, opponent="random")
    _, info = env.reset(seed=1)
    for column in (column for game in games for column in game):
        legal = info["action_mask"]
        action = column if legal[column] else int(np.argmax(legal))
        _, _, is_over, _, info = env.step(action)
        if is_over:
            _, info = env.reset()


def our_planes(games: Games) -> None:
    for game in games:
        position = Position()
        for _ in game:
            planes(position, 0)
            mask(position)


def spiel_tensors(games: Games) -> None:
    state = SPIEL.new_initial_state()
    for game in games:
        for _ in game:
            np.array(state.observation_tensor(0), np.int8).reshape(3, 6, 7)
            state.legal_actions_mask()


def scorer(games: Games, *, as_words: bool) -> Callable[[Games], object]:
    """Exact scores of positions that the book knows, as many as the games have plies."""
    known = [Position.parse(moves_text(game[:ply])) for game in games for ply in range(min(len(game), 11))]
    sample = list(islice(cycle(known), sum(map(len, games))))
    solver, words = Solver(), words_of(sample)
    return lambda _: solver.scores(words if as_words else sample)


GAMES = random_games(200, seed=1)
PAIRS = {
    "plies of random playouts": (our_playouts, "pyspiel", spiel_playouts),
    "plies of playouts with little else": (our_quick_playouts, "pyspiel", spiel_quick_playouts),
    "moves alone": (our_moves, "pyspiel", spiel_moves),
    "moves, each asked whether it is legal": (our_careful_moves, "pyspiel", spiel_careful_moves),
    "children of a position": (our_children, "pyspiel", spiel_children),
    "positions as arrays, with their masks": (our_planes, "pyspiel", spiel_tensors),
    "steps of a PettingZoo environment": (
        zoo(pettingzoo.env()),
        "connect_four_v3",
        zoo(connect_four_v3.env()),
    ),
    "steps of the Gymnasium environment against random": (gym_env, "", None),
    "exact scores from the book, of an array": (
        scorer(GAMES, as_words=True),
        "of a list of Position",
        scorer(GAMES, as_words=False),
    ),
}


def main(rounds: int) -> None:
    plies = sum(map(len, GAMES))
    best: dict[tuple[str, str], float] = {}
    for _ in range(rounds):
        for what, (ours, peer, theirs) in PAIRS.items():
            for name, action in (("claimeven", ours), (peer, theirs)):
                if action is not None:
                    began = time.process_time()
                    action(GAMES)
                    speed = plies / (time.process_time() - began)
                    best[what, name] = max(speed, best.get((what, name), 0.0))
    for what, (_, peer, theirs) in PAIRS.items():
        own = best[what, "claimeven"]
        other = f", {own / best[what, peer]:.2f} times {peer} ({best[what, peer]:,.0f})" if theirs else ""
        print(f"{what}: {own:,.0f} a second{other}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
