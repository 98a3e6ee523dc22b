"""Lines of a log that is still being written, and may be rotated meanwhile."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

BLOCK = 65_536
LOOK_SECONDS = 0.2


def last_lines(file: Path, count: int) -> list[str]:
    """Read the last lines; only as much of the file as they need."""
    if count <= 0 or not file.exists():
        return []
    with file.open("rb") as log:
        place, found = log.seek(0, os.SEEK_END), b""
        while place > 0 and found.count(b"\n") <= count:
            step = min(BLOCK, place)
            place -= step
            log.seek(place)
            found = log.read(step) + found
    return found.decode("utf-8", "replace").splitlines()[-count:]


def new_lines(file: Path) -> Iterator[str]:
    """Lines that are written from this call on, for ever; a new file in its place is taken up."""
    log = file.open("rb") if file.exists() else None
    if log is not None:
        log.seek(0, os.SEEK_END)  # now, not when the first line is asked for
    return _followed(file, log)


def _followed(file: Path, log: BinaryIO | None) -> Iterator[str]:
    rest = b""
    while True:
        if log is not None:
            *lines, rest = (rest + log.read()).split(b"\n")
            yield from (line.decode("utf-8", "replace") for line in lines)
        try:
            found = file.stat()
            is_new = log is None or not os.path.samestat(os.fstat(log.fileno()), found)
        except FileNotFoundError:  # between two files
            is_new = False
        if not is_new:
            time.sleep(LOOK_SECONDS)
            continue
        if log is not None:
            log.close()
        log, rest = file.open("rb"), b""
