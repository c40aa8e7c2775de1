"""A real PostgreSQL server for tests, from what the system has installed."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@contextmanager
def postgres(*settings: str) -> Iterator[str]:
    """The URL of a server of its own, which lives in a temporary folder and listens there only."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    folder = tempfile.mkdtemp(prefix="claimeven-pg-", dir="/tmp")  # a short path: sockets need it
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name

    def run(program: str, *arguments: str) -> None:
        # The server refuses to be run by root.
        command = [str(programs / program), *arguments]
        account = user if os.geteuid() == 0 else None
        done = subprocess.run(command, user=account, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    try:
        if os.geteuid() == 0:
            shutil.chown(folder, user)
        data = f"{folder}/data"
        run("initdb", "-D", data, "-U", user, "-A", "trust", "--no-sync")
        options = " ".join([f"-c listen_addresses='' -k {folder}", *(f"-c {text}" for text in settings)])
        run("pg_ctl", "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
        try:
            run("createdb", "-h", folder, "-U", user, "games")
            yield f"postgresql://{user}@/games?host={folder}"
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
