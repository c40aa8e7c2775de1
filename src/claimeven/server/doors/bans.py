"""Who broke limits, in the log; and whom the operator does not let in any more."""

import ipaddress
import logging
import time
from collections import OrderedDict
from pathlib import Path

from claimeven.errors import InputError
from claimeven.notation import quote
from claimeven.server.doors.addresses import counted

LOOK_SECONDS = 1.0  # between two looks whether the file has changed
BLAME_SECONDS = 60.0  # between two lines about one address
MAX_BLAMED = 1_000  # addresses in that time: strangers must not fill the log
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_log = logging.getLogger("claimeven.server")


class Bans:
    """A file with an address or a network on each line, `#` before remarks; read again when it changes."""

    def __init__(self, file: Path | None = None) -> None:
        """InputError if the file cannot be read; later the server goes on with what it knew."""
        self._file = file
        self._networks: list[Network] = []
        self._changed: float | None = None
        self._next_look = 0.0
        if file is not None:
            self._read(file)

    def __contains__(self, address: str) -> bool:
        if self._file is None:
            return False
        self._look(self._file)
        try:
            visitor = ipaddress.ip_network(counted(address))
        except ValueError:
            return False
        return any(
            network.version == visitor.version and network.overlaps(visitor) for network in self._networks
        )

    def _look(self, file: Path) -> None:
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        try:
            self._read(file)
        except InputError as error:
            _log.error("the old bans stay", extra={"error": str(error)})

    def _read(self, file: Path) -> None:
        try:
            changed = file.stat().st_mtime
            if changed == self._changed:
                return
            self._changed = changed
            lines = file.read_text().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError("option.bans", file=file, reason=str(error)) from None
        words = [line.partition("#")[0].strip() for line in lines]
        try:
            self._networks = [ipaddress.ip_network(word, strict=False) for word in words if word]
        except ValueError as error:
            raise InputError("option.bans", file=file, reason=quote(str(error))) from None
        _log.info("bans read", extra={"count": len(self._networks)})


class Blame:
    """A line in the log about each address that broke a limit, now and then."""

    def __init__(self) -> None:
        self._told: OrderedDict[str, float] = OrderedDict()

    def __call__(self, address: str, limit: str) -> None:
        now = time.monotonic()
        while self._told and next(iter(self._told.values())) < now - BLAME_SECONDS:
            self._told.popitem(last=False)
        if address not in self._told and len(self._told) < MAX_BLAMED:
            self._told[address] = now
            _log.warning("over a limit", extra={"address": address, "limit": limit})
