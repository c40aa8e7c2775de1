"""The page in a real browser, on a real server."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

import claimeven.server
from claimeven.notation import BEGIN
from kit.forked import Forked
from kit.page.contexts import ONE_PROCESS, UNSEEN, Contexts
from kit.page.table import Person, Table
from kit.places import CHROMIUM

HERE = Path(__file__).parent
STATIC = Path(claimeven.server.__file__).parent / "static"
expect.set_options(timeout=30_000)  # the machine may be busy
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    ONE_PROCESS,
)
# What a person would choose in the settings, before anything is kept there.
SETTINGS = """try {
  const kept = 'claimeven.settings';
  if (!localStorage.getItem(kept)) localStorage.setItem(kept, %s);
} catch {}"""


@pytest.fixture(scope="session")
def static() -> Path:
    """The built page."""
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page is not built: make page")
    return STATIC


@pytest.fixture(scope="session")
def address(static: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of our own."""
    folder = tmp_path_factory.mktemp("server")
    command = [sys.executable, "-m", "claimeven", "serve", "--port", "0", "--tcp-port", "0"]
    command += ["--database", f"sqlite:///{folder / 'games.db'}"]
    with (
        (folder / "log").open("w") as log,
        Forked(command, stdout=subprocess.PIPE, stderr=log, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found, (folder / "log").read_text()
            yield found[0]
        finally:
            server.terminate()


# One for all tests of the page that a worker runs in a row: a start costs as much as a test. It ends
# before any other test: while Playwright runs, nobody else in this thread can have a loop.
_open = ExitStack()
_kept: list[Contexts] = []


@pytest.fixture(scope="module")
def contexts(address: str) -> Contexts:
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")
    if not _kept or not _kept[0].browser.is_connected():
        _close()
        playwright = _open.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        _kept.append(Contexts(browser, address))
        _open.callback(browser.close)
    return _kept[0]


@pytest.fixture(scope="module")
def browser(contexts: Contexts) -> Browser:
    return contexts.browser


def _close() -> None:
    _kept.clear()
    _open.close()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is None or HERE not in nextitem.path.parents:
        _close()


def _shows_marks(page: Page) -> bool:
    """Names are lit, and nobody gets the marks around them, also not who copies or listens."""
    shown: bool = page.evaluate(f"document.documentElement.outerHTML.includes('{BEGIN}')")
    return shown


@pytest.fixture
def person(contexts: Contexts, address: str) -> Iterator[Person]:
    """`person()`: somebody at a browser of their own. Errors of the page and requests to elsewhere fail."""
    yield from _people(contexts, address)


@pytest.fixture
def newcomer(contexts: Contexts, address: str) -> Iterator[Person]:
    """Somebody who has never been here, and sees what a first visit brings: nothing is cached."""
    yield from _people(contexts, address, is_new=True)


def _people(contexts: Contexts, address: str, is_new: bool = False) -> Iterator[Person]:
    taken: list[tuple[dict[str, Any], BrowserContext]] = []
    faults: list[str] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)

    def listen(request: Request) -> None:
        if not request.url.startswith(address):
            faults.append(request.url)

    def sit_down(
        path: str = "/",
        width: int = 1280,
        height: int = 800,
        pace: str = "instant",
        settings: dict[str, str] | None = None,
        sees: bool = is_new,
        **options: Any,
    ) -> Table:
        # Most journeys are about something else than how a game feels: they choose the quickest pace.
        # A service worker would answer in the server's place: those who test it ask for it.
        options = {"service_workers": "block", **options}
        context = contexts.new(options) if is_new else contexts.take(options)
        context.on("request", listen)
        context.on("page", watch)
        taken.append((options, context))
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.add_init_script(SETTINGS % json.dumps(json.dumps(settings or {"pace": pace})))
        if not sees:
            page.add_init_script(UNSEEN)
        page.goto(path)
        return Table(page, faults)

    yield sit_down
    for options, context in taken:
        faults += [f"a mark at {page.url}" for page in context.pages if _shows_marks(page)]
        context.remove_listener("request", listen)
        context.remove_listener("page", watch)
        if is_new:
            context.close()
        else:
            contexts.give_back(options, context)
    assert not faults
