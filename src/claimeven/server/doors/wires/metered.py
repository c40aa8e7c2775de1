"""How long the loop works for a coroutine, however often it waits in between."""

import time
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any


@coroutine
def metered(work: Coroutine[Any, None, None], charge: Callable[[float], None]) -> Generator[Any, None, None]:
    """Run it; `charge` is told after every step what the step took of the thread's time."""
    step: Callable[[], Any] = partial(work.send, None)
    while True:
        began = time.thread_time()
        try:
            awaited = step()
        except StopIteration:
            return
        finally:
            charge(time.thread_time() - began)
        try:
            yield awaited
        except BaseException as error:  # to be cancelled is told to the work
            step = partial(work.throw, error)
        else:
            step = partial(work.send, None)
