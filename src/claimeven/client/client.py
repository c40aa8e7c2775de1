"""One player, or a watcher, at one game: a WebSocket that is opened again whenever it breaks.

    async with Client(link, token) as game:
        await game.until(lambda: game.is_my_turn)
        await game.move(3)

A request returns when the server has acknowledged it, so after it is on disk, however often the line breaks.
"""

import asyncio
import contextlib
import itertools
import random
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Literal, Self

import msgspec
from msgspec import structs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidURI

from claimeven import notation
from claimeven.client.events import Connected, Delayed, Event, Lost, Timing
from claimeven.client.link import Link, is_local
from claimeven.position import Board, Position
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError

# Close codes after which coming back is of no use.
FINAL = {
    4003: "not_your_seat.token",
    4004: "no_such_game.game",
}
# Errors that decide nothing: the server restarts, or cannot store anything now.
UNDECIDED = ("busy", "not_stored")
MAX_NEWS = 1000  # events kept for a reader that does not read
MAX_MESSAGE = 64 * 1024


_decoder: msgspec.json.Decoder[m.FromServer] = msgspec.json.Decoder(m.FromServer)
_encoder = msgspec.json.Encoder()


@dataclass
class _Sent:
    message: m.Request
    answer: "asyncio.Future[m.Ack | m.Hint]"
    due: float = 0.0  # when to send it (again)
    is_delayed: bool = False


