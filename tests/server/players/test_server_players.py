"""People with a name and a key: names are checked, games are theirs, and ratings count once."""

import asyncio
import math
import secrets
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from claimeven.practice import Rating, rated
from claimeven.server.errors import RefusedError
from claimeven.server.game.events import GameRated
from claimeven.server.game.looks import looks_of
from claimeven.server.players.names import checked_name
from claimeven.server.settings import DAY_MS
from claimeven.server.storage.cleaning import Cleaner
from claimeven.server.storage.club import keys, players, ratings
from claimeven.server.storage.rating import NEWCOMER, PERIOD_MS, level_rating, rested
from claimeven.server.storage.store import Store
from kit.club.somebody import CLOCK, Somebody
from kit.serving import PATIENCE, Served, Talker, serving

WIN_OF_THE_FIRST = (4, 1, 4, 1, 4, 1, 4)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, proxies=("127.0.0.1",)) as served:
        yield served


def rated_game(one: Somebody, two: Somebody) -> tuple[str, Talker, Talker]:
    made = one.begin("me", "friend", clock=CLOCK, rated=True).json()
    joined = two.post(f"/api/games/{made['game']}/join", invite=made["invite"]).json()
    sit = one.server.sit
    return made["game"], sit(made["game"], made["token"]), sit(made["game"], joined["token"])


def play(first: Talker, second: Talker, columns: tuple[int, ...]) -> None:
    for ply, column in enumerate(columns):
        assert (first, second)[ply % 2].move(ply, column)["t"] == "ack"


