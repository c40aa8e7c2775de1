"""Browsers that have never been here: the page with all its files, over as many lines as a browser opens."""

import asyncio
import re
from collections import Counter
from pathlib import Path

import claimeven.server

STATIC = Path(claimeven.server.__file__).parent / "static"
LINES = 6  # that a browser opens to one server


def visits(port: int, many: int, **headers: str) -> Counter[int]:
    """So many of them at once; how many answers had which status."""
    answers: Counter[int] = Counter()

    async def all_of_them() -> None:
        paths = _first() + _kept()
        shares = [paths[start::LINES] for start in range(LINES)]
        await asyncio.gather(*(_line(port, share, headers, answers) for share in shares for _ in range(many)))

    asyncio.run(all_of_them())
    return answers


def ask(port: int, path: str, times: int, **headers: str) -> Counter[int]:
    """The same again and again, over one line or, where it is closed, the next."""
    answers: Counter[int] = Counter()
    asyncio.run(_line(port, [path] * times, headers, answers))
    return answers


def _first() -> list[str]:
    """The document, and what it names."""
    named = re.findall(r'(?:href|src)="(/[^"]+)"', (STATIC / "index.html").read_text())
    return ["/", *named]


def _kept() -> list[str]:
    """The worker that opens the page without a network, and what it keeps."""
    named = re.findall(r'"\./([^"]*)"', (STATIC / "sw.js").read_text())
    return ["/sw.js", *(f"/{name}" for name in named)]


async def _line(port: int, paths: list[str], headers: dict[str, str], answers: Counter[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    said = {"Host": "localhost", "Accept-Encoding": "gzip", **headers}
    given = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in said.items())
    for path in paths:
        writer.write(f"GET {path} HTTP/1.1\r\n{given}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        answers[int(head.split()[1])] += 1
        size = re.search(rb"content-length: (\d+)", head)
        assert size is not None, head
        await reader.readexactly(int(size[1]))
        if b"connection: close" in head:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()
