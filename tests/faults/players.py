"""All games of a run: how each begins and what is seen at its end."""

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
from claimeven.errors import InputError
from claimeven.server.errors import RefusedError
from faults.history import History, Observer
from faults.table import Table

Value = TypeVar("Value")
BOARDS = (((4, 4, 3), 5), ((5, 4, 3), 2), ((6, 5, 4), 1), ((7, 6, 4), 2))
TIMING = Timing(resend=0.6, ping=3.0, dead=3.0, first_retry=0.1, last_retry=1.5, look_again=1.5)
SLOW = {"initial": 600_000, "increment": 1_000}
QUICK = {"initial": 2_000, "increment": 0}  # flags fall
GAME_SECONDS = 120.0  # of calm; longer means that something hangs


@dataclass
class Evening:
    """What all games of a run share."""

    address: str  # through the proxy
    rng: random.Random
    calm: Callable[[], float]  # seconds in which nothing happened to the server
    histories: list[History] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    async def play(self) -> None:
        """One game, from its creation to its end. Whatever keeps it from ending is a broken promise."""
        history = History()
        playing = asyncio.ensure_future(self._play(random.Random(self.rng.random()), history))
        began = self.calm()
        try:
            while not playing.done() and self.calm() - began < GAME_SECONDS:
                await asyncio.wait((playing,), timeout=1)
            if playing.done():
                playing.result()
            else:
                history.faults.append("it did not end")
        except (RefusedError, ExceptionGroup) as error:
            refused = error.exceptions[0] if isinstance(error, ExceptionGroup) else error
            if not isinstance(refused, RefusedError):
                raise
            history.faults.append(f"somebody was sent away: {refused}")
        finally:
            playing.cancel()
        self.histories.append(history)

    async def _play(self, rng: random.Random, history: History) -> None:
        board = rng.choices([board for board, _ in BOARDS], [weight for _, weight in BOARDS])[0]
        (kind,) = rng.choices(("friend", "agent", "me"), (88, 8, 4))
        clock = rng.choices((None, SLOW, QUICK), (60, 30, 10 if kind == "friend" else 0))[0]
        seats = [{"kind": "me"}, {"kind": "agent", "agent": "random"} if kind == "agent" else {"kind": kind}]
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
        if kind == "friend":
            tokens.append(new_token())
            await self._join(link, tokens[1])
        table = Table(rng, history, is_quick=clock is QUICK)
        async with AsyncExitStack() as stack:
            players = [await self._sit(stack, link, token, history) for token in tokens]
            extra = []
            if rng.random() < 0.3:  # a second tab of somebody, or a watcher
                extra.append(await self._sit(stack, link, rng.choice([*tokens, None]), history))
            elif kind == "friend" and clock is None and rng.random() < 0.06:
                table.leaver, table.leaves_after = rng.choice(players), rng.randrange(6)
            tabs = [client for client in extra if client.token is not None]
            async with asyncio.TaskGroup() as group:
                for player in players:
                    twin = next((tab for tab in tabs if tab.token == player.token), None)
                    group.create_task(table.sit_through(player, twin))
            for name, client in [
                *((f"player {n + 1}", p) for n, p in enumerate(players)),
                *(("guest", e) for e in extra),
            ]:
                if client is table.leaver and table.has_left:
                    continue
                await client.until(lambda client=client: client.is_over)  # type: ignore[misc]
                assert client.state is not None
                history.finals.append((name, client.state.take, client.state.moves))
            is_whole = all(player.state is not None and player.state.you for player in players)
            if len(players) == 2 and is_whole and not table.has_left and rng.random() < 0.2:
                await self._again(players, rng, history)
            self.counts["reconnects"] += sum(client.reconnects for client in (*players, *extra))
        late = await self._persist(lambda: game_state(link))
        history.finals.append(("late spectator", late.take, late.moves))

    async def _create(self, seats: list[dict[str, str]], wish: dict[str, object]) -> tuple[Link, str]:
        key = new_token()
        link, token, _ = await self._persist(lambda: create_game(self.address, seats, **wish, key=key))
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
                if error.code not in (*UNDECIDED, "server_error"):  # of which it may have no memory left
                    raise
            await asyncio.sleep(self.rng.uniform(0.1, 0.6))

    async def _sit(self, stack: AsyncExitStack, link: Link, token: str | None, history: History) -> Observer:
        return await stack.enter_async_context(Observer(link, token, TIMING, history))

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


def _next(client: Observer) -> str | None:
    return None if client.state is None else client.state.rematch


def _wants_more(client: Observer) -> bool:
    """Somebody asks this one for another game."""
    state = client.state
    return state is not None and state.offers.rematch is not None and state.offers.rematch not in state.you
