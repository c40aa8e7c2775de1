"""Pictures of every page at four widths in three themes, and sheets of them to look at.

    python bench/page/screens.py FOLDER [--pages arena,home] [--themes light,dark] [--widths 1440,375]
        [--whole]

A server of its own is started; needs the built page, Chromium and Playwright.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

SIZES = {"1440": (1440, 900), "820": (820, 1180), "375": (375, 812), "812": (812, 375)}
THEMES = ("light", "dark", "contrast")
LOST = "14241424"  # yellow stacks four in column 4
LONG = "4444445376336333221122211"
PLAYED = "4444435"
SHEET_WIDTH = 1600


def _click(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=re.compile(name)).first.click()


def _end(page: Page) -> None:
    """A game at one screen, played to its end."""
    page.goto("/")
    page.get_by_role("radio", name="Same screen").check()
    for column in LOST:
        page.locator(f"[data-column='{column}']").click()
        page.wait_for_timeout(60)
    page.locator(".status.over").wait_for()
    page.wait_for_timeout(1500)


def _share(page: Page) -> None:
    _end(page)
    page.get_by_role("button", name="Share").first.click()
    page.wait_for_timeout(500)


def _machine(page: Page) -> None:
    page.goto("/")
    page.locator("[data-column='4']").click()
    page.wait_for_timeout(800)
    page.keyboard.press("h")
    page.wait_for_timeout(600)


def _friend(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Friend").check()
    page.get_by_role("button", name="Create the invitation").click()
    page.wait_for_timeout(700)


def _watch(page: Page) -> None:
    page.goto("/")
    page.get_by_role("radio", name="Watch", exact=True).check()
    page.get_by_role("button", name="Watch them play").click()
    page.wait_for_timeout(2500)


def _arena(page: Page) -> None:
    page.goto("/arena")
    page.get_by_role("button", name="Show an example").click()
    page.wait_for_timeout(500)
    page.get_by_role("button", name=re.compile("Level 4 against")).first.click()
    page.wait_for_timeout(400)
    page.evaluate("scrollTo(0, 0)")


def _match(page: Page) -> None:
    page.goto("/arena")
    page.get_by_role("button", name="Play the match").click()
    page.locator("[data-scoreboard] h2").wait_for(timeout=60_000)
    page.wait_for_timeout(900)


def _retry(page: Page) -> None:
    page.goto(f"/review?moves={LOST}&side=1&against=level:3")
    page.get_by_role("button", name="Try it from there").click()
    page.wait_for_timeout(600)


def _puzzle_wrong(page: Page) -> None:
    """A column that loses at once, or whichever is not asked for."""
    page.goto("/puzzles/daily")
    page.locator("[data-status=ask]").wait_for()
    for column in "1234567":
        if page.locator("[data-status=ask]").count():
            page.locator(f"[data-column='{column}']").click()
            page.wait_for_timeout(900)


def _event(page: Page) -> None:
    """The form of a new tournament: whoever makes one has a name."""
    page.goto("/event")
    page.get_by_label("Name", exact=True).fill(f"Ann {id(page) % 10_000}")
    page.get_by_role("button", name="That’s me").click()
    page.get_by_label("Name of the tournament").wait_for()


def _dialog(name: str) -> Callable[[Page], None]:
    def open_dialog(page: Page) -> None:
        page.goto("/")
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_timeout(300)

    return open_dialog


def _at(path: str, wait: int = 1200, then: Callable[[Page], None] | None = None) -> Callable[[Page], None]:
    def go(page: Page) -> None:
        page.goto(path)
        page.wait_for_timeout(wait)
        if then is not None:
            then(page)
            page.wait_for_timeout(600)

    return go


PAGES: dict[str, Callable[[Page], None]] = {
    "home": _at("/", 500),
    "from": _at(f"/?moves={PLAYED}", 500),
    "machine": _machine,
    "friend": _friend,
    "watch": _watch,
    "end": _end,
    "share": _share,
    "settings": _dialog("Settings"),
    "help": _dialog("Help"),
    "analysis": _at(f"/analysis?moves={PLAYED}", 2500),
    "analysis-empty": _at("/analysis", 2000),
    "review": _at(f"/review?moves={LOST}&side=1", 3000),
    "review-long": _at(f"/review?moves={LONG}&side=1&against=level:4", 4000),
    "retry": _retry,
    "review-paste": _at("/review", 800),
    "puzzles": _at("/puzzles", 1500),
    "puzzle-wrong": _puzzle_wrong,
    "learn": _at("/learn", 1200),
    "unit": _at("/learn/rules", 1500),
    "map": _at("/map", 4000),
    "lobby": _at("/lobby", 900),
    "event": _event,
    "arena-empty": _at("/arena", 700),
    "arena": _arena,
    "match": _match,
    "you": _at("/you", 900),
    "offline": _at("/offline?against=player", 1500),
    "embed": _at(f"/embed?moves={PLAYED}", 900),
    "missing": _at("/nope", 500),
}


@contextmanager
def serving() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", "--tcp-port", "0"]
        command += ["--database", f"sqlite:///{folder}/games.db"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                assert server.stdout is not None
                found = re.search(r"http://\S+", server.stdout.readline())
                assert found, "the server does not start"
                yield found[0]
            finally:
                server.terminate()


def prepare(context: BrowserContext, theme: str, board: str) -> None:
    settings = {"theme": theme, "pace": "instant", "speaker": False, "language": "en", "board": board}
    key, value = "'claimeven.settings'", json.dumps(json.dumps(settings))
    context.add_init_script(f"localStorage.getItem({key}) || localStorage.setItem({key}, {value})")


def sheet(browser_page: Page, pictures: list[Path], into: Path) -> None:
    """Several pictures side by side, each under its name."""
    cells = "".join(
        f"<figure><figcaption>{path.stem}</figcaption><img src='{path.resolve().as_uri()}'></figure>"
        for path in pictures
    )
    style = (
        "body{margin:8px;font:13px sans-serif;background:#888;display:flex;flex-wrap:wrap;gap:8px}"
        "figure{margin:0}img{display:block;height:760px;width:auto}"
    )
    page = into.with_suffix(".html")
    page.write_text(f"<meta charset=utf-8><style>{style}</style>{cells}")
    browser_page.goto(page.resolve().as_uri())
    browser_page.screenshot(path=str(into), full_page=True)
    page.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", default=",".join(PAGES))
    parser.add_argument("--themes", default=",".join(THEMES))
    parser.add_argument("--widths", default=",".join(SIZES))
    parser.add_argument("--board", default="blue")
    parser.add_argument("--whole", action="store_true", help="the page to its end, not only the first screen")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium")
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        made: dict[str, list[Path]] = {}
        for name in asked.pages.split(","):
            for width in asked.widths.split(","):
                across, down = SIZES[width]
                for theme in asked.themes.split(","):
                    context = browser.new_context(
                        base_url=address,
                        viewport={"width": across, "height": down},
                        service_workers="block",
                        reduced_motion="reduce",
                    )
                    prepare(context, theme, asked.board)
                    page = context.new_page()
                    page.set_default_timeout(15_000)
                    path = asked.folder / f"{name}-{width}-{theme}.png"
                    try:
                        page.goto("/")
                        page.evaluate("document.fonts.load('16px Inter')")  # the next page has it at once
                        PAGES[name](page)
                    except Exception as error:  # the picture shows how far it came
                        print(path.name, str(error).splitlines()[0], file=sys.stderr)
                    page.screenshot(path=str(path), full_page=asked.whole)
                    made.setdefault(name, []).append(path)
                    context.close()
        wide = browser.new_context(viewport={"width": SHEET_WIDTH, "height": 900}).new_page()
        for name, pictures in made.items():
            sheet(wide, pictures, asked.folder / f"sheet-{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
