"""The text door: two people over plain TCP, in the words of an earlier system.

The server says, each on a line of its own: `1` or `2` (who you are), `your_turn`, `wait:n` (whose turn it is,
twice a second), `board:[[0, …], …]:n` (rows from the bottom, who moves next), `win:n`, `draw`,
`opponent_disconnected`, `server_shutdown`, and `busy` to who is one too many, of connections or
of games. The client says a column, `0` to `6`; clients that never end their lines are understood too.
"""

import asyncio
import contextlib
import re
import socket
from asyncio import StreamReader, StreamWriter

from claimeven.formats import grid
from claimeven.position import Position
from claimeven.server import messages as m
from claimeven.server.doors.limits import Bucket, Limits
from claimeven.server.errors import RefusedError
from claimeven.server.game.room import Room
from claimeven.server.game.session import Seat, Session
from claimeven.server.hub import Hub
from claimeven.server.tokens import hash_of, new_id, new_secret

DEFAULT_PORT = 12345
MAX_NONSENSE = 256  # bytes that are no column, before the wire is cut
WAIT_SECONDS = 0.5
# A client without framing takes what one read gives for one message, so each is sent on its own.
GAP_SECONDS = 0.05
IDLE_SECONDS = 1800.0


class TcpDoor:
    """Pairs those who connect, two and two."""

    def __init__(self, hub: Hub, limits: Limits) -> None:
        self.hub = hub
        self.limits = limits
        self.players: set[TextPlayer] = set()
        self._waiting: TextPlayer | None = None
        self._server: asyncio.Server | None = None

    async def open(self, taken: socket.socket) -> int:
        """Answer at a port that was taken; its number."""
        port: int = taken.getsockname()[1]
        self._server = await asyncio.start_server(self._meet, sock=taken, limit=1024, backlog=8)
        return port

    def shut(self) -> None:
        """Who is here stays; nobody else comes in."""
        if self._server is not None:
            self._server.close()

    async def close(self) -> None:
        self.shut()
        for player in list(self.players):
            player.say("server_shutdown")
            player.close(0)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2):
                while self.players:
                    await asyncio.sleep(0.02)

    async def _meet(self, reader: StreamReader, writer: StreamWriter) -> None:
        address = writer.get_extra_info("peername")[0]
        try:
            self.limits.enter(address)
        except RefusedError:
            writer.write(b"busy\n")
            writer.close()
            return
        player = TextPlayer(reader, writer, address, self.limits.visitor_at(address))
        self.players.add(player)
        try:
            await self._play(player)
        except (ConnectionError, TimeoutError, EOFError):
            pass
        except Exception:
            self.hub.log.exception("text connection failed")
        finally:
            self.players.discard(player)
            self.limits.leave(address)
            if self._waiting is player:
                self._waiting = None
            player.left()
            await player.finish()

    async def _play(self, player: "TextPlayer") -> None:
        other = self._waiting
        if other is None or other.is_closed:
            self._waiting = player
            player.say("1")
        elif not self.limits.take_game(player.visitor):
            player.say("busy")
            return
        else:
            self._waiting = None
            player.say("2")
            await self._begin(other, player)
        await player.read(Bucket(self.limits.messages_burst, self.limits.messages_per_second))

    async def _begin(self, first: "TextPlayer", second: "TextPlayer") -> None:
        tokens = new_secret(), new_secret()
        seats = (
            Seat("human", "Player 1", None, hash_of(tokens[0])),
            Seat("human", "Player 2", None, hash_of(tokens[1])),
        )
        now = self.hub.now()
        room = await self.hub.create(
            Session(new_id(), Position(), seats, now, 1000, owner=seats[0].owner, turn_since=now)
        )
        for side, player in enumerate((first, second)):
            player.sit(room, side, seats[side].owner)


