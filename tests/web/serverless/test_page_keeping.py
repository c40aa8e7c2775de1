"""Games and progress outlive a reload, an update of the site, and a full disk."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from kit.page import journeys
from kit.page.host import static_host
from kit.page.visitor import Visitor, sit_down

pytestmark = pytest.mark.slow
ROOMS = "document.documentElement.dataset.rooms"
UPDATED = """async () => {
  const isNew = (names) => names.some((name) => name.startsWith('claimeven-new-'));
  const isOld = (names) => names.some((name) => !/^claimeven-(new|rooms)-/.test(name));
  for (let names = []; !isNew(names) || isOld(names); names = await caches.keys())
    await new Promise((done) => setTimeout(done, 50));
  return true;
}"""


def kept(visitor: Visitor, name: str) -> Any:
    return json.loads(visitor.table.page.evaluate(f"localStorage.getItem('claimeven.{name}') ?? '[]'"))


def put_a_new_version(site: Path) -> None:
    """As another build would: every file has another name, the old ones are gone."""
    renamed = {path.name: f"{path.stem}-new{path.suffix}" for path in (site / "assets").iterdir()}
    (rooms,) = (path.name for path in site.glob("rooms-*"))
    renamed[rooms] = f"{rooms}-new"
    for path in [site / "index.html", site / "sw.js", *(site / "assets").iterdir()]:
        if path.suffix in (".html", ".js", ".css"):
            text = path.read_text()
            for old, new in renamed.items():
                text = text.replace(old, new)
            path.write_text(text.replace("NAME = 'claimeven-", "NAME = 'claimeven-new-"))
    for path in [*(site / "assets").iterdir(), site / rooms]:
        path.rename(path.with_name(renamed[path.name]))


@pytest.fixture
def own(folder: Path, tmp_path: Path) -> Path:
    """A site that a test may change. Its files are new: a browser keeps old ones unasked."""
    return Path(shutil.copytree(folder / "some" / "folder", tmp_path / "site", copy_function=shutil.copyfile))


@pytest.fixture
def visitor(own: Path, browser: Browser) -> Iterator[Visitor]:
    with static_host(own) as address:
        yield from sit_down(browser, f"{address}#", address)


def test_an_update_loses_no_game_and_no_progress(visitor: Visitor, own: Path) -> None:
    page, table = visitor.table.page, visitor.table
    journeys.game(table, visitor.visit)
    (finished,) = kept(visitor, "finished")
    assert (finished["against"], finished["wasHelped"]) == ("level:1", False)
    visitor.visit("/offline?against=person&moves=4453")
    page.reload()
    expect(table.discs).to_have_count(4)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    old = page.evaluate(ROOMS)
    put_a_new_version(own)
    # Another tab brings the new version, which forgets the files of the old one.
    other = page.context.new_page()
    other.goto(visitor.home + "/offline?against=person&moves=4453")
    expect(other.locator(".disc")).to_have_count(4)
    assert other.evaluate(UPDATED)
    # In the old tab a part is wanted that was never loaded: it goes on as the new page.
    assert page.evaluate(ROOMS) == old
    page.get_by_role("navigation").get_by_role("link", name="Learn").click()
    page.wait_for_function(f"{ROOMS} === '{old}-new'")
    expect(page.locator("main a[href^='/learn/']").first).to_be_visible(timeout=journeys.LONG)
    assert kept(visitor, "finished") == [finished]
    page.go_back()
    expect(table.discs).to_have_count(4)


FILL = """() => {
  for (let size = 1 << 22; size >= 1; size >>= 1)
    for (let part = 0; ; part += 1)
      try { localStorage.setItem(`fill ${size} ${part}`, 'x'.repeat(size)) } catch { break }
}"""
EMPTY = (
    "for (const key of Object.keys(localStorage)) if (key.startsWith('fill')) localStorage.removeItem(key)"
)


def test_a_full_disk_loses_nothing_that_was_there_and_is_told(visitor: Visitor) -> None:
    page, table = visitor.table.page, visitor.table
    journeys.game(table, visitor.visit)
    before = kept(visitor, "finished")
    # What the browser lets a site keep is used up: its files, and what it remembers.
    storage = page.context.new_cdp_session(page)
    origin = page.evaluate("location.origin")
    storage.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    page.evaluate(FILL)
    journeys.game(table, visitor.visit)
    expect(page.get_by_text("This browser has no room left")).to_be_visible()
    assert kept(visitor, "finished") == before
    journeys.puzzle(table, visitor.visit, is_kept=False)  # fetched, and used all the same
    page.evaluate(EMPTY)
    journeys.game(table, visitor.visit)
    assert len(kept(visitor, "finished")) == 2
    # What was not written then is written now: nobody has reloaded the page.
    visitor.visit("/you")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert any(entry["kind"] == "puzzle" for entry in kept(visitor, "practice"))
