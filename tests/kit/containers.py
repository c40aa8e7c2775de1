"""Containers without a registry: podman, and podman-compose, which reads what docker compose reads.

The images that a compose file names cannot be had everywhere, so a test makes images of these names in which
this machine's own programs start as those do. All have /usr of this machine, this checkout and its Python.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from kit.places import ROOT

NEEDED = ("podman", "buildah", "nsenter")
# Of pip: Debian 12 has one that makes no network with the addresses that are asked for.
COMPOSE = Path(sys.prefix, "bin/podman-compose")
SETTINGS = """
[containers]
volumes = [{volumes}]
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[network]
network_backend = "netavark"
network_config_dir = "{folder}/networks"
[engine]
cgroup_manager = "cgroupfs"
"""
STORAGE = """
[storage]
driver = "overlay"
graphroot = "{folder}/images"
runroot = "{folder}/running"
"""
POLICY = '{"default": [{"type": "insecureAcceptAnything"}]}'
# crun takes no machine that has both kinds of control groups: in here there is only the older one.
ALONE = "umount -l /sys/fs/cgroup/unified 2>/dev/null; exec sleep infinity"


class Containers:
    """Storage, networks and mounts of its own, all under `folder`."""

    def __init__(self, folder: Path) -> None:
        missing = [name for name in NEEDED if shutil.which(name) is None]
        if not COMPOSE.exists():
            pytest.skip("pip install podman-compose")
        if missing or os.geteuid() != 0 or not Path("/usr/lib/podman/aardvark-dns").exists():
            pytest.skip("apt-get install podman netavark aardvark-dns buildah; as root")
        folder.mkdir(parents=True)
        self._folder = folder
        shared = ("/usr", str(ROOT), sys.prefix, sys.base_prefix)
        places = dict.fromkeys(place for place in shared if place == "/usr" or not place.startswith("/usr/"))
        volumes = ", ".join(f'"{place}:{place}:ro"' for place in places)
        (folder / "networks").mkdir()
        for name, text in (("containers", SETTINGS), ("storage", STORAGE), ("policy", POLICY)):
            filled = text if name == "policy" else text.format(folder=folder, volumes=volumes)
            (folder / name).write_text(filled)
        self._environment = {
            **os.environ,
            "CONTAINERS_CONF": str(folder / "containers"),
            "CONTAINERS_STORAGE_CONF": str(folder / "storage"),
        }
        self._room = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-c", ALONE])

    def end(self) -> None:
        self._room.terminate()
        self._room.wait()

    def run(self, *words: str, folder: Path = ROOT) -> str:
        """In the one room where the images are mounted."""
        inside = ["nsenter", "--mount", f"--target={self._room.pid}", f"--wd={folder}", *words]
        done = subprocess.run(inside, capture_output=True, text=True, check=False, env=self._environment)
        assert done.returncode == 0, (words, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout

    def image(self, name: str, recipe: str, files: Mapping[str, str] | None = None) -> None:
        """With these lines of a Dockerfile on a root that has /usr of this machine."""
        context = self._folder / "contexts" / name.replace("/", "-")
        root = context / "root"
        for place in ("etc", "tmp", "usr", "dev", "proc", "sys", "run", "var", "data", "deploy"):
            (root / place).mkdir(parents=True)
        (root / "tmp").chmod(0o1777)
        for place in ("bin", "sbin", "lib", "lib64"):
            (root / place).symlink_to(f"usr/{place}")
        for about in ("passwd", "group"):
            shutil.copy(f"/etc/{about}", root / "etc")
        with (root / "etc/passwd").open("a") as people:
            people.write("player:x:4711:4711::/tmp:/bin/sh\n")
        for path, text in (files or {}).items():
            (root / path).write_text(text)
            (root / path).chmod(0o755)
        path = f"{sys.prefix}/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        (context / "recipe").write_text(f"FROM scratch\nCOPY root /\nENV PATH={path}\n{recipe}\n")
        options = ["--format=docker", "--isolation=chroot", f"--signature-policy={self._folder / 'policy'}"]
        self.run("buildah", "bud", *options, f"--tag={name}", f"--file={context / 'recipe'}", str(context))
