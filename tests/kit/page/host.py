"""A host of static files, as plain as they come."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def static_host(folder: Path) -> Iterator[str]:
    """Serves a folder; its address, with a / at the end."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    command += ["--directory", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://[\d.:]+/", server.stdout.readline())
            assert found
            yield found[0]
        finally:
            server.terminate()
