"""What every client saw and was promised."""

from dataclasses import dataclass, field
from typing import Any

from claimeven.client import Client
from claimeven.client.link import Link
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError


@dataclass
class Attempt:
    """A move that somebody asked for."""

    side: int
    take: int
    ply: int
    column: int  # counted from 1
    outcome: str = "info"  # unknown; "ok" when acknowledged; else the code of the refusal
    seq: int = 0


@dataclass
class Asked:
    """Anything else that somebody asked for."""

    token: str
    id: str
    request: m.Request
    outcome: str = "info"
    seq: int = 0


@dataclass
class History:
    """One game, as seen from outside."""

    game: str = ""  # before it was created
    board: tuple[int, int, int] = (7, 6, 4)
    attempts: list[Attempt] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    moved: set[tuple[int, int, int, int, int]] = field(default_factory=set)  # seq, take, ply, column, side
    seen: dict[int, Any] = field(default_factory=dict)  # by seq: what every observer must agree on
    clocks: set[tuple[int, int]] = field(default_factory=set)  # seq, left
    finals: list[tuple[str, int, str]] = field(default_factory=list)  # who, take, moves
    faults: list[str] = field(default_factory=list)  # broken promises


class Observer(Client):
    """A client that writes down everything it hears, before and after sorting it."""

    def __init__(self, link: Link, token: str | None, timing: Any, history: History) -> None:
        super().__init__(link, token, timing)
        self.history = history
        self._last_seq = -1

    @property
    def is_sent_away(self) -> bool:
        return self._end is not None

    def new_id(self) -> str:
        return next(self._ids)

    async def vanish(self, says_bye: bool) -> None:
        """Leave for good, with or without a word."""
        if not says_bye and self._socket is not None:
            self._socket.transport.abort()
            self._socket = None
        await self.leave()

    async def ask(self, message: m.Request) -> int:
        if isinstance(message, m.Move):  # written down by the player
            return await super().ask(message)
        assert self.token is not None
        asked = Asked(self.token, message.id, message)
        self.history.asked.append(asked)
        try:
            asked.seq = await super().ask(message)
            asked.outcome = "ok"
        except RefusedError as error:
            asked.outcome = "info" if error.code == "left" else error.code
            raise
        return asked.seq

    def _fault(self, words: str) -> None:
        """A broken promise; there is no use in playing on."""
        self.history.faults.append(words)
        self._finish(RefusedError.told("broken", words))

    def _hear_state(self, state: m.State) -> None:
        if not self.is_connected and state.seq < self._last_seq:
            self._fault(f"after a reconnect event {state.seq}, though {self._last_seq} was seen")
        self._agree(state)
        super()._hear_state(state)
        self._advance(jumps=True)

    def _hear_move(self, move: m.Moved) -> None:
        history = self.history
        history.moved.add((move.seq, move.take, move.ply, move.column, move.side))
        if move.clock is not None:
            history.clocks.add((move.seq, move.clock.left[move.side - 1]))
        super()._hear_move(move)
        self._advance(jumps=False)
        if self.state is not None and self.state.seq == move.seq:
            self._agree(self.state)

    def _agree(self, state: m.State) -> None:
        """Whoever is told of an event is told the same."""
        told = (
            state.take,
            state.moves,
            state.result,
            state.offers,
            state.turn if state.result is None else None,
        )
        known = self.history.seen.setdefault(state.seq, told)
        if known != told:
            self._fault(f"event {state.seq} was told as {known} and as {told}")

    def _advance(self, jumps: bool) -> None:
        assert self.state is not None or not jumps
        seq = -1 if self.state is None else self.state.seq
        if seq < self._last_seq or (not jumps and seq > self._last_seq + 1):
            self._fault(f"from event {self._last_seq} to {seq}")
        self._last_seq = max(seq, self._last_seq)
