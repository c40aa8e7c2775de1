"""One game between people who play anything legal, want things back, press twice and leave and come."""

import asyncio
import contextlib
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TypeVar

from claimeven.client import Link, Timing, create_game, game_state, join_game, new_token
from claimeven.client.client import UNDECIDED
from claimeven.client.words import asked
from claimeven.errors import InputError
from claimeven.server.errors import RefusedError
from claimeven.server.messages import OfferKind
from faults.history import Attempt, History, Observer

Value = TypeVar("Value")
BOARDS = (((4, 4, 3), 5), ((5, 4, 3), 2), ((6, 5, 4), 1), ((7, 6, 4), 2))
TIMING = Timing(resend=0.6, ping=3.0, dead=3.0, first_retry=0.1, last_retry=1.5, look_again=1.5)
GAME_SECONDS = 240.0  # longer means that something hangs


@dataclass
class Evening:
    """What all games of a run share."""

    address: str  # through the proxy
    rng: random.Random
    histories: list[History] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    async def play(self) -> None:
        """One game, from its creation to its end. Whatever keeps it from ending is a broken promise."""
        history = History()
        try:
            async with asyncio.timeout(GAME_SECONDS):
                await self._play(random.Random(self.rng.random()), history)
        except TimeoutError:
            history.faults.append("it did not end")
        except (RefusedError, ExceptionGroup) as error:
            refused = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
            if not isinstance(refused, RefusedError):
                raise
            history.faults.append(f"somebody was sent away: {refused}")
        self.histories.append(history)

    async def _play(self, rng: random.Random, history: History) -> None:
        board = rng.choices([board for board, _ in BOARDS], [weight for _, weight in BOARDS])[0]
        clock = {"initial": 600_000, "increment": 1_000} if rng.random() < 0.3 else None
        against_agent = rng.random() < 0.05
        other = {"kind": "agent", "agent": "random"} if against_agent else {"kind": "friend"}
        seats = [{"kind": "me"}, other]
        if rng.random() < 0.5:
            seats.reverse()
        wish: dict[str, object] = {
            "board": "x".join(map(str, board)),
            "clock": clock,
            "think": 10,
            "name": "Lan",
        }
        link, first = await self._create(seats, wish)
        assert link.game is not None
        history.game, history.board = link.game, board
        tokens = [first]
        if not against_agent:
            tokens.append(new_token())
            await self._join(link, tokens[1])
        async with AsyncExitStack() as stack:
            players = [await self._sit(stack, link, token, history) for token in tokens]
            extra = []
            if rng.random() < 0.3:  # a second tab of somebody, or a watcher
                extra.append(await self._sit(stack, link, rng.choice([*tokens, None]), history))
            tabs = [client for client in extra if client.token is not None]
            async with asyncio.TaskGroup() as group:
                for player in players:
                    twin = next((tab for tab in tabs if tab.token == player.token), None)
                    group.create_task(self._sit_through(player, twin, rng, history))
            for name, client in [
                *((f"player {n + 1}", p) for n, p in enumerate(players)),
                *(("guest", e) for e in extra),
            ]:
                await client.until(lambda client=client: client.is_over)  # type: ignore[misc]
                assert client.state is not None
                history.finals.append((name, client.state.take, client.state.moves))
            if len(players) == 2 and rng.random() < 0.2:
                await self._again(players, rng, history)
            self.counts["reconnects"] += sum(client.reconnects for client in (*players, *extra))
        late = await self._persist(lambda: game_state(link))
        history.finals.append(("late spectator", late.take, late.moves))

    async def _create(self, seats: list[dict[str, str]], wish: dict[str, object]) -> tuple[Link, str]:
        link, token, _ = await self._persist(lambda: create_game(self.address, seats, **wish))
        return link, token

    async def _join(self, link: Link, token: str) -> None:
        answer = await self._persist(lambda: join_game(link, "Ada", token))
        assert len(answer.sides) == 1

    async def _persist(self, call: Callable[[], Awaitable[Value]]) -> Value:
        """Ask until there is an answer."""
        while True:
            try:
                return await call()
            except InputError:
                self.counts["http retries"] += 1
            except RefusedError as error:
                if error.code not in UNDECIDED:
                    raise
            await asyncio.sleep(self.rng.uniform(0.1, 0.6))

    async def _sit(self, stack: AsyncExitStack, link: Link, token: str | None, history: History) -> Observer:
        return await stack.enter_async_context(Observer(link, token, TIMING, history))

    async def _sit_through(
        self, me: Observer, twin: Observer | None, rng: random.Random, history: History
    ) -> None:
        while True:
            await me.until(lambda: me.is_over or me.is_my_turn or _asked(me) is not None)
            if me.is_over:
                return
            with contextlib.suppress(RefusedError):
                await self._act(me, twin, rng, history)

    async def _act(self, me: Observer, twin: Observer | None, rng: random.Random, history: History) -> None:
        if (kind := _asked(me)) is not None:
            await me.answer(kind, rng.random() < 0.7)
            return
        dice = rng.random()
        assert me.state is not None
        if dice < 0.04 and len(me.state.moves) > 1:
            await me.undo()
        elif dice < 0.05 and len(me.state.moves) > 3:
            await me.offer("draw")
        elif dice < 0.055:
            await me.resign()
        elif dice < 0.15 and me.state.clock is not None:
            await me.more_time()
        if not me.is_my_turn:
            return
        moves = [self._move(me, rng.choice(me.position.legal), history)]
        if twin is not None and twin.is_my_turn and rng.random() < 0.5:  # two tabs, two columns: one wins
            moves.append(self._move(twin, rng.choice(twin.position.legal), history))
        await asyncio.gather(*moves)
        if rng.random() < 0.03 and not me.is_over and not me.is_my_turn:  # out of turn: refused for ever
            await self._move(me, rng.randrange(history.board[0]), history)

    async def _again(self, players: list[Observer], rng: random.Random, history: History) -> None:
        """Both want another game; perhaps one is declined first."""
        one, other = rng.sample(players, 2)
        if rng.random() < 0.3:
            await one.offer("rematch")
            await other.until(lambda: _wants_more(other) or _next(other) is not None)
            with contextlib.suppress(RefusedError):
                await other.answer("rematch", False)
        await asyncio.gather(one.offer("rematch"), other.offer("rematch"))
        for player in players:
            await player.until(lambda player=player: _next(player) is not None)  # type: ignore[misc]
        if _next(one) != _next(other):
            history.faults.append(f"two games after this one: {_next(one)}, {_next(other)}")

    async def _move(self, client: Observer, column: int, history: History) -> None:
        state = client.state
        assert state is not None
        side = state.you[0]
        attempt = Attempt(side, state.take, len(state.moves), column + 1)
        history.attempts.append(attempt)
        try:
            attempt.seq = await client.move(column)
            attempt.outcome = "ok"
        except RefusedError as error:
            attempt.outcome = "info" if error.code == "left" else error.code


def _next(client: Observer) -> str | None:
    return None if client.state is None else client.state.rematch


def _wants_more(client: Observer) -> bool:
    """Somebody asks this one for another game."""
    state = client.state
    return state is not None and state.offers.rematch is not None and state.offers.rematch not in state.you


def _asked(client: Observer) -> OfferKind | None:
    state = client.state
    return None if state is None or not state.you or state.result is not None else asked(state)
