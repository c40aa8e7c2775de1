"""The rooms without a server: the same answers, to the letter, here and under a browser's Python."""

import ast
import base64
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimeven.browser.house import PIXELS
from claimeven.browser.site import rooms_archive
from claimeven.position import Position
from claimeven.puzzles import shipped_puzzles
from claimeven.school import units
from claimeven.solver import opening_book_path
from kit.serving import Served, serving

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "build" / "runtime"  # by make static

# A process of its own: what stands in for FastAPI must not meet the real one.
APART = """
import asyncio, base64, json, sys
import threading
from claimeven.browser import house, standins
def start(thread):
    raise RuntimeError("a browser's Python has no threads")
threading.Thread.start = start
standins.install()
rooms = house.House()
for line in sys.stdin:
    answer = asyncio.run(rooms.answer(*json.loads(line)))
    print(json.dumps(answer, default=lambda pixels: base64.b64encode(pixels).decode()), flush=True)
"""

UNIT = units()[1]
TASK = UNIT.tasks[0]
PUZZLE = next(puzzle for puzzle in shipped_puzzles() if puzzle.goal == "win")
ASKED: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/api/analyse?moves=44444512", None),
    ("GET", "/api/analyse?moves=12&board=4x4x3&language=pl", None),
    ("GET", "/api/explain?moves=4131&column=5&language=fr", None),
    ("GET", "/api/why-not?moves=4131&column=2", None),
    ("GET", "/api/explorer?moves=44", None),
    ("GET", "/api/explorer?moves=33&board=6x5x4", None),
    ("GET", "/api/values?moves=4444", None),
    ("GET", "/api/opinion?moves=4453&agent=rules", None),
    ("GET", "/api/opinion?moves=4453&agent=neural:network=tiny", None),
    ("GET", "/api/opinion?moves=4453&agent=neural:network=tiny,depth=2", None),
    ("POST", "/api/review", {"text": "44444", "language": "vi"}),
    ("POST", "/api/convert", {"text": "4453", "to": "position"}),
    ("GET", "/api/hint?moves=4453&stage=1&language=pl", None),
    ("GET", "/api/hint?moves=4453", None),
    ("GET", "/api/decided?moves=4453627&side=2", None),
    ("POST", "/api/match", {"agents": ["first", "rules"], "pairs": 1}),
    ("GET", "/api/picture.svg?moves=4453", None),
    ("GET", "/api/picture.png?moves=4453", None),
    ("GET", "/api/picture.gif?moves=4453", None),
    ("GET", "/api/puzzles?theme=fork&rating=800-1200&count=3&seed=5", None),
    ("GET", "/api/puzzles/daily?day=2026-11-16", None),
    ("GET", f"/api/puzzles/{PUZZLE.id}/hint?number=0", None),
    ("POST", f"/api/puzzles/{PUZZLE.id}/answer", {"played": "", "answer": PUZZLE.answer[0]}),
    ("GET", f"/api/school/{UNIT.name}?language=fr", None),
    ("POST", f"/api/school/tasks/{TASK.id}", {"answer": "4"}),
    ("GET", "/api/analyse?moves=48", None),
    ("GET", "/api/explain?moves=44&column=9", None),
    ("GET", "/api/school/nothing", None),
)

WRONG: tuple[tuple[str, str, str | None], ...] = (
    ("GET", "/api/explain?moves=4131&column=99", None),
    ("GET", "/api/explain?moves=4131&column=two", None),
    ("GET", "/api/analyse?moves=4&language=de", None),
    ("POST", "/api/review", '{"text": 5}'),
    ("POST", "/api/review", '{"text": "44", "more": 1}'),
    ("POST", "/api/review", "{"),
    ("GET", "/api/puzzles/NOTHEX", None),
    ("GET", "/api/nothing", None),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("rooms")) as served:
        yield served


def told(answers: list[Any]) -> list[Any]:
    """Status and text; how long a thing took is left out."""
    found = []
    for status, text in answers:
        value = json.loads(text) if text.startswith("{") else text
        if isinstance(value, dict):
            value.pop("seconds", None)
        found.append((status, value))
    return found


def asked_of(server: Served) -> list[Any]:
    answers = []
    for method, path, body in ASKED:
        answer = server.http.get(path) if method == "GET" else server.http.post(path, json=body)
        is_pixels = answer.headers["content-type"] in PIXELS
        text = base64.b64encode(answer.content).decode() if is_pixels else answer.text
        answers.append((answer.status_code, text))
    return answers


