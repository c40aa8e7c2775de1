"""The engine as a package of npm: packed, installed into an empty folder, run in Node and in a page."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from claimeven.position import Board, Position
from claimeven.solver import Solver
from kit.page.host import static_host
from kit.places import CHROMIUM, ROOT

PACKAGE = ROOT / "web" / "engine"
WEB = ROOT / "web" / "node_modules"
SAMPLE = ("444444351", "4444443512", "273551244165", "72655553444434465")

USED = """
import { analyse, bestMove, level, movesTo, position } from 'claimeven-engine';
import { Engine } from 'claimeven-engine/engine';
const found = await analyse('444444351', { seconds: 60 });
const small = await analyse('', { board: '4x4x3' });
const cut = await analyse('', { seconds: 0.2 });
const refused = await analyse('48').catch((error) => error.constructor.name + ': ' + error.message);
const given = await analyse('', { signal: AbortSignal.timeout(100) }).catch((error) => error.name);
const place = await position('444444351');
console.log(JSON.stringify({
  score: found.score, line: found.line, moves: movesTo(found.score, place), small: small.score,
  best: await bestMove('444444351'), level: await level('414141', 9), cut: cut.score, refused, given,
  engine: typeof Engine.load,
}));
"""

TYPED = """
import { analyse, level, type Analysis } from 'claimeven-engine';
const found: Analysis = await analyse('4453', { board: '7x6x4', seconds: 1 });
const column: number = await level('4453', 3);
// @ts-expect-error: a board is a text
await analyse('4453', { board: 7 });
export { found, column };
"""


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder into which the package was installed."""
    folder = tmp_path_factory.mktemp("user")
    name = run("npm", "pack", "--silent", "--pack-destination", str(folder), folder=PACKAGE).strip()
    (folder / "package.json").write_text('{"type": "module"}')
    run("npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", f"./{name}", folder=folder)
    return folder


def test_it_has_the_version_and_the_licence_of_the_house() -> None:
    told = json.loads((PACKAGE / "package.json").read_text())
    assert told["version"] == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert (PACKAGE / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_a_program_of_node_uses_it_and_ends(user: Path) -> None:
    (user / "use.js").write_text(USED)
    native = Solver().analyse(Position.parse("444444351"))
    assert native.score is not None
    assert json.loads(run("node", "use.js", folder=user)) == {
        "score": native.score.value,
        "line": list(native.line),
        "moves": native.score.moves,
        "small": Solver().score(Position.parse("", Board.parse("4x4x3"))).value,
        "best": native.best[0],
        "level": 3,
        "cut": None,
        "refused": "EngineError: column 8 cannot be played",
        "given": "TimeoutError",
        "engine": "function",
    }


def test_it_is_typed(user: Path) -> None:
    (user / "use.ts").write_text(TYPED)
    options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"]
    run("node", str(WEB / "typescript" / "bin" / "tsc"), *options, "use.ts", folder=user)


def test_what_is_not_used_is_left_out_of_a_bundle(user: Path) -> None:
    """Of somebody who only reads moves, there is no worker and no engine in it."""
    use = "import { columnsOf } from 'claimeven-engine';\nconsole.log(columnsOf('4453'));"
    (user / "little.js").write_text(use)
    script = f"""import {{ rolldown }} from {json.dumps(str(WEB / "rolldown" / "dist" / "index.mjs"))};
    const made = await rolldown({{ input: 'little.js', platform: 'browser' }});
    console.log((await made.generate()).output[0].code);"""
    code = run("node", "--input-type=module", "-e", script, folder=user)
    assert "names no column" in code
    assert not re.search("Worker|WebAssembly", code)
    assert len(code) < 1000


def test_the_example_page_works_without_a_bundler(user: Path) -> None:
    assert len((PACKAGE / "example.html").read_text().splitlines()) <= 20
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")
    with static_host(user) as host, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=("--no-sandbox", "--disable-gpu"))
        page = browser.new_page()
        page.goto(f"{host}node_modules/claimeven-engine/example.html")
        expect(page.locator("p")).to_have_text("score: 1", timeout=30_000)
        expect(page.locator("li")).to_have_text(["-16 to -16", "1 to 1", *["-16 to -16"] * 4])
        page.get_by_label("Moves").fill("48")
        page.get_by_label("Moves").press("Enter")
        expect(page.locator("p")).to_have_text("score: column 8 cannot be played", timeout=30_000)
        browser.close()


def shared(workers: int) -> tuple[list[dict[str, object]], int]:
    told = run("node", str(ROOT / "tests" / "kit" / "node" / "pool.mjs"), str(workers), *SAMPLE, folder=ROOT)
    *answers, beats = map(json.loads, told.splitlines())
    return answers, beats


def test_workers_share_the_columns_and_say_the_same_as_one() -> None:
    """Values and line, and those of the native solver; the thread that asked is free meanwhile."""
    (one, _), (three, beats) = shared(1), shared(3)
    assert beats > 20
    for moves, alone, together in zip(SAMPLE, one, three, strict=True):
        native = Solver(book=None).analyse(Position.parse(moves))
        assert [(each["column"], each["low"]) for each in together["columns"]] == [  # type: ignore[attr-defined]
            (column, score.value) for column, score in native.scores.items()
        ]
        assert tuple(together["line"]) == native.line  # type: ignore[arg-type]
        assert sorted(together["heard"]) == list(native.scores)  # type: ignore[call-overload]
        for told in (alone, together):
            del told["heard"], told["nodes"]
        assert alone == together
