"""What travels: little, from nowhere else, and readable by a camera."""

import gzip
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import zxingcpp
from playwright.sync_api import Browser, Request, Response, expect

from kit.forked import Forked
from kit.page.table import Person, Table

BUDGET = 100 * 1024


def test_the_first_load_is_small(static: Path) -> None:
    document = (static / "index.html").read_text()
    names = [n for n in re.findall(r'(?:src|href)="/([^"]+)"', document) if not n.endswith(".woff2")]
    assert any(name.endswith(".js") for name in names)
    assert any(name.endswith(".css") for name in names)
    files = [static / "index.html", *(static / name for name in names)]
    total = sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)
    assert total <= BUDGET


def test_what_the_browser_loads(newcomer: Person, address: str) -> None:
    """Little, compressed, and under a policy that allows nothing from elsewhere."""
    table = newcomer("about:blank")
    responses: list[Response] = []
    table.faults.clear()  # about:blank is from elsewhere
    table.page.on("response", lambda response: responses.append(response))
    response = table.page.goto("/")
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # WebAssembly, and no other code
    table.await_turn()
    packed = [r for r in responses if r.headers.get("content-encoding") == "gzip"]
    assert len(packed) >= 3  # document, script, style sheet
    sizes = {r.url.removeprefix(address): r.request.sizes()["responseBodySize"] for r in responses}
    letters = {name: size for name, size in sizes.items() if name.endswith(".woff2")}
    assert sum(sizes.values()) - sum(letters.values()) <= BUDGET, sizes
    assert sum(letters.values()) <= 40 * 1024  # and English needs one file of two


def test_the_typeface_comes_and_nothing_moves(newcomer: Person) -> None:
    page = newcomer().page
    page.evaluate("document.fonts.load('16px Inter').then(() => document.fonts.ready)")
    assert page.evaluate(
        "[...document.fonts].filter((f) => f.family === 'Inter' && f.status === 'loaded').length"
    )
    shifts = page.evaluate(
        """new Promise((done) => new PerformanceObserver((list) => done(
            list.getEntries().reduce((sum, entry) => sum + entry.value, 0)
        )).observe({ type: 'layout-shift', buffered: true }) || setTimeout(() => done(0), 1000))"""
    )
    assert shifts == 0
    assert "SIL OPEN FONT LICENSE" in page.request.get("/inter-licence.txt").text()


def test_a_code_of_this_machine_is_never_shown(newcomer: Person) -> None:
    """On a friend's phone 127.0.0.1 is the phone."""
    table = newcomer()
    table.choose("Friend")
    table.page.get_by_role("button", name="Create the invitation").click()
    command = table.page.get_by_text("claimeven play --lan")
    expect(command).to_be_hidden()
    table.page.get_by_text("For a friend’s phone: how?").click()
    expect(command).to_be_visible()
    expect(table.page.get_by_role("img", name=re.compile("^QR code"))).to_have_count(0)


def test_the_code_of_an_invitation_can_be_read(static: Path, browser: Browser, tmp_path: Path) -> None:
    """Of a server that others can reach."""
    command = [sys.executable, "-m", "claimeven", "serve", "--host", "127.0.0.2", "--port", "0"]
    command += ["--tcp-port", "0", "--database", f"sqlite:///{tmp_path / 'games.db'}"]
    with Forked(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://127.0.0.2:\d+", server.stdout.readline())
            assert found
            page = browser.new_context(service_workers="block").new_page()
            page.goto(found[0])
            table = Table(page, [])
            table.choose("Friend")
            page.get_by_role("button", name="Create the invitation").click()
            code = page.get_by_role("img", name=re.compile("^QR code"))
            expect(code).to_be_visible()
            link = page.get_by_label("Invitation link", exact=True).input_value()
            assert link.startswith(f"{found[0]}/game/")
            assert page.evaluate("fetch('/api/agents').then((a) => a.json())")["lan"] == found[0]
            path = code.locator("path").get_attribute("d") or ""
            size = int((code.get_attribute("viewBox") or "").split()[2])
        finally:
            server.terminate()
    picture = np.full((size, size), 255, np.uint8)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path):
        picture[int(y), int(x)] = 0
    (read,) = zxingcpp.read_barcodes(picture.repeat(4, 0).repeat(4, 1))
    assert read.text == link


def test_what_is_kept_for_later_comes_after_the_page_and_one_by_one(browser: Browser, address: str) -> None:
    """A class that comes at once asks for the page first."""
    page = browser.new_context(base_url=address).new_page()
    seen: list[str] = []  # in their order
    under_way: set[Request] = set()
    most = 0

    def begins(request: Request) -> None:
        nonlocal most
        if request.service_worker is not None:
            under_way.add(request)
            most = max(most, len(under_way))
            seen.append("kept")

    page.context.on("request", begins)
    page.context.on("requestfinished", lambda request: under_way.discard(request))
    page.on("load", lambda _: seen.append("loaded"))
    page.goto("/lobby")
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    page.context.close()
    assert seen[0] == "loaded"
    assert seen.count("kept") > 90
    assert most == 1
