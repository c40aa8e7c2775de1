"""What people do at one game: play anything legal, want things back, press twice, dawdle, leave and come."""

import asyncio
import contextlib
import random
from dataclasses import dataclass, field

from claimeven.client.words import asked
from claimeven.server import messages as m
from claimeven.server.errors import RefusedError
from claimeven.server.messages import OfferKind
from faults.history import Attempt, History, Observer

DAWDLED_SECONDS = 5.0
NAMES = ("Lan", "Ada", "Zoë", "")


@dataclass
class Table:
    rng: random.Random
    history: History
    is_quick: bool = False  # flags fall
    leaver: Observer | None = None  # who leaves for good,
    leaves_after: int = 0  # after so many moves
    has_left: bool = field(default=False, init=False)

    async def sit_through(self, me: Observer, twin: Observer | None) -> None:
        while True:
            await me.until(lambda: me.is_over or self._has_to_do(me))
            assert me.state is not None
            if me.is_over:
                return
            if me is self.leaver and len(me.state.moves) >= self.leaves_after:
                await me.vanish(says_bye=self.rng.random() < 0.5)
                self.has_left = True
                return
            try:
                if self.has_left and not me.is_my_turn:
                    await self._claim(me)
                else:
                    await self._act(me, twin)
            except RefusedError:
                if me.is_sent_away:
                    raise

    def _has_to_do(self, me: Observer) -> bool:
        return me.is_my_turn or _asked(me) is not None or (self.has_left and me.state is not None)

    async def _claim(self, me: Observer) -> None:
        """The other is gone; for how long is the server's to say."""
        try:
            await me.claim(self.rng.choice(("win", "draw")))
        except RefusedError:
            await asyncio.sleep(0.4)
            raise

    async def _act(self, me: Observer, twin: Observer | None) -> None:
        rng = self.rng
        if (kind := _asked(me)) is not None:
            await me.answer(kind, rng.random() < 0.7)
            return
        assert me.state is not None
        await (self._wish(me) if len(me.state.you) == 1 and _has_opponent(me) else self._wish_alone(me))
        if not me.is_my_turn:
            return
        if self.is_quick and rng.random() < 0.1:  # until the flag falls
            with contextlib.suppress(TimeoutError):  # which it does not on a server that is always killed
                async with asyncio.timeout(DAWDLED_SECONDS):
                    await me.until(lambda: not me.is_my_turn)
            return
        moves = [self._move(me, rng.choice(me.position.legal))]
        if twin is not None and twin.is_my_turn and rng.random() < 0.5:  # two tabs, two columns: one wins
            moves.append(self._move(twin, rng.choice(twin.position.legal)))
        await asyncio.gather(*moves)
        if rng.random() < 0.03 and not me.is_over and not me.is_my_turn:  # out of turn: refused for ever
            await self._move(me, rng.randrange(self.history.board[0]))

    async def _wish(self, me: Observer) -> None:
        """What one may ask of another person."""
        assert me.state is not None
        dice = self.rng.random()
        if dice < 0.04 and len(me.state.moves) > 1:
            await me.undo()
        elif dice < 0.05 and len(me.state.moves) > 3:
            await me.offer("draw")
        elif dice < 0.055:
            await me.resign()
        elif dice < 0.15 and me.state.clock is not None and not self.is_quick:
            await me.more_time()
        elif dice < 0.16:
            await me.ask(m.Name(me.new_id(), self.rng.choice(NAMES)))
        elif dice < 0.18 and me.state.owner and self.leaver is None and me.state.moves:
            agent = self.rng.choice(("random", "first"))  # if the other agrees
            await me.ask(m.SeatChange(me.new_id(), me.state.you[0], agent))

    async def _wish_alone(self, me: Observer) -> None:
        """What needs nobody's consent: against an agent, or with both seats."""
        assert me.state is not None
        dice = self.rng.random()
        if dice < 0.15 and len(me.state.moves) > 1:
            await me.undo()
        elif dice < 0.35 and me.state.redo:
            await me.redo()
        elif dice < 0.45:
            spec = self.rng.choice(("random", "first", None))
            side = next((side for side in (1, 2) if side not in me.state.you), self.rng.choice((1, 2)))
            await me.ask(m.SeatChange(me.new_id(), side, spec))
        elif dice < 0.47:
            await me.hint()

    async def _move(self, client: Observer, column: int) -> None:
        state = client.state
        assert state is not None
        if not state.you:  # an agent has the seat now
            return
        side = state.turn if state.turn is not None and state.turn in state.you else state.you[0]
        attempt = Attempt(side, state.take, len(state.moves), column + 1)
        self.history.attempts.append(attempt)
        try:
            attempt.seq = await client.move(column)
            attempt.outcome = "ok"
        except RefusedError as error:
            attempt.outcome = "info" if error.code == "left" else error.code


def _has_opponent(client: Observer) -> bool:
    assert client.state is not None
    return all(seat.kind == "human" for seat in client.state.seats)


def _asked(client: Observer) -> OfferKind | None:
    state = client.state
    return None if state is None or not state.you or state.result is not None else asked(state)
