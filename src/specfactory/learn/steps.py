"""Steps of learning whose results are kept: a learning that was stopped repeats none of them."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

from specfactory.store.base import pack, to_json, unpack

Result = TypeVar("Result")


class Steps(Protocol):
    """Results of earlier steps by their keys."""

    def get(self, key: str) -> bytes | None:
        """Find the result of a step."""

    def put(self, key: str, result: bytes) -> None:
        """Keep the result of a step."""


_STEPS: ContextVar[Steps | None] = ContextVar("steps", default=None)


def step(kind: type[Result], given: object, work: Callable[[], Result]) -> Result:
    """Do a step of learning, or take its result from a learning that was stopped.

    ``given`` is everything that the result depends on.
    """
    if (steps := _STEPS.get()) is None:
        return work()
    key = hashlib.sha256(to_json(given).encode()).hexdigest()
    if (known := steps.get(key)) is not None:
        return unpack(kind, known)
    result = work()
    steps.put(key, pack(result))
    return result


@contextmanager
def keeping(steps: Steps) -> Iterator[None]:
    """Keep the results of all steps within."""
    token = _STEPS.set(steps)
    try:
        yield
    finally:
        _STEPS.reset(token)
