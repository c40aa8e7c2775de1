"""A player whose wishes the exact solver checks: it never gives an outcome away that it has.

What it checks from `stones` on is one thing, whether the column that the other agent wants keeps the outcome
of the position. Where that agent errs by itself in none of the moves before, against no reply, both together
never lose (docs/neural.md: the certificate of a learned player).
"""

from collections.abc import Callable
from dataclasses import replace

from claimeven.agents.agent import NO_LIMIT, Agent, Remade, open_columns, sure
from claimeven.agents.choice import Choice
from claimeven.agents.kind import Kind, Values
from claimeven.agents.option import rest, whole
from claimeven.board import MAX_BITS, bits
from claimeven.limit import Limit
from claimeven.position import Board, Position
from claimeven.solver import Solver

MEGABYTES = 64
STONES = 10  # the network of this package errs against no reply before
PATIENCE = 100_000  # nodes for one question off 7x6, where it may take hours; the wish counts then

Make = Callable[[str, int | None], Agent]


class CheckedAgent(Remade):
    """Takes the column that `agent` wants, unless the solver knows that it gives away a win or a draw: then
    the one that keeps it and is worth most to `agent`. A win at hand is taken and a lone threat stopped
    without asking anybody. A mirror image gets the mirrored answer, whoever is
    asked: of the two, one is."""

    is_symmetric = True

    def __init__(self, name: str, agent: Agent, *, stones: int = STONES) -> None:
        self.name, self.agent, self.stones = name, agent, stones
        self.solver = Solver(megabytes=MEGABYTES)

    def choose(self, position: Position, limit: Limit = NO_LIMIT) -> Choice:
        open_columns(position)
        turned = position.mirror()
        if turned.key < position.key:
            return _mirrored(self._chosen(turned, limit), position.board)
        return self._chosen(position, limit)

    def _chosen(self, position: Position, limit: Limit) -> Choice:
        if position.ply >= self.stones and (forced := forced_column(position)) is not None:
            return sure(forced, position, text="there is nothing to ask")
        wish = self.agent.choose(position, limit)
        if position.ply < self.stones:
            return replace(wish, text="", line=())
        if not position.board.is_standard and limit.seconds is None and limit.nodes is None:
            limit = replace(limit, nodes=PATIENCE)
        best: list[int] = []  # the outcome of the position, when it is known

        def keeps(column: int) -> bool:
            got = self._outcome(position.play(column), limit)
            if got is None or got == -1:
                return True
            if not best:
                known = self._outcome(position, limit)
                best.append(-got if known is None else known)
            return -got >= best[0]

        weights = dict.fromkeys(position.legal, 0.0)
        given_up = 0.0
        for column, weight in wish.weights.items():
            if weight > 0 and keeps(column):
                weights[column] = weight
            else:
                given_up += weight
        column, text = wish.column, "this was wanted, and it keeps the outcome"
        if not weights[column]:
            others = [c for c in position.board.from_centre if c in position.legal and c != column]
            others.sort(key=lambda c: -_worth(wish, c))  # of equals the central one
            column, text = next(filter(keeps, others), column), "what was wanted gave the outcome away"
        weights[column] += given_up
        return Choice(column, weights, wish.opinions, wish.effort, text=text, even=wish.even)

    def _outcome(self, position: Position, limit: Limit) -> int | None:
        """1, 0 or -1 for the side to move; None where the limit came first."""
        if position.is_over:
            return 0 if position.winner is None else -1
        low, high, _ = self.solver.solve(position, limit, only_outcome=True)
        return 1 if low > 0 else -1 if high < 0 else 0 if low == high else None


def forced_column(position: Position) -> int | None:
    """A win at hand, else the answer to a lone threat."""
    board, mask = position.board, position.mask
    landings = board.landings(mask)
    wins = board.winning_cells(position.mine, mask) & landings
    if wins:
        return board.central(map(board.column_of, bits(wins)))
    threats = board.winning_cells(position.theirs, mask) & landings
    return board.column_of(threats) if threats.bit_count() == 1 else None


def _worth(wish: Choice, column: int) -> float:
    value = wish.opinion(column).value
    return -float(MAX_BITS) if value is None else value


def _mirrored(choice: Choice, board: Board) -> Choice:
    def other(column: int) -> int:
        return board.columns - 1 - column

    return Choice(
        other(choice.column),
        {other(column): weight for column, weight in sorted(choice.weights.items(), reverse=True)},
        tuple(replace(opinion, column=other(opinion.column)) for opinion in reversed(choice.opinions)),
        choice.effort,
        text=choice.text,
        even=choice.even,
    )


def checked_kind(make: Make) -> Kind:
    """`make` makes the agent that is checked: make_agent, which knows all kinds and so this one."""

    def made(name: str, seed: int | None, values: Values) -> CheckedAgent:
        return CheckedAgent(name, make(values["agent"], seed), stones=values["stones"])

    return Kind(
        "checked",
        "another agent whose columns the exact solver checks: it gives no win or draw away",
        made,
        (
            whole("stones", STONES, "of the position, from which it is checked", 0, MAX_BITS),
            rest("agent", "whose columns are checked", "neural"),
        ),
    )
