"""One game and everybody at it: requests go in, what they did comes out after it is stored.

All of this runs in the event loop, one request at a time; only thinking and storing happen elsewhere.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.futures import settle
from claimeven.server.game import wire
from claimeven.server.game.company.hints import Answer, Hints
from claimeven.server.game.company.player import AgentPlayer, Failure, Thought
from claimeven.server.game.company.presence import Attendance, Guest
from claimeven.server.game.company.reactions import Reactions
from claimeven.server.game.company.timers import Timers
from claimeven.server.game.events import Event, MoveMade, SeatChanged, SeatTaken, SidesChanged, Standing
from claimeven.server.game.names import table_name
from claimeven.server.game.ports import Ports
from claimeven.server.game.requests import Asker, Requests
from claimeven.server.game.session import Session, Step, Who

Value = TypeVar("Value")
PRESENCE_DELAY = 300  # milliseconds in which comings and goings are told together
QUICK_COMMIT = 100  # milliseconds that nobody is forgiven, as nobody notices them
EMPTY_PATIENCE = 60_000  # milliseconds an agent goes on thinking when nobody is there


class Room:
    def __init__(self, ports: Ports, session: Session) -> None:
        self.session = session
        self.pending = 0  # changes on their way to the disk
        self.last_used = now = ports.now()
        self.attendance = Attendance(session, ports.settings, now)
        self.maker = ""  # the address of who began it here; forgotten with the room
        self._ports = ports
        self._entering: set[Guest] = set()
        self._agents = AgentPlayer(ports.think)
        self._hints = Hints(ports.think)
        self._reactions = Reactions()
        self._requests = Requests(session, ports.think.check, ports.new_id)
        self._timers = Timers()
        self._untold = 0  # moves on their way to the disk
        self._is_broken = False  # a change could not be stored
        session.turn_since = session.turn_since or now
        if ports.why_closed() is None:
            if session.clock is None or session.clock.running is None:
                session.run_clock(now)  # it stood still while the server was down
            self._set_timers()
            self._wake_agents()

    # Coming and going --------------------------------------------------------------------------------

    @property
    def has_guests(self) -> bool:
        return bool(self.attendance.guests)

    def enter(self, guest: Guest) -> None:
        """Tell a new guest the whole game, then everything that happens."""
        self.last_used = self._ports.now()
        self._entering.add(guest)
        state = self._states(guest)

        def ready(error: BaseException | None) -> None:
            if error is None and guest in self._entering:
                self._entering.discard(guest)
                self.attendance.come(guest)
                guest.send(state(guest))
                self._tell_presence_soon()
                self._wake_agents()

        self._commit((), ready)

    def show(self, guest: Guest) -> None:
        """Tell a guest the whole game once more."""
        state = self._states()(guest)
        self._commit((), lambda error: guest.send(state) if error is None else None)

    def leave(self, guest: Guest) -> None:
        self._entering.discard(guest)
        if guest not in self.attendance.guests:
            return
        now = self.last_used = self._ports.now()
        for side in self.attendance.go(guest, now):
            gone_at = self.attendance.gone_at(side) or now
            self._timers.set(f"gone{side}", gone_at - now + 1, self._tell_presence)
        self._tell_presence_soon()
        if not self.attendance.people:
            self._hints.stop()
        if not self.has_guests:
            self._timers.set("empty", EMPTY_PATIENCE, self._rest)

    def abandon(self, side: int) -> None:
        """A player who has no way back is gone."""
        if self.session.result is None:
            self._apply(self.session.end(1 - side, "abandon", self._ports.now()))

    def _rest(self) -> None:
        if not self.has_guests and self.session.event is None:
            self._agents.stop()

    def _tell_presence_soon(self) -> None:
        if "presence" not in self._timers:
            self._timers.set("presence", PRESENCE_DELAY, self._tell_presence)

    def _tell_presence(self) -> None:
        self._tell(wire.presence(self.session, self.attendance, self._ports.now()))

    def thoughts(self) -> list[Thought]:
        """What the agents here thought last; it is remembered as long as the game is in memory."""
        return list(self._agents.thoughts.values())

    # Requests ----------------------------------------------------------------------------------------

    def request(self, guest: Guest, message: m.Request) -> None:
        """Do what a guest asks, or refuse it, and say so when all that this rests on is stored."""
        if reason := self._ports.why_closed():
            raise reason
        now = self.last_used = self._ports.now()
        self._flag()
        if isinstance(message, m.HintRequest):
            self._hint(guest, message)
            return
        if isinstance(message, m.React):
            self._react(guest, message, now)
            return
        is_claim = isinstance(message, m.Claim)
        gone_at = self.attendance.gone_at(self.session.position.side) if is_claim else None
        asker = Asker(guest.token_hash, guest.lag, gone_at)
        try:
            step = self._requests.grant(asker, message, now)
        except RefusedError as refused:
            if not self.pending:
                raise
            # An end that does not reach the disk has not been: nobody may be told that the game is over.
            told = m.Error.of(message.id, refused)
            self._commit((), self._answer(guest, message.id, told, refused.needs_state))
            return
        self._apply(step, self._answer(guest, message.id, m.Ack(message.id, step.seq)))

    def _answer(
        self, guest: Guest, id: str, told: m.Ack | m.Error, needs_state: bool = False
    ) -> Callable[[BaseException | None], None]:
        def answer(error: BaseException | None) -> None:
            if error is None:
                guest.send(m.Outgoing(told))
                if needs_state:
                    self.show(guest)
            else:  # whether it reached the disk may be unknown: asking again tells
                guest.send(m.Outgoing(m.Error.of(id, RefusedError("not_stored.disk"))))

        return answer

    def _hint(self, guest: Guest, message: m.HintRequest) -> None:
        def told(task: "asyncio.Task[Answer]") -> None:
            if not task.cancelled():
                guest.send(m.Outgoing(task.result()))

        who = self.session.who(guest.token_hash)
        self._hints.ask(self.session, who, message).add_done_callback(told)

    def _react(self, guest: Guest, message: m.React, now: int) -> None:
        side = self._reactions.side_of(self.session, self.session.who(guest.token_hash), now)
        guest.send(m.Outgoing(m.Ack(message.id, self.session.seq)))
        self._tell(m.Reaction(side + 1, message.what))

    def join(
        self,
        name: str,
        token_hash: str,
        player: str | None = None,
        rating: int | None = None,
        visitor: str = "",
        rated_before: int = 0,
    ) -> "asyncio.Future[None]":
        """Take the free seat; done when it is stored. `visitor`: the address from which they come."""
        now = self._ports.now()
        others = {self.maker, *(guest.visitor for guest in self.attendance.players())}
        is_near = visitor != "" and visitor in others
        clean = table_name(name)
        return self._sit_down(
            lambda: self.session.join(clean, token_hash, now, player, rating, is_near, rated_before)
        )

    def sit_again(self, player: str, token_hash: str) -> "asyncio.Future[None]":
        """Take one's own seat from another browser; done when it is stored."""
        return self._sit_down(lambda: self.session.sit_again(player, token_hash, self._ports.now()))

    def _sit_down(self, take: Callable[[], Step]) -> "asyncio.Future[None]":
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        try:
            step = take()
        except RefusedError as refused:  # who has the seat has it when that is stored
            self._commit((), lambda error, refused=refused: settle(future, None, error or refused))  # type: ignore[misc]
            return future
        self._apply(step, lambda error: settle(future, None, error))
        return future

    # What a step leads to ----------------------------------------------------------------------------

    def _apply(self, step: Step, answer: Callable[[BaseException | None], None] | None = None) -> None:
        """Store what happened; then answer whoever asked for it, and tell everybody."""
        tellings: list[wire.Telling] = []
        moved_at: int | None = None
        for event in step.events:
            if isinstance(event, SeatTaken | SeatChanged):
                self.attendance.seat_changed(event.side, self._ports.now())
            elif isinstance(event, SidesChanged):
                self.attendance.sides_changed()
            elif isinstance(event, MoveMade):
                moved_at = event.at
                moved = m.Outgoing(wire.moved(event))
                tellings.append(lambda _, moved=moved: moved)  # type: ignore[misc]
            elif isinstance(event, Standing):
                tellings.append(self._states())
        if step.begun is not None:
            self._ports.open_game(step.begun)

        def stored(error: BaseException | None) -> None:
            if answer is not None:
                answer(error)
            if moved_at is not None:
                self._untold -= 1
            if error is None:
                for guest in list(self.attendance.guests):
                    for telling in tellings:
                        guest.send(telling(guest))
                if moved_at is not None:
                    self._forgive(moved_at)

        if moved_at is not None:
            self._untold += 1
        self._commit(step.events, stored)
        if step.events:
            self._set_timers()
            self._wake_agents()

    def _forgive(self, moved_at: int) -> None:
        """A move of then is told only now, for it had to be stored: that is nobody's time."""
        delay = self._ports.now() - moved_at
        if delay > QUICK_COMMIT and self.session.forgive(moved_at, delay):
            self._set_timers()
            self._show_all()
        self._flag()

    def _commit(self, events: Sequence[Event], done: Callable[[BaseException | None], object]) -> None:
        """Call `done` when these changes, and all before them, are on disk."""
        if not events and not self.pending and not self._is_broken:
            done(None)
            return
        self.pending += 1

        def stored(error: Exception | None) -> None:
            self.pending -= 1
            done(error)
            if error is not None and not self._is_broken:
                self._break(error)

        self._ports.store(events, stored)

    def _break(self, error: Exception) -> None:
        """A change could not be stored, so memory is wrong: everybody starts again from the disk."""
        self._ports.broke(error)
        self.dismiss(1011)

    def dismiss(self, code: int) -> None:
        """Nothing happens here any more: send everybody away."""
        self._is_broken = True
        self.close()
        for guest in list(self.attendance.guests):
            guest.close(code)
        self.attendance.guests.clear()

    async def settled(self, look: Callable[[], Value]) -> Value:
        """Something about the game, seen now and told when all of it is on disk."""
        seen = look()
        future: asyncio.Future[Value] = asyncio.get_running_loop().create_future()
        unsure = RefusedError("busy.unsure")
        self._commit((), lambda error: settle(future, seen, None if error is None else unsure))
        return await future

    def _tell(self, message: m.ServerMessage) -> None:
        """Tell everybody something that rests on nothing."""
        told = m.Outgoing(message)
        for guest in list(self.attendance.guests):
            guest.send(told)

    def _states(self, newcomer: Guest | None = None) -> wire.Telling:
        return wire.states(self.whole_state(Who(), newcomer), self.session)

    def whole_state(self, who: Who, newcomer: Guest | None = None) -> m.State:
        return wire.whole_state(self.session, self.attendance, who, self._ports.now(), newcomer)

    def seats(self) -> tuple[m.SeatState, m.SeatState]:
        return wire.seats(self.session, self.attendance, self._ports.now())

    # Agents ------------------------------------------------------------------------------------------

    def _wake_agents(self) -> None:
        # A tournament goes on whether anybody looks or not.
        is_welcome = (self.has_guests or self.session.event is not None) and self._ports.why_closed() is None
        task = self._agents.wake(self.session, is_welcome)
        if task is not None:
            self._tell(m.Thinking(self.session.position.side + 1, True))
            task.add_done_callback(self._thought)

    def _thought(self, task: "asyncio.Task[Thought | Failure]") -> None:
        thought = self._agents.take(task)
        if thought is None:
            return
        side = thought.position.side
        self._tell(m.Thinking(side + 1, False, thought.ms if isinstance(thought, Thought) else None))
        self._flag()
        session, now = self.session, self._ports.now()
        if session.result is not None:
            return
        if isinstance(thought, Failure):
            self._apply(session.end(1 - side, thought.ending, now))
            return
        column = thought.choice.column
        try:
            if thought.choice.swaps:
                self._apply(session.swap(Who((side,)), now, by_agent=True))
                return
            step = session.move(Who((side,)), session.take, session.ply, column, now, by_agent=True)
        except RefusedError:
            step = session.end(1 - side, "illegal", now)
        self._apply(step)

    # Time ----------------------------------------------------------------------------------------------

    def _set_timers(self) -> None:
        """The moment when the running clock falls, or when a first move is overdue."""
        session = self.session
        falls = None if session.clock is None or session.result else session.clock.falls_at()
        if falls is not None:
            falls_in = falls - self._ports.now() + 1
            if session.waits_for_no_show and self._ports.settings.no_show < falls_in:
                self._timers.set("flag", self._ports.settings.no_show, self._forfeit)
            else:
                self._timers.set("flag", falls_in, self._flag)
        elif session.waits_for_first_move:
            self._timers.set("flag", self._ports.settings.first_move, self._abort)
        else:
            self._timers.cancel("flag")

    def _abort(self) -> None:
        if self.session.waits_for_first_move:
            self._apply(self.session.end(None, "abort", self._ports.now()))

    def _forfeit(self) -> None:
        """Who does not come to a game of a tournament has lost it."""
        if self.session.waits_for_no_show:
            self.abandon(self.session.position.side)

    def _flag(self) -> None:
        if self._untold or self.session.clock is None:
            return  # whose time runs has not heard of the last move: `_forgive` looks again
        step = self.session.flag(self._ports.now())
        if step is not None:
            self._apply(step)

    def pause(self) -> None:
        """Nothing can be stored: nobody's time runs, and agents rest."""
        if self.session.clock is not None:
            self.session.clock.stop(self._ports.now())
        self._timers.cancel("flag")
        self._agents.stop()
        self._show_all()

    def go_on(self) -> None:
        """Games can be stored again."""
        self.session.run_clock(self._ports.now())
        self._set_timers()
        self._wake_agents()
        self._show_all()

    def _show_all(self) -> None:
        for guest in list(self.attendance.guests):
            self.show(guest)

    def close(self) -> None:
        """Forget timers and thoughts; the game itself is on disk."""
        self._timers.clear()
        self._agents.stop()
        self._hints.stop()

    @property
    def is_idle(self) -> bool:
        """Nobody is here and nothing is under way: the game may rest on disk. Its clock may run on."""
        waits = self.session.waits_for_first_move or self.session.waits_for_no_show
        is_busy = self._entering or self.pending or self._agents.is_busy or waits
        return not (self.has_guests or is_busy)
