"""The fuzzer of the doors (fuzz/network.py) for a few seconds: the server stays up and fair to others."""

import asyncio
import logging
from pathlib import Path

import pytest

from faults.process import ServerProcess
from network import FAIR_MOVES, Siege, lay_siege


def test_a_short_siege(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, "asyncio")  # sockets that the server has closed: that is what we want
    with ServerProcess(tmp_path, tcp=True) as server:
        before = server.resident()
        siege, wrong = asyncio.run(lay_siege(server, seconds=6, seed=2))
        after = server.resident()
    assert wrong == []
    assert len(siege.waits) >= FAIR_MOVES
    assert siege.counts["fair games"] >= 1
    assert after < 1.5 * before


def test_a_dead_server_would_be_noticed(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, tcp=True)
    server.log.write_text("Traceback\n")

    async def nothing(self: Siege, seconds: float) -> None:
        self.reconnects = 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Siege, "go_on", nothing)
        _, wrong = asyncio.run(lay_siege(server, 0, 1))
    assert wrong == [
        "the server does not answer any more",
        "the fair players lost their line 1 times",
        "in the log: Traceback",
    ]
