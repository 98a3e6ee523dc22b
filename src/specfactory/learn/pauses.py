"""Pauses of learning: between small pieces of work, whoever runs it may slow it down or stop it.

Learning takes seconds of processor time beside other work. It calls ``pause`` at least every few
hundredths of a second; a worker sets what happens then for its own thread.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PAUSE: ContextVar[Callable[[], None] | None] = ContextVar("pause", default=None)


def pause() -> None:
    """Let others work; raises what stops the learning."""
    if (given := _PAUSE.get()) is not None:
        given()


@contextmanager
def pausing(given: Callable[[], None]) -> Iterator[None]:
    """Call ``given`` at every pause within."""
    token = _PAUSE.set(given)
    try:
        yield
    finally:
        _PAUSE.reset(token)
