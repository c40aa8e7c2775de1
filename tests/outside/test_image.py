"""The image, built by a real builder (tests/kit/builder.py)."""

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

import pytest

from kit.builder import Builder

# In the quick test these stand for the programs that take minutes. Each fails unless the step before has put
# there what the real one needs.
STANDING_IN = {
    "apt-get": "exit 0",
    "npm": """
        test -f package.json && test -f package-lock.json && test ! -e node_modules || exit 1
        test "$1" = install && exit 0
        mkdir -p ../src/claimeven/server/static && echo page > ../src/claimeven/server/static/index.html""",
    "pip": """
        if test "$1" = wheel; then
          test -f pyproject.toml && test -f CMakeLists.txt && test -f README.md && test -f LICENSE || exit 1
          test -f native/python/bind.cpp && test -f src/claimeven/cli.py || exit 1
          mkdir dist && cp src/claimeven/server/static/index.html dist/claimeven-1-py3-none-any.whl
        else
          for last; do true; done
          test -f "${last%%[*}" && cp "${last%%[*}" "/tools/installed"
        fi""",
    "claimeven": 'cat /tools/installed; echo "$(id -un) runs: $0 $*"',
}


def tiny_root(folder: Path) -> Path:
    """A root whose /usr is this machine's, and whose slow programs only check and pretend."""
    for name in ("etc", "tmp", "usr", "dev", "proc", "sys", "tools", "usr/local/bin"):
        (folder / name).mkdir(parents=True)
    for name in ("bin", "sbin", "lib", "lib64"):
        (folder / name).symlink_to(f"usr/{name}")
    for name in ("passwd", "group", "login.defs"):
        shutil.copy(f"/etc/{name}", folder / "etc")
    for name, script in STANDING_IN.items():
        (folder / "tools" / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / "tools" / name).chmod(0o755)
    return folder


def test_every_stage_finds_what_it_copies(tmp_path: Path) -> None:
    tools = tiny_root(tmp_path / "root") / "tools"
    # The programs are found where images have theirs, before /usr/bin.
    builder = Builder(tmp_path / "builder", ("/usr:/usr:ro", f"{tools}:/usr/local/bin:ro", f"{tools}:/tools"))
    base = builder.base("base", tmp_path / "root")
    image = builder.build("claimeven", NODE=base, PYTHON=base)
    said = subprocess.check_output(builder.started(image, PORT="9000"), text=True)
    page, words = said.splitlines()
    assert page == "page"
    assert words.startswith("player runs: ")
    assert words.endswith(" serve --host 0.0.0.0 --port 9000 --database sqlite:////data/games.db")


# What the machine's own apt, pip and npm need to reach their sources is needed in here, too.
SETTINGS = (
    "/etc/apt",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pip.conf",
    "~/.config/pip",
    "~/.npmrc",
    "/etc/resolv.conf",
)
CERTIFICATES = ("NODE_EXTRA_CA_CERTS", "PIP_CERT", "SSL_CERT_FILE")
PACKAGES = "ca-certificates,libatomic1,libstdc++6,python3-dev,python3-pip,python-is-python3"


def debian(folder: Path) -> Path:
    """A Debian with Python and Node, in the place of the images of those names."""
    if shutil.which("debootstrap") is None:
        pytest.skip("the image is built on a fresh Debian: apt-get install debootstrap")
    options = ["--variant=minbase", f"--include={PACKAGES}"]
    subprocess.run(["debootstrap", *options, "bookworm", folder], check=True, stdout=subprocess.DEVNULL)
    for path in folder.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
        path.unlink()  # Python's own images have no such thing
    for setting in map(Path, SETTINGS):
        source = setting.expanduser()
        target = folder / (
            "root" / setting.relative_to("~") if source != setting else setting.relative_to("/")
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
        elif source.exists():
            target.unlink(missing_ok=True)
            shutil.copy(source, target)
    node = Path(os.path.realpath(shutil.which("node") or "/usr/bin/node"))
    npm = Path(os.path.realpath(shutil.which("npm") or "/usr/bin/npm")).parents[1]
    shutil.copy(node, folder / "usr/bin/node")
    shutil.copytree(npm, folder / "usr/lib/node_modules/npm", symlinks=True)
    (folder / "usr/bin/npm").symlink_to("../lib/node_modules/npm/bin/npm-cli.js")
    return folder


@pytest.mark.slow
def test_the_image_serves(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    builder = Builder(tmp_path / "builder")
    certificates = {name: os.environ[name] for name in CERTIFICATES if name in os.environ}
    base = builder.base("debian", debian(tmp_path / "root"), **certificates)
    image = builder.build("claimeven", NODE=base, PYTHON=base)
    server = subprocess.Popen(builder.started(image, PORT=str(port)), start_new_session=True)
    try:
        while True:  # until it answers
            assert server.poll() is None
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
                    assert b"<script" in page.read()
                break
            except OSError:
                time.sleep(0.1)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/agents") as agents:
            assert "level" in agents.read().decode()
        assert subprocess.run(builder.examined(image, PORT=str(port)), check=False).returncode == 0
        assert subprocess.run(builder.examined(image, PORT="1"), check=False).returncode == 1  # nobody there
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()
