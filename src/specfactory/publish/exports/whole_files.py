"""Files that are written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from specfactory.errors import StorageFull
from specfactory.private_files import replacing


@contextmanager
def opened(out: Path | TextIO) -> Iterator[TextIO]:
    """Open for writing: a file is replaced when all is written, and untouched after a failure."""
    if not isinstance(out, Path):
        with complaints(getattr(out, "name", "the output")):
            yield out
            out.flush()
        return
    with complaints(str(out)):
        if out.exists() and not out.is_file():  # a device or a pipe is written, not replaced
            with out.open("w", encoding="utf-8", newline="") as file:
                yield file
            return
        with replacing_file(out) as part, part.open("w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def replacing_file(out: Path) -> Iterator[Path]:
    """A file beside this one, or beside what it is a link to, which it replaces when written."""
    out = out.resolve()
    out.parent.mkdir(parents=True, exist_ok=True)
    with replacing(out) as part:
        yield part


@contextmanager
def complaints(place: str) -> Iterator[None]:
    """Name the place that cannot be written."""
    try:
        yield
    except BrokenPipeError:  # the reader has seen enough
        raise
    except OSError as error:
        raise StorageFull(place, error.strerror or str(error)) from error
