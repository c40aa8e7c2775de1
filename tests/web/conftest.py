"""The page in a real browser, on a real server."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

import claimeven.server
from kit.forked import Forked
from kit.page.table import Person, Table

HERE = Path(__file__).parent
# The one without windows takes a third of the processor's time.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
STATIC = Path(claimeven.server.__file__).parent / "static"
expect.set_options(timeout=30_000)  # the machine may be busy
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
# What a person would choose in the settings, before anything is kept there.
PACE = """try {
  const kept = 'claimeven.settings';
  if (!localStorage.getItem(kept)) localStorage.setItem(kept, JSON.stringify({ pace: '%s' }));
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
_kept: list[Browser] = []


@pytest.fixture(scope="module")
def browser(address: str) -> Browser:
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")
    if not _kept or not _kept[0].is_connected():
        _close()
        playwright = _open.enter_context(sync_playwright())
        _kept.append(playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS))
        _open.callback(_kept[0].close)
    return _kept[0]


def _close() -> None:
    _kept.clear()
    _open.close()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is None or HERE not in nextitem.path.parents:
        _close()


@pytest.fixture
def person(browser: Browser, address: str) -> Iterator[Person]:
    """`person()`: somebody at a browser of their own. Errors of the page and requests to elsewhere fail."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)

    def sit_down(
        path: str = "/", width: int = 1280, height: int = 800, pace: str = "instant", **options: Any
    ) -> Table:
        # Most journeys are about something else than how a game feels: they choose the quickest pace.
        # A service worker would answer in the server's place: those who test it ask for it.
        options = {"service_workers": "block", **options}
        context = browser.new_context(
            base_url=address, viewport={"width": width, "height": height}, **options
        )
        context.set_default_timeout(60_000)
        context.on(
            "request",
            lambda request: None if request.url.startswith(address) else faults.append(request.url),
        )
        context.on("page", watch)
        context.add_init_script(PACE % pace)
        contexts.append(context)
        page = context.new_page()
        page.goto(path)
        return Table(page, faults)

    yield sit_down
    for context in contexts:
        context.close()
    assert not faults
