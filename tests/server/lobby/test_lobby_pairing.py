"""Who is sent to whom, without any server: wishes of this one and of others."""

import asyncio
from collections.abc import Collection
from types import SimpleNamespace
from typing import Any, cast

import pytest

from claimeven.position import Position
from claimeven.server.errors import RefusedError
from claimeven.server.game.room import Room
from claimeven.server.game.session import Seat, Session
from claimeven.server.lobby import pairing
from claimeven.server.lobby.pairing import FRESH, Listed, Pairing, Wish
from claimeven.server.lobby.waiting import LATE, Lobby


class Hall:
    """A list of wishes, the time, and which games of this server are open."""

    def __init__(self) -> None:
        self.now = 1_000_000
        self.here: dict[str, bool] = {}
        self.pairing = Pairing(lambda: self.now, self.here.get)

    def seek(self, game: str, mine: tuple[str, ...] = (), **parts: Any) -> str | None:
        return self.pairing.seek(wish(game, **parts), mine)


def wish(game: str, **parts: Any) -> Wish:
    return Wish(game, **{"terms": "7x6", "visitor": "", **parts})


def test_whoever_comes_goes_to_who_waited_before() -> None:
    hall = Hall()
    assert hall.seek("a") is None
    assert hall.seek("b", terms="8x7") is None
    assert hall.seek("c") == "a", "in the same millisecond"
    assert hall.seek("a") is None, "said again, it goes nowhere"
    assert hall.seek("c", mine=("a",)) is None
    hall.now += 1
    assert hall.seek("d") == "a"


def test_a_game_elsewhere_waits_as_long_as_it_is_told_to() -> None:
    hall = Hall()
    hall.seek("a")
    hall.now += FRESH - 1
    hall.pairing.hear([wish("a")])
    hall.now += FRESH - 1
    assert hall.seek("b") == "a"
    hall.now += 1
    assert hall.seek("b") is None


def test_a_game_here_waits_while_its_host_is_there() -> None:
    hall = Hall()
    hall.here["a"] = True
    hall.seek("a")
    hall.now += 100 * FRESH
    assert hall.seek("b") == "a"
    hall.here["a"] = False
    assert hall.seek("c") is None
    hall.here |= {"a": True, "c": True}
    assert hall.seek("d") == "a", "come back, it is the first again"


def test_who_pairs_from_now_on_knows_who_came_first() -> None:
    hall = Hall()
    hall.pairing.hear([wish("late", waited=10), wish("early", waited=50_000)])
    assert hall.seek("early") is None
    assert hall.seek("late") == "early"


def test_who_waits_no_more_is_nobodys_to_meet() -> None:
    hall = Hall()
    hall.seek("a")
    hall.pairing.drop(wish("a"))
    assert hall.seek("b") is None


def test_the_nearest_rating_comes_first_and_the_range_grows() -> None:
    hall = Hall()
    hall.seek("low", rating=900)
    hall.seek("high", rating=1500)
    assert hall.seek("x", rating=1400) == "high"
    assert hall.seek("y", rating=1200, player="y") is None
    hall.now += 1
    assert hall.seek("z", rating=1100, avoided=("y",)) is None
    hall.now += 10_000  # 150 points more
    for game, rating in (("low", 900), ("high", 1500), ("y", 1200)):
        hall.pairing.hear([wish(game, rating=rating)])
    assert hall.seek("far", rating=1700) == "high"


def test_nobody_fills_it_and_the_dead_take_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "MOST", 2)
    hall = Hall()
    hall.seek("a")
    hall.seek("b", terms="8x7")
    with pytest.raises(RefusedError, match="many"):
        hall.seek("c", terms="9x7")
    hall.now += FRESH
    assert hall.seek("c", terms="9x7") is None


