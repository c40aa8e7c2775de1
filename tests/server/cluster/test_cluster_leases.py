"""Leases: two stores of a cluster on one real PostgreSQL."""

import contextlib
import threading
import time
from collections.abc import Iterator

import psycopg
import pytest
import sqlalchemy as sa

from claimeven.errors import InputError
from claimeven.position import Position
from claimeven.server.cluster.shared import Shared
from claimeven.server.game.events import MoveMade
from claimeven.server.game.session import BOTH, Seat, Session, Who
from claimeven.server.storage.cleaning import PLAYED
from claimeven.server.storage.cluster import FOLLOWING, LeaseLostError, SharedStore
from claimeven.server.storage.hold import DatabaseInUseError, held
from claimeven.server.storage.members import BEAT_SECONDS, BLIND_SECONDS, DEAD_SECONDS, Buried, Members
from claimeven.server.storage.rows import move_row
from claimeven.server.storage.schema import moves
from claimeven.server.storage.store import FencedError, Lease, Store
from faults.cluster.drive import Drive
from kit.databases import Postgres, postgres
from kit.serving import PATIENCE


@pytest.fixture(scope="module")
def drive() -> Iterator[Drive]:
    with Drive() as drive:
        yield drive


@pytest.fixture(scope="module")
def url(drive: Drive) -> Iterator[str]:
    with Postgres(variables=drive.variables) as server:
        yield server.url


class Server:
    """What a server of a cluster has of the database, and a clock of its own that the test moves on."""

    def __init__(self, url: str) -> None:
        self.seconds = 1000.0
        self.store = SharedStore(url)
        self.store.claim()
        self.members = Members(url, lambda: self.seconds)
        self.id = self.members.enter("http://here")

    def begin(self, id: str) -> Session:
        session = game(id)
        self.store.write([session.begun()], [Lease(id, self.id, 0)])
        return session

    def take(self, id: str) -> Lease:
        lease = self.store.take(id, self.id)
        assert isinstance(lease, Lease)
        return lease

    def beats(self) -> set[int]:
        """Half a second later it gives a sign of life; who lives."""
        self.seconds += BEAT_SECONDS
        peers = self.members.beat(self.id, 1)
        assert peers is not None
        return {peer.id for peer in peers}

    def watches(self) -> None:
        """For long enough to tell who gives no sign of life."""
        for _ in range(int((DEAD_SECONDS + 1) / BEAT_SECONDS)):
            self.beats()

    def buries(self) -> Buried:
        self.watches()
        return self.members.bury(self.id)

    def close(self) -> None:
        self.members.hang_up()
        self.store.close()


@pytest.fixture
def one(url: str) -> Iterator[Server]:
    with contextlib.closing(Server(url)) as server:
        yield server


@pytest.fixture
def other(url: str, one: Server) -> Iterator[Server]:
    with contextlib.closing(Server(url)) as server:
        yield server


_ids = iter(range(1000))


@pytest.fixture
def id() -> str:
    return f"game-{next(_ids)}"


def game(id: str) -> Session:
    seats = Seat("human", "Lan", None, "one"), Seat("human", "Ada", None, "two")
    return Session(id, Position(), seats, 0, 1000, owner="one")


def move(session: Session, column: int) -> MoveMade:
    (made,) = session.move(Who(BOTH), 0, session.ply, column, 0).events
    assert isinstance(made, MoveMade)
    return made


def test_a_game_is_one_servers_and_only_that_one_writes(one: Server, other: Server, id: str) -> None:
    session = one.begin(id)
    first = Lease(id, one.id, 0)
    one.store.write([move(session, 3)], [first])
    assert other.store.take(id, other.id) == one.id
    assert other.store.owner(id) == one.id
    with pytest.raises(LeaseLostError):
        other.store.write([move(session, 3)], [Lease(id, other.id, 0)])
    with pytest.raises(LeaseLostError):
        other.store.write([move(session, 3)])
    one.store.release([first])
    second = other.take(id)
    loaded = other.store.load(id)
    assert loaded is not None
    assert loaded.game.columns == (3,)
    other.store.write([move(loaded, 4)], [second])
    with pytest.raises(LeaseLostError):
        one.store.write([move(loaded, 5)], [first])


def test_what_is_ours_by_the_database_is_not_elsewhere(one: Server, other: Server, id: str) -> None:
    """Who could not take it for a moment must find it again: nobody else can."""
    one.begin(id)
    names = [id, "no game"]
    assert one.store.read(lambda rows: one.store.leased(rows, names, one.id)) == set()
    assert other.store.read(lambda rows: other.store.leased(rows, names, other.id)) == {id}


