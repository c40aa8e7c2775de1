"""What travels to others: pictures, previews of links, a board in the frame of another page."""

import re
import struct
import threading
import zlib
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
from playwright.sync_api import Browser, expect

from claimeven import Position
from claimeven.raster import COLOURS, game_gif, position_png
from kit.page.faults import faults_in_themes
from kit.page.table import Person

WON = "1212121"


def _rows(png: bytes) -> list[bytes]:
    """The colour numbers of every row, read as the format says."""
    wide, high = struct.unpack(">II", png[16:24])
    start = png.index(b"IDAT") + 4
    (long,) = struct.unpack(">I", png[start - 8 : start - 4])
    plain = zlib.decompress(png[start : start + long])
    assert len(plain) == high * (wide + 1)
    return [plain[y * (wide + 1) + 1 : (y + 1) * (wide + 1)] for y in range(high)]


def test_a_picture_shows_every_disc() -> None:
    rows = _rows(position_png(Position.parse(WON)))
    assert (len(rows[0]), len(rows)) == (1200, 630)
    used = {colour for row in rows for colour in row}
    assert used == set(range(len(COLOURS)))
    assert set(b"".join(_rows(position_png(Position.parse(""))))) == {0, 1, 2}  # ground, plate, holes


def test_an_animation_is_read_by_a_browser(person: Person, address: str) -> None:
    gif = game_gif([Position.parse(WON[:ply]) for ply in range(len(WON) + 1)])
    assert gif.startswith(b"GIF89a")
    page = person().page
    frames = page.evaluate(
        """async (address) => {
          const data = await (await fetch(address)).arrayBuffer();
          const decoder = new ImageDecoder({ data, type: 'image/gif' });
          await decoder.tracks.ready;
          await decoder.decode({ frameIndex: decoder.tracks.selectedTrack.frameCount - 1 });
          return decoder.tracks.selectedTrack.frameCount;
        }""",
        f"{address}/api/picture.gif?moves={WON}",
    )
    assert frames == 1 + 6 + 4 + 1  # the empty board, six discs, the four, and the end that stays


def test_a_link_has_a_preview_of_its_position(address: str, static: Path) -> None:
    document = httpx.get(f"{address}/analysis?moves=4453&board=7x6x4&evil=<script>").text
    found = re.search(r'property="og:image" content="([^"]+)"', document)
    assert found
    picture = httpx.get(found[1].replace("&amp;", "&"))
    assert picture.headers["content-type"] == "image/png"
    assert picture.content == position_png(Position.parse("4453"))
    assert "<script>" not in document.split("</head>")[0].replace('<script type="module"', "").replace(
        '<script src="/theme.js">', ""
    )
    for name in ("icon-192.png", "icon-512.png", "apple-touch-icon.png"):
        assert httpx.get(f"{address}/{name}").headers["content-type"] == "image/png"


def test_only_the_embedded_board_may_be_framed(browser: Browser, address: str, tmp_path: Path) -> None:
    policies = {
        path: httpx.get(f"{address}{path}").headers
        for path in ("/", "/analysis", "/game/x", "/embed?moves=44")
    }
    for path, headers in policies.items():
        is_open = path.startswith("/embed")
        assert ("frame-ancestors *" in headers["content-security-policy"]) == is_open
        assert ("x-frame-options" in headers) != is_open
    (tmp_path / "page.html").write_text(f'<iframe src="{address}/embed?moves=4455" width="420" height="440">')
    other = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path))
    threading.Thread(target=other.serve_forever, daemon=True).start()
    page = browser.new_context(service_workers="block").new_page()
    page.goto(f"http://127.0.0.1:{other.server_port}/page.html")
    frame = page.frame_locator("iframe")
    expect(frame.locator(".disc")).to_have_count(4)
    frame.get_by_role("button").nth(-2).click()
    expect(frame.locator(".disc")).to_have_count(3)
    expect(frame.get_by_role("navigation")).to_have_count(0)
    page.context.close()
    other.shutdown()
    other.server_close()


def test_one_share_before_the_formats(person: Person) -> None:
    table = person(permissions=["clipboard-read", "clipboard-write"])
    table.choose("Same screen")
    for column in "4453":
        table.drop(int(column))
    page = table.page
    page.get_by_role("button", name="Share this game").click()
    picture = page.get_by_role("img", name="Picture of the position")
    expect(picture).to_be_visible()
    assert page.evaluate("image => image.decode().then(() => image.naturalWidth)", picture.element_handle())
    with page.expect_download() as download:
        page.get_by_role("link", name="Animation").click()
    assert download.value.path().read_bytes().startswith(b"GIF89a")
    page.get_by_role("button", name="Copy code for your own page").click()
    assert "/embed?moves=4453" in page.evaluate("navigator.clipboard.readText()")
    page.goto("/embed?moves=4453")
    expect(page.locator(".disc")).to_have_count(4)
    assert faults_in_themes(page) == []