class Far:
    """Another server pairs, and answers when this one has just given the game away."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.gives_away = True

    async def seek(self, wish: Wish, mine: Collection[str]) -> str | None:
        if self.gives_away:
            assert [seeker.wish.game for seeker in self.lobby.leave([wish.game])] == [wish.game]
        return "theirs"

    def drop(self, wish: Wish) -> None: ...

    async def listed(self) -> tuple[list[Listed], int]:
        return [], 0


class Here:
    """What a lobby looks at in a room whose host is there."""

    def __init__(self) -> None:
        seats = Seat("human", "Lan", None, "one"), Seat("free", "", None)
        self.session = Session("own", Position(), seats, 0, 1000, owner="one")
        self.attendance = SimpleNamespace(people=1)


@pytest.fixture
def room() -> Room:
    return cast(Room, Here())


def test_who_waits_on_at_another_server_is_sent_nowhere(room: Room) -> None:
    """The game was handed over while a meeting was sought: there it is open, and somebody may come."""
    lobby = Lobby({"own": room}, lambda: 1)
    lobby.elsewhere = far = Far(lobby)
    assert asyncio.run(lobby.announce(room, "word", "here", ())) is None
    far.gives_away = False
    assert asyncio.run(lobby.announce(room, "word", "here", ())) == "theirs"
    assert invitation(lobby) is None


class Late:
    """Another server pairs, and answers when it is let to."""

    def __init__(self) -> None:
        self.is_asked, self.may_answer = asyncio.Event(), asyncio.Event()
        self.found: str | None = "theirs"

    async def seek(self, wish: Wish, mine: Collection[str]) -> str | None:
        self.is_asked.set()
        await self.may_answer.wait()
        return self.found

    def drop(self, wish: Wish) -> None: ...

    async def listed(self) -> tuple[list[Listed], int]:
        return [], 0


def invitation(lobby: Lobby, token: str = "hers") -> str | None:
    with lobby.sitting_down("own", token) as invite:
        return invite


def says(lobby: Lobby, room: Room, number: int) -> str | None:
    return asyncio.run(lobby.announce(room, "word", "here", (), number=number))


def test_a_late_copy_of_who_waits_opens_no_game_again(room: Room) -> None:
    """Its host sits elsewhere by now, and the server did not notice yet that they left."""
    now = 1_000_000
    lobby = Lobby({"own": room}, lambda: now)
    lobby.elsewhere = far = Late()
    far.may_answer.set()
    assert says(lobby, room, 5) == "theirs"
    far.found = None
    for late in (4, 5):
        assert says(lobby, room, late) is None
        assert invitation(lobby) is None
    assert says(lobby, room, 6) is None, "they came too late there, and wait on"
    assert invitation(lobby) == "word"
    lobby.close("own")
    now += LATE
    assert says(lobby, room, 1) is None, "a clock that was set back"
    assert invitation(lobby) == "word"
    lobby.close("own")
    assert says(lobby, room, 0) is None
    assert invitation(lobby) == "word", "who does not count is always heard"


def test_a_game_that_is_handed_over_late_is_not_opened_again(room: Room) -> None:
    giver, heir = (Lobby({"own": room}, lambda: 1) for _ in range(2))
    assert says(giver, room, 5) is None
    (seeker,) = giver.leave(["own"])
    assert says(heir, room, 6) is None
    heir.close("own")
    heir.adopt(seeker)
    assert invitation(heir) is None
    another = Lobby({"own": room}, lambda: 1)
    another.adopt(seeker)
    assert invitation(another) == "word"
    assert says(another, room, 5) is None
    another.close("own")
    assert says(another, room, 5) is None
    assert invitation(another) is None, "it knows what was heard by who had the game before"


def test_whose_guest_is_sitting_down_is_sent_nowhere(room: Room) -> None:
    """The guest's seat is not stored yet, when a meeting for the host is found."""

    async def run() -> None:
        lobby = Lobby({"own": room}, lambda: 1)
        lobby.elsewhere = far = Late()
        seeking = asyncio.create_task(lobby.announce(room, "word", "here", ()))
        await far.is_asked.wait()
        with lobby.sitting_down("own", "hers") as invite:
            assert invite == "word"
            far.may_answer.set()
            assert await seeking is None
            assert await lobby.announce(room, "word", "here", ()) is None
        assert await lobby.announce(room, "word", "here", ()) == "theirs", "she could not be seated"

    asyncio.run(run())


def test_a_late_copy_of_who_was_refused_takes_no_seat(room: Room) -> None:
    lobby = Lobby({"own": room}, lambda: 1)
    assert says(lobby, room, 0) is None
    room.attendance.people = 0  # type: ignore[misc]  # the host's line broke
    assert invitation(lobby) is None
    lobby.missed(room, "hers")
    room.attendance.people = 1  # type: ignore[misc]
    assert invitation(lobby) is None, "by now she may sit elsewhere"
    with lobby.sitting_down("own", "his") as invite:
        assert invite == "word"
        room.attendance.people = 0  # type: ignore[misc]
        assert invitation(lobby, "his") == "word", "asked for twice at once, it is one who comes"
        assert invitation(lobby, "another") is None
    assert invitation(lobby, "his") is None
