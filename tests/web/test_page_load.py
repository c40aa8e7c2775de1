"""What travels: little, from nowhere else, and readable by a camera."""

import gzip
import re
from pathlib import Path

import numpy as np
import zxingcpp
from playwright.sync_api import Response, expect

from kit.page.table import Person

BUDGET = 100 * 1024


def test_the_first_load_is_small(static: Path) -> None:
    document = (static / "index.html").read_text()
    names = re.findall(r'(?:src|href)="/([^"]+)"', document)
    assert any(name.endswith(".js") for name in names)
    assert any(name.endswith(".css") for name in names)
    files = [static / "index.html", *(static / name for name in names)]
    total = sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)
    assert total <= BUDGET


def test_what_the_browser_loads(person: Person, address: str) -> None:
    """Little, compressed, and under a policy that allows nothing from elsewhere."""
    table = person("about:blank")
    responses: list[Response] = []
    table.faults.clear()  # about:blank is from elsewhere
    table.page.on("response", lambda response: responses.append(response))
    response = table.page.goto("/")
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    table.await_turn()
    packed = [r for r in responses if r.headers.get("content-encoding") == "gzip"]
    assert len(packed) >= 3  # document, script, style sheet
    sizes = {r.url.removeprefix(address): r.request.sizes()["responseBodySize"] for r in responses}
    assert sum(sizes.values()) <= BUDGET, sizes


def test_the_code_of_an_invitation_can_be_read(person: Person) -> None:
    table = person()
    table.choose("Friend")
    table.page.get_by_role("button", name="Create the invitation").click()
    code = table.page.get_by_role("img", name=re.compile("^QR code"))
    expect(code).to_be_visible()
    path = code.locator("path").get_attribute("d") or ""
    size = int((code.get_attribute("viewBox") or "").split()[2])
    picture = np.full((size, size), 255, np.uint8)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path):
        picture[int(y), int(x)] = 0
    link = table.page.get_by_label("Invitation link", exact=True).input_value()
    (read,) = zxingcpp.read_barcodes(picture.repeat(4, 0).repeat(4, 1))
    assert read.text == link
