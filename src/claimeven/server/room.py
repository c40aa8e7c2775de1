"""One game and everybody at it: requests go in, what they did comes out after it is stored.

All of this runs in the event loop, one request at a time; only thinking and storing happen elsewhere.
"""

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from msgspec import structs

from claimeven.server import messages as m
from claimeven.server.errors import NOT_STORED, RefusedError
from claimeven.server.hints import Hints
from claimeven.server.live import Live, Step, Who, Write
from claimeven.server.names import clean_name
from claimeven.server.player import AgentPlayer, Thought
from claimeven.server.presence import Attendance, Guest
from claimeven.server.requests import Requests
from claimeven.server.view import whole_state
from claimeven.server.writer import Chain, Job

if TYPE_CHECKING:
    from claimeven.server.hub import Hub

Value = TypeVar("Value")
PRESENCE_DELAY = 300  # milliseconds in which comings and goings are told together
EMPTY_PATIENCE = 60_000  # milliseconds an agent goes on thinking when nobody is there


class Room:
    def __init__(self, hub: "Hub", live: Live) -> None:
        self.hub = hub
        self.live = live
        self.pending = 0  # changes on their way to the disk
        self.last_used = hub.now()
        self.attendance = Attendance(live, hub.settings, hub.now())
        self._entering: set[Guest] = set()
        self._agents = AgentPlayer(self)
        self._hints = Hints()
        self._chain = Chain()
        self._requests = Requests()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        live.turn_since = live.turn_since or hub.now()
        if hub.can_store:
            live.run_clock(hub.now())  # it stood still while the game was only on disk
            self._set_timers()

    # Coming and going --------------------------------------------------------------------------------

    @property
    def has_guests(self) -> bool:
        return bool(self.attendance.guests)

    def enter(self, guest: Guest) -> None:
        """Tell a new guest the whole game, then everything that happens."""
        self.last_used = self.hub.now()
        self._entering.add(guest)
        state = self.states(guest)

        def ready(error: Exception | None) -> None:
            if error is None and guest in self._entering:
                self._entering.discard(guest)
                self.attendance.come(guest)
                guest.send(state(guest))
                self._tell_presence_soon()
                self._agents.wake()

        self._commit([], ready)

    def show(self, guest: Guest) -> None:
        """Tell a guest the whole game once more."""
        self._say(guest, self.states()(guest))

    def leave(self, guest: Guest) -> None:
        self._entering.discard(guest)
        if guest not in self.attendance.guests:
            return
        now = self.last_used = self.hub.now()
        for side in self.attendance.go(guest, now):
            self._later(f"gone{side}", (self.attendance.gone_at(side) or now) - now + 1, self._tell_presence)
        self._tell_presence_soon()
        if not self.has_guests:
            self._later("empty", EMPTY_PATIENCE, self._rest)

    def _rest(self) -> None:
        if not self.has_guests:
            self._agents.stop()

    def _tell_presence_soon(self) -> None:
        if "presence" not in self._timers:
            self._later("presence", PRESENCE_DELAY, self._tell_presence)

    def _tell_presence(self) -> None:
        self.tell(m.Presence(self.attendance.seats(self.hub.now()), self.attendance.watchers))

    def thoughts(self) -> list[Thought]:
        """What the agents here thought last; it is remembered as long as the game is in memory."""
        return list(self._agents.thoughts.values())

    # Requests ----------------------------------------------------------------------------------------

    def request(self, guest: Guest, message: m.Request) -> None:
        """Do what a guest asks and acknowledge it when it is stored; RefusedError if it cannot be."""
        self.hub.check_open()
        now = self.last_used = self.hub.now()
        self.flag(now)
        if isinstance(message, m.HintRequest):
            self._hints.give(self, guest, message)
            return
        step, id = self._requests.grant(self, guest, message, now), message.id
        self.apply(
            step,
            lambda: guest.send(m.text_of(m.Ack(id, step.seq))),
            lambda _: guest.send(m.text_of(m.Error(id, "not_stored", NOT_STORED))),
        )

    def join(self, name: str, token_hash: str, done: Callable[[Exception | None], None]) -> None:
        side, step = self.live.join(clean_name(name), token_hash, self.hub.now())
        self.attendance.seat_changed(side, self.hub.now())
        self.apply(step, lambda: done(None), done)

    # What a step leads to ----------------------------------------------------------------------------

    def apply(
        self,
        step: Step,
        acknowledge: Callable[[], None] | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Store what a step did; then acknowledge it and tell everybody."""
        moved = None if step.moved is None else m.text_of(step.moved)
        state = self.states() if step.is_rare else None

        def stored(error: Exception | None) -> None:
            if error is not None:
                if failed is not None:
                    failed(error)
                return
            if acknowledge is not None:
                acknowledge()
            for guest in list(self.attendance.guests):
                if moved is not None:
                    guest.send(moved)
                if state is not None:
                    guest.send(state(guest))

        self._commit(step.writes, stored)
        if step.writes:
            self.hub.counters["moves"] += step.moved is not None
            self._set_timers()
            self._agents.wake()

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

    def _say(self, guest: Guest, text: str) -> None:
        """Tell one guest something that rests on all changes so far."""

        def stored(error: Exception | None) -> None:
            if error is None:
                guest.send(text)

        self._commit([], stored)

    def tell(self, message: m.ServerMessage) -> None:
        """Tell everybody something that rests on nothing."""
        text = m.text_of(message)
        for guest in list(self.attendance.guests):
            guest.send(text)

    def states(self, newcomer: Guest | None = None) -> Callable[[Guest], str]:
        """The whole game as it stands now, written for each guest: what is theirs differs."""
        whole = self.whole_state(Who(), newcomer)
        texts: dict[Who, str] = {}

        def text_for(guest: Guest) -> str:
            who = self.live.who(guest.token_hash)
            if who not in texts:
                you = tuple(side + 1 for side in who.sides)
                texts[who] = m.text_of(structs.replace(whole, you=you, owner=who.is_owner))
            return texts[who]

        return text_for

    def whole_state(self, who: Who, newcomer: Guest | None = None) -> m.State:
        return whole_state(self.live, self.attendance, who, self.hub.now(), newcomer)

    # Time ----------------------------------------------------------------------------------------------

    def _later(self, name: str, ms: int, action: Callable[[], None]) -> None:
        """Do something in `ms` milliseconds instead of what was planned under this name."""
        self._not_later(name)

        def act() -> None:
            self._timers.pop(name, None)
            action()

        self._timers[name] = asyncio.get_running_loop().call_later(max(ms, 0) / 1000, act)

    def _not_later(self, name: str) -> None:
        if name in self._timers:
            self._timers.pop(name).cancel()

    def _set_timers(self) -> None:
        """The moment when the running clock falls, or when a first move is overdue."""
        live, now = self.live, self.hub.now()
        falls = None if live.clock is None or live.result else live.clock.falls_at()
        if falls is not None:
            self._later("flag", falls - now + 1, lambda: self.flag(self.hub.now()))
        elif live.waits_for_first_move:
            self._later("flag", self.hub.settings.first_move, self._abort)
        else:
            self._not_later("flag")

    def _abort(self) -> None:
        if self.live.waits_for_first_move:
            self.apply(self.live.end(None, "abort", self.hub.now()))

    def flag(self, now: int) -> None:
        step = self.live.flag(now)
        if step is not None:
            self.apply(step)

    def pause(self) -> None:
        """Nothing can be stored: nobody's time runs, and agents rest."""
        if self.live.clock is not None:
            self.live.clock.stop(self.hub.now())
        self._not_later("flag")
        self._agents.stop()
        self._show_all()

    def go_on(self) -> None:
        """Games can be stored again."""
        self.live.run_clock(self.hub.now())
        self._set_timers()
        self._agents.wake()
        self._show_all()

    def _show_all(self) -> None:
        for guest in list(self.attendance.guests):
            self.show(guest)

    def close(self) -> None:
        """Forget timers and thoughts; the game itself is on disk."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._agents.stop()

    @property
    def is_idle(self) -> bool:
        """Nobody is here and nothing runs: the game may rest on disk."""
        return not (
            self.has_guests
            or self._entering
            or self.pending
            or self._agents.is_busy
            or "flag" in self._timers
        )
