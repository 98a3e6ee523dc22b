"""What goes between a worker and its readers: frames of known length, over a socket pair.

Questions are pickled, because they come from us. Answers are JSON of a known type: a reader that
a hostile page has taken over can lie about the page, but runs nothing in the worker.
"""

import pickle
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple, get_type_hints

import msgspec

from specfactory.errors import StoreError, Unreadable
from specfactory.model import Cause
from specfactory.store.base import build, from_json, to_json

HEAD = struct.Struct("<Q")
MAX_ANSWER = 8 * 2**20  # bytes; they are decoded on the event loop


class Known(NamedTuple):
    """Stands for a value that the reader has been given before."""

    key: str


class Question(NamedTuple):
    """One function to call, and what the reader has to know before and may forget after it."""

    work: Callable[..., Any]
    given: tuple[Any, ...]
    learns: Mapping[str, Any]
    forgets: Sequence[str]
    cpu_seconds: float
    size: int  # of the bytes that are read


class Answer(msgspec.Struct):
    """What came of it: a value, or why there is none."""

    value: msgspec.Raw = msgspec.Raw(b"null")
    exceeded: Cause = Cause.NONE
    problem: str = ""  # an error in the work itself
    is_worn: bool = False  # it holds much memory: replace it


def check_size(size: int) -> None:
    """Refuse an answer that would take long to decode."""
    if size > MAX_ANSWER:
        raise Unreadable(Cause.READER_MEMORY, f"what it says takes {size} bytes")


def pack_question(question: Question) -> bytes:
    """A question as a frame."""
    packed = pickle.dumps(question, pickle.HIGHEST_PROTOCOL)
    return HEAD.pack(len(packed)) + packed


def pack_answer(answer: Answer) -> bytes:
    """An answer as a frame."""
    packed = msgspec.json.encode(answer)
    return HEAD.pack(len(packed)) + packed


def pack_value(value: Any) -> msgspec.Raw:
    """A value of the model inside an answer."""
    return msgspec.Raw(to_json(value).encode())


def read_answer(packed: bytes) -> Answer:
    """The answer in a frame; raises ValueError for anything else."""
    return msgspec.json.decode(packed, type=Answer)


def read_value(work: Callable[..., Any], answer: Answer) -> Any:
    """The value of an answer, in the type that the work declares; None where it has none."""
    if answer.exceeded or answer.problem:
        return None
    kind = _result_of(work)
    try:
        return build(kind, from_json(bytes(answer.value)))
    except StoreError as error:
        raise ValueError(f"a reader gave no {kind}: {error}") from error


@lru_cache(maxsize=256)
def _result_of(work: Callable[..., Any]) -> Any:
    # Only the result: other annotations may name what is never loaded here.
    declared = SimpleNamespace(__annotations__={"return": work.__annotations__["return"]})
    return get_type_hints(declared, work.__globals__)["return"]
