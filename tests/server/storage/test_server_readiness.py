"""`/api/ready` tells the truth, and strangers who ask it do not keep the disk busy."""

import asyncio
import contextlib

import pytest

from claimeven.server.storage import readiness
from claimeven.server.storage.readiness import Readiness


class Disk:
    def __init__(self) -> None:
        self.writes: list[asyncio.Future[None]] = []

    def write(self) -> "asyncio.Future[None]":
        self.writes.append(asyncio.get_running_loop().create_future())
        return self.writes[-1]


def test_one_trial_serves_all_who_ask() -> None:
    async def ask() -> None:
        disk = Disk()
        ready = Readiness(disk.write)
        asked = [asyncio.create_task(ready.is_proved()) for _ in range(50)]
        await asyncio.sleep(0)
        (trial,) = disk.writes
        trial.set_result(None)
        assert all(await asyncio.gather(*asked))
        assert await ready.is_proved()  # by the trial of just now
        assert len(disk.writes) == 1

    asyncio.run(ask())


def test_what_was_stored_proves_it_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        disk = Disk()
        ready = Readiness(disk.write)
        ready.note()
        assert await ready.is_proved()
        assert not disk.writes
        monkeypatch.setattr(readiness, "PROOF_SECONDS", 0.0)
        monkeypatch.setattr(readiness, "PATIENCE_SECONDS", 0.05)
        assert not await ready.is_proved()  # the disk does not answer,
        assert not await ready.is_proved()
        assert len(disk.writes) == 1  # and is not asked again meanwhile
        disk.writes[0].set_exception(OSError("full"))
        with contextlib.suppress(OSError):
            await disk.writes[0]
        again = asyncio.create_task(ready.is_proved())
        await asyncio.sleep(0)
        disk.writes[1].set_exception(OSError("full"))
        assert not await again

    asyncio.run(ask())
