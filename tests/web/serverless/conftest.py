"""The laboratory as static files, on a plain host, in a folder of a folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from claimeven.browser.site import export_site
from kit.page.host import static_host
from kit.page.visitor import Visitor, sit_down

RUNTIME = Path(__file__).parents[3] / "build" / "runtime"  # by make test, make static


@pytest.fixture(scope="session")
def folder(static: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the site somewhere in it."""
    if not (RUNTIME / ".ready").exists():
        pytest.skip("needs Python for browsers: make build/runtime/.ready")
    host = tmp_path_factory.mktemp("host")
    export_site(host / "some" / "folder", RUNTIME)
    return host


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with static_host(folder) as address:
        yield f"{address}some/folder/"


@pytest.fixture(scope="module")
def alone(browser: Browser, site: str) -> Iterator[Visitor]:
    """Somebody at the static site."""
    yield from sit_down(browser, f"{site}#", site)