def test_the_buried_write_nothing_and_their_games_are_free(one: Server, other: Server, id: str) -> None:
    """A server that was stopped (SIGSTOP) and goes on believes that nothing has happened."""
    session = one.begin(id)
    late = move(session, 3)
    assert one.id in other.buries().servers
    second = other.take(id)
    with pytest.raises(LeaseLostError):
        one.store.write([late], [Lease(id, one.id, 0)])
    assert one.members.beat(one.id, 1) is None
    other.store.write([late], [second])


def test_a_sign_of_life_keeps_a_server(one: Server, other: Server) -> None:
    other.watches()
    peers = one.members.beat(one.id, 7)
    assert peers is not None
    assert (one.id, 7) in [(peer.id, peer.wired) for peer in peers]
    assert one.id not in other.members.bury(other.id).servers, "given since the last look"
    assert one.id in other.beats()
    assert one.id not in other.members.bury(other.id).servers


JUMPS = [-2 * 86_400, -3_600, -4, -1, 1, 4, 3_600, 2 * 86_400]


@pytest.fixture
def steady(drive: Drive) -> Iterator[Drive]:
    yield drive
    drive.set_clock(0)


@pytest.mark.parametrize("ahead", JUMPS)
def test_no_jump_of_the_databases_clock_buries_the_living(
    steady: Drive, one: Server, other: Server, ahead: int
) -> None:
    for _ in range(20):
        one.beats(), other.beats()
    steady.set_clock(ahead)
    for _ in range(20):
        assert one.id in other.beats(), "it has given a sign half a second ago"
        assert one.id not in other.members.bury(other.id).servers
        one.beats()


@pytest.mark.parametrize("ahead", JUMPS)
def test_who_died_before_a_jump_of_the_databases_clock_is_dead_as_soon(
    steady: Drive, one: Server, other: Server, ahead: int
) -> None:
    """Set back, its last sign of life was in the future: its games were nobody's for as long as the jump."""
    for _ in range(20):
        one.beats(), other.beats()
    steady.set_clock(ahead)
    lasted = 0.0
    while one.id not in other.members.bury(other.id).servers:
        assert lasted <= DEAD_SECONDS
        other.beats()
        lasted += BEAT_SECONDS
    assert lasted > DEAD_SECONDS - BEAT_SECONDS


def test_who_stood_still_buries_nobody_before_it_has_watched(one: Server, other: Server) -> None:
    """As when a whole machine sleeps: nobody could give a sign meanwhile."""
    for _ in range(20):
        one.beats(), other.beats()
    other.seconds += BLIND_SECONDS + 60
    assert one.id not in other.beats()
    assert one.id not in other.members.bury(other.id).servers
    one.beats()
    assert one.id in other.beats()
    assert one.id in other.buries().servers, "when it has, and there was none"


def test_who_is_not_answered_buries_nobody_before_it_has_watched(one: Server, other: Server) -> None:
    other.watches()
    other.members.hang_up()
    other.beats()
    assert one.id not in other.members.bury(other.id).servers
    assert one.id in other.buries().servers


def test_a_server_that_starts_does_not_take_the_dead_for_living(url: str, one: Server) -> None:
    with psycopg.connect(url) as session:
        session.execute(
            "UPDATE cluster_servers SET beat = clock_timestamp() - interval '60 seconds' WHERE id = %s",
            (one.id,),
        )
    with contextlib.closing(Server(url)) as late:
        assert one.id not in late.beats()
        assert late.members.bury(late.id).servers == (), "it has not watched for long enough"


def test_an_old_epoch_of_the_same_server_is_refused(one: Server, id: str) -> None:
    """What was asked before a server lost a game and took it again rests on another memory."""
    session = one.begin(id)
    early = move(session, 3)
    one.store.release([Lease(id, one.id, 0)])
    again = one.take(id)
    assert again.epoch > 0
    assert one.take(id).epoch > again.epoch  # taken once more, as if the answer had been lost
    with pytest.raises(LeaseLostError):
        one.store.write([early], [Lease(id, one.id, 0)])
    with pytest.raises(LeaseLostError):
        one.store.write([early], [again])


def test_who_takes_a_game_waits_for_what_is_being_written(one: Server, other: Server, id: str) -> None:
    one.begin(id)
    order: list[str] = []

    def take() -> None:
        while one.id not in other.buries().servers:  # none, while somebody writes still
            time.sleep(0.05)
        order.append("taken")

    with one.store._writing() as connection:
        one.store._check(connection, [Lease(id, one.id, 0)], [Lease(id, one.id, 0)])
        taker = threading.Thread(target=take)
        taker.start()
        taker.join(1.0)
        order.append("written")
    taker.join(PATIENCE)
    assert order == ["written", "taken"]