def requests() -> str:
    lines = ([method, path, None if body is None else json.dumps(body)] for method, path, body in ASKED)
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture(scope="module")
def apart() -> list[Any]:
    """The answers without a server, right and wrong ones."""
    wrong = "".join(json.dumps(line) + "\n" for line in WRONG)
    command = [sys.executable, "-c", APART]
    done = subprocess.run(command, input=requests() + wrong, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_routes_answer_the_same_without_a_server(server: Served, apart: list[Any]) -> None:
    assert told([(status, text) for status, _, text in apart[: len(ASKED)]]) == told(asked_of(server))


def test_what_a_route_does_not_ask_for_is_refused(server: Served, apart: list[Any]) -> None:
    """Not in the words of pydantic, but refused all the same."""
    assert [status for status, *_ in apart[len(ASKED) :]] == [422] * 7 + [404]
    for method, path, body in WRONG[:7]:
        answer = server.http.get(path) if method == "GET" else server.http.post(path, content=body or "")
        assert 400 <= answer.status_code < 500, path


def in_the_browsers_python(folder: Path, text: str) -> list[Any]:
    """The answers of the rooms under Pyodide, in Node."""
    if not shutil.which("node") or not (RUNTIME / "pyodide.mjs").exists():
        pytest.skip("needs the runtime that make static fetches")
    (folder / "rooms.zip").write_bytes(rooms_archive())
    command = [
        "node",
        str(ROOT / "tests" / "kit" / "node" / "rooms.mjs"),
        str(folder / "rooms.zip"),
        str(RUNTIME),
    ]
    done = subprocess.run(
        [*command, str(opening_book_path())], input=text, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_books_of_other_boards_come_with_the_rooms() -> None:
    with zipfile.ZipFile(io.BytesIO(rooms_archive())) as archive:
        carried = {name: archive.read(name) for name in archive.namelist() if name.endswith(".bin")}
    books = sorted((ROOT / "src" / "claimeven" / "data" / "books").iterdir())
    assert carried == {f"claimeven/data/books/{path.name}": path.read_bytes() for path in books}


@pytest.mark.slow
def test_the_same_under_the_browsers_python(server: Served, tmp_path: Path) -> None:
    answers = [(status, text) for status, _, text in in_the_browsers_python(tmp_path, requests())]
    assert told(answers) == told(asked_of(server))


@pytest.mark.slow
def test_500_explanations_are_the_same_texts(server: Served, tmp_path: Path) -> None:
    chance, paths = random.Random(18), list[str]()
    while len(paths) < int(os.environ.get("EXPLANATIONS", "500")):
        position = Position()
        for _ in range(chance.randrange(4, 36)):
            if not position.is_over:
                position = position.play(chance.choice(position.legal))
        if not position.is_over:
            column = chance.choice(position.legal) + 1
            paths.append(f"/api/explain?moves={position.moves}&column={column}")
    lines = "".join(json.dumps(["GET", path, None]) + "\n" for path in paths)
    there = in_the_browsers_python(tmp_path, lines)
    for path, (status, _, text) in zip(paths, there, strict=True):
        here = server.http.get(path)
        assert (status, text) == (here.status_code, here.text), path


# What only training and the making of books need.
NOT_IN_A_BROWSER = {
    "Forest",
    "NTuple",
    "QRule",
    "QTable",
    "Network.outputs",
    "Network.choices",
    "count_positions",
    "random_tuples",
    "random_threats",
    "book_layer",
    "stones_of_keys",
    "back_up",
}
NOT_IN_A_BROWSER |= {"make_book", "Book.scores", "Solver.line", "Solver.save", "Solver.load"}
NOT_IN_A_BROWSER |= {"Book.columns", "Book.rows", "Book.connect"}
NOT_IN_A_BROWSER |= {
    "Solver.plan",
    "plan_holds",
    "shorter_plan",
    "Guide",
    "first_plans",
    "Solver.joined_plan",
}


def names_in(path: Path) -> dict[str, list[str] | None]:
    """Functions and methods with the names of what they take, and everything else that has a name."""
    found: dict[str, list[str] | None] = {}

    def taken(function: ast.FunctionDef) -> list[str]:
        given = function.args
        return [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]

    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = taken(node)
        elif isinstance(node, ast.ClassDef):
            found[node.name] = None
            for part in ast.walk(node):
                if isinstance(part, ast.FunctionDef):
                    found[f"{node.name}.{part.name}"] = taken(part)
                elif isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                    found[f"{node.name}.{part.attr}"] = ["self"]  # read like a property
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id: None for target in targets if isinstance(target, ast.Name)}
    return found


def test_the_core_of_a_browser_has_the_names_of_the_native_one() -> None:
    """And each takes what that takes: whoever adds to the one is told of the other."""
    package = ROOT / "src" / "claimeven"
    native, here = names_in(package / "_core.pyi"), names_in(package / "browser" / "core.py")
    absent = {name for name in native if name not in here or name.partition(".")[0] in NOT_IN_A_BROWSER}
    assert {name for name in absent if not {name, name.partition(".")[0]} & NOT_IN_A_BROWSER} == set()
    assert {name: here[name] for name in native.keys() - absent} == {
        name: native[name] for name in native.keys() - absent
    }


def test_the_rooms_know_how_every_call_of_the_core_is_made() -> None:
    core = (ROOT / "src/claimeven/browser/core.py").read_text()
    rooms = (ROOT / "web/rooms/rooms.js").read_text()
    called = set(re.findall(r'(?:_ask|_make|engine\.call|engine\.call,)[( ]"(\w+)"', core))
    known = set(re.findall(r"^  (\w+): ['`]", rooms, re.MULTILINE))
    assert called
    assert called <= known
