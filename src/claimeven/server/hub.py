"""All games in memory. They are loaded when somebody comes, and leave when nobody is there."""

import asyncio
import hmac
import logging
import signal
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from claimeven.server.errors import RefusedError
from claimeven.server.game.clock import ServerClock
from claimeven.server.game.events import Event, GameRemoved, Sitter
from claimeven.server.game.ports import Ports
from claimeven.server.game.room import Room
from claimeven.server.game.session import Session, Who
from claimeven.server.house.keeper import Keeper
from claimeven.server.house.lateness import Lateness
from claimeven.server.house.once import Once
from claimeven.server.house.resting import Resting
from claimeven.server.house.tenure import Alone, Tenure
from claimeven.server.house.upkeep import Upkeep
from claimeven.server.settings import Settings
from claimeven.server.shares import Asker, Rank
from claimeven.server.storage.cleaning import (
    forget_player,
    forget_seats,
    games_against_agents,
    is_unseen,
    sitting,
)
from claimeven.server.storage.hold import Hold
from claimeven.server.storage.rating import rated_before
from claimeven.server.storage.rows import Deed
from claimeven.server.storage.schema import games
from claimeven.server.storage.store import DIRECTING, Lease, SeatTakenError, Store
from claimeven.server.storage.writer import Chain
from claimeven.server.thinking import AtTable, Thinkers
from claimeven.server.tokens import hash_of, new_id, new_secret

Value = TypeVar("Value")
JUST_USED = 1_000  # milliseconds in which a room is not put away under somebody who is about to enter
MAX_WOKEN = 200  # games at once whose time is up
AT_ONCE = 50  # games that are looked at, and may go to rest, in one round of the loop
NO_GAME = 4004  # the close code for one that is not there
RESTART = 1012  # for one that goes on at once, here or at another server
FETCHES = 3  # of games that other servers take meanwhile
HANDING_SECONDS = 2.0  # that a game is waited for which another server wants
NOBODY = "nobody"  # is there: all games that they left count as those of one visitor