def test_who_stands_still_in_a_transaction_does_not_keep_its_games(
    one: Server, other: Server, id: str
) -> None:
    """PostgreSQL ends a transaction in which nothing is said, as when a server is stopped in it."""
    session = one.begin(id)

    def stand_still() -> None:
        with one.store._writing() as connection:
            one.store._check(connection, [Lease(id, one.id, 0)], [Lease(id, one.id, 0)])
            end = time.monotonic() + PATIENCE
            while one.id not in other.buries().servers:
                assert time.monotonic() < end
                time.sleep(0.1)
            other.store.write([move(session, 3)], [other.take(id)])
            one.store._write_rows(connection, [move(session, 4)])

    with pytest.raises(sa.exc.DBAPIError):
        stand_still()
    loaded = other.store.load(id)
    assert loaded is not None
    assert loaded.game.columns == (3,)


def test_what_is_given_back_late_is_not_of_the_next_try(
    url: str, one: Server, other: Server, id: str
) -> None:
    """A game was begun in vain, and its lease given back only after it had been begun once more."""
    store, shared = one.store, Shared(one.store, url, "here")
    first, second = shared.begin(id), shared.begin(id)
    store.write([game(id).begun()], [second])
    store.release([first])
    assert store.owner(id) == shared.id
    assert id not in shared.held  # before it is stored: it may be another server's that was quicker
    assert shared.begun(second)
    assert shared.holds(second)
    assert not shared.begun(first)
    shared._members.leave(shared.id)
    shared._members.hang_up()


