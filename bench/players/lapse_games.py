"""A game for every lapse that bench/players/lapses.py has found: `claimeven measure AGENT --set` reads them.

    python bench/players/lapses.py neural --plies 16 --out neural.labels
    python bench/players/lapse_games.py neural.labels > docs/data/lapses-neural.txt

At its own turns the agent plays what it chooses, or where that is a lapse what the walk has put in its place.
"""

import argparse
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from claimeven import Position, make_agent
from claimeven.agents import Agent
from claimeven.arrays import positions_of
from claimeven.errors import PositionError
from claimeven.learn.labels import read_labels


class Backwards:
    """From a position to the beginning."""

    def __init__(self, agent: Agent, instead: dict[int, int]) -> None:
        self._agent, self._instead = agent, instead  # by canonical key: a column that does not lose
        self._dead = set[int]()

    def game_to(self, position: Position) -> str | None:
        """Moves of a game; None: whoever chooses so never comes here."""
        if position.ply == 0:
            return ""
        if position.key in self._dead:
            return None
        for reply, between in _before(position):
            for own, before in _before(between):
                if self.column(before) == own and (game := self.game_to(before)) is not None:
                    return f"{game}{own + 1}{reply + 1}"
        self._dead.add(position.key)
        return None

    def column(self, position: Position) -> int:
        instead = self._instead.get(position.canonical_key)
        if instead is None:
            return self._agent.choose(position).column
        is_turned = position.key != position.canonical_key
        return position.board.columns - 1 - instead if is_turned else instead


def _before(position: Position) -> Iterator[tuple[int, Position]]:
    """What was dropped last, and the position before, in which the other side has a disc on top."""
    board = position.board
    for column in range(board.columns):
        height = position.height(column)
        cell = board.bit(column, height - 1) if height else 0
        if cell & position.theirs:
            with suppress(PositionError):
                yield column, Position(board, position.theirs & ~cell, position.mask & ~cell)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("labels", type=Path, help="written by lapses.py --out")
    labels = read_labels(parser.parse_args().labels)
    spec = labels.about["agent"]
    agent = make_agent(spec)
    found = positions_of(labels.words(), labels.board)
    best = labels.scores.argmax(axis=1).tolist()
    way = Backwards(agent, dict(zip(labels.keys.tolist(), best, strict=True)))
    print(f"# Where {spec}, moving first against every reply, loses a game that was not lost: what was")
    print("# played, the column that loses, those that do not (python bench/players/lapse_games.py).")
    for position, scores in sorted(
        zip(found, labels.scores.astype(int), strict=True), key=lambda row: (row[0].ply, row[0].key)
    ):
        game, at = way.game_to(position), position
        if game is None:  # after a board that is its own mirror image it plays on the left
            game, at, scores = way.game_to(position.mirror()), position.mirror(), scores[::-1]
        keeping = "".join(str(c + 1) for c, score in enumerate(scores) if 0 <= score == max(scores))
        print(game, agent.choose(at).column + 1, keeping)


if __name__ == "__main__":
    main()
