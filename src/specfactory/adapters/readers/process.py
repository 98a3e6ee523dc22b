"""A reader: answers one question after the other, within limits that the system enforces.

Run as ``python -m specfactory.adapters.readers.process FD MEGABYTES``; ends when the other end
of its socket is closed.
"""

import contextlib
import gc
import os
import pickle
import resource
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from specfactory.adapters.readers.frames import (
    HEAD,
    Answer,
    Known,
    Question,
    pack_answer,
    pack_value,
)
from specfactory.model import Cause

_MEGABYTE = 2**20
_WORN_SHARE = 0.5  # of the memory allowed, above what it began with
_SMALL_PAGE = 100 * _MEGABYTE  # that a page of any size may take
_PER_BYTE = 60  # real pages take up to 50 bytes for each of theirs


def main() -> None:
    """Answer questions until nobody asks."""
    channel = socket.socket(fileno=int(sys.argv[1]))
    # Ctrl-C and a stop of the whole service reach readers too: the worker decides when they end.
    for ignored in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)
    began_with = _data_bytes()
    allowed = int(sys.argv[2]) * _MEGABYTE
    _limit(resource.RLIMIT_DATA, began_with + allowed)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, 0)  # it writes no files
    known: dict[str, Any] = {}
    while (packed := _receive(channel)) is not None:
        answer = _answer(packed, known)
        answer.is_worn = _data_bytes() - began_with > _WORN_SHARE * allowed
        try:
            channel.sendall(pack_answer(answer))
        except ConnectionError:  # the worker was killed meanwhile
            return


def _answer(packed: bytearray, known: dict[str, Any]) -> Answer:
    forgets: Sequence[str] = ()
    try:
        question: Question = pickle.loads(packed)  # noqa: S301  # asked by our own worker
        forgets = question.forgets
        _limit_to(question)
        known.update(question.learns)
        given = [_value(one, known) for one in question.given]
        return Answer(pack_value(question.work(*given)))
    except MemoryError:
        gc.collect()
        return Answer(exceeded=Cause.READER_MEMORY, is_worn=True)
    except RecursionError:
        return Answer(exceeded=Cause.READER_DEPTH)
    except Exception as problem:
        return Answer(problem=f"{type(problem).__name__}: {problem}"[:2_000])
    finally:
        for key in forgets:
            known.pop(key, None)


def _limit_to(question: Question) -> None:
    """Limit what this question may take."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu_seconds = int(used.ru_utime + used.ru_stime + question.cpu_seconds) + 1
    _limit(resource.RLIMIT_CPU, cpu_seconds, soft=True)  # SIGXCPU ends it
    # What a page may take grows with its size, so that several small ones cannot fill the machine.
    _limit(resource.RLIMIT_DATA, _data_bytes() + _SMALL_PAGE + _PER_BYTE * question.size, soft=True)


def _value(one: Any, known: Mapping[str, Any]) -> Any:
    return known[one.key] if isinstance(one, Known) else one


def _receive(channel: socket.socket) -> bytearray | None:
    head = _exactly(channel, HEAD.size)
    return None if head is None else _exactly(channel, HEAD.unpack(head)[0])


def _exactly(channel: socket.socket, size: int) -> bytearray | None:
    """That many bytes; None when nobody asks any more."""
    packed = bytearray(size)
    view, got = memoryview(packed), 0
    while got < size:
        with contextlib.suppress(ConnectionError):
            if count := channel.recv_into(view[got:]):
                got += count
                continue
        return None
    return packed


def _limit(what: int, value: int, *, soft: bool = False) -> None:
    hard = resource.getrlimit(what)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    with contextlib.suppress(ValueError, OSError):  # the operator's own limit is stricter
        resource.setrlimit(what, (value, hard if soft else value))


def _data_bytes() -> int:
    """Bytes of private memory, as RLIMIT_DATA counts them; 0 where the system does not say."""
    try:
        pages = Path("/proc/self/statm").read_bytes().split()[5]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    main()
