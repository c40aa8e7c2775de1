"""Waiting for what another thread does."""

import asyncio
from typing import TypeVar

Value = TypeVar("Value")


def settle(future: "asyncio.Future[Value]", value: Value, error: BaseException | None = None) -> None:
    """End a future, unless whoever waited for it is gone."""
    if future.done():
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)
