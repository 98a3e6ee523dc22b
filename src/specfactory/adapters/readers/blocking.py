"""A reader for callers without an event loop: the library."""

import atexit
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from specfactory.adapters.readers.frames import HEAD, check_size, read_answer, read_value
from specfactory.adapters.readers.started import StartedReader, ended_by, exceeded_by
from specfactory.errors import ReaderFailed, Unreadable
from specfactory.model import Cause
from specfactory.settings import ReaderSettings

Result = TypeVar("Result")

_LOCK = threading.Lock()
_IDLE: list[StartedReader] = []


def read_within(
    seconds: float, settings: ReaderSettings, work: Callable[..., Result], *given: Any
) -> Result:
    """Run a function on fetched bytes in a reader; raises Unreadable when it runs over."""
    with _LOCK:
        reader = _IDLE.pop() if _IDLE else StartedReader(settings)
    is_good = False
    try:
        answer = read_answer(_ask(reader, seconds, work, given))
        result: Result = read_value(work, answer)
        is_good = not answer.is_worn
    except TimeoutError:
        raise Unreadable(Cause.READER_TIME, f"not read within {seconds:g} s") from None
    except (OSError, EOFError):
        raise ended_by(reader.end_at_once(), settings) from None
    except ValueError as problem:
        raise Unreadable(Cause.READER_DIED, str(problem)) from None
    finally:
        if is_good:
            _IDLE.append(reader)
        else:
            reader.end_at_once()
    if answer.exceeded:
        raise exceeded_by(answer.exceeded, settings)
    if answer.problem:
        raise ReaderFailed(answer.problem)
    return result


def _ask(
    reader: StartedReader, seconds: float, work: Callable[..., Any], given: tuple[Any, ...]
) -> bytes:
    reader.socket.settimeout(seconds + reader.patience(work))
    reader.socket.sendall(reader.question(work, given))
    size = HEAD.unpack(_exactly(reader, HEAD.size))[0]
    check_size(size)
    return _exactly(reader, size)


def _exactly(reader: StartedReader, size: int) -> bytes:
    packed = bytearray()
    while len(packed) < size:
        chunk = reader.socket.recv(min(size - len(packed), 2**20))
        if not chunk:
            raise EOFError
        packed += chunk
    return bytes(packed)


@atexit.register
def _end_all() -> None:
    while _IDLE:
        _IDLE.pop().end_at_once()
