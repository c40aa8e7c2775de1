"""Three servers behind a proxy, real browsers: strangers meet, reload, change devices, and lose a server."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from faults.process import ServerProcess, free_port
from kit.cluster import House, house
from kit.page.evening import Evening
from kit.page.people import HEADLINE, be, drop, is_to_move, make_code, use_code
from kit.places import ROOT
from kit.serving import wait_until

LATE = 60.0
VISITOR = "X-Visitor"  # whoever comes says here from where: in a test all come from one machine
Visit = Callable[[str, str], Page]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def servers(static: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("cluster"), variables={"CLAIMEVEN_PROXY": "127.0.0.1"}) as found:
        yield found


@pytest.fixture(scope="module")
def door(servers: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """HAProxy as deploy/ has it, before all three."""
    program = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("no proxy: apt-get install haproxy")
    port = free_port()
    text = (ROOT / "deploy" / "haproxy.cfg").read_text().replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    text = text.replace("%[src]", f"%[req.hdr({VISITOR})]")
    for number, server in enumerate(servers.servers, 1):
        text = text.replace(f"127.0.0.1:808{number}\n", f"127.0.0.1:{server.port}\n")
    file = tmp_path_factory.mktemp("proxy") / "haproxy.cfg"
    file.write_text(text)
    with subprocess.Popen([program, "-db", "-f", str(file)]) as proxy:
        try:
            address = f"http://127.0.0.1:{port}"
            wait_until(lambda: _answers(servers, address))
            yield address
        finally:
            proxy.terminate()


def _answers(servers: House, address: str) -> bool:
    try:
        return servers.http.get(f"{address}/api/ready").status_code == 200
    except httpx.HTTPError:
        return False


@pytest.fixture
def visit(browser: Browser, door: str) -> Iterator[Visit]:
    """Somebody at a browser and an address of their own."""
    opened: list[BrowserContext] = []

    def come(address: str, path: str) -> Page:
        context = browser.new_context(
            base_url=door, extra_http_headers={VISITOR: address}, service_workers="block"
        )
        context.set_default_timeout(LATE * 1000)
        opened.append(context)
        page = context.new_page()
        page.goto(path)
        return page

    yield come
    for context in opened:
        context.close()


def test_strangers_play_rated_though_they_reload_change_devices_and_lose_a_server(
    servers: House, visit: Visit
) -> None:
    ada, boris = visit("203.0.113.1", "/lobby"), visit("203.0.113.2", "/lobby")
    be(ada, "Ada Apart")
    be(boris, "Boris Apart")
    ada.get_by_role("button", name="3 min + 2 s").click()
    expect(ada.locator(HEADLINE)).to_have_text("Waiting for whoever comes")
    boris.get_by_role("button", name="3 min + 2 s").click()
    expect(ada.get_by_text("The game is rated.")).to_be_visible()
    expect(boris).to_have_url(ada.url)
    place = ada.url[ada.url.index("/game/") :]
    game = place.removeprefix("/game/")
    wait_until(lambda: is_to_move(ada) or is_to_move(boris), LATE)
    first, second = (ada, boris) if is_to_move(ada) else (boris, ada)
    drop(first, 3)
    in_turn(second, 4)

    first.reload()
    expect(first.locator(".disc")).to_have_count(2)
    owner = servers.owner(game)
    assert owner is not None
    owner.kill()
    in_turn(first, 3)
    in_turn(second, 4)
    assert servers.owner(game) not in (None, owner)
    servers.heal()

    address = "203.0.113.1" if second is ada else "203.0.113.2"
    second.goto("/lobby")
    phone = visit(address, "/lobby")
    use_code(phone, make_code(second))
    expect(phone.get_by_role("heading", name=re.compile("^Hello, "))).to_be_visible()
    phone.goto(place)
    in_turn(first, 3)
    in_turn(phone, 4)
    in_turn(first, 3)
    expect(first.locator(HEADLINE)).to_have_text(re.compile("won"))
    expect(phone.locator(".disc")).to_have_count(7)

    winner, loser = ("Ada Apart", "Boris Apart") if first is ada else ("Boris Apart", "Ada Apart")
    with psycopg.connect(servers.postgres.url) as look:
        rating: dict[str, float] = dict(look.execute("SELECT name, rating FROM players").fetchall())
    assert rating[winner] > 900 > rating[loser], "it counted, once for each"
    phone.goto("/lobby")
    phone.get_by_role("link", name="Your page").click()
    expect(phone.get_by_role("row").filter(has_text=winner)).to_have_count(1)


def in_turn(page: Page, column: int) -> None:
    """Drop a disc once it is one's turn; a page that has just lost its line may not hear the first key."""
    end = time.monotonic() + LATE
    wait_until(lambda: is_to_move(page), LATE)
    while is_to_move(page):
        assert time.monotonic() < end, page.locator(HEADLINE).inner_text()
        page.locator("body").press(str(column))
        page.wait_for_timeout(500)


def test_eight_people_and_two_levels_finish_a_swiss_event_though_its_server_dies(
    servers: House, visit: Visit
) -> None:
    servers.heal()
    addresses = (f"203.0.113.{number}" for number in range(10, 100))
    names = [f"{name} Club" for name in ("Anna", "Bela", "Cyrus", "Dora", "Emil", "Fanny", "Greta", "Hugo")]
    evening = Evening(lambda path: visit(next(addresses), path), names, (1, 3), rounds=4)
    event = evening.place.removeprefix("/event/")
    killed: list[ServerProcess] = []
    first = evening.people[5]

    def meanwhile(look: int) -> None:
        """In the second round its director is killed, and somebody reloads; in the third somebody goes on at
        another device."""
        page = servers.http.get(f"{ready(servers).address}/api/events/{event}").json()
        if page.get("round") == 2 and not killed:
            director = servers.owner(f"event:{event}")
            assert director is not None
            director.kill()
            killed.append(director)
            evening.people[3].reload()
        elif killed and not killed[0].is_alive:
            killed[0].start(wait=False)
        elif page.get("round") == 3 and evening.people[5] is first:
            evening.change_device(5, visit("203.0.113.9", "/lobby"))

    evening.play(meanwhile)
    assert killed
    assert evening.people[5] is not first
    page = servers.http.get(f"{ready(servers).address}/api/events/{event}").json()
    assert [page["state"], page["round"], len(page["places"])] == ["over", 4, 10]
    assert all(one["score"] is not None for one in page["tables"])
    for level in (1, 3):
        expect(evening.wall.get_by_role("row").filter(has_text=f"Level {level}").first).to_be_visible()


def ready(servers: House) -> ServerProcess:
    return next(one for one in servers.servers if one.is_alive and one.answers("/api/ready"))