def test_a_game_that_is_given_back_meanwhile_is_not_unknown(
    one: Server, other: Server, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was another's when it was asked for, and nobody's when it was looked whose: visitors were told that
    there is no such game, and went away for good."""
    one.begin(id)
    look = other.store.owner

    def late(game: str) -> int | None:
        one.store.release([Lease(id, one.id, 0)])
        return look(game)

    monkeypatch.setattr(other.store, "owner", late)
    assert other.take(id).server == other.id
    assert other.store.take(f"{id}-never", other.id) is None


def test_a_game_that_follows_begins_under_the_lease_of_the_first(one: Server, other: Server, id: str) -> None:
    session = one.begin(id)
    after = game(f"{id}-again")
    one.store.write([move(session, 3), after.begun()], [Lease(id, one.id, 0)])
    assert one.store.owner(f"{id}-again") == one.id
    one.store.write([move(after, 3)], [Lease(f"{id}-again", one.id, FOLLOWING)])
    with pytest.raises(LeaseLostError):
        other.store.write([move(session, 3), game(f"{id}-late").begun()], [Lease(id, other.id, 0)])
    assert other.store.load(f"{id}-late") is None


def test_one_bad_lease_of_many_stores_nothing(one: Server, other: Server, id: str) -> None:
    mine, theirs = one.begin(f"{id}-a"), other.begin(f"{id}-b")
    good = move(mine, 3)
    leases = [Lease(f"{id}-a", one.id, 0), Lease(f"{id}-b", one.id, 0)]
    with pytest.raises(LeaseLostError):
        one.store.write([good, move(theirs, 3)], leases)
    one.store.write([good], leases[:1])


def test_who_leaves_gives_all_games_back_at_once(one: Server, other: Server, id: str) -> None:
    one.begin(id)
    one.members.leave(one.id)
    assert other.take(id).server == other.id


def test_the_living_share_games_with_a_clock_of_the_dead(
    url: str, one: Server, other: Server, id: str
) -> None:
    """In shares about as large, each told until it is taken."""
    names = [f"{id}-{number}" for number in range(90)]
    for name in [*names, f"{id}-slow"]:
        one.begin(name)
    with psycopg.connect(url) as session:
        session.execute(
            "UPDATE games SET clock_initial = 1000, clock_increment = 0 WHERE id = ANY(%s)", (names,)
        )
    with contextlib.closing(Server(url)) as third:
        other.watches()
        third.beats()
        other.beats()
        gone = third.id + 1000  # left just now
        buried = other.members.bury(other.id, [third.id, one.id, gone])
        assert (one.id in buried.servers, buried.clocks) == (True, 90)
        shares = [server.members.inherited(server.id) for server in (other, third)]
        assert sorted([*shares[0], *shares[1]]) == sorted(names)
        assert min(map(len, shares)) > 20
        assert third.store.owner(shares[1][0]) == third.id
        assert other.store.take(shares[1][0], other.id) == third.id
        third.take(shares[1][0])
        assert third.members.inherited(third.id) == shares[1][1:]
        assert other.store.owner(f"{id}-slow") is None


def test_a_game_in_memory_is_not_cleaned_away(one: Server, other: Server, id: str) -> None:
    one.begin(id)
    assert other.store.remove([id], sa.true()) == 0
    one.store.release([Lease(id, one.id, 0)])
    assert other.store.remove([id], sa.true()) == 1
    assert other.store.take(id, other.id) is None


def test_a_server_alone_and_a_cluster_keep_each_other_away(url: str, one: Server, id: str) -> None:
    with (
        held(url, "first", is_shared=True),
        held(url, "second", is_shared=True),
        pytest.raises(DatabaseInUseError),
        held(url, "alone"),
    ):
        pass
    with held(url, "alone"), pytest.raises(DatabaseInUseError), held(url, "late", is_shared=True):
        pass
    session = one.begin(id)
    with contextlib.closing(Store(url)) as alone:  # that took it while PostgreSQL restarted
        alone.claim()
        with pytest.raises(FencedError):
            one.store.write([move(session, 3)], [Lease(id, one.id, 0)])
        with pytest.raises(FencedError):
            one.store.take(id, one.id)


def test_servers_that_start_at_once_make_the_tables_once() -> None:
    with postgres() as empty:
        made: list[SharedStore | Exception] = []

        def make() -> None:
            try:
                store = SharedStore(empty)
                store.claim()
                made.append(store)
            except Exception as error:
                made.append(error)

        threads = [threading.Thread(target=make) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        stores = [store for store in made if isinstance(store, SharedStore)]
        assert len(stores) == 3, made
        assert len({store.cluster for store in stores}) == 1
        for store in stores:
            store.close()


def test_a_planted_bug_in_the_check_is_seen(
    one: Server, other: Server, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the check the buried server writes: so the tests above can fail."""
    session = one.begin(id)
    late = move(session, 3)
    other.buries()
    other.take(id)
    monkeypatch.setattr(SharedStore, "_check", lambda self, connection, needed, leases: one.id)
    one.store.write([late], [Lease(id, one.id, 0)])
    loaded = other.store.load(id)
    assert loaded is not None
    assert loaded.game.columns == (3,)


@pytest.mark.parametrize("text", ["localhost:4222", "http://localhost", "nats://", "nats://a:b"])
def test_what_is_no_address_of_nats_is_refused(text: str) -> None:
    from claimeven.server.cluster.bus import check_address

    with pytest.raises(InputError, match="NATS at"):
        check_address(text)
    assert check_address("nats://a, tls://u:p@b:4222") == ["nats://a", "tls://u:p@b:4222"]


def test_what_somebody_plays_meanwhile_is_not_forgotten(
    url: str, one: Server, other: Server, id: str
) -> None:
    """Retention that waits for one game must not delete another one by what was so before it waited."""
    waited, played = id, f"{id}-played"
    for game in (waited, played):
        one.begin(game)
        one.store.release([Lease(game, one.id, 0)])
    with psycopg.connect(url) as third:  # a server that is just taking the first
        third.execute("SELECT 1 FROM games WHERE id = %s FOR KEY SHARE", (waited,))
        removing = threading.Thread(target=lambda: one.store.remove([waited, played], ~PLAYED))
        removing.start()
        removing.join(0.7)  # as long as it would wait
        lease = other.store.take(played, other.id)
        if isinstance(lease, Lease):
            loaded = other.store.load(played)
            assert loaded is not None
            other.store.write([move(loaded, 3)], [lease])
    removing.join(PATIENCE)
    left = other.store.load(played)
    assert (left is None) is (lease is None)
    assert other.store.load(waited) is not None, "whose server was just taking it"


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_move_that_is_being_stored_keeps_its_game(url: str, one: Server, id: str, is_shared: bool) -> None:
    """Of a server alone, too: what was looked up before the move was there does not count."""
    made = move(one.begin(id), 3)
    one.store.release([Lease(id, one.id, 0)])
    store: Store = SharedStore(url) if is_shared else Store(url)
    removed: list[int] = []
    with contextlib.closing(store), one.store.engine.connect() as writer:
        writer.execute(sa.insert(moves).values(**move_row(made)))
        removing = threading.Thread(target=lambda: removed.append(store.remove([id], ~PLAYED)))
        removing.start()
        removing.join(0.7)
        writer.commit()
        removing.join(PATIENCE)
    assert removed == [0]
    loaded = one.store.load(id)
    assert loaded is not None
    assert loaded.game.columns == (3,)
