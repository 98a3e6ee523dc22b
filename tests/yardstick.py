"""A measure of work that means the same on every machine, however busy: the yard."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

COUNT = 1_000_000


def yard() -> float:
    """The processor time of counting to a million, here and now: the quickest of three turns."""
    turns = []
    for _ in range(3):
        began, count = time.process_time(), 0
        while count < COUNT:
            count += 1
        turns.append(time.process_time() - began)
    return min(turns)


@contextmanager
def within(yards: float) -> Iterator[None]:
    """Whatever is done inside takes no more work than so many yards."""
    began = time.process_time()
    yield
    took = time.process_time() - began
    assert took <= yards * yard(), f"{took / yard():.1f} yards, not {yards}"
