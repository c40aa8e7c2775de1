"""What takes its time: a player who does not come back, a server that is killed."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from kit.forked import Forked
from kit.page.table import Person, meet

pytestmark = pytest.mark.slow


def test_who_waited_long_enough_may_end_the_game(person: Person) -> None:
    host, guest = meet(person)
    host.drop(4)
    guest.drop(4)
    host.drop(5)
    guest.await_turn()
    guest.page.close(run_before_unload=False)
    expect(host.page.get_by_text(re.compile("^Your opponent is away"))).to_be_visible()
    host.page.get_by_role("button", name="Claim the win").click(timeout=60_000)
    expect(host.headline).to_have_text("You won!")
    expect(host.detail).to_have_text("Ada <b> left the game.")


def test_a_killed_server_comes_back(person: Person, static: Path, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "claimeven", "serve", "--port", str(port), "--tcp-port", "0"]
    command += ["--database", f"sqlite:///{tmp_path / 'games.db'}"]

    def serve() -> subprocess.Popen[str]:
        server = Forked(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        assert "http" in server.stdout.readline()
        return server

    server = serve()
    try:
        table = person(f"http://127.0.0.1:{port}/")
        table.choose("Same screen")
        table.drop(4)
        table.await_turn()
        server.send_signal(signal.SIGKILL)
        server.communicate()
        expect(table.page.get_by_text("Connection lost. Reconnecting …")).to_be_visible()
        table.drop(5)  # drawn and kept
        expect(table.page.get_by_text("Your move is kept and will be sent.")).to_be_visible()
        server = serve()
        table.await_moves("45")
        expect(table.page.get_by_text("Connected")).to_be_visible()
        table.drop(4)
        table.await_moves("454")
        # The browser complains about the refused connections, and the fixture about the other address.
        table.faults.clear()
    finally:
        server.kill()
        server.communicate()
