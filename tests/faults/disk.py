"""A disk that forgets what was not synced: a library preloaded into the server (disk.c), and what a power cut
leaves of its files. SIGKILL alone proves nothing about a disk: the page cache outlives the process."""

import os
import random
import shutil
import struct
import subprocess
from enum import IntEnum
from pathlib import Path

SECTOR = 512
NOT_KEPT = ("-shm", "-server")  # made anew at each start


class Mode(IntEnum):
    """What a sync does."""

    HONEST = 0
    LYING = 1  # nothing, and says it did
    FAILING = 2  # an error, and what was written is never written again
    STALLING = 3  # nothing until the mode is another


def build(source: Path, library: Path) -> None:
    """What can be preloaded into a process."""
    compiler = [os.environ.get("CC", "cc"), "-O1", "-Wall", "-Werror", "-shared", "-fPIC"]
    subprocess.run([*compiler, "-o", library, source], check=True)


class Disk:
    """Under the files in a folder of its own, `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "disk"
        self._durable = folder / "durable"
        self._control = folder / "control"
        self._library = folder / "disk.so"
        self.folder.mkdir()
        self._durable.mkdir()
        self._control.write_bytes(bytes(16))
        build(Path(__file__).with_suffix(".c"), self._library)

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a server on this disk."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAULTY_FOLDER": str(self.folder),
            "FAULTY_DURABLE": str(self._durable),
            "FAULTY_CONTROL": str(self._control),
        }

    def behave(self, mode: Mode) -> None:
        self._set(0, "i", mode)

    def set_clock(self, seconds: int) -> None:
        """By so much the wall clock is wrong."""
        self._set(8, "q", seconds)

    def _set(self, place: int, form: str, value: int) -> None:
        with self._control.open("r+b") as control:
            control.seek(place)
            control.write(struct.pack(form, value))

    @property
    def syncs(self) -> int:
        syncs: int = struct.unpack_from("i", self._control.read_bytes(), 4)[0]
        return syncs

    def adopt(self, file: Path) -> None:
        """A file that was there before: all of it is on the disk."""
        shutil.copyfile(file, self._durable / file.name)

    def cut_power(self, rng: random.Random, *, tears: bool) -> int:
        """After a kill: forget what was not synced; with `tears` any sectors of it may have come through. How
        many sectors were not synced."""
        unsynced = 0
        for file in sorted(self.folder.iterdir()):
            kept = self._durable / file.name
            if file.suffix == ".log":  # of the server, not its own
                continue
            if file.name.endswith(NOT_KEPT):
                file.unlink()
                continue
            cached, found = file.read_bytes(), kept.read_bytes() if kept.exists() else b""
            left, differ = _torn(cached, found, rng if tears else None)
            unsynced += differ
            if left:
                file.write_bytes(left)
                shutil.copyfile(file, kept)
            else:
                file.unlink()
                kept.unlink(missing_ok=True)
        return unsynced


def _torn(cached: bytes, kept: bytes, rng: random.Random | None) -> tuple[bytes, int]:
    """Of each sector that differs, either version; and how many differ."""
    size = max(len(cached), len(kept))
    differing = [at for at in range(0, size, SECTOR) if cached[at : at + SECTOR] != kept[at : at + SECTOR]]
    if rng is None or not differing:
        return kept, len(differing)
    left = bytearray(kept)
    longest = rng.choice((len(cached), len(kept)))
    left[longest:] = bytes(max(0, longest - len(kept)))
    chance = rng.random()
    for at in differing:
        if rng.random() < chance and at < longest:
            left[at : at + SECTOR] = cached[at : at + SECTOR]
    return bytes(left[:longest]), len(differing)