def test_a_rated_game_changes_both_ratings_at_once(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    game, first, second = rated_game(one, two)
    state = server.state(game)
    assert (state["rated"], [seat["player"] for seat in state["seats"]]) == (True, [one.id, two.id])
    assert [seat["name"] for seat in state["seats"]] == ["Ada", "Boris"]
    play(first, second, WIN_OF_THE_FIRST)
    won, lost = rated(NEWCOMER, NEWCOMER, 1), rated(NEWCOMER, NEWCOMER, 0)
    page = one.page()
    assert page["rating"] == {"shown": won.shown, "deviation": round(won.deviation), "provisional": True}
    assert (page["won"], page["drawn"], page["lost"]) == (1, 0, 0)
    assert [point["rating"] for point in page["curve"]] == [round(won.rating)]
    (listed,) = page["games"]
    assert (listed["game"], listed["opponent"], listed["opponent_player"]) == (game, "Boris", two.id)
    assert (listed["result"], listed["reason"], listed["rated"]) == ("won", "connect", True)
    assert listed["change"] == round(won.rating) - round(NEWCOMER.rating)
    assert two.page()["rating"]["shown"] == lost.shown


@pytest.mark.parametrize("is_there", [True, False])
def test_a_game_between_two_of_one_address_counts_for_no_rating(server: Served, is_there: bool) -> None:
    """They may be one person with two browsers; and it stays so when the game is read again."""
    home, away = server.at("203.0.113.5"), server.at("203.0.113.6")
    one, two, far = Somebody(home, "Ada"), Somebody(home, "Boris"), Somebody(away, "Cyril")
    for other, counts in ((two, False), (far, True)):
        made = one.begin("me", "friend", clock=CLOCK, rated=True).json()
        if not is_there:  # it was begun elsewhere, as far as this server knows
            server.hub.rooms[made["game"]].maker = ""
        with closing(home.sit(made["game"], made["token"])) as first:
            assert first.first["rated"]
            joined = other.post(f"/api/games/{made['game']}/join", invite=made["invite"]).json()
            assert joined["state"]["rated"] is counts
            assert joined["state"]["unrated"] == (None if counts else "address")
            with closing(other.server.sit(made["game"], joined["token"])) as second:
                play(first, second, WIN_OF_THE_FIRST)
        loaded = server.hub.store.load(made["game"])
        assert loaded is not None
        assert (loaded.is_rated, loaded.unrated) == (counts, None if counts else "address")
    assert (one.page()["won"], two.page()["lost"], far.page()["lost"]) == (1, 0, 1)


def test_a_game_counts_once_however_often_it_is_told(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    game, first, second = rated_game(one, two)
    play(first, second, WIN_OF_THE_FIRST)
    before = one.page(), two.page()
    server.hub.store.write([GameRated(game, "1-0", 5), GameRated(game, "1-0", 6)])
    assert (one.page(), two.page()) == before


def test_the_rating_is_on_disk_with_the_end_of_the_game(tmp_path: Path) -> None:
    """Killed at once after the last move is acknowledged, the server has both or neither."""
    with serving(tmp_path) as server:
        one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
        _, first, second = rated_game(one, two)
        play(first, second, WIN_OF_THE_FIRST[:-1])
        assert one.page()["curve"] == []
        first.move(6, 4)
        copy = Store(str(server.hub.store.url))  # what another process sees
        with copy.engine.connect() as connection:
            found = connection.execute(sa.select(players.c.rating).where(players.c.id == one.id)).scalar_one()
        copy.close()
        assert found == rated(NEWCOMER, NEWCOMER, 1).rating


def test_levels_are_on_the_same_scale_and_stay_where_they_are(server: Served) -> None:
    one = Somebody(server, "Ada")
    made = one.begin("me", "level:1", clock=CLOCK, rated=True)
    assert made.status_code == 201, made.text
    talker = server.sit(made.json()["game"], made.json()["token"])
    assert talker.ask(t="hint")["code"] == "not_allowed"
    assert talker.move(0, 4)["t"] == "ack"
    talker.hear("move", ply=1)
    assert talker.ask(t="undo", take=0, ply=2)["code"] == "not_allowed"
    assert talker.ask(t="seat", side=2, agent="first")["code"] == "not_allowed"
    assert talker.ask(t="more_time")["code"] == "not_allowed"
    assert talker.ask(t="resign")["t"] == "ack"
    level = level_rating("level:1")
    assert level is not None
    assert one.page()["rating"]["shown"] == rated(NEWCOMER, level, 0).shown
    assert level_rating("mcts") is None


@pytest.mark.parametrize(
    "wish",
    [
        {"clock": None},
        {"board": "8x7", "clock": CLOCK},
        {"moves": "4", "clock": CLOCK},
        {"kinds": ("me", "me"), "clock": CLOCK},
        {"kinds": ("me", "mcts"), "clock": CLOCK},
        {"kinds": ("level:1", "level:2"), "clock": CLOCK},
    ],
)
def test_only_what_can_be_compared_is_rated(server: Served, wish: dict[str, Any]) -> None:
    kinds = wish.pop("kinds", ("me", "friend"))
    refused = Somebody(server, "Ada").begin(*kinds, rated=True, **wish)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_message")


def test_strangers_and_oneself_are_not_rated(server: Served) -> None:
    nameless = server.http.post(
        "/api/games", json={"seats": [{"kind": "me"}, {"kind": "friend"}], "clock": CLOCK, "rated": True}
    )
    assert nameless.json()["error"]["code"] == "not_allowed"
    one = Somebody(server, "Ada")
    made = one.begin("me", "friend", clock=CLOCK, rated=True).json()
    join = f"/api/games/{made['game']}/join"
    assert one.post(join, invite=made["invite"]).json()["error"]["code"] == "not_allowed"
    assert server.http.post(join, json={"invite": made["invite"]}).json()["error"]["code"] == "not_allowed"
    assert Somebody(server, "Boris").post(join, invite=made["invite"]).status_code == 200


def test_a_player_moves_to_another_browser_and_takes_the_game_along(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    game, first, second = rated_game(one, two)
    first.move(0, 4)
    code = one.post("/api/me/code").json()["code"]
    spaced = f" {code[:4].lower()}-{code[4:]} "
    new = secrets.token_urlsafe(32)
    for _ in range(2):  # an answer may be lost
        moved = server.http.post("/api/players/move", json={"code": spaced, "key": new})
        assert (moved.status_code, moved.json()["id"]) == (200, one.id)
    again = server.http.post("/api/players/move", json={"code": code, "key": secrets.token_urlsafe(32)})
    assert (again.status_code, again.json()["error"]["code"]) == (403, "no_player")
    token = secrets.token_urlsafe(32)
    headers = {"Authorization": f"Bearer {new}"}
    seat = server.http.post(f"/api/games/{game}/seat", json={"token": token}, headers=headers)
    assert seat.json()["sides"] == [1]
    second.move(1, 1)
    assert server.sit(game, token).move(2, 4)["t"] == "ack"
    assert first.move(2, 5)["code"] == "not_your_seat", "the seat went along"
    stranger = Somebody(server, "Cy").post(f"/api/games/{game}/seat", token=token)
    assert stranger.json()["error"]["code"] == "not_your_seat"
    assert one.post("/api/me/code").status_code == 200, "the first browser still knows who it is"


def test_codes_die(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Somebody(server, "Ada")
    old = one.post("/api/me/code").json()["code"]
    assert one.post("/api/me/code").json()["code"] != old
    key = secrets.token_urlsafe(32)
    assert server.http.post("/api/players/move", json={"code": old, "key": key}).status_code == 403
    monkeypatch.setattr("claimeven.server.players.book.CODE_MS", -1)
    late = one.post("/api/me/code").json()["code"]
    assert server.http.post("/api/players/move", json={"code": late, "key": key}).status_code == 403


def test_a_clock_that_is_set_back_makes_no_code_good_for_longer(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = Somebody(server, "Ada").post("/api/me/code").json()["code"]
    key, late = secrets.token_urlsafe(32), server.hub.now
    with monkeypatch.context() as earlier:
        earlier.setattr(server.hub, "now", lambda: late() - 3_600_000)
        assert server.http.post("/api/players/move", json={"code": code, "key": key}).status_code == 403
    assert server.http.post("/api/players/move", json={"code": code, "key": key}).status_code == 200


def test_guessing_codes_and_making_players_is_bounded(server: Served) -> None:
    away = server.at("203.0.113.9")
    server.limits.codes_burst = server.limits.players_burst = 2
    tried = [
        away.http.post("/api/players/move", json={"code": "AAAA", "key": "x" * 32}).status_code
        for _ in range(3)
    ]
    assert tried == [403, 403, 429]
    made = [
        away.http.post(
            "/api/players", json={"name": f"Eve {n}", "key": secrets.token_urlsafe(32)}
        ).status_code
        for n in range(3)
    ]
    assert made == [200, 200, 429]


def test_only_hashes_of_keys_are_kept(server: Served) -> None:
    one = Somebody(server, "Ada")
    with server.hub.store.engine.connect() as connection:
        kept = [str(value) for row in connection.execute(sa.select(keys)) for value in row]
    assert one.key not in " ".join(kept)
    assert one.key not in server.http.get(f"/api/players/{one.id}").text
    wrong = server.http.get("/api/me", headers={"Authorization": f"Bearer {'x' * 40}"})
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "no_player")
    assert server.http.get("/api/me").status_code == 403


def test_the_same_key_is_the_same_player(server: Served) -> None:
    key = secrets.token_urlsafe(32)
    ids = {server.http.post("/api/players", json={"name": "Ada", "key": key}).json()["id"] for _ in range(2)}
    assert len(ids) == 1


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("A", "length"),
        ("..", "length"),
        ("x" * 21, "length"),
        ("\u202e\u200b", "length"),
        ("Level 5", "agent"),
        ("1evel 7", "agent"),
        ("Perfect", "agent"),
        ("Adm1n", "agent"),
        ("F.u_c k", "rude"),
        ("Kurwa mać", "rude"),
        ("5h1t", "rude"),
    ],
)
def test_names_nobody_may_have(name: str, reason: str) -> None:
    with pytest.raises(RefusedError) as refused:
        checked_name(name)
    assert refused.value.message == RefusedError(f"bad_name.{reason}", **_bounds(reason)).message


def _bounds(reason: str) -> dict[str, int]:
    return {"least": 2, "most": 20} if reason == "length" else {}


@pytest.mark.parametrize(
    "name",
    [
        "Lan",
        "Đỗ Thị Hương",
        "Zażółć",
        "Dominique",
        "Scunthorpe",
        "Nazir",
        "李小龙",
        "Anna 2",
        "O'Neill",
        "Gall",
    ],
)
def test_names_that_people_have(name: str) -> None:
    assert checked_name(name)[0] == name


@pytest.mark.parametrize(("one", "two"), [("Ada", "АDА"), ("Ada", "Ádá"), ("Bill", "BiI1"), ("Rona", "R0na")])
def test_nobody_looks_like_somebody_else(server: Served, one: str, two: str) -> None:
    assert looks_of(one) == looks_of(two)
    Somebody(server, one)
    refused = server.http.post("/api/players", json={"name": two, "key": secrets.token_urlsafe(32)})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_name")


def test_a_name_is_changed(server: Served) -> None:
    one, _ = Somebody(server, "Ada"), Somebody(server, "Boris")
    assert one.post("/api/me/name", name="ADA").json()["name"] == "ADA"
    assert one.post("/api/me/name", name="Bori5").json()["error"]["code"] == "bad_name"
    assert one.page()["name"] == "ADA"


def test_at_a_table_a_player_is_called_by_their_name(server: Served) -> None:
    one = Somebody(server, "Ada")
    made = one.begin("me", "friend", name="Somebody else").json()
    talker = server.sit(made["game"], made["token"])
    assert talker.ask(t="name", name="Boris")["t"] == "ack"
    assert server.state(made["game"])["seats"][0]["name"] == "Ada"


def test_a_rematch_is_rated_and_a_game_nobody_began_is_not(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    game, first, second = rated_game(one, two)
    play(first, second, WIN_OF_THE_FIRST)
    first.ask(t="offer", kind="rematch")
    second.ask(t="answer", kind="rematch", yes=True)
    again = server.state(game)["rematch"]
    state = server.state(again)
    assert (state["rated"], [seat["player"] for seat in state["seats"]]) == (True, [two.id, one.id])
    room = server.hub.rooms[again]
    server.hub.loop.call_soon_threadsafe(room._abort)
    while server.state(again)["result"] is None:
        pass
    assert (server.state(again)["result"]["reason"], len(one.page()["curve"])) == ("abort", 1)
    assert one.page()["games"][0]["result"] == "none"


def test_the_best_game_now(server: Served) -> None:
    assert server.http.get("/api/best").json()["game"] is None
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    one.begin("me", "level:1", clock=CLOCK, rated=True)
    one.begin("me", "friend")  # nobody's business
    game, *_ = rated_game(one, two)
    best = server.http.get("/api/best").json()
    assert (best["game"], best["names"], best["ratings"]) == (game, ["Ada", "Boris"], [900, 900])


def test_pages_have_older_games_too(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("claimeven.server.players.history.LISTED", 2)
    one = Somebody(server, "Ada")
    made = []
    for _ in range(3):
        made.append(one.begin("me", "level:1").json()["game"])
        time.sleep(0.002)  # they are told apart by the millisecond
    page = one.page()
    assert ([game["game"] for game in page["games"]], page["more"]) == (made[:0:-1], True)
    older = server.http.get(f"/api/players/{one.id}?before={page['games'][-1]['at']}").json()
    assert ([game["game"] for game in older["games"]], older["more"]) == (made[:1], False)
    assert server.http.get("/api/players/nobody").status_code == 404


def test_a_new_player_is_an_average_person() -> None:
    assert Rating(900, 350, 0.06) == NEWCOMER


def test_who_is_away_is_less_known(server: Served) -> None:
    """By Glicko-2's step for a period without games; the numbers are worked out by hand."""
    year = 365 * 24 * 3600 * 1000
    assert rested(Rating(1000, 60, 0.06), year).deviation == pytest.approx(110, abs=0.5)
    one_period = rested(Rating(1500, 200, 0.06), PERIOD_MS)
    assert one_period.deviation == pytest.approx(math.sqrt(200**2 + (173.7178 * 0.06) ** 2))
    assert (one_period.rating, one_period.volatility) == (1500, 0.06)
    assert rested(Rating(1000, 60, 0.06), 100 * year).deviation == NEWCOMER.deviation
    assert rested(Rating(1000, 60, 0.06), -year).deviation == 60, "a clock that was set back"
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    _, first, second = rated_game(one, two)
    play(first, second, WIN_OF_THE_FIRST)
    now = one.page()["rating"]["deviation"]
    with server.hub.store.engine.begin() as connection:
        connection.execute(sa.update(players).values(rated_at=players.c.rated_at - year))
    known, away = rated(NEWCOMER, NEWCOMER, 1), one.page()["rating"]["deviation"]
    assert away == round(rested(known, year).deviation) > now
    _, first, second = rated_game(one, two)
    play(first, second, WIN_OF_THE_FIRST)
    lost = rested(rated(NEWCOMER, NEWCOMER, 0), year)
    again = rated(rested(known, year), lost, 1)
    assert one.page()["rating"]["deviation"] == round(again.deviation)


def test_reports_reach_the_operator_and_nobody_else(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    game, *_ = rated_game(one, two)
    for reason in ("rude", "stalling"):  # the last word counts
        assert one.post(f"/api/games/{game}/report", reason=reason).status_code == 200
    (told,) = server.http.get("/api/operator/reports").json()["reports"]
    assert (told["reporter"], told["player"], told["name"]) == ("Ada", two.id, "Boris")
    assert (told["game"], told["reason"]) == (game, "stalling")
    assert server.at("203.0.113.9").http.get("/api/operator/reports").status_code == 404
    stranger = Somebody(server, "Cy").post(f"/api/games/{game}/report", reason="rude")
    assert stranger.json()["error"]["code"] == "not_your_seat"
    assert one.post(f"/api/games/{game}/report", reason="ugly").status_code == 422


def test_whom_one_muted_is_known_to_oneself_and_can_be_met_again(server: Served) -> None:
    one, two, three = (Somebody(server, name) for name in ("Ada", "Boris", "Cy"))

    def muted(who: Somebody) -> list[tuple[str, str]]:
        return [(each["player"], each["name"]) for each in who.get("/api/me/muted").json()["players"]]

    for other in (three, two, two):
        assert one.post(f"/api/players/{other.id}/mute", on=True).status_code == 200
    assert muted(one) == [(two.id, "Boris"), (three.id, "Cy")]
    assert muted(two) == [], "it is told to nobody else"
    assert one.post(f"/api/players/{two.id}/mute", on=False).status_code == 200
    assert muted(one) == [(three.id, "Cy")]
    assert server.http.get("/api/me/muted").status_code == 403


def test_who_wants_to_be_forgotten_is(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    shared, *_ = rated_game(one, two)
    alone = one.begin("me", "level:1").json()["game"]
    assert one.post("/api/me/delete", games=True).status_code == 200
    assert one.get("/api/me").json()["error"]["code"] == "no_player"
    assert server.http.get(f"/api/players/{one.id}").status_code == 404
    assert server.http.get(f"/api/games/{alone}").status_code == 404
    state = server.state(shared)
    assert [(seat["name"], seat["player"]) for seat in state["seats"]] == [("", None), ("Boris", two.id)]
    assert two.page()["games"][0]["opponent"] == ""
    with server.hub.store.engine.connect() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(keys)).scalar() == 1
    assert Somebody(server, "Ada").id != one.id, "the name is free again"


@pytest.mark.parametrize("who", [0, 1])
def test_a_game_of_two_people_stays_though_an_agent_took_over(server: Served, who: int) -> None:
    people = Somebody(server, "Ada"), Somebody(server, "Boris")
    made = people[0].begin("me", "friend").json()
    joined = people[1].post(f"/api/games/{made['game']}/join", invite=made["invite"]).json()
    first, second = server.sit(made["game"], made["token"]), server.sit(made["game"], joined["token"])
    play(first, second, (4, 4))
    assert first.ask(t="seat", side=1, agent="first")["t"] == "ack"
    assert second.ask(t="answer", kind="seat", yes=True)["t"] == "ack"
    assert people[who].post("/api/me/delete", games=True).status_code == 200
    names = [seat["name"] for seat in server.state(made["game"])["seats"]]
    assert names == ["First", "Boris" if who == 0 else ""]
    record = server.http.get(f"/api/games/{made['game']}/record?format=json").json()
    assert record["tags"]["Replaced"] == f"1 {'' if who == 0 else 'Ada'} until 2 by agreement"


def test_games_against_levels_stay_if_that_is_wished(server: Served) -> None:
    one = Somebody(server, "Ada")
    alone = one.begin("me", "level:1").json()["game"]
    one.post("/api/me/delete", games=False)
    assert server.state(alone)["seats"][0]["name"] == ""


def test_players_who_were_long_away_are_forgotten_where_the_operator_wants_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        old, new = Somebody(server, "Ada"), Somebody(server, "Boris")
        game, *_ = rated_game(old, new)
        store = server.hub.store
        now = server.hub.now()
        store.do(
            lambda c: c.execute(sa.update(players).where(players.c.id == old.id).values(seen=now - 10**9))
        )
        due = Cleaner(store, lambda game: False, now).unseen(now - 10**8)
        assert due == [old.id]

        def forget(player: str) -> bool:
            forgetting = server.hub.forget_player(player, unseen_since=now - 10**8)
            return asyncio.run_coroutine_threadsafe(forgetting, server.hub.loop).result(PATIENCE)

        assert not forget(new.id), "who came back meanwhile"
        assert forget(old.id)
        assert [seat["name"] for seat in server.state(game)["seats"]] == ["", "Boris"], "in memory, too"
        assert server.http.get(f"/api/players/{old.id}").status_code == 404
        assert server.http.get(f"/api/players/{new.id}").status_code == 200
        loaded = store.load(game)
        assert loaded is not None
        assert [seat.name for seat in loaded.seats] == ["", "Boris"]


def forget_game(server: Served, game: str, token: str) -> tuple[int, Any]:
    answer = server.http.post(f"/api/games/{game}/delete", json={"token": token})
    told = answer.json()
    return answer.status_code, told["gone"] if answer.status_code == 200 else told["error"]["code"]


def test_who_has_no_name_deletes_a_game_against_an_agent(server: Served) -> None:
    made = server.new("me", "first")
    game, token = made["game"], made["token"]
    assert forget_game(server, game, token) == (409, "not_allowed"), "it is not over"
    with server.sit(game, token) as me:
        assert me.ask(t="resign")["t"] == "ack"
        assert forget_game(server, game, "x" * 40) == (403, "not_your_seat")
        assert forget_game(server, game, token) == (200, True)
        assert me.closing() == 4004
    assert server.http.get(f"/api/games/{game}").status_code == 404
    assert server.hub.store.load(game) is None


def test_who_has_no_name_leaves_none_in_a_game_between_people(server: Served) -> None:
    game, one, two = server.pair()
    with server.sit(game, one) as first, server.sit(game, two) as second:
        assert first.ask(t="name", name="Ada")["t"] == "ack"
        assert second.ask(t="name", name="Boris")["t"] == "ack"
        assert first.ask(t="resign")["t"] == "ack"
    assert forget_game(server, game, one) == (200, False)
    assert [seat["name"] for seat in server.state(game)["seats"]] == ["", "Boris"]
    loaded = server.hub.store.load(game)
    assert loaded is not None
    assert [seat.name for seat in loaded.seats] == ["", "Boris"]
    assert forget_game(server, game, two) == (200, False)
    assert [seat["name"] for seat in server.state(game)["seats"]] == ["", ""]


def test_a_game_that_counts_for_somebody_else_stays(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    made = one.begin("me", "friend", clock=CLOCK, rated=True).json()
    game = made["game"]
    assert two.post(f"/api/games/{game}/join", invite=made["invite"]).status_code == 200
    with server.sit(game, made["token"]) as first:
        assert first.ask(t="resign")["t"] == "ack"
    assert forget_game(server, game, made["token"]) == (409, "not_allowed")
    assert [seat["name"] for seat in server.state(game)["seats"]] == ["Ada", "Boris"]


def test_three_games_of_the_same_two_count_in_a_day(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    told = []
    for _ in range(4):
        game, first, second = rated_game(one, two)
        told.append((server.state(game)["rated"], server.state(game)["unrated"]))
        play(first, second, WIN_OF_THE_FIRST)
    assert told == [(True, None)] * 3 + [(False, "often")]
    assert one.page()["won"] == 3
    loaded = server.hub.store.load(game)
    assert loaded is not None
    assert (loaded.is_rated, loaded.unrated) == (False, "often"), "after a restart, too"
    third = Somebody(server, "Cy")
    assert server.state(rated_game(one, third)[0])["rated"], "with somebody else it is another matter"
    with server.hub.store.engine.begin() as connection:
        connection.execute(sa.update(ratings).values(at=ratings.c.at - DAY_MS))
    assert server.state(rated_game(two, one)[0])["rated"], "a day later"


def test_rematches_count_for_the_three(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    made = one.begin("me", "friend", clock=CLOCK, rated=True).json()
    game, tokens = made["game"], [made["token"]]
    tokens.append(two.post(f"/api/games/{game}/join", invite=made["invite"]).json()["token"])
    told = []
    for number in range(4):
        state = server.state(game)
        told.append((state["rated"], state["unrated"]))
        with (
            server.sit(game, tokens[number % 2]) as first,
            server.sit(game, tokens[1 - number % 2]) as second,
        ):
            play(first, second, WIN_OF_THE_FIRST)
            first.ask(t="offer", kind="rematch")
            second.ask(t="answer", kind="rematch", yes=True)
            game = server.state(game)["rematch"]
    assert told == [(True, None)] * 3 + [(False, "often")]
    assert one.page()["won"] + one.page()["lost"] == 3


def test_games_at_the_same_time_are_not_more_than_three_either(server: Served) -> None:
    one, two = Somebody(server, "Ada"), Somebody(server, "Boris")
    tables = [rated_game(one, two) for _ in range(5)]
    for _, first, second in tables:
        play(first, second, WIN_OF_THE_FIRST)
    assert one.page()["won"] == 3
