"""Work that must not stop half-way, whoever cancels the task that waits for it."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

Result = TypeVar("Result")


async def to_the_end(work: Awaitable[Result]) -> Result:
    """Wait for the result; a cancellation is raised afterwards."""
    future = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait({future})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        future.exception()  # retrieved, so that asyncio does not log it
        raise cancelled
    return future.result()
