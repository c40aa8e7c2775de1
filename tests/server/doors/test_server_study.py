"""Analysis, explanations, reviews, formats, puzzles and the school over HTTP."""

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from claimeven import formats
from claimeven.arena import play_match
from claimeven.game import Game
from claimeven.position import Board, Position
from claimeven.puzzles import hints, shipped_puzzles, why
from claimeven.reasons import advise, explain
from claimeven.school import UNITS, judge, task
from claimeven.server.reading import reader
from claimeven.server.study import desk as desks
from claimeven.server.study import match as matches
from claimeven.solver import Solver
from kit.serving import Served, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("study")) as served:
        yield served


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(megabytes=64)


def ask(server: Served, path: str, **params: Any) -> dict[str, Any]:
    answer = server.http.get(f"/api/{path}", params=params)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def tell(server: Served, path: str, **body: Any) -> dict[str, Any]:
    answer = server.http.post(f"/api/{path}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(server: Served, path: str, body: Any = None, **params: Any) -> tuple[int, str]:
    answer = (
        server.http.get(f"/api/{path}", params=params)
        if body is None
        else server.http.post(f"/api/{path}", json=body)
    )
    assert answer.status_code >= 400, answer.text
    fault = answer.json()["error"]
    assert re.match(r"\S.*\S$", fault["message"]), fault
    return answer.status_code, fault["code"]


# Analysis ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["", "4453", "44444326155", "3436634", "27235357431611455164"])
def test_the_values_are_those_of_the_solver(server: Served, solver: Solver, moves: str) -> None:
    found, exact = ask(server, "analyse", moves=moves), solver.analyse(Position.parse(moves))
    assert found["exact"]
    assert {row["column"] - 1: row["score"] for row in found["columns"]} == {
        column: int(score) for column, score in exact.scores.items()
    }
    assert found["best"] == [column + 1 for column in exact.best]
    assert exact.score is not None
    assert found["value"] == {
        "score": int(exact.score),
        "outcome": exact.score.outcome,
        "moves": exact.score.moves,
    }
    keeping = [score for score in exact.scores.values() if score.outcome == exact.score.outcome]
    assert found["keeping"] == len(keeping)
    assert (found["turn"], found["ply"]) == (len(moves) % 2 + 1, len(moves))
    assert [disc[0] for disc in found["discs"]] == [int(digit) for digit in moves]


def test_the_values_of_a_game(server: Served, solver: Solver) -> None:
    moves = "4455224153"
    found = ask(server, "values", moves=moves)["values"]
    for ply, value in enumerate(found):
        score = int(solver.score(Position.parse(moves[:ply])))
        assert value == (score if ply % 2 == 0 else -score)
    assert ask(server, "values", moves="4455663")["values"][-1] == 18
    start = str(Position.parse(moves[:4]))
    assert ask(server, "values", moves=moves[4:], start=start)["values"] == found[4:]
    assert ask(server, "values", moves=start)["values"] == found[4:5]


def test_moves_follow_on_a_position(server: Served) -> None:
    whole, start = "44552241", str(Position.parse("4455"))
    asked = {"moves": "2241", "start": start}
    assert tell(server, "convert", text="2241", start=start, to="position")["text"] == str(
        Position.parse(whole)
    )
    found, same = ask(server, "analyse", **asked), ask(server, "analyse", moves=whole)
    assert (found["moves"], found["position"]) == (None, same["position"])
    assert (found["columns"], found["line"]) == (same["columns"], same["line"])
    assert found["discs"][4:] == same["discs"][4:]  # the moves come last, in their order
    assert (found["last_known"], ask(server, "analyse", moves=start)["last_known"]) == (True, False)
    for path in ("explain", "why-not"):
        told, same = ask(server, path, **asked, column=3), ask(server, path, moves=whole, column=3)
        assert told == same
    picture = server.http.get("/api/picture.svg", params=asked).text
    assert picture.count("<circle") >= len(whole)
    assert refused(server, "analyse", moves="9", start=start) == (400, "bad_message")
    assert refused(server, "analyse", moves="44444", start=start) == (400, "bad_message")
    assert refused(server, "analyse", moves="4", start="no position") == (400, "bad_message")


def test_a_finished_game_is_analysed(server: Served) -> None:
    found = ask(server, "analyse", moves="4455663")
    assert (found["moves"], found["over"], found["winner"]) == ("4455663", True, 1)
    assert sorted(found["four"]) == [[3, 1], [4, 1], [5, 1], [6, 1]]
    assert (found["columns"], found["landing"], found["turn"]) == ([], {}, None)
    assert found["value"]["outcome"] == "loss"


def test_words_in_the_language_asked_for(server: Served) -> None:
    words = {
        language: ask(server, "analyse", moves="445566", language=language)["columns"][2]["words"]
        for language in ("en", "fr", "pl", "vi")
    }
    assert words["en"] == "Column 3 wins at once."
    assert len(set(words.values())) == 4


def test_threats_have_a_parity(server: Served) -> None:
    found = ask(server, "analyse", moves="445566")["threats"]
    assert {(tuple(threat["cell"]), threat["side"]) for threat in found} >= {
        ((3, 1), 1),
        ((7, 1), 1),
        ((3, 2), 2),
    }
    assert all(threat["odd"] == (threat["cell"][1] % 2 == 1) for threat in found)
    assert [threat["cell"] for threat in found if threat["open"]] == [[3, 1], [7, 1]]


def test_positions_and_other_boards(server: Served) -> None:
    found = ask(server, "analyse", moves="7/7/7/7/3o3/2oxx2 x 7x6x4")
    assert (found["moves"], found["exact"], len(found["discs"])) == (None, True, 4)
    assert not found["last_known"]
    small = ask(server, "analyse", moves="2", board="4x4x3")
    assert (small["exact"], small["board"], small["is_book"]) == (
        True,
        {"columns": 4, "rows": 4, "connect": 3},
        False,
    )


def test_what_is_refused(server: Served) -> None:
    assert refused(server, "analyse", moves="8") == (400, "bad_message")
    assert refused(server, "analyse", moves="4", board="900x900") == (400, "bad_message")
    assert refused(server, "analyse", moves="4" * 500) == (422, "bad_message")
    assert refused(server, "analyse", moves="4", language="xx") == (422, "bad_message")
    assert refused(server, "explain", moves="444444", column=4) == (409, "illegal_column")
    assert refused(server, "explain", moves="4", column=99) == (422, "bad_message")
    assert refused(server, "opinion", moves="", agent="process:command=ls") == (400, "bad_agent")
    assert refused(server, "opinion", moves="", agent="random", think=10**9) == (422, "bad_message")
    assert refused(server, "review", {"text": ""}) == (400, "bad_message")
    assert refused(server, "review", {"text": "4", "extra": 1}) == (422, "bad_message")
    assert refused(server, "convert", {"text": "9", "to": "moves"}) == (400, "bad_message")
    assert refused(server, "convert", {"text": "4", "to": "nothing"}) == (400, "bad_message")
    assert refused(server, "convert", {"text": "4" * 300_000})[0] == 413
    assert refused(server, "position", {"rows": ["......."]}) == (400, "bad_message")
    assert refused(server, "puzzles", theme="nothing") == (400, "bad_message")
    assert refused(server, "puzzles/00000000") == (404, "not_found")
    assert refused(server, "school/nothing") == (404, "not_found")


def test_progress_comes_before_a_long_answer(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "MAX_SECONDS", 1.0)
    with server.http.stream("GET", "/api/analyse", params={"board": "9x9x4", "stream": True}) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert [line["t"] for line in lines[:-1]] == ["progress"] * (len(lines) - 1)
    assert len(lines) > 2
    assert lines[-2]["nodes"] > 0
    assert lines[-1]["t"] == "answer"
    assert not lines[-1]["answer"]["exact"]
    row = lines[-1]["answer"]["columns"][0]
    assert (row["score"], row["low"] < row["high"]) == (None, True)


def test_closing_cancels_the_work(server: Served) -> None:
    """Both ways of asking: with progress and without."""
    for stream in ("&stream=true", ""):
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(
                f"GET /api/analyse?board=10x9x4{stream} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            )
            wait_until(lambda: server.hub.thinkers.busy == 1)
        wait_until(lambda: server.hub.thinkers.busy == 0, patience=5)


def wait_until(holds: Any, patience: float = 10.0) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_many_may_ask_at_once_and_the_games_go_on(server: Served) -> None:
    """Long questions take some of the threads, never all: an agent still answers."""
    lines = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(6)]
    try:
        for number, line in enumerate(lines):
            path = f"/api/analyse?board=9x9x4&moves={number + 1}"
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        wait_until(lambda: server.hub.thinkers.busy >= 1)
        made = server.new("me", "first")
        with server.sit(made["game"], made["token"]) as player:
            player.move(0, 4)
            assert player.hear("move", ply=1)["by"] == "agent"
    finally:
        for line in lines:
            line.close()
    wait_until(lambda: server.hub.thinkers.busy == 0)


def test_an_answer_is_remembered(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ask(server, "explain", moves="4131", column=5)
    monkeypatch.setattr(desks.Desk, "do", None)
    assert ask(server, "explain", moves="4131", column=5) == first


# Reasons ----------------------------------------------------------------------------------------------


def test_an_explanation_is_that_of_the_library(server: Served, solver: Solver) -> None:
    position = Position.parse("3275225373553")
    for language in ("en", "pl"):
        found = ask(server, "explain", moves="3275225373553", column=2, language=language)
        told = explain(position, 1, solver, language)
        assert found["text"] == told.text
        assert (found["verdict"], found["reason"], found["plan"]) == (
            told.verdict,
            told.grounds,
            told.plan_text,
        )
        same = told.to_json()
        assert all(found[name] == same[name] for name in ("rank", "reasons", "steps", "simple", "better"))
        assert found["steps"][0]["cells"] == ["d2", "d3"]
    plan = found["overlay"]["plan"]
    assert (plan["holder"], plan["keys"], plan["theorem"]) == (2, [[4, 2], [4, 3]], "stacked")
    count = ask(server, "explain", moves="546445664565544151123133177773122", column=2)["overlay"]["plan"]
    assert (count["holder"], count["keys"], count["theorem"]) == (2, [[3, 6]], "T3")
    assert all(lower[0] == upper[0] and upper[1] == lower[1] + 1 for lower, upper in count["pairs"])
    assert found["overlay"]["line"][0] == {"cell": [2, 4], "side": 2}
    assert {row["column"] for row in found["why_not"]} == {column + 1 for column in position.legal} - {2}


def test_the_hardest_problem_is_told_where_nothing_wins(server: Served) -> None:
    found = ask(server, "explain", moves="65665552333332", column=4)["trickiest"]
    assert (found["column"], found["right"], found["told"]["column"]) == ("5", ["2"], "4")
    assert "Column 5 sets them the hardest problem" in found["text"]
    assert ask(server, "explain", moves="4131", column=5)["trickiest"] is None


def test_what_decided_a_game(server: Served) -> None:
    """By the rules: the block that was missed; with the solver: a fork that was allowed; or nothing."""
    found = ask(server, "decided", moves="4141414", side=2, language="fr")
    moment = found["moment"]
    assert (moment["ply"], moment["side"], moment["column"], moment["kind"]) == (6, 2, 1, "block_missed")
    assert (moment["better"], moment["cells"]) == ([4], [[4, 4]])
    assert found["sentence"].startswith("Coup 6")
    assert found["sentence"] in f"{moment['heading']} {moment['text']}"


def test_a_game_lost_long_before_names_the_move(server: Served) -> None:
    found = ask(server, "decided", moves="444475555243733335222423527767711111166", side=2)
    moment = found["moment"]
    assert (moment["ply"], moment["column"], moment["better"], moment["wanted"]) == (10, 2, [4], "win")
    assert found["sentence"].startswith(f"{moment['heading']} A disc on d5 would have broken d5–g2")
    assert found["sentence"] == f"{moment['heading']} {found['reason']}"
    assert " ".join(moment["sentences"]) == moment["text"]
    # A slip of the first moves that nobody could see is the moment where there is no other.
    hard = ask(server, "decided", moves="43147473133441433765666765577552", side=1)
    assert (hard["moment"]["ply"], hard["moment"]["better"], hard["moment"]["kind"]) == (3, [6, 7], "deep")
    assert hard["sentence"].endswith("Yellow won with move 32 on b1, which completes b1–e4.")
    fork = ask(server, "decided", moves="4131526")["moment"]
    assert (fork["ply"], fork["kind"]) == (4, "fork_allowed")
    won = ask(server, "decided", moves="4131526", side=1)  # nobody who won wants to read what the other did
    told = "You won with move 7 on f1, which completes c1–f1: "
    told += "there were two threats, and only one could be stopped."
    nothing = {"moment": None, "ended": "", "again": None, "is_lost": False}
    assert won == {"sentence": told, "reason": told, **nothing}
    for moves in ("", "4", "41414"):
        assert ask(server, "decided", moves=moves) == {"sentence": "", "reason": "", **nothing}
    unused = ask(server, "decided", moves="2367137334762211131616626772273445", side=1, opponent="Hugo")
    assert unused["sentence"] == f"{unused['ended']} {unused['moment']['heading']} {unused['reason']}"
    assert unused["ended"].startswith("Hugo won with move 34 on e1, which completes b4–e1")
    assert (unused["moment"]["ply"], unused["again"], unused["is_lost"]) == (19, None, True)
    earlier = ask(server, "decided", moves="4417776423246614", side=1)
    assert (earlier["moment"]["ply"], earlier["again"]["ply"], earlier["is_lost"]) == (15, 9, False)


def test_what_is_said_when_the_time_is_over(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what the rules show."""
    monkeypatch.setattr(desks, "MAX_SECONDS", 0.3)
    found = ask(server, "explain", moves="444", board="9x9x4", column=5)
    assert (found["exact"], found["value"], found["why_not"]) == (False, None, [])
    assert found["verdict"] == "There was no time to work out how the game ends after column 5."
    assert refused(server, "why-not", moves="4445", board="9x9x4", column=5) == (422, "too_long")


def test_why_not_one_column(server: Served) -> None:
    found = ask(server, "why-not", moves="4131", column=2)
    assert found["text"] == "You threaten e1, but they answer there and close it."
    assert found["numbers"] == "Column 2 only draws."
    assert (found["outcome"], found["best"]) == ("draw", 5)
    assert [disc["cell"] for disc in found["overlay"]["line"][:2]] == [[2, 1], [5, 1]]
    best = ask(server, "why-not", moves="4131", column=5)
    assert best["text"].startswith("Column 5: it makes three in a row")


def test_the_book_as_an_explorer(server: Served, solver: Solver) -> None:
    rows = {row["column"]: row for row in ask(server, "explorer", moves="44")["rows"]}
    scores = solver.analyse(Position.parse("44")).scores
    assert {column: row["score"] for column, row in rows.items()} == {
        column + 1: int(score) for column, score in scores.items()
    }
    for column, row in rows.items():
        after = solver.analyse(Position.parse(f"44{column}"))
        assert row["best_replies"] == [reply + 1 for reply in after.best]
        outcomes = [score.outcome for score in after.scores.values()]
        assert after.score is not None
        assert row["keeping"] == outcomes.count(after.score.outcome)
    assert ask(server, "explorer", moves="44444422222")["rows"] is None


def test_other_boards_have_their_books(server: Served) -> None:
    """Few nodes, where a search of the empty board alone takes 375,729; the values are those of a search."""
    found = ask(server, "analyse", board="6x5x4")
    assert found["is_book"]
    assert found["nodes"] < 5000
    start = Position.parse("33", Board(6, 5))
    scores = Solver(book=False).analyse(start).scores
    rows = ask(server, "explorer", moves="33", board="6x5x4")["rows"]
    assert {row["column"]: row["score"] for row in rows} == {
        column + 1: int(score) for column, score in scores.items()
    }
    assert ask(server, "explorer", moves="3333344", board="6x5x4")["rows"] is None  # beyond its eight plies
    assert ask(server, "explorer", board="8x7x4")["rows"] is None  # there is none
    assert not ask(server, "analyse", moves="333334444", board="6x5x4")["is_book"]


def test_a_hint_without_a_table(server: Served) -> None:
    """As at a table: where to look, the idea, and only then the column."""
    found = [ask(server, "hint", moves="4131", stage=stage) for stage in (1, 2, 3)]
    assert [each["columns"] for each in found] == [[], [], [5]]
    assert len({each["text"] for each in found}) == 3
    assert refused(server, "hint", moves="1212121") == (409, "game_over")
    assert refused(server, "hint", moves="4", stage=4) == (422, "bad_message")


def test_a_second_opinion(server: Served) -> None:
    found = ask(server, "opinion", moves="445566", agent="mcts:simulations=500", think=2000)
    assert found["column"] in (3, 7)
    assert abs(sum(column["weight"] for column in found["columns"]) - 1) < 0.01
    assert found["saw"] == "Its rule was “complete a line”."
    polish = ask(server, "opinion", moves="445566", agent="mcts:simulations=500", think=2000, language="pl")
    assert polish["saw"] != found["saw"]


# Games ------------------------------------------------------------------------------------------------


def test_a_review(server: Served) -> None:
    found = tell(server, "review", text="4455224")
    assert [row["class"] for row in found["classes"]][2] == "blunder"
    assert found["accuracy"][0] == {"kept": 2, "asked": 4, "percent": None, "unknown": 0}
    assert len(found["values"]) == 8
    assert len(found["story"]) == 4
    assert found["story"][2] == "With move 6 Yellow turned a win into a loss: column 3 would have kept it."
    first = found["moments"][0]
    assert (first["index"], first["ply"], first["column"], first["kind"]) == (5, 6, 2, "block_missed")
    assert (first["better"], first["cells"], first["state"]["moves"]) == ([3], [[3, 1]], "44552")
    assert [one["wanted"] for one in found["moments"]][:2] == ["win", "now"]
    assert (first["heading"], first["question"][:7]) == ("Move 6: Yellow played column 2.", "Yellow ")
    point = found["turning_points"][0]
    assert (point["ply"], point["column"], point["keeping"], point["state"]["moves"]) == (3, 5, [4], "44")
    assert point["better"]["column"] in point["keeping"]
    assert [state["moves"] for state in found["states"]] == ["4455224"[:ply] for ply in range(8)]


def test_a_review_for_one_side(server: Served) -> None:
    found = tell(server, "review", text="4455224", side=2)
    assert found["moments"][0]["heading"] == "Move 6: you played column 2."
    assert found["moments"][0]["question"].startswith("Your move. ")
    assert refused(server, "review", {"text": "4", "side": 3})[0] == 422


def test_a_review_from_a_position(server: Served) -> None:
    found = tell(server, "review", text="45", start="7/7/7/7/3o3/2oxx2 x 7x6x4")
    assert (found["moves"], found["start"]) == ("45", "7/7/7/7/3o3/2oxx2 x 7x6x4")
    assert len(found["states"]) == 3
    body = {"text": "9", "start": "7/7/7/7/3o3/2oxx2 x 7x6x4"}
    assert refused(server, "review", body) == (400, "bad_message")


@pytest.mark.parametrize("note", ["", "x" * 2000], ids=["short", "read aside"])
def test_a_review_of_a_swapped_game_begins_after_the_disc_that_changed_hands(
    server: Served, note: str
) -> None:
    game = Game(pie=True, tags={"note": note} if note else {})
    for digit in "14241424":
        game.play(int(digit) - 1)
        if game.may_swap:
            game.swap()
    found = tell(server, "review", text=game.to_json(), format="json", side=1)
    assert (found["start"], found["moves"], len(found["states"])) == ("1", "4241424", 8)
    assert [moment["ply"] for moment in found["moments"]] == [7]
    assert "blunder" not in [row["class"] for row in found["classes"]]


def test_a_review_streams(server: Served) -> None:
    body = {"text": "577773513141141546666325661454223337222475", "stream": True}
    with server.http.stream("POST", "/api/review", json=body) as answer:
        lines = [json.loads(line) for line in answer.iter_lines()]
    assert lines[-1]["t"] == "answer"
    assert len(lines[-1]["answer"]["classes"]) == 42
    assert {line["t"] for line in lines[:-1]} <= {"progress"}


@pytest.mark.parametrize("name", formats.FORMATS)
def test_every_format_goes_in_and_out(server: Served, name: str) -> None:
    written = tell(server, "convert", text="4455224", to=name)["text"]
    back = tell(server, "convert", text=written, format=name, to="position")
    assert back["text"] == str(Position.parse("4455224"))
    guessed = tell(server, "convert", text="4455224")
    assert (guessed["from"], guessed["moves"], guessed["start"]) == ("moves", "4455224", "")


def test_long_texts_are_not_read_in_this_process(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long text of comments takes a third of a second, and whoever reads it holds the interpreter."""
    here: list[str] = []
    read = formats.read

    def watched(text: str, *parts: Any) -> Game:
        here.append(text)
        return read(text, *parts)

    monkeypatch.setattr(formats, "read", watched)
    text = "1. d1 d2" + " {c}" * 3_000
    assert tell(server, "convert", text=text, format="c4n")["moves"] == "44"
    assert len(tell(server, "review", text=text, format="c4n")["classes"]) == 2
    nonsense = {"text": "{c}" * 60_000, "format": "c4n"}
    assert refused(server, "convert", nonsense) == (400, "bad_message")
    assert here == []
    assert tell(server, "convert", text="44")["moves"] == "44"
    assert here == ["44"]


def test_a_text_that_takes_too_long_ends_its_reader_only(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MAX_SECONDS", 0.0)
    text = "1. d1 d2" + " {c}" * 3_000
    assert refused(server, "convert", {"text": text, "format": "c4n"}) == (422, "too_long")
    monkeypatch.undo()
    assert tell(server, "convert", text=text, format="c4n")["moves"] == "44"


def test_variations_come_along(server: Served) -> None:
    game = Game.parse("4453")
    text = "1. d1 d2 (1... e1) 2. e1 c1"
    assert formats.read(text, "c4n").moves == game.moves
    found = tell(server, "convert", text=text)
    assert found["variations"] == [{"ply": 2, "moves": "5"}]  # instead of the second disc


def test_a_picture(server: Served) -> None:
    answer = server.http.get("/api/picture.svg", params={"moves": "4453"})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("floats", ["......x", *["......."] * 5]),
        ("counts", [*["......."] * 5, "oo....."]),
        ("both_won", [*["......."] * 4, "oooo...", "xxxx..."]),
        ("went_on", [*["......."] * 4, "ooo....", "xxxx..o"]),
        ("no_last", [*["......."] * 4, "ooxo...", "xxxxo.."]),
    ],
)
def test_why_stones_are_no_position(server: Served, code: str, rows: list[str]) -> None:
    found = tell(server, "position", rows=rows)
    assert (found["legal"], found["code"]) == (False, code), found


def test_stones_that_are_a_position(server: Served) -> None:
    found = tell(server, "position", rows=[*["......."] * 5, "..ox..."])
    assert (found["legal"], found["state"]["turn"], found["state"]["moves"]) == (True, 1, None)


# Puzzles ----------------------------------------------------------------------------------------------


def test_puzzles_by_theme_and_rating(server: Served) -> None:
    found = ask(server, "puzzles", theme="fork", rating="700-1100", seed=3, count=5)
    assert len(found["puzzles"]) == 5
    assert all(700 <= row["rating"] <= 1100 for row in found["puzzles"])
    assert found == ask(server, "puzzles", theme="fork", rating="700-1100", seed=3, count=5)
    assert ask(server, "puzzles", rating="3000-3001")["puzzles"] == []


def test_the_puzzle_of_the_day(server: Served) -> None:
    days = {ask(server, "puzzles/daily", day=f"2026-11-{day:02}")["id"] for day in range(1, 15)}
    assert len(days) > 10
    assert refused(server, "puzzles/daily", day="yesterday") == (422, "bad_message")


def test_a_puzzle_is_solved_step_by_step(server: Served) -> None:
    puzzle = next(puzzle for puzzle in shipped_puzzles() if puzzle.steps == 3 and puzzle.goal == "win")
    question = ask(server, f"puzzles/{puzzle.id}")
    assert question["steps"] == 3
    assert not {"answer", "line"} & question.keys()
    line = puzzle.answer
    for place in (0, 2, 4):
        wrong = next(column for column in puzzle.position.legal if column != puzzle.line[0])
        if place == 0:
            no = tell(server, f"puzzles/{puzzle.id}/answer", answer=str(wrong + 1))
            assert (no["right"], no["done"]) == (False, False)
            assert no["text"]
            assert len(no["overlay"]["line"]) >= 2
        found = tell(server, f"puzzles/{puzzle.id}/answer", played=line[:place], answer=line[place])
        assert found["right"]
        assert found["done"] == (place == 4)
    assert found["text"] == why(puzzle)
    assert len(found["state"]["four"]) >= 4
    body = {"played": line[1:3], "answer": "1"}
    assert refused(server, f"puzzles/{puzzle.id}/answer", body) == (400, "bad_message")


def test_who_wins(server: Served) -> None:
    puzzle = next(puzzle for puzzle in shipped_puzzles() if puzzle.goal == "who")
    assert tell(server, f"puzzles/{puzzle.id}/answer", answer=puzzle.answer)["right"]
    wrong = "x" if puzzle.answer != "x" else "o"
    assert not tell(server, f"puzzles/{puzzle.id}/answer", answer=wrong)["right"]
    assert refused(server, f"puzzles/{puzzle.id}/answer", {"answer": "4"}) == (400, "bad_message")


def test_hints_do_not_tell_the_answer(server: Served) -> None:
    puzzle = next(puzzle for puzzle in shipped_puzzles() if len(hints(puzzle)) == 5 and puzzle.steps > 1)
    found = [ask(server, f"puzzles/{puzzle.id}/hint", number=number) for number in range(5)]
    assert [hint["stage"] for hint in found] == ["danger", "idea", "area", "cell", None]
    assert [hint["text"] for hint in found[:4]] == [hint.text(puzzle) for hint in hints(puzzle)[:4]]
    assert [hint["left"] for hint in found] == [3, 2, 1, 0, 0]
    later = ask(server, f"puzzles/{puzzle.id}/hint", played=puzzle.answer[:2])
    assert later["stage"] == "danger"
    body = {"played": puzzle.answer[1:3], "number": 0}
    assert refused(server, f"puzzles/{puzzle.id}/hint", **body) == (400, "bad_message")
    solution = ask(server, f"puzzles/{puzzle.id}/solution", language="fr")
    assert (solution["answer"], solution["text"]) == (puzzle.answer, why(puzzle, "fr"))
    assert len(solution["discs"]) == len(puzzle.line)


def test_a_cell_is_found(server: Served) -> None:
    puzzle = next(puzzle for puzzle in shipped_puzzles() if puzzle.goal == "cell")
    assert ask(server, f"puzzles/{puzzle.id}")["owner"] == (puzzle.winner or 0) + 1
    wrong = next(str(cell) for cell in hints(puzzle)[-2].cells if cell != puzzle.cell)
    no = tell(server, f"puzzles/{puzzle.id}/answer", answer=wrong)
    assert (no["right"], no["done"]) == (False, False)
    assert no["text"] == f"{wrong} is needed: without it the game would not be won."
    yes = tell(server, f"puzzles/{puzzle.id}/answer", answer=str(puzzle.cell))
    assert (yes["right"], yes["done"], yes["text"]) == (True, True, why(puzzle))


# The school -------------------------------------------------------------------------------------------


def test_the_school_tells_and_judges_as_in_python(server: Served) -> None:
    rows = ask(server, "school", language="fr")["units"]
    assert [row["name"] for row in rows] == list(UNITS)
    unit = ask(server, "school/forks", language="fr")
    assert (unit["title"], len(unit["shows"]), len(unit["check"])) == ("Les fourchettes", 2, 5)
    assert "right" not in str(unit["tasks"][1]), "no answer goes along with the question"
    for column in ("5", "1"):
        found = tell(server, "school/tasks/forks.2", answer=column, language="fr")
        told = judge(task("forks.2"), column, "fr")
        assert (found["mark"], found["text"]) == (told.mark, told.text)
    assert found["cells"] == [[2, 1], [6, 1]]
    assert found["line"] == [{"cell": [1, 3], "side": 1}]
    assert refused(server, "school/tasks/forks.2", {"answer": "9"}) == (400, "bad_message")
    assert refused(server, "school/tasks/forks.99", {"answer": "1"}) == (404, "not_found")
    assert refused(server, "school/tasks/nothing.1", {"answer": "1"}) == (404, "not_found")


def test_the_game_of_a_unit_over_http(server: Served) -> None:
    found = tell(server, "school/forks/game", answer="5")
    assert found["mark"] == "go_on"
    assert found["played"] == f"5{found['reply']}"
    last = tell(
        server, "school/forks/game", played=found["played"], answer="2" if found["reply"] == 6 else "6"
    )
    assert (last["mark"], last["state"]["winner"]) == ("right", 1)
    assert refused(server, "school/forks/game", {"played": "5", "answer": "1"}) == (400, "bad_message")
    assert refused(server, "school/forks/game", {"played": last["played"], "answer": "1"}) == (
        400,
        "bad_message",
    )


def test_no_thread_is_left_behind(server: Served) -> None:
    assert server.hub.thinkers.busy == 0
    assert threading.active_count() < 20


def test_a_hint_in_the_language_of_the_player(server: Served, solver: Solver) -> None:
    made = server.new("me", "first", moves="4131")
    with server.sit(made["game"], made["token"]) as player:
        for language in ("en", "fr"):
            hint = player.ask(t="hint", language=language)
            stages = advise(Position.parse("4131"), solver, language).stages
            assert (hint["columns"], hint["text"]) == (["5"], stages[2].text)
            for number in (1, 2):
                hint = player.ask(t="hint", language=language, stage=number)
                assert (hint["columns"], hint["text"]) == ([], stages[number - 1].text)


# A small match ----------------------------------------------------------------------------------------


def test_a_small_match_is_the_arena_of_the_command_line(server: Served) -> None:
    found = tell(server, "match", agents=["level:5", "first"], pairs=2, seed=3)
    games = [Game.from_json(line) for line in found["games"]]
    names = [[player.name for player in game.players] for game in games]
    assert names == [["level:5", "first"], ["first", "level:5"]] * 2
    assert [str(game.start) for game in games[::2]] == [str(game.start) for game in games[1::2]]
    winners = [game.result and game.result.winner for game in games]
    score = sum(0.5 if winner is None else winner == index % 2 for index, winner in enumerate(winners))
    result = found["result"]
    assert (result["games"], result["plan"]["games"], result["plan"]["limit"]) == (4, 4, "100ms")
    assert result["agents"][0]["score"] == score / 4


def test_the_same_agents_and_seed_play_the_same_games_by_page_and_by_command(server: Served) -> None:
    agents = ["random", "mcts:simulations=20"]  # both draw lots, neither looks at a clock
    found = tell(server, "match", agents=agents, pairs=3, seed=3)
    by_page = [Game.from_json(line) for line in found["games"]]
    match = play_match(
        agents[0], agents[1], games=6, openings="balanced", seed=3
    )  # as `claimeven arena` plays it
    assert [game.moves for game in by_page] == [game.record.moves for game in match.games]
    assert [game.players for game in by_page] == [tuple(game.record.players) for game in match.games]


def test_a_match_of_strangers_is_bounded(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused(server, "match", {"agents": ["qtable:table=x", "first"]}) == (400, "bad_agent")
    assert refused(server, "match", {"agents": ["first", "first"], "pairs": 11})[0] == 422
    assert refused(server, "match", {"agents": ["first"]})[0] == 422
    monkeypatch.setattr(matches, "BEGIN_SECONDS", 0.0)  # the time is over after the first pair
    found = tell(server, "match", agents=["random", "first"], pairs=10, seed=1)
    assert found["result"]["games"] == found["result"]["plan"]["games"] == len(found["games"]) == 2