class TextPlayer:
    """A guest of a room that hears and speaks text."""

    door = "text"
    lag = 0
    said_bye = False

    def __init__(self, reader: StreamReader, writer: StreamWriter, address: str, visitor: str) -> None:
        self.address = address
        self.visitor = visitor
        self.token_hash: str | None = None
        self.room: Room | None = None
        self.side = 0
        self.is_closed = False
        self._reader = reader
        self._writer = writer
        self._to_say: asyncio.Queue[str | None] = asyncio.Queue(64)
        self._speaker = asyncio.create_task(self._speak())
        self._reminder: asyncio.Task[None] | None = None
        self._turn: int | None = None
        self._nonsense = 0
        self._asked = 0  # moves

    def sit(self, room: Room, side: int, token_hash: str | None) -> None:
        self.room, self.side, self.token_hash = room, side, token_hash
        room.enter(self)
        if self.is_closed:
            self.left()

    # What the player hears -----------------------------------------------------------------------------

    def send(self, told: m.Outgoing) -> None:
        """A message of the room, in the words of this door."""
        message = told.message
        if isinstance(message, m.Moved):
            self._show_board()
            self._prompt(message.turn)
        elif isinstance(message, m.State):
            if message.result is None:
                self._prompt(message.turn)
                return
            self._prompt(None)
            winner = message.result.winner
            if message.result.reason == "abandon":
                self.say("opponent_disconnected")
            else:
                self.say("draw" if winner is None else f"win:{winner}")
            self.close(0)

    def _show_board(self) -> None:
        assert self.room is not None
        position = self.room.session.position
        rows = grid.rows_text(position, "bottom")  # those clients draw the first row at the foot
        self.say(f"board:{rows}:{position.side + 1}")

    def _prompt(self, turn: int | None) -> None:
        self._turn = turn
        if self._reminder is not None:
            self._reminder.cancel()
            self._reminder = None
        if turn == self.side + 1:
            self.say("your_turn")
        elif turn is not None:
            self._reminder = asyncio.create_task(self._remind(turn))

    async def _remind(self, turn: int) -> None:
        while True:
            self.say(f"wait:{turn}")
            await asyncio.sleep(WAIT_SECONDS)

    def say(self, words: str) -> None:
        try:
            self._to_say.put_nowait(words)
        except asyncio.QueueFull:  # it does not read
            self._writer.transport.abort()

    def close(self, code: int) -> None:
        """After what is still to be said."""
        if not self.is_closed:
            self.is_closed = True
            if self._reminder is not None:
                self._reminder.cancel()
            try:
                self._to_say.put_nowait(None)
            except asyncio.QueueFull:
                self._writer.transport.abort()

    async def _speak(self) -> None:
        try:
            while (words := await self._to_say.get()) is not None:
                self._writer.write(words.encode() + b"\n")
                await self._writer.drain()
                await asyncio.sleep(GAP_SECONDS)
        except (ConnectionError, OSError):
            pass
        finally:
            self._writer.close()

    async def finish(self) -> None:
        """Let the last words go out, but do not wait for ever."""
        self.close(0)
        _, late = await asyncio.wait((self._speaker,), timeout=2)
        if late:
            self._speaker.cancel()
            self._writer.transport.abort()

    def left(self) -> None:
        """Who goes loses: this door has no way back."""
        self.close(0)
        room, self.room = self.room, None
        if room is not None:
            room.leave(self)
            room.abandon(self.side)

    # What the player says ------------------------------------------------------------------------------

    async def read(self, bucket: Bucket) -> None:
        while True:
            async with asyncio.timeout(IDLE_SECONDS):
                data = await self._reader.read(256)
            if not data:
                raise EOFError
            if not bucket.take():
                raise ConnectionError("too many messages")
            # What follows the last line end is a line as well: some clients never send one.
            for line in re.split(rb"\r?\n", data):
                self._hear(line)

    def _hear(self, line: bytes) -> None:
        if not line:
            return
        if self.room is None or self._turn != self.side + 1:
            self._count_nonsense(line)
            return
        session = self.room.session
        if not re.fullmatch(rb"[0-6]", line):
            self._count_nonsense(line)
            self.say("your_turn")
            return
        try:
            self._asked += 1
            move = m.Move(
                id=f"{id(self):x}-{self._asked}", take=session.take, ply=session.ply, column=int(line) + 1
            )
            self._turn = None  # until the move is stored
            self.room.request(self, move)
        except RefusedError:
            self._turn = self.side + 1
            self.say("your_turn")

    def _count_nonsense(self, line: bytes) -> None:
        self._nonsense += len(line)
        if self._nonsense > MAX_NONSENSE:
            raise ConnectionError("nonsense")
