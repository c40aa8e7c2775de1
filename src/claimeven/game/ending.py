"""How a game ended, in words: the same in the terminal, for a client and in reports."""

from collections.abc import Callable

from claimeven.game.record import Reason, Result
from claimeven.position import Position

# In a list: ended by …
BY: dict[Reason, str] = {
    "connect": "a complete line",
    "full": "a full board",
    "resign": "resigning",
    "time": "running out of time",
    "abandon": "leaving",
    "disconnect": "a lost connection",
    "illegal": "an invalid move",
    "crash": "a failure",
    "agreement": "agreement",
    "abort": "being called off",
}
_DID: dict[Reason, str] = {
    "resign": "resigned",
    "abandon": "left",
    "disconnect": "lost the connection",
    "illegal": "chose a column that cannot be played",
    "crash": "failed",
}


def ending(result: Result, position: Position, name: Callable[[int], str], reader: int | None = None) -> str:
    """A sentence without its point. `name`: that of a side; `reader`: the side of whoever reads it.

    >>> ending(Result("0-1", "time"), Position.parse("44"), ("ann", "ben").__getitem__, reader=1)
    'you win: the time of ann is up'
    """
    if result.reason == "abort":
        return "the game was called off"
    winner = result.winner
    if winner is None:
        return "a draw by agreement" if result.reason == "agreement" else "a draw: the board is full"
    is_own = reader == 1 - winner  # the loss
    loser = "you" if is_own else name(1 - winner)
    wins = "you win" if winner == reader else f"{name(winner)} wins"
    if result.reason == "connect":
        return f"{wins} with {' '.join(position.board.cell_name(cell) for cell in position.four)}"
    if result.reason == "time":
        return f"{wins}: {'your time' if is_own else f'the time of {loser}'} is up"
    return f"{wins}: {loser} {_DID[result.reason]}"
