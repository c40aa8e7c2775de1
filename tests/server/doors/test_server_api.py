"""The HTTP side: creating and joining, records, agents, the page, the earlier move service."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import jsonschema
import pytest

from claimeven import formats
from claimeven.agents.kinds.weights import PRESETS
from claimeven.game import Game
from claimeven.server.app import Options, make_app
from claimeven.server.doors import files
from claimeven.server.doors.legacy import MoveRequest, read_position
from claimeven.server.storage.store import Store
from kit.serving import Served, serving

BUSY = 120.0  # seconds for an answer on a machine that others use too
EMPTY = [[0] * 7 for _ in range(6)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("api")) as served:
        yield served


def fault(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_a_new_game(server: Served) -> None:
    made = server.new("me", "level:3", name="Lan", think=50)
    assert sorted(made) == ["game", "invite", "sides", "state", "token"]
    assert (made["sides"], made["invite"], len(made["token"])) == ([1], None, 43)
    state = made["state"]
    assert (state["status"], state["think"], state["seats"][1]["name"]) == ("playing", 50, "Level 3")
    assert server.state(made["game"])["you"] == []


def test_shuffle_draws_the_order(server: Served) -> None:
    sides = {tuple(server.new("me", "first", shuffle=True)["sides"]) for _ in range(20)}
    assert sides == {(1,), (2,)}


@pytest.mark.parametrize(
    ("wish", "status", "code"),
    [
        ({}, 422, "bad_message"),
        ({"seats": [{"kind": "me"}]}, 422, "bad_message"),
        ({"seats": [{"kind": "me"}, {"kind": "agent"}]}, 400, "bad_message"),
        ({"seats": [{"kind": "me", "agent": "level:1"}, {"kind": "me"}]}, 400, "bad_message"),
        ({"seats": [{"kind": "friend"}, {"kind": "friend"}]}, 400, "bad_message"),
        ({"board": "0x1"}, 400, "bad_message"),
        ({"moves": "8"}, 400, "bad_message"),
        ({"moves": "1212121"}, 400, "bad_message"),
        ({"think": 60_000}, 422, "bad_message"),
        ({"think": True}, 422, "bad_message"),
        ({"clock": {"initial": 0}}, 422, "bad_message"),
        ({"surprise": 1}, 422, "bad_message"),
    ],
)
def test_bad_wishes(server: Served, wish: dict[str, Any], status: int, code: str) -> None:
    body = ({"seats": [{"kind": "me"}, {"kind": "me"}]} if wish and "seats" not in wish else {}) | wish
    assert fault(server.http.post("/api/games", json=body)) == (status, code)


@pytest.mark.parametrize(
    ("wish", "code", "params"),
    [
        ({"moves": "4444444"}, "full", {"column": "4", "at_move": "7"}),
        ({"moves": "48"}, "no_column", {"column": "8", "at_character": "2"}),
        ({"board": "99x1"}, "board", {"board": "99x1x4", "most": "35"}),
        (
            {"seats": [{"kind": "me"}, {"kind": "agent", "agent": "level:11"}]},
            "agent",
            {"name": "level", "text": "'11'"},
        ),
    ],
)
def test_what_is_wrong_can_be_told_in_any_language(
    server: Served, wish: dict[str, Any], code: str, params: dict[str, str]
) -> None:
    """Wherever input is refused, its code comes along, with what it names."""
    body = {"seats": [{"kind": "me"}, {"kind": "me"}]} | wish
    told = server.http.post("/api/games", json=body).json()["error"]["detail"]
    assert told["code"] == code
    assert params.items() <= told["params"].items()


def test_so_it_is_in_a_game(server: Served) -> None:
    made = server.new("me", "me", moves="444444")
    with server.sit(made["game"], made["token"]) as both:
        told = both.move(0, 4)
        assert (told["code"], told["detail"]["code"]) == ("illegal_column", "full")
        assert told["detail"]["params"] == {"column": "4"}


@pytest.mark.parametrize(
    "spec",
    [
        "process:command=touch /tmp/owned",
        "kaggle:file=/etc/passwd",
        "qlearning:file=/etc/passwd",
        "nobody",
        "level:11",
        "level:",
        "perfect:megabytes=60000",
        "perfect:threads=64",
        "mcts:megabytes=16000",
        "mcts:table=1000000000",
        "mcts:reuse",
        "minimax:megabytes=16000",
        "minimax:depth=5,depth=6",
        "",
        "x" * 190,
    ],
)
def test_agents_that_are_not_for_strangers(server: Served, spec: str) -> None:
    body = {"seats": [{"kind": "me"}, {"kind": "agent", "agent": spec}]}
    assert fault(server.http.post("/api/games", json=body)) == (400, "bad_agent")


def test_every_agent_offered_plays(server: Served) -> None:
    found = server.http.get("/api/agents").json()
    specs = [agent["spec"] for agent in found["agents"]]
    assert specs[:2] == ["level:1", "level:2"]
    assert {"perfect", "mcts", "minimax", "rules", "random", "first"} <= set(specs)
    assert [option["name"] for option in found["kinds"]["level"]] == ["level"]
    assert {"mcts:tt", "mcts:lgr=1", "mcts:lgr=2", "mcts:tt,lgr=2", "mcts:solver,decisive"} <= set(specs)
    synonyms = {"claimeven", "a-source"}  # the default, and an older name of a
    assert {f"minimax:preset={name}" for name in PRESETS if name not in synonyms} <= set(specs)
    assert "minimax:preset=a-source" not in specs
    options = {option["name"]: option for kind in ("mcts", "minimax") for option in found["kinds"][kind]}
    assert (options["tt"]["type"], options["tt"]["default"]) == ("switch", False)
    assert [options["lgr"][part] for part in ("type", "low", "high")] == ["whole", 0, 3]
    assert (options["preset"]["type"], options["preset"]["words"]) == ("word", list(PRESETS))
    assert "megabytes" not in options
    for spec in [*specs, "mcts:simulations=50,tt,lgr=2", "minimax:depth=2,preset=a"]:
        made = server.new(spec, "me", board="4x4x3", think=20)
        with server.sit(made["game"], made["token"]) as me:
            me.hear("move", ply=0)


def test_joining_once(server: Served) -> None:
    made = server.new("me", "friend")
    path = f"/api/games/{made['game']}/join"
    assert server.state(made["game"])["status"] == "waiting"
    assert fault(server.http.post(path, json={"invite": "guess"})) == (403, "not_your_seat")
    joined = server.http.post(path, json={"invite": made["invite"], "name": "Ada"}).json()
    assert (joined["sides"], joined["state"]["status"]) == ([2], "playing")
    assert joined["state"]["seats"][1]["name"] == "Ada"
    assert joined["token"] != made["token"]
    assert fault(server.http.post(path, json={"invite": made["invite"]})) == (409, "seat_taken")
    assert fault(server.http.post("/api/games/none/join", json={"invite": "x"})) == (404, "no_such_game")
    lonely = server.new("me", "me")
    path = f"/api/games/{lonely['game']}/join"
    assert fault(server.http.post(path, json={"invite": "x"})) == (403, "not_your_seat")


def test_joining_again_after_a_lost_answer(server: Served) -> None:
    made = server.new("friend", "me")
    path, token = f"/api/games/{made['game']}/join", "my-own-token-of-at-least-32-characters"
    for _ in range(2):
        answer = server.http.post(path, json={"invite": made["invite"], "token": token})
        assert (answer.status_code, answer.json()["token"], answer.json()["sides"]) == (200, token, [1])
    weak = server.http.post(path, json={"invite": made["invite"], "token": "short"})
    assert weak.status_code == 422


def test_records_in_every_format(server: Served) -> None:
    made = server.new("me", "me", name="Lan")
    with server.sit(made["game"], made["token"]) as both:
        for ply, column in enumerate((1, 2, 1, 2, 1, 2, 1)):
            both.move(ply, column)
    path = f"/api/games/{made['game']}/record"
    document = server.http.get("/api/openapi.json").json()
    told = document["paths"]["/api/games/{game}/record"]["get"]["responses"]["200"]["content"]
    for name, format in formats.FORMATS.items():
        answer = server.http.get(path, params={"format": name})
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind == ("text/plain" if format.shape is None else "application/json")
        value = answer.text if format.shape is None else answer.json()
        jsonschema.validate(value, {**told[kind]["schema"], "components": document["components"]})
        assert answer.status_code == 200, (name, answer.text)
        assert "attachment" in answer.headers["content-disposition"]
        read = formats.read(answer.text, name)
        assert read.position == Game.parse("1212121").position
    record = Game.from_json(server.http.get(path).text)
    assert (record.players[0].name, record.id, len(record.times)) == ("Lan", made["game"], 7)
    assert fault(server.http.get(path, params={"format": "../x"})) == (400, "bad_message")
    assert fault(server.http.get("/api/games/none/record")) == (404, "no_such_game")


def test_health_readiness_and_numbers(server: Served) -> None:
    assert server.http.get("/api/health").json() == {"status": "ok"}
    assert server.http.get("/api/ready").json() == {"status": "ready"}
    made = server.new("me", "me", name="<script>")
    with server.sit(made["game"], made["token"]) as both:
        both.move(0, 4)
        status = server.http.get("/api/status").json()
        assert status["players"] >= 1
        assert status["moves_total"] >= 1
        lines = server.http.get("/metrics").text.splitlines()
        assert f"claimeven_moves_total {status['moves_total']}" in lines
        assert any(line.startswith("claimeven_store_seconds_count ") for line in lines)
        view = server.http.get("/status").text
        assert made["game"] in view
        assert "<script>" not in view


def test_the_page_and_its_headers(server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "STATIC", tmp_path)
    assert server.http.get("/").text == "page not built: make page\n"
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>page</title>")
    (tmp_path / "assets" / "app-1.js").write_text("1")
    (tmp_path / "secret.py").write_text("no")
    (tmp_path.parent / "outside.txt").write_text("no")
    (tmp_path / "link.txt").symlink_to(tmp_path.parent / "outside.txt")
    for place in ("/", "/game/abc", "/analysis", "/review", "/puzzles", "/learn", "/arena"):
        answer = server.http.get(place)
        assert (answer.status_code, answer.text) == (200, "<title>page</title>"), place
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # only for the engine
        assert "default-src 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-cache"
    script = server.http.get("/assets/app-1.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    for path in (
        "/secret.py",
        "/link.txt",
        "/../outside.txt",
        "/%2e%2e/outside.txt",
        "/assets/..%2f..%2foutside.txt",
        "/etc/passwd",
        "/assets",
        "/a%00b.txt",
        "//etc/passwd",
        "/nowhere",
    ):
        for accepts in ("*/*", "text/html,*/*;q=0.8"):
            answer = server.http.get(path, headers={"accept": accepts})
            assert answer.status_code == 404, path
            assert answer.text != "no"
    # A person who mistyped gets the page, which shows a way out; a program gets a line of text.
    lost = server.http.get("/nowhere", headers={"accept": "text/html"})
    assert lost.text == "<title>page</title>"
    assert lost.headers["content-type"].startswith("text/html")
    assert server.http.get("/api/nowhere", headers={"accept": "text/html"}).text == "there is nothing here\n"


def test_errors_have_one_shape(server: Served) -> None:
    assert fault(server.http.get("/api/games/none")) == (404, "no_such_game")
    assert fault(server.http.get("/api/games/a b")) == (422, "bad_message")
    assert fault(server.http.put("/api/games", json={})) == (405, "not_allowed")
    assert fault(server.http.post("/api/games", content=b"{")) == (422, "bad_message")
    headers = {"content-type": "application/json"}
    assert fault(server.http.post("/api/games", content=b"\xff\xfe", headers=headers))[0] in (400, 422)


# The earlier move service --------------------------------------------------------------------------


def ask(server: Served, **parts: Any) -> Any:
    body = {"board": EMPTY, "current_player": 1, "valid_moves": list(range(7)), "is_new_game": True}
    return server.http.post("/api/connect4-move", json=body | parts)


def test_the_move_service(server: Served) -> None:
    assert server.http.get("/api/test").json() == {"status": "ok", "message": "Server is running"}
    assert ask(server).json() == {"move": 3}
    assert ask(server, current_player=2).json() == {"move": 3}  # either may begin
    assert ask(server, valid_moves=[0, 1]).json()["move"] in (0, 1)
    body = {"board": EMPTY, "current_player": 1, "valid_moves": [3]}
    assert server.http.post("/api/connect4-move", json=body).json() == {"move": 3}  # no is_new_game
    won = [row[:] for row in EMPTY]
    won[5] = [1, 1, 1, 0, 2, 2, 2]
    assert ask(server, board=won).json() == {"move": 3}


@pytest.mark.parametrize(("columns", "rows"), [(8, 7), (4, 4), (12, 6), (7, 5), (1, 6)])
def test_the_move_service_on_any_board(server: Served, columns: int, rows: int) -> None:
    """The earlier system took boards of every size."""
    board = [[0] * columns for _ in range(rows)]
    for row in range(1, 4):
        board[-row] = [1, *[0] * (columns - 2), 2][-columns:]
    asked = ask(server, board=board, valid_moves=list(range(columns)))
    if columns > 1:
        assert asked.json() == {"move": 0}  # four above each other
    else:
        assert asked.status_code == 422  # three stones of one side alone: nobody's turn


def test_the_move_service_refuses(server: Served) -> None:
    full = [[1 + (column + row // 2) % 2 for column in range(7)] for row in range(6)]
    over, floating = [row[:] for row in EMPTY], [row[:] for row in EMPTY]
    over[5] = [1, 1, 1, 1, 2, 2, 2]
    floating[0][0] = 1
    crowd = [row[:] for row in EMPTY]
    crowd[5] = [1, 1, 0, 0, 0, 0, 0]
    assert ask(server, valid_moves=[]).status_code == 400
    assert ask(server, board=full).status_code == 400
    assert ask(server, board=over, current_player=2).status_code == 400
    wrong: dict[str, Any]
    for wrong in (
        {"board": [[0]]},
        {"board": [*EMPTY[:5], [0] * 6]},
        {"board": []},
        {"board": [[0] * 36]},
        {"board": [[0] * 20] * 20},
        {"board": [[3] * 7] * 6},
        {"board": floating, "current_player": 2},
        {"board": crowd},
        {"board": "[[0]]"},
        {"current_player": 3},
        {"valid_moves": [7]},
        {"valid_moves": ["0"]},
        {"valid_moves": None},
    ):
        answer = ask(server, **wrong)
        assert (answer.status_code, list(answer.json())) == (422, ["detail"]), wrong


def test_only_the_move_service_is_open_to_other_sites(server: Served) -> None:
    foreign = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
    for path in ("/api/connect4-move", "/api/test"):
        answer = server.http.options(path, headers=foreign)
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (204, "*")
    asked = server.http.post(
        "/api/connect4-move",
        json={"board": EMPTY, "current_player": 1, "valid_moves": [3]},
        headers={"Origin": "https://elsewhere.example"},
    )
    assert (asked.json(), asked.headers["access-control-allow-origin"]) == ({"move": 3}, "*")
    for path in ("/api/games", "/api/health", "/"):
        answer = server.http.get(path, headers=foreign)
        assert "access-control-allow-origin" not in answer.headers
        assert "access-control-allow-origin" not in server.http.options(path, headers=foreign).headers


def test_who_began_is_read_from_the_stones() -> None:
    board = [row[:] for row in EMPTY]
    board[5][3] = 2  # the second colour began
    position = read_position(MoveRequest(board=board, current_player=1, valid_moves=[0]))
    assert (position.ply, position.side) == (1, 1)


# All of it -------------------------------------------------------------------------------------------


# What is answered beside named types: pictures, and games in the formats that are text.
FILES = {
    ("/api/games/{game}/record", "text/plain"),
    ("/api/picture.svg", "image/svg+xml"),
    ("/api/picture.png", "image/png"),
    ("/api/picture.gif", "image/gif"),
}
# Not in the document: preflights of the earlier service, the pages and metrics, the document itself.
HIDDEN = {
    "/api/connect4-move",
    "/api/test",
    "/status",
    "/metrics",
    "/{path:path}",
    "/api/openapi.json",
}


def test_every_route_says_what_it_answers(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/games.db")
    app = make_app(Options("unused"), store)
    store.close()
    document = app.openapi()
    assert {route.path for route in _routes(app) if not route.include_in_schema} == HIDDEN
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            (answer,) = (one for status, one in route["responses"].items() if status.startswith("2"))
            assert ("content" in answer) == ("204" not in route["responses"]), (path, method)
            for kind, content in answer.get("content", {}).items():
                named = _names(content["schema"])
                assert bool(named) == ((path, kind) not in FILES), (path, method, kind)
                assert named <= set(document["components"]["schemas"]), (path, method)


def _routes(router: Any) -> Iterator[Any]:
    for route in router.routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from _routes(inner)
        elif hasattr(route, "methods"):
            yield route


def _names(schema: dict[str, Any]) -> set[str]:
    return {one["$ref"].rpartition("/")[2] for one in [schema, *schema.get("anyOf", [])] if "$ref" in one}


def test_schemathesis_finds_no_surprise(server: Served, tmp_path: Path) -> None:
    """Whatever is sent to any route that the OpenAPI document names, the answer is documented and no 5xx."""
    import schemathesis  # a second, which every worker would pay while it collects
    from schemathesis.core.result import Ok
    from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

    checks = [
        schemathesis.checks.not_a_server_error,
        response_schema_conformance,
        content_type_conformance,
    ]
    store = Store(f"sqlite:///{tmp_path}/games.db")
    document = make_app(Options("unused"), store).openapi()
    store.close()
    assert json.dumps(document) == json.dumps(server.http.get("/api/openapi.json").json())
    schema = schemathesis.openapi.from_dict(document)
    schema.config.base_url = server.url
    tried = 0
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()

        @hypothesis.settings(
            max_examples=12,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(case=operation.as_strategy())
        def check(case: Any) -> None:
            nonlocal tried
            tried += 1
            case.call_and_validate(checks=checks, base_url=server.url, timeout=BUSY)

        check()
    assert tried > 100