class Hub:
    """Made inside the event loop."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        settings: Settings | None = None,
        hold: Hold | None = None,
        takes_game: Callable[[str], bool] = lambda visitor: True,
        tenure: Tenure | None = None,
    ) -> None:
        """`takes_game` says whether a visitor may begin one more, `tenure` whose the games are."""
        self.store = store
        self.hold = hold or Hold()
        self.tenure: Tenure = tenure or Alone()
        self.thinkers = thinkers
        self.settings = settings or Settings()
        self.now = ServerClock()
        self.log = logging.getLogger("claimeven.server")
        self.counters: Counter[str] = Counter()
        self.started = time.monotonic()
        self.rooms: dict[str, Room] = {}
        self.resting = Resting()
        self._next_look = 0  # for idle games, when the house is full
        self._takes_game = takes_game
        self._loading: Once[Room] = Once()
        self._beginning: Once[Room] = Once()
        self._leaving: set[str] = set()  # games that another server is about to have
        self._given: dict[str, float] = {}  # those that one asked for; until when it goes first
        self._sweeper: asyncio.Task[None] | None = None
        self.loop = asyncio.get_running_loop()
        self.lateness = Lateness(self.loop)
        # Without its writer a server is of no use: it ends, and whoever watches over it starts another.
        end = partial(signal.raise_signal, signal.SIGTERM)
        self.keeper = Keeper(store, self._storage_changed, self._lose_house, end)
        self.is_closing = False
        self.is_draining = False  # its games go to other servers, and it takes none (cluster/drain.py)

    def start(self) -> None:
        self._sweeper = self.loop.create_task(self._sweep())
        self.lateness.start()

    async def close(self) -> None:
        """Stop thinking, write what is waiting."""
        self.is_closing = True
        self.store.hurry()
        if self._sweeper is not None:
            self._sweeper.cancel()
        self.lateness.close()
        for room in self.rooms.values():
            room.close()
        await asyncio.to_thread(self.keeper.writer.close)
        self.thinkers.close()
        self.store.close()

    def _rematch_id(self, game: str) -> str:
        """Of one more game after this one, which counts like every other."""
        self._make_place()
        if not self._takes_game(self._asker(game).visitor):
            raise RefusedError("rate.games")
        return new_id()

    # Games ---------------------------------------------------------------------------------------------

    async def room(self, game: str) -> Room:
        """The room of a game, from memory or from disk."""
        if self.gives_away(game):
            raise RefusedError("busy.elsewhere")
        if room := self.rooms.get(game):
            self._check_sure()
            room.last_used = self.now()
            return room
        return await self._loading.do(game, partial(self._load, game))

    def _check_sure(self) -> None:
        if not self.tenure.is_sure:  # another server may have the game, and be further
            raise RefusedError("busy.elsewhere")

    async def _load(self, game: str) -> Room:
        if game.startswith(DIRECTING):  # who asks for a tournament as a game must not get at its lease
            raise RefusedError("no_such_game.game")
        if game in self._given:
            await asyncio.sleep(max(0.0, self._given[game] - self.loop.time()))
        lease = await self.tenure.take(game)
        try:
            return await self._read(game, lease)
        except BaseException:
            if self.tenure.holds(lease):
                self.tenure.rest(game)
            raise

    async def _read(self, game: str, lease: Lease | None) -> Room:
        try:
            session = await asyncio.to_thread(self.store.load, game)
        except (DBAPIError, MemoryError, RuntimeError) as error:  # the database, or no thread can be had
            self.log.error("not read", extra={"game": game, "error": repr(error)})
            raise RefusedError("busy.reading") from None
        if session is None:
            raise RefusedError("no_such_game.game")
        if not self.tenure.holds(lease):  # what was read may be old
            raise RefusedError("busy.elsewhere")
        self._make_place()
        since = self.resting.wake(game)
        if since is not None:
            session.run_clock(since)
        return self._open(session, lease)

    def _make_place(self) -> None:
        """For one more room: games that nobody is at go to rest early; RefusedError if there are none."""
        if len(self.rooms) < self.settings.max_games_in_memory:
            return
        if self.now() >= self._next_look:
            self._next_look = self.now() + JUST_USED
            self._rest_idle(JUST_USED, self.rooms)
        if len(self.rooms) >= self.settings.max_games_in_memory:
            raise RefusedError("busy.games")

    def open(self, session: Session) -> Room:
        """A room for a game that follows another one."""
        return self._open(session, self.tenure.follow(session.id))

    def _open(self, session: Session, lease: Lease | None) -> Room:
        ports = Ports(
            settings=self.settings,
            now=self.now,
            think=AtTable(self.thinkers, partial(self._asker, session.id)),
            store=partial(self.keeper.keep, Chain(lease)),
            new_id=partial(self._rematch_id, session.id),
            open_game=self.open,
            why_closed=partial(self._why_closed_at, session.id),
            broke=partial(self._broke, session.id),
        )
        room = self.rooms[session.id] = Room(ports, session)
        return room

    def _asker(self, game: str) -> Asker:
        """For whom the agents of a game think: a player who is there, else somebody who watches."""
        attendance = self.rooms[game].attendance
        player = next(attendance.players(), None)
        if player is not None:
            return Asker(Rank.OPPONENT, player.visitor)
        return Asker(Rank.WATCHED, next((guest.visitor for guest in attendance.guests), NOBODY))

    def why_closed(self) -> RefusedError | None:
        """Why nothing can be changed now; None if it can."""
        if self.is_closing:
            return RefusedError("busy.restart")
        if not self.tenure.is_sure:
            return RefusedError("busy.elsewhere")
        return None if self.keeper.can_store else RefusedError("not_stored.disk")

    def _why_closed_at(self, game: str) -> RefusedError | None:
        return RefusedError("busy.elsewhere") if game in self._leaving else self.why_closed()

    def _check_open(self) -> None:
        if reason := self.why_closed():
            raise reason

    async def create_once(self, session: Session) -> Room:
        """However often a game with this id is asked for, also at once and after a restart."""
        return await self._beginning.do(session.id, partial(self._find_or_create, session))

    async def _find_or_create(self, session: Session) -> Room:
        try:
            return await self.room(session.id)
        except RefusedError as error:
            if error.code != "no_such_game":
                raise
        return await self.create(session)

    async def create(self, session: Session) -> Room:
        self._check_open()
        self._make_place()
        lease = self.tenure.begin(session.id)
        try:
            await self.keeper.kept(Chain(lease), (session.begun(),))
        except Exception as error:
            self.tenure.drop(lease)
            self.log.error("not stored", extra={"error": repr(error)})
            raise RefusedError("not_stored.disk") from None
        if not self.tenure.begun(lease):
            raise RefusedError("busy.elsewhere")
        return self._open(session, lease)

    async def invited(self, game: str, invite: str) -> Room:
        """The room of a game that one has an invitation to; RefusedError if it is not its own."""
        room = await self.room(game)
        known = room.session.invite
        if known is None or not hmac.compare_digest(known, hash_of(invite)):
            raise RefusedError("not_your_seat.invite")
        return room

    async def join(
        self,
        game: str,
        invite: str,
        name: str,
        token: str | None,
        sitter: Sitter | None = None,
        visitor: str = "",
    ) -> tuple[Room, str, Who]:
        """Take the free seat of a game; the token and its sides. The same token again is welcome again."""
        room = await self.invited(game, invite)
        if token is not None and (who := room.session.who(hash_of(token))).sides:
            await room.settled(lambda: None)
            return room, token, who
        before = 0
        if sitter is not None and room.session.is_rated:
            before = await self._rated_before(room.session, sitter.player)
            room = await self.invited(game, invite)  # which may have gone elsewhere meanwhile
        self._check_open()
        token = token or new_secret()
        try:
            if sitter is None:
                await room.join(name, hash_of(token))
            else:
                await room.join(sitter.name, hash_of(token), sitter.player, sitter.rating, visitor, before)
        except SeatTakenError:
            raise RefusedError("seat_taken.seat") from None
        except RefusedError:
            raise
        except Exception:
            raise RefusedError("not_stored.disk") from None
        return room, token, room.session.who(hash_of(token))

    async def _rated_before(self, session: Session, player: str) -> int:
        others = [seat.player for seat in session.seats if seat.player is not None]
        ids, now = [*others, player], self.now()
        try:
            return await asyncio.to_thread(
                self.store.read, lambda connection: rated_before(connection, session.id, ids, now)
            )
        except (DBAPIError, MemoryError, RuntimeError) as error:
            self.log.error("not read", extra={"game": session.id, "error": repr(error)})
            raise RefusedError("busy.reading") from None

    async def sit_again(self, game: str, player: str, token: str) -> tuple[Room, Who]:
        """Take one's own seat from another browser."""
        room = await self.room(game)
        self._check_open()
        try:
            await room.sit_again(player, hash_of(token))
        except RefusedError:
            raise
        except Exception:
            raise RefusedError("not_stored.disk") from None
        return room, room.session.who(hash_of(token))

    async def change(
        self, do: Callable[[Connection], Value], *events: Event, lease: Lease | None = None
    ) -> Value:
        """Do something in the database, together with these events, and wait until it is on disk. It may be
        tried more than once, and may refuse. `lease`: only while that counts."""
        self._check_open()
        found: list[Value] = []

        def run(connection: Connection) -> None:
            found[:] = [do(connection)]

        try:
            await self.keeper.kept(Chain(lease), (*events, Deed("", run)))
        except RefusedError:
            raise
        except Exception as error:
            self.log.error("not stored", extra={"error": repr(error)})
            raise RefusedError("not_stored.disk") from None
        return found[0]

    async def remove(self, game: str) -> None:
        """Forget a game for ever; who is at it is sent away."""
        room = await self.room(game)
        self._check_open()
        room.dismiss(NO_GAME)
        self.rooms.pop(game, None)
        try:
            await self.keeper.stored(Chain(await self.tenure.take(game)), (GameRemoved(game),))
        except Exception:
            raise RefusedError("not_stored.disk") from None
        finally:
            self.tenure.rest(game)
        self.log.info("game removed", extra={"game": game})

    async def forget_player(
        self, player: str, with_games: bool = False, unseen_since: int | None = None
    ) -> bool:
        """For ever: name, keys, rating, reports. Games with other people stay, without the name; those
        against agents go, if that is wished. What other servers have in memory is fetched first: nobody but
        its server changes a game. `unseen_since`: only if they were not here since then; whether it is so."""

        def write(connection: Connection) -> tuple[list[str], set[str], bool]:
            seated = sitting(connection, player)
            elsewhere = self.tenure.elsewhere(connection, seated)
            is_due = unseen_since is None or is_unseen(connection, player, unseen_since)
            if is_due and not elsewhere:
                gone = games_against_agents(connection, player) if with_games else []
                forget_player(connection, player)
                connection.execute(sa.delete(games).where(games.c.id.in_(gone)))
            return seated, elsewhere, is_due

        for _ in range(FETCHES):
            seated, elsewhere, is_due = await self.change(write)
            if not is_due:
                return False
            if not elsewhere:
                break
            for game in elsewhere:
                await self.room(game)
        else:
            raise RefusedError("busy.elsewhere")
        for game in seated:  # what is in memory still has the name: it is thrown away for what is on disk
            if self.has(game):
                await self.hand_over(game)
        return True

    async def forget_seat(self, game: str, token: str) -> bool:
        """Of a game that is over, for who sat there, whether they have a name here or not: whether it is gone
        for ever. Where somebody else played, too, it stays, without the name."""
        session = (await self.room(game)).session
        own = session.who(hash_of(token)).sides
        if not own:
            raise RefusedError("not_your_seat.token")
        if session.result is None:
            raise RefusedError("not_allowed.not_over")
        is_alone = session.is_alone(own)
        if session.event is not None or (session.is_rated and not is_alone):
            raise RefusedError("not_allowed.kept")
        if is_alone:
            await self.remove(game)
            return True
        lease = await self.tenure.take(game)
        await self.change(lambda connection: forget_seats(connection, game, own), lease=lease)
        await self.hand_over(game)
        return False

    # Storage -------------------------------------------------------------------------------------------

    async def settle(self, seconds: float) -> None:
        """Take no more requests, and wait until those so far are stored and answered."""
        self.is_closing = True
        for room in self.rooms.values():
            room.close()
        await self.keeper.flush(seconds)
        await self.tenure.leave()

    def has(self, game: str) -> bool:
        """Whether it is in memory, or about to be."""
        return game in self.rooms or game in self._loading

    def gives_away(self, game: str) -> bool:
        """Who wants it finds it at another server in a moment."""
        return game in self._leaving or (self.is_draining and not self.has(game))

    async def hand_over(self, game: str, others_first: float = 0.0) -> None:
        """To whoever takes it next, which may be this server. `others_first`: seconds that this one waits,
        for who asked for it would come too late."""
        try:
            await self.give_back((game,))
        finally:
            if others_first:
                self._given[game] = self.loop.time() + others_first
                self.loop.call_later(others_first, self._given.pop, game, None)

    async def give_back(self, games: Collection[str]) -> None:
        """From now on these are nobody's: what was asked is stored and acknowledged, then who is here is sent
        on."""
        self._leaving.update(games)
        try:
            for game in games:
                self.resting.wake(game)
                await self._loading.done(game)
                if room := self.rooms.get(game):
                    room.close()
            await self.keeper.flush(HANDING_SECONDS)
            for game in games:
                if room := self.rooms.pop(game, None):
                    room.dismiss(RESTART)
                self.tenure.rest(game)
            await self.tenure.rested()
        finally:
            self._leaving.difference_update(games)

    def lose_games(self) -> None:
        """All that is in memory is perhaps another server's by now: everybody starts again from the disk."""
        for room in list(self.rooms.values()):
            room.dismiss(RESTART)
        self.rooms.clear()
        self.resting = Resting()

    def pause(self) -> None:
        """Nobody's time runs, and nothing is decided."""
        self.resting.pause(self.now())
        for room in list(self.rooms.values()):
            room.pause()

    def go_on(self) -> None:
        """Unless there is another reason not to."""
        if self.why_closed() is not None:
            return
        self.resting.go_on(self.now())
        for room in list(self.rooms.values()):
            room.go_on()

    def _storage_changed(self, fault: Exception | None) -> None:
        """Nothing can be stored any more, or everything again."""
        if fault is None:
            self.log.warning("storing again")
            self.go_on()
        else:
            self.log.error("nothing can be stored", extra={"error": repr(fault)})
            self.pause()

    def _broke(self, game: str, error: Exception) -> None:
        """A room that must not be entered any more."""
        self.log.error("not stored", extra={"game": game, "error": repr(error)})
        self.counters["broken"] += 1
        self.rooms.pop(game, None)
        self.tenure.rest(game)

    # Housekeeping --------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        upkeep = Upkeep(self.store, self.settings, self.now, self.has, self._forget_unseen)
        checking = self.loop.create_task(upkeep.check())
        while True:
            if checking.done() and not checking.result():
                self._leave_house("the database is damaged: this server stops")
                return
            if self.keeper.can_store and self.tenure.is_first:
                await upkeep.look()
            await self._rest_in_turns()
            await self._wake_due()
            if not await asyncio.to_thread(self.hold.is_still_ours):
                self._lose_house()
                return
            await asyncio.sleep(self.settings.sweep / 1000)

    async def _forget_unseen(self, player: str, since: int) -> bool:
        return await self.forget_player(player, unseen_since=since)

    async def _rest_in_turns(self) -> None:
        """To forget many games takes long: whoever plays has a turn in between."""
        games = list(self.rooms)
        for start in range(0, len(games), AT_ONCE):
            self._rest_idle(self.settings.rest_after, games[start : start + AT_ONCE])
            await asyncio.sleep(0)

    def _rest_idle(self, patience: int, games: Iterable[str]) -> None:
        """Games that nobody was at for so long leave memory; those that are over go sooner."""
        now = self.now()
        for game, room in [(game, self.rooms[game]) for game in games if game in self.rooms]:
            due = min(patience, JUST_USED) if room.session.result else patience
            if room.is_idle and now - room.last_used > due:
                room.close()
                del self.rooms[game]
                clock = None if room.session.result else room.session.clock
                if clock is not None and (falls := clock.falls_at()) is not None:
                    self.resting.put(game, clock.since, falls)
                else:
                    self.tenure.rest(game)

    async def _wake_due(self) -> None:
        """Somebody's time is up in a game where nobody is: its room writes it down."""
        for game in self.resting.due(self.now(), MAX_WOKEN):
            try:
                await self.room(game)
            except RefusedError as error:  # it is found out when somebody comes
                self.log.warning("not woken", extra={"game": game, "error": error.message})

    def _lose_house(self) -> None:
        self._leave_house("another server uses the database: this one stops")

    def _leave_house(self, reason: str) -> None:
        if not self.is_closing:
            self.is_closing = True
            self.log.error(reason)
            signal.raise_signal(signal.SIGTERM)
