"""Answers travel compressed, and say the same."""

import json
import zlib
from collections.abc import Iterator

import pytest

from claimeven.server.doors.wires.packed import GZIP, LEAST
from kit.serving import Served, serving

PLAIN = {"Accept-Encoding": "identity"}
GAME = {"text": "577773513141141546666325661454223337222475"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("packed")) as served:
        yield served


def test_a_large_answer_is_small_and_the_same(server: Served) -> None:
    plain = server.http.post("/api/review", json=GAME, headers=PLAIN)
    packed = server.http.post("/api/review", json=GAME)
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["vary"] == "Accept-Encoding"
    assert packed.content == plain.content
    assert packed.num_bytes_downloaded * 5 < plain.num_bytes_downloaded


def test_a_small_answer_and_a_picture_stay_as_they_are(server: Served) -> None:
    for path in ("/api/health", "/api/picture.png"):
        answer = server.http.get(path)
        assert answer.status_code == 200
        assert "content-encoding" not in answer.headers, path
    assert len(server.http.get("/api/health").content) < LEAST


def test_every_line_can_be_read_when_it_comes(server: Served) -> None:
    """Progress is worth nothing if it waits for the answer."""
    with server.http.stream("GET", "/api/analyse", params={"board": "9x9x4", "stream": True}) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        reader, part = zlib.decompressobj(wbits=GZIP), next(answer.iter_raw())
        line = reader.decompress(part).decode()
        assert not reader.eof
    assert json.loads(line)["t"] == "progress"
