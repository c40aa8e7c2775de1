"""Whether games can be stored: whatever was stored just now proves it, else it is tried."""

import asyncio
import logging
import time
from collections.abc import Callable

PROOF_SECONDS = 1.0  # that it counts for when something was stored
PATIENCE_SECONDS = 5.0


class Readiness:
    """Strangers may ask: one trial serves all who ask meanwhile."""

    def __init__(self, attempt: Callable[[], "asyncio.Future[None]"]) -> None:
        self._attempt = attempt
        self._proved_at: float | None = None
        self._trial: asyncio.Future[None] | None = None

    def note(self) -> None:
        """Something was stored."""
        self._proved_at = time.monotonic()

    async def is_proved(self) -> bool:
        if self._proved_at is not None and time.monotonic() - self._proved_at < PROOF_SECONDS:
            return True
        if self._trial is None or self._trial.done():
            self._trial = self._attempt()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await asyncio.shield(self._trial)
        except TimeoutError:
            return False
        except Exception as error:
            logging.getLogger("claimeven.server").error("not stored", extra={"error": repr(error)})
            return False
        self.note()
        return True
