"""One game and everybody at it: requests go in, what they did comes out after it is stored.

All of this runs in the event loop, one request at a time; only thinking and storing happen elsewhere.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from msgspec import structs

from claimeven.agents import AgentError
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.live import BOTH, Live, Step, Who, Write
from claimeven.server.names import agent_name, clean_name
from claimeven.server.store import new_game, start_text
from claimeven.server.thinking import EXACT_PATIENCE, is_exact
from claimeven.server.writer import Chain, Job

if TYPE_CHECKING:
    from claimeven.server.hub import Hub

Value = TypeVar("Value")
REMEMBERED_IDS = 64
PRESENCE_DELAY = 0.3  # seconds in which comings and goings are told together
EMPTY_PATIENCE = 60.0  # seconds an agent goes on thinking when nobody is there
WATCH_PACE = 0.7  # seconds between two moves of agents, so that they can be followed


class Guest(Protocol):
    """A connection, as the room sees it."""

    token_hash: str | None
    said_bye: bool

    @property
    def lag(self) -> int:
        """Milliseconds to the client and back, as measured by the server."""

    def send(self, text: str) -> None: ...

    def close(self, code: int) -> None: ...


class Room:
    def __init__(self, hub: "Hub", live: Live) -> None:
        self.hub = hub
        self.live = live
        self.guests: set[Guest] = set()
        self.pending = 0  # changes on their way to the disk
        self.last_used = hub.now()
        self._chain = Chain()
        self._recent: OrderedDict[tuple[str | None, str], int] = OrderedDict()
        self._away: list[tuple[int, bool] | None] = [(hub.now(), False), (hub.now(), False)]
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._thought: tuple[asyncio.Task[None], threading.Event, tuple[int, int, str]] | None = None
        if live.clock is not None:  # it stood still while the game was only on disk
            live.run_clock(hub.now())
        live.turn_since = live.turn_since or hub.now()
        self._set_flag_timer()

    # Coming and going --------------------------------------------------------------------------------

    def enter(self, guest: Guest) -> None:
        """Tell a new guest the whole game, then everything that happens."""
        self.last_used = self.hub.now()
        for side in self.live.who(guest.token_hash).sides:
            self._away[side] = None
        state = self.state(guest)

        def ready(error: Exception | None) -> None:
            if error is None:
                guest.send(state)
                self.guests.add(guest)
                self._tell_presence_soon()
                self.wake_agent()

        self._commit([], ready)

    def show(self, guest: Guest) -> None:
        """Tell a guest the whole game once more."""
        state = self.state(guest)
        self._say(guest, state)

    async def settled(self, look: Callable[[], Value]) -> Value:
        """Something about the game, seen now and told when all of it is on disk."""
        seen = look()
        future: asyncio.Future[Value] = asyncio.get_running_loop().create_future()

        def stored(error: Exception | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(seen)
            else:
                future.set_exception(RefusedError("busy", "the game could not be stored; look again"))

        self._commit([], stored)
        return await future

    def leave(self, guest: Guest) -> None:
        if guest not in self.guests:
            return
        self.guests.discard(guest)
        now = self.last_used = self.hub.now()
        for side in self.live.who(guest.token_hash).sides:
            if not any(side in self.live.who(other.token_hash).sides for other in self.guests):
                self._away[side] = now, guest.said_bye
                self._later(f"gone{side}", (self._gone_at(side) or now) - now + 1, self._tell_presence)
        self._tell_presence_soon()
        if not self.guests:
            self._later("empty", int(EMPTY_PATIENCE * 1000), self._stop_thinking)

    def _gone_at(self, side: int) -> int | None:
        """When the other may claim; None for those who are here."""
        away = self._away[side]
        if away is None or self.live.seats[side].kind != "human":
            return None
        since, said_bye = away
        settings = self.hub.settings
        grace = settings.grace_after_bye if said_bye else settings.grace
        clock = self.live.clock
        is_slow = clock is None or clock.initial >= settings.slow_clock
        return since + grace * (3 if is_slow else 1)

    def seats(self) -> tuple[m.SeatState, m.SeatState]:
        now = self.hub.now()
        first, second = (self._seat(side, now) for side in BOTH)
        return first, second

    def _seat(self, side: int, now: int) -> m.SeatState:
        seat = self.live.seats[side]
        gone_at = self._gone_at(side)
        presence = "online" if gone_at is None else "reconnecting" if now < gone_at else "gone"
        return m.SeatState(side + 1, seat.kind, seat.name, seat.agent, presence, gone_at)  # type: ignore[arg-type]

    @property
    def people(self) -> int:
        """Players who are here, tab by tab."""
        return sum(bool(self.live.who(guest.token_hash).sides) for guest in self.guests)

    @property
    def watchers(self) -> int:
        return len(self.guests) - self.people

    def _tell_presence_soon(self) -> None:
        if "presence" not in self._timers:
            self._later("presence", int(PRESENCE_DELAY * 1000), self._tell_presence)

    def _tell_presence(self) -> None:
        self._tell(m.text_of(m.Presence(self.seats(), self.watchers)))

    # Requests ----------------------------------------------------------------------------------------

    def request(self, guest: Guest, message: m.Request) -> None:
        """Do what a guest asks and acknowledge it when it is stored; RefusedError if it cannot be."""
        if self.hub.is_closing:
            raise RefusedError("busy", "the server restarts; come back in a moment")
        now = self.last_used = self.hub.now()
        self._flag(now)
        who = self.live.who(guest.token_hash)
        if isinstance(message, m.HintRequest):
            self._hint(guest, who, message.id)
            return
        key = guest.token_hash, message.id
        if key in self._recent and not isinstance(message, m.Move):
            seq = self._recent[key]
            self._say(guest, m.text_of(m.Ack(message.id, seq)))
            return
        step = self._step(guest, who, message, now)
        self._recent[key] = step.seq
        if len(self._recent) > REMEMBERED_IDS:
            self._recent.popitem(last=False)
        self.apply(step, lambda: guest.send(m.text_of(m.Ack(message.id, step.seq))))

    def _step(self, guest: Guest, who: Who, message: m.Request, now: int) -> Step:
        live = self.live
        match message:
            case m.Move():
                return live.move(who, message.take, message.ply, message.column - 1, now, guest.lag)
            case m.Undo():
                return live.undo(who, message.take, message.ply, now)
            case m.Redo():
                return live.redo_moves(who, message.take, message.ply, now)
            case m.Offer():
                return self._rematched(live.offer(who, message.kind, now))
            case m.Answer():
                return self._rematched(live.answer(who, message.kind, message.yes, now))
            case m.Resign():
                return live.resign(who, now)
            case m.Claim():
                return live.claim(who, message.result, self._gone_at(live.position.side), now)
            case m.SeatChange():
                return self._change_seat(who, message, now)
            case m.MoreTime():
                return live.more_time(who)
            case m.Name():
                return live.set_name(who, clean_name(message.name))
        raise AssertionError(message)

    def _change_seat(self, who: Who, message: m.SeatChange, now: int) -> Step:
        spec = None if message.agent is None else self.hub.thinkers.check(message.agent)
        name = "" if spec is None else agent_name(spec)
        if spec is None:
            name = next((self.live.seats[side].name for side in who.sides), "")
        step = self.live.set_agent(who, message.side - 1, spec, name, now)
        is_here = any(self.live.who(guest.token_hash).is_owner for guest in self.guests)
        self._away[message.side - 1] = None if spec or is_here else (now, False)
        return step

    def _rematched(self, step: Step) -> Step:
        if not step.is_rematch:
            return step
        live = self.live.swapped(self.hub.new_id(), self.hub.now())
        self.hub.adopt(Room(self.hub, live))
        step = self.live.rematched(live.id)
        return step._replace(writes=[*new_game(live), *step.writes])

    def join(self, name: str, token_hash: str, done: Callable[[Exception | None, int], None]) -> None:
        side, step = self.live.join(clean_name(name), token_hash, self.hub.now())
        self._away[side] = self.hub.now(), False
        self.apply(step, lambda: done(None, side), lambda error: done(error, side))

    # What a step leads to ----------------------------------------------------------------------------

    def apply(
        self,
        step: Step,
        acknowledge: Callable[[], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Store what a step did; then acknowledge it and tell everybody."""
        moved = None if step.moved is None else m.text_of(step.moved)
        states = self._states() if step.is_rare else None

        def stored(error: Exception | None) -> None:
            if error is not None:
                if failed is not None:
                    failed(error)
                return
            if acknowledge is not None:
                acknowledge()
            for guest in list(self.guests):
                if moved is not None:
                    guest.send(moved)
                if states is not None:
                    guest.send(states(guest))

        self._commit(step.writes, stored)
        if step.writes:
            self.hub.counters["moves"] += step.moved is not None
            self._set_flag_timer()
            self.wake_agent()

    def _commit(self, writes: list[Write], done: Callable[[Exception | None], object]) -> None:
        """Call `done` when these changes, and all before them, are on disk."""
        if not writes and not self.pending and not self._chain.is_broken:
            done(None)
            return
        self.pending += 1
        began = time.monotonic()

        def stored(error: Exception | None) -> None:
            self.pending -= 1
            self.hub.store_seconds.add(time.monotonic() - began)
            done(error)
            if error is not None:
                self.hub.broke(self, error)

        self.hub.writer.put(Job(self._chain, writes, stored))

    def _say(self, guest: Guest, text: str) -> None:
        """Tell one guest something that rests on all changes so far."""

        def stored(error: Exception | None) -> None:
            if error is None:
                guest.send(text)

        self._commit([], stored)

    def _tell(self, text: str) -> None:
        for guest in list(self.guests):
            guest.send(text)

    def state(self, guest: Guest | None) -> str:
        return self._states()(guest)

    def _states(self) -> Callable[[Guest | None], str]:
        """The whole game as it stands now, written for each guest: what is theirs differs."""
        whole = self.whole_state(Who())
        texts: dict[Who, str] = {}

        def text_for(guest: Guest | None) -> str:
            who = self.live.who(None if guest is None else guest.token_hash)
            if who not in texts:
                you = tuple(side + 1 for side in who.sides)
                texts[who] = m.text_of(structs.replace(whole, you=you, owner=who.is_owner))
            return texts[who]

        return text_for

    def whole_state(self, who: Who) -> m.State:
        live, now = self.live, self.hub.now()
        board = live.start.board
        position = live.position
        return m.State(
            seq=live.seq,
            protocol=m.PROTOCOL,
            game=live.id,
            you=tuple(side + 1 for side in who.sides),
            owner=who.is_owner,
            server_time=now,
            board=m.BoardShape(board.columns, board.rows, board.connect),
            start=start_text(live.start),
            moves=live.moves_text,
            take=live.take,
            redo=live.redo_text,
            turn=None if live.turn is None else live.turn + 1,
            landing=live.landing(),
            seats=self.seats(),
            clock=None if live.clock is None else live.clock.state(now),
            think=live.think,
            offers=live.offers_state(),
            result=live.result_state(),
            four=tuple((cell.column + 1, cell.row + 1) for cell in position.four),
            status=live.status,
            watchers=self.watchers,
            rematch=live.rematch,
        )

    # Time ----------------------------------------------------------------------------------------------

    def _later(self, name: str, ms: int, action: Callable[[], None]) -> None:
        """Do something in `ms` milliseconds instead of what was planned under this name."""
        if name in self._timers:
            self._timers.pop(name).cancel()

        def act() -> None:
            self._timers.pop(name, None)
            action()

        self._timers[name] = asyncio.get_running_loop().call_later(max(ms, 0) / 1000, act)

    def _set_flag_timer(self) -> None:
        falls = None if self.live.clock is None or self.live.result else self.live.clock.falls_at()
        if falls is not None:
            self._later("flag", falls - self.hub.now() + 1, lambda: self._flag(self.hub.now()))
        elif "flag" in self._timers:
            self._timers.pop("flag").cancel()

    def _flag(self, now: int) -> None:
        step = self.live.flag(now)
        if step is not None:
            self.apply(step)

    def close(self) -> None:
        """Forget timers and thoughts; the game itself is on disk."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._stop_thinking()

    @property
    def is_idle(self) -> bool:
        """Nobody is here and nothing runs: the game may rest on disk."""
        runs = self.live.clock is not None and self.live.clock.running is not None and not self.live.result
        return not (self.guests or self.pending or runs or self._thought)

    # Agents --------------------------------------------------------------------------------------------

    def wake_agent(self) -> None:
        """Let the agent to move think, if there is one and anybody is here; stop thoughts about the past."""
        live = self.live
        spec = live.agent_to_move
        topic = None if spec is None else (live.take, live.ply, spec)
        if self._thought is not None:
            if self._thought[2] == topic:
                return
            self._stop_thinking()
        if topic is None or not self.guests or self.hub.is_closing:
            return
        stop = threading.Event()
        task = asyncio.get_running_loop().create_task(self._think(topic, stop))
        self._thought = task, stop, topic

    def _stop_thinking(self) -> None:
        if self._thought is not None:
            task, stop, _ = self._thought
            self._thought = None
            stop.set()
            task.cancel()

    async def _think(self, topic: tuple[int, int, str], stop: threading.Event) -> None:
        live, spec = self.live, topic[2]
        side = live.position.side
        self._tell(m.text_of(m.Thinking(side + 1, True)))
        began = self.hub.now()
        ending = ""
        column = -1
        try:
            choice = await self.hub.thinkers.choose(spec, live.position, self._seconds(side, spec), stop)
            column = choice.column
            if all(seat.kind == "agent" for seat in live.seats):
                await asyncio.sleep(max(0.0, WATCH_PACE - (self.hub.now() - began) / 1000))
        except AgentError as error:
            ending = error.ending
            self.hub.log.warning("agent failed", extra={"game": live.id, "agent": spec, "error": str(error)})
        except Exception:
            ending = "crash"
            self.hub.log.exception("agent crashed", extra={"game": live.id, "agent": spec})
        self._thought = None
        now = self.hub.now()
        self._tell(m.text_of(m.Thinking(side + 1, False)))
        self._flag(now)
        if live.result is not None:
            return
        try:
            if not ending:
                who = Who((side,))
                self.apply(live.move(who, live.take, live.ply, column, now, by_agent=True))
        except RefusedError:
            ending = "illegal"
        if ending:
            self.apply(live.end(1 - side, ending, now))

    def _seconds(self, side: int, spec: str) -> float:
        """What an agent may use for this move."""
        seconds = self.live.think / 1000
        clock = self.live.clock
        if clock is not None:
            return min(seconds, clock.left[side] / 10_000 + clock.increment / 2_000)
        return max(seconds, EXACT_PATIENCE) if is_exact(spec) else seconds

    def _hint(self, guest: Guest, who: Who, id: str) -> None:
        live = self.live
        if not who.sides:
            raise RefusedError("not_your_seat", "only players get hints")
        if live.is_between_people:
            raise RefusedError("not_allowed", "no hints in a game between people")
        if live.turn is None:
            raise RefusedError("game_over" if live.result else "not_started", "nobody is to move")

        async def answer() -> None:
            try:
                columns, text = await self.hub.thinkers.hint(live.position)
                guest.send(m.text_of(m.Hint(id, columns, text)))
            except RefusedError as error:
                guest.send(m.text_of(m.Error(id, error.code, error.message)))

        self.hub.spawn(answer())