class Client:
    """`state` is the game as the server last told it; None before the first time."""

    def __init__(self, link: Link, token: str | None = None, timing: Timing | None = None) -> None:
        self.link = link
        self.token = token
        self.timing = timing or Timing()
        self.state: m.State | None = None
        self.is_connected = False
        self.reconnects = 0
        self._sent: dict[str, _Sent] = {}
        self._ids = (f"{secrets.token_hex(4)}-{n}" for n in itertools.count(1))
        self._news: deque[Event] = deque(maxlen=MAX_NEWS)
        self._end: RefusedError | None = None
        self._todo = asyncio.Event()
        self._wants_sync = False
        self._heard = self._pinged = 0.0
        self._unanswered: float | None = None  # since when a ping, or hello, waits
        self._offset = 0.0  # of the server's clock from ours, milliseconds
        self._position: tuple[tuple[str, str], Position] | None = None
        self._change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task: asyncio.Task[None] | None = None
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.leave()

    async def leave(self) -> None:
        """Say goodbye and close the line."""
        if self._task is None:
            return
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed, TimeoutError):
                async with asyncio.timeout(1):
                    await self._socket.send(_text(m.Bye()))
                    await self._socket.close()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._task = None
        self._finish(RefusedError("left.game"))

    # What stands -------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        state = self._known
        key = state.start, state.moves
        if self._position is None or self._position[0] != key:
            board = Board(state.board.columns, state.board.rows, state.board.connect)
            position = Position.parse(state.start, board)
            for column in notation.parse_moves(state.moves, board.columns):
                position = position.play(column)
            self._position = key, position
        return self._position[1]

    @property
    def is_my_turn(self) -> bool:
        return self.state is not None and self.state.turn in self.state.you

    @property
    def may_swap(self) -> bool:
        """Whether one may take the first disc, by the pie rule, instead of dropping one."""
        return self.is_my_turn and self._known.swap

    @property
    def is_over(self) -> bool:
        return self.state is not None and self.state.status == "over"

    @property
    def has_news(self) -> bool:
        """Whether there are events to be read, or one that is bound to come: the end after the last move."""
        is_ending = self.state is not None and self.state.turn is None and self.state.status == "playing"
        return bool(self._news) or is_ending

    @property
    def server_time(self) -> float:
        """Milliseconds, by the server's clock."""
        return time.monotonic() * 1000 + self._offset

    @property
    def _known(self) -> m.State:
        if self.state is None:
            raise RefusedError("not_started.untold")
        return self.state

    async def until(self, ready: Callable[[], bool]) -> None:
        """Wait until something is true of the game; RefusedError if it cannot be any more."""
        while not ready():
            if self._end is not None:
                raise self._end.again()
            await asyncio.shield(self._change)

    async def __aiter__(self) -> AsyncIterator[Event]:
        """Everything that happens, from the beginning; RefusedError when the server sends us away."""
        while True:
            await self.until(lambda: bool(self._news))
            yield self._news.popleft()

    # Requests ----------------------------------------------------------------------------------------

    async def move(self, column: int) -> int:
        """Drop a disc, columns counted from 0; the number of the event."""
        state = self._known
        return await self.ask(m.Move(next(self._ids), state.take, len(state.moves), column + 1))

    async def undo(self) -> int:
        state = self._known
        return await self.ask(m.Undo(next(self._ids), state.take, len(state.moves)))

    async def redo(self) -> int:
        state = self._known
        return await self.ask(m.Redo(next(self._ids), state.take, len(state.moves)))

    async def swap(self) -> int:
        """Take the first disc: both players change sides."""
        return await self.ask(m.Swap(next(self._ids)))

    async def offer(self, kind: m.Wish) -> int:
        return await self.ask(m.Offer(next(self._ids), kind))

    async def answer(self, kind: m.OfferKind, yes: bool) -> int:
        return await self.ask(m.Answer(next(self._ids), kind, yes))

    async def resign(self) -> int:
        return await self.ask(m.Resign(next(self._ids)))

    async def claim(self, result: Literal["win", "draw"] = "win") -> int:
        return await self.ask(m.Claim(next(self._ids), result))

    async def more_time(self) -> int:
        return await self.ask(m.MoreTime(next(self._ids)))

    async def react(self, what: m.ReactionKind) -> int:
        return await self.ask(m.React(next(self._ids), what))

    async def hint(self) -> m.Hint:
        answer = await self._answered(m.HintRequest(next(self._ids)))
        assert isinstance(answer, m.Hint)
        return answer

    async def ask(self, message: m.Request) -> int:
        """Send until it is acknowledged; RefusedError says why it was refused."""
        answer = await self._answered(message)
        assert isinstance(answer, m.Ack)
        seq = answer.seq
        with contextlib.suppress(RefusedError):  # `state` includes it too when this returns
            await self.until(lambda: self.state is not None and self.state.seq >= seq)
        return seq

    async def _answered(self, message: m.Request) -> m.Ack | m.Hint:
        if self._end is not None:
            raise self._end.again()
        future: asyncio.Future[m.Ack | m.Hint] = asyncio.get_running_loop().create_future()
        self._sent[message.id] = _Sent(message, future)
        self._todo.set()
        try:
            return await future
        finally:
            self._sent.pop(message.id, None)

    # The line ----------------------------------------------------------------------------------------

    async def _run(self) -> None:
        failures = 0
        while True:
            reason, code = await self._once()
            if code in FINAL:
                self._finish(RefusedError(FINAL[code]))
                return
            failures = 0 if self.is_connected else failures + 1
            self.is_connected = False
            seconds = self.timing.pause(failures) * random.uniform(
                0.5, 1.0
            )  # not all at once after a restart
            self._tell(Lost(reason, seconds))
            await asyncio.sleep(seconds)
            self.reconnects += 1

    async def _once(self) -> tuple[str, int | None]:
        """One line, from its beginning to its end; why it ended, and the close code."""
        proxy: Literal[True] | None = None if is_local(self.link.address) else True
        try:
            async with connect(
                self.link.socket,
                compression=None,
                proxy=proxy,
                ping_interval=None,  # ours reach the application
                max_size=MAX_MESSAGE,
                open_timeout=self.timing.dead,
                close_timeout=1,
            ) as socket:
                self._socket = socket
                keeper = asyncio.create_task(self._keep(socket))
                try:
                    while True:
                        self._hear(await socket.recv())
                except ConnectionClosed:
                    return _why(socket.close_code), socket.close_code
                except msgspec.MsgspecError:
                    return "the server does not speak this protocol", None
                finally:
                    self._socket = None
                    keeper.cancel()
                    await asyncio.gather(keeper, return_exceptions=True)
        except (InvalidHandshake, InvalidMessage, InvalidURI):
            return "the server refuses the connection", None
        except (OSError, TimeoutError, EOFError):
            return "the server cannot be reached", None

    async def _keep(self, socket: ClientConnection) -> None:
        """All sending of one line: first hello, then what is due."""
        self._unanswered = self._heard = self._pinged = time.monotonic()
        self._wants_sync = False
        is_greeted = False
        with contextlib.suppress(ConnectionClosed):
            await socket.send(_text(m.Hello(m.PROTOCOL, self.token)))
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self.timing.resend / 2):
                        await self._todo.wait()
                self._todo.clear()
                if self._unanswered is not None and time.monotonic() - self._unanswered > self.timing.dead:
                    socket.transport.abort()
                    return
                if not self.is_connected:
                    continue
                if not is_greeted:  # what the last line took with it goes out again
                    is_greeted = True
                    for sent in self._sent.values():
                        sent.due = 0.0
                for message in self._due(time.monotonic()):
                    await socket.send(_text(message))

    def _due(self, now: float) -> list[m.FromClient]:
        messages: list[m.FromClient] = []
        if self._wants_sync or now - self._heard > self.timing.look_again:
            self._wants_sync = False
            self._heard = now
            messages.append(m.Sync())
        for sent in self._sent.values():
            if now >= sent.due:
                sent.due = now + self.timing.resend
                messages.append(sent.message)
        if now - self._pinged > self.timing.ping:
            self._pinged = now
            self._unanswered = self._unanswered or now
            messages.append(m.Ping(next(self._ids)))
        return messages

    # What is heard -----------------------------------------------------------------------------------

    def _hear(self, text: str | bytes) -> None:
        message = _decoder.decode(text)
        match message:
            case m.Pong():
                self._unanswered = None
            case m.Ack() | m.Hint():
                self._settle(message.id, message)
            case m.Error():
                self._refused(message)
            case m.State():
                self._hear_state(message)
            case m.Moved():
                self._hear_move(message)
            case m.Presence():
                if self.state is not None:
                    self.state = structs.replace(self.state, seats=message.seats, watchers=message.watchers)
                    self._tell(message)
            case m.Thinking() | m.Reaction() | m.Notice():
                self._tell(message)

    def _hear_state(self, state: m.State) -> None:
        is_first, known = not self.is_connected, self.state
        if known is not None and not is_first and state.seq < known.seq:
            return  # overtaken by what came after it
        self._heard = time.monotonic()
        self._offset = state.server_time - self._heard * 1000
        is_known = known is not None and state == structs.replace(known, server_time=state.server_time)
        self.state = state
        if is_first:
            self._unanswered = None
            self.is_connected = True
            self._todo.set()
            self._tell(Connected())
        if not is_known:
            self._tell(state)

    def _hear_move(self, move: m.Moved) -> None:
        state = self.state
        if state is None or not self.is_connected or move.seq <= state.seq:
            return  # known, or of a line whose state has not come yet
        if move.seq > state.seq + 1:
            self._wants_sync = True
            self._todo.set()
            return
        self._heard = time.monotonic()
        self.state = structs.replace(
            state,
            seq=move.seq,
            take=move.take,
            moves=state.moves + notation.column_digit(move.column - 1),
            redo="",
            turn=move.turn,
            landing=move.landing,
            clock=move.clock,
            offers=m.Offers(),
            swap=move.swap,
        )
        self._tell(move)

    def _refused(self, error: m.Error) -> None:
        sent = self._sent.get(error.id or "")
        if sent is None or sent.answer.done():
            return
        if error.code in UNDECIDED and not isinstance(sent.message, m.HintRequest):
            if not sent.is_delayed:  # it is sent again
                sent.is_delayed = True
                self._tell(Delayed(error.message))
            return
        sent.answer.set_exception(RefusedError.told(error.code, error.message, error.detail or None))

    def _settle(self, id: str, answer: m.Ack | m.Hint) -> None:
        sent = self._sent.get(id)
        if sent is not None and not sent.answer.done():
            sent.answer.set_result(answer)

    def _tell(self, event: Event) -> None:
        self._news.append(event)
        change, self._change = self._change, asyncio.get_running_loop().create_future()
        change.set_result(None)

    def _finish(self, error: RefusedError) -> None:
        """Nothing more will happen: whoever waits is told."""
        self._end = self._end or error
        self.is_connected = False
        for sent in self._sent.values():
            if not sent.answer.done():
                sent.answer.set_exception(self._end.again())
        if not self._change.done():
            self._change.set_result(None)


def _text(message: m.FromClient) -> str:
    return _encoder.encode(message).decode()


def _why(code: int | None) -> str:
    return {
        1008: "the server sends us away",
        1011: "the server has a fault",
        1012: "the server restarts",
    }.get(code or 0, "the line is down")
