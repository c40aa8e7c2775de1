"""The disk under PostgreSQL, full or slow, and its wall clock: a library preloaded into it (drive.c)."""

import shutil
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from faults.disk import build
from kit.databases import place

FULL, REFUSED, SLOW, CLOCK = 0, 4, 8, 12  # places in the control file


class Drive:
    """Everything below the folder where tests have their databases."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="c4-drive-", dir="/tmp"))
        self._folder.chmod(0o755)  # PostgreSQL has an account of its own
        self._control = self._folder / "control"
        self._control.write_bytes(bytes(16))
        self._control.chmod(0o666)
        build(Path(__file__).with_suffix(".c"), self._folder / "drive.so")

    def __enter__(self) -> "Drive":
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a PostgreSQL on it."""
        return {
            "LD_PRELOAD": str(self._folder / "drive.so"),
            "FAULTY_DRIVE": str(place()),
            "FAULTY_DRIVE_CONTROL": str(self._control),
        }

    @property
    def refused(self) -> int:
        """Writes for which there was no room."""
        return int(struct.unpack_from("i", self._control.read_bytes(), REFUSED)[0])

    @contextmanager
    def full(self) -> Iterator[None]:
        """No file becomes longer."""
        with self._set(FULL, 1):
            yield

    @contextmanager
    def slow(self, seconds: float) -> Iterator[None]:
        """Every sync takes so long."""
        with self._set(SLOW, round(seconds * 1000)):
            yield

    def set_clock(self, ahead: int) -> None:
        """Seconds from the true one. What measures how long something takes does not change."""
        self._put(CLOCK, ahead)

    @contextmanager
    def _set(self, place: int, value: int) -> Iterator[None]:
        self._put(place, value)
        try:
            yield
        finally:
            self._put(place, 0)

    def _put(self, place: int, value: int) -> None:
        with self._control.open("r+b") as control:
            control.seek(place)
            control.write(struct.pack("i", value))
