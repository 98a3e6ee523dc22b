"""How the work on a hostile file grows with its size, in processor time of a child process."""

from __future__ import annotations

import gc
import json
import math
import os
import resource
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from operator import attrgetter
from typing import NamedTuple

from benchmarks.hostile_files import FILES, HostileFile
from benchmarks.hostile_growth import PAGES
from benchmarks.hostile_looks import FILE_LOOKS

SIZES = (50_000, 400_000, 1_600_000)
WORST_EXPONENT = 1.2
TURNS = 3  # of what looks bad
_LEAST_SECONDS = 0.15  # all looks at a file together: what takes less is no danger, and noise
_MOST_SECONDS = 120  # of one look; who takes them is ended
_MOST_BYTES = 4 * 2**30
_GOOD = b"<html><title>Acme Thing</title><body><h1>Acme Thing</h1><p>Weight: 10 g</p></body></html>"

GROWN: Mapping[str, HostileFile] = {
    **{name: HostileFile("html", make) for name, make in PAGES.items()},
    **FILES,
}
"""Every generator, with the kind of file that it makes."""


class Measured(NamedTuple):
    """All looks at one file of one size: processor seconds of each, and the most memory."""

    size: int
    seconds: Mapping[str, float]
    memory_mb: float

    @property
    def total(self) -> float:
        """Seconds of all looks."""
        return sum(self.seconds.values())


class Growth(NamedTuple):
    """The work on one hostile file as it grows."""

    name: str
    points: tuple[Measured, ...]

    @property
    def exponent(self) -> float:
        """The steepest step; work that nobody notices counts as if it took the least."""
        return max(map(_slope, self.points, self.points[1:]))

    @property
    def told(self) -> str:
        """The figures, for a person: the look that grows most is named."""
        times = ", ".join(f"{point.total:.2f} s" for point in self.points)
        last = self.points[-1]
        worst = max(last.seconds, key=last.seconds.__getitem__)
        return f"{self.name}: exponent {self.exponent:.2f}: {times}; most of it by {worst}"


_total = attrgetter("total")


def _slope(before: Measured, after: Measured) -> float:
    quick, slow = (max(one.total, _LEAST_SECONDS) for one in (before, after))
    return math.log(slow / quick) / math.log(after.size / before.size)


def grow(names: Iterable[str], sizes: tuple[int, ...] = SIZES) -> Iterator[Growth]:
    """Grow each of them; what looks bad is measured again before it is said."""
    warm_up()
    with ThreadPoolExecutor(os.cpu_count()) as turns:
        yield from turns.map(lambda name: _grown(name, sizes), names)


def warm_up() -> None:
    """Load what the looks need, so that no file is charged for it."""
    for look in FILE_LOOKS["html"].values():
        look(_GOOD)
    gc.collect()
    gc.freeze()


def _grown(name: str, sizes: tuple[int, ...]) -> Growth:
    growth = Growth(name, tuple(measure(GROWN[name], size) for size in sizes))
    for _ in range(TURNS - 1):
        if growth.exponent > WORST_EXPONENT:
            again = (measure(GROWN[name], size) for size in sizes)
            quicker = (min(pair, key=_total) for pair in zip(growth.points, again, strict=True))
            growth = Growth(name, tuple(quicker))
    return growth


def measure(file: HostileFile, size: int) -> Measured:
    """Look at a file of that size in a process of its own, which is ended where need be."""
    body = file.make(size)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            _look(file.kind, body, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        seconds = dict(json.loads(line) for line in lines)
    _, status, used = os.wait4(child, 0)
    if status:
        seconds["ended"] = float(_MOST_SECONDS)
    return Measured(size, seconds, used.ru_maxrss / 1024)


def _look(kind: str, body: bytes, writing: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_DATA, (_MOST_BYTES, _MOST_BYTES))
    for name, look in FILE_LOOKS[kind].items():
        began = time.process_time()
        with suppress(MemoryError, RecursionError):  # the limits of a reader hold, as in a worker
            look(body)
        took = time.process_time() - began
        os.write(writing, (json.dumps((name, took)) + "\n").encode())
