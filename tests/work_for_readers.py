"""What the tests of readers let them do: ordinary work, and work that has to be ended."""

import asyncio
import os
import signal
import time
from pathlib import Path

from specfactory.adapters.readers import ReaderPool
from specfactory.model import Frozen
from specfactory.settings import ReaderSettings


class Counted(Frozen):
    """Something that is said of a page."""

    letters: int
    process: int


class Worse(Frozen):
    """Something else."""

    words: tuple[str, ...]


def count(body: bytes) -> Counted:
    return Counted(len(body), os.getpid())


def lie(_body: bytes) -> Counted:
    return Worse(("not", "what", "was", "declared"))  # type: ignore[return-value]


def say_much(_body: bytes) -> str:
    return "x" * 20_000_000


def fill_memory(_body: bytes) -> int:
    return len([bytearray(2**20) for _ in range(10_000)])


def spin(_body: bytes) -> int:
    number = 0
    while True:
        number += 1


def wait(_body: bytes) -> int:
    time.sleep(600)
    return 0


def die(_body: bytes) -> int:
    os.kill(os.getpid(), signal.SIGSEGV)
    return 0


def nest(_body: bytes) -> int:
    def deeper(level: int) -> int:
        return deeper(level + 1)

    return deeper(0)


def fail(_body: bytes) -> int:
    raise ValueError("a bug of ours")


class Unloadable:
    """Something that can be sent and not be received."""

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return int, ("no number",)


def environment(_body: bytes) -> tuple[str, ...]:
    return tuple(os.environ)


def write_file(place: str) -> str:
    try:
        Path(place).write_bytes(b"something")
    except OSError:
        return "refused"
    return "written"


def ignore_signals(_body: bytes) -> str:
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGINT)
    return "alive"


async def be_a_worker() -> None:
    """Print the process of an idle reader, and wait to be killed."""
    pool = ReaderPool(ReaderSettings())
    print((await pool.run(count, b"")).process, flush=True)
    await asyncio.sleep(600)
