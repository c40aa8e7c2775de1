"""The folder of a run: what it computes, and the results of the shards that are finished.

`run.json` says what is computed. `000017.jsonl` has the results of shard 17, one JSON value per line. Files
appear whole or not at all, so whatever ends a run, what is there can be used.
"""

import json
import os
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from claimeven.errors import InputError
from claimeven.runner.lock import lock
from claimeven.runner.shard import Shard

MANIFEST = "run.json"
LOCK = "lock"
About = Mapping[str, Any]  # what is computed: the caller's own parameters among it, as JSON has them


class Folder:
    """A folder in use by this run and no other; a context manager."""

    def __init__(self, path: Path, about: About) -> None:
        self.path = path
        self._about = {"format": 1, **about}
        self._lock = -1

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True, exist_ok=True)
        manifest = self.path / MANIFEST
        if not manifest.exists() and any(name != LOCK for name in os.listdir(self.path)):
            raise InputError("run.other_folder", path=self.path)
        # Held by the process, not by the file: it goes when the process ends, however it ends.
        self._lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                lock(self._lock)
            except BlockingIOError:
                raise InputError("run.busy", path=self.path) from None
            if manifest.exists():
                self._check(manifest)
            else:
                write_whole(manifest, json.dumps(self._about, indent=1).encode())
        except BaseException:
            os.close(self._lock)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._lock)

    def _check(self, manifest: Path) -> None:
        wanted = _values(json.loads(json.dumps(self._about)))
        try:
            found = _values(json.loads(manifest.read_bytes()))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise InputError("file.damaged", path=manifest) from None
        for where in wanted | found:
            there, here = json.dumps(found.get(where)), json.dumps(wanted.get(where))
            if there != here:
                raise InputError("run.another", path=self.path, name=where[-1], there=there, here=here)

    def read(self, shard: Shard) -> list[Any] | None:
        """The results of a finished shard."""
        path = self._file(shard)
        try:
            results = [json.loads(line) for line in path.read_bytes().splitlines()]
        except FileNotFoundError:
            return None
        except ValueError:
            results = []
        if len(results) != len(shard.items):
            raise InputError("run.shard_damaged", path=path)
        return results

    def write(self, shard: Shard, results: list[Any]) -> None:
        lines = [json.dumps(result) for result in results]
        if [json.loads(line) for line in lines] != results:
            raise TypeError(f"a result is no JSON value: {results!r:.200}")
        write_whole(self._file(shard), "".join(f"{line}\n" for line in lines).encode())

    def _file(self, shard: Shard) -> Path:
        return self.path / f"{shard.number:06}.jsonl"


def _values(about: About) -> dict[tuple[str, ...], Any]:
    """Every value by where it stands."""
    values = {("parameters", name): value for name, value in about["parameters"].items()}
    return values | {(name,): value for name, value in about.items() if name != "parameters"}


def unpacked(packed: bytes, most: int) -> bytes:
    """What zlib has packed, at most so many bytes: a small file may hold a very large one.

    ValueError for what is longer, cut off, or was never packed.

    >>> len(unpacked(zlib.compress(bytes(1000)), 1000))
    1000
    >>> unpacked(zlib.compress(bytes(1000)), 999)
    Traceback (most recent call last):
    ValueError: more than 999 bytes, or cut off
    """
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(packed, most + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if len(found) > most or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"more than {most} bytes, or cut off")
    return found


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that, even after a power cut, it is there whole or as it was before."""
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    if sys.platform == "win32":  # it opens no folders
        return
    folder = os.open(path.parent, os.O_RDONLY)  # a rename is durable once the folder is
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
