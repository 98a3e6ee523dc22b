"""Runs a command's work: in one place, light to load, for commands and benchmarks alike."""

import asyncio
import atexit
import contextlib
import gc
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

# A page is read into thousands of small objects that die together; looking through them every
# 700 objects, as Python does, takes a tenth of the time to read it.
_GARBAGE = (100_000, 20, 50)


def perform(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a command's work to its end."""
    gc.set_threshold(*_GARBAGE)
    # At exit Python searches all that was ever loaded for garbage, several times: a tenth of a
    # second a command, for memory that is given back anyway.
    atexit.unregister(_freeze)
    atexit.register(_freeze)
    return asyncio.run(work)


async def cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task, and wait until it is over; what it failed of before is raised."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def _freeze() -> None:
    # duckdb counts at the end what was not given back, and prints it.
    if "duckdb" not in sys.modules:
        gc.freeze()
