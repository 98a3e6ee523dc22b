"""Values of the model to bytes and back.

JSON by the names of the fields, so that values stored under an older model can still be read:
a missing field takes its default, a removed one is ignored. A ``Value`` is recognised by its
JSON form: an object is ``Money``, an array a tuple, 54 an int, 54.0 a float.
"""

from __future__ import annotations

import dataclasses
import json
import threading
import types
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
import zstandard

from specfactory.errors import StoreError
from specfactory.model import Json, Money

Thing = TypeVar("Thing")
Convert = Callable[[Any], Any]

LEVEL = 3


class _Value:
    """Stand-in for ``Value`` in type hints: its own alias refers to itself."""


def to_json(thing: Any) -> str:
    """Any value of the model as JSON text."""
    return _json(thing).decode()


def _json(thing: Any) -> bytes:
    try:
        return msgspec.json.encode(thing, enc_hook=_plain)
    except UnicodeEncodeError:  # half a surrogate pair, out of some page's escapes
        return json.dumps(msgspec.to_builtins(thing, enc_hook=_plain)).encode()


def from_json(text: str | bytes) -> Json:
    """JSON text as plain values."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return json.loads(text)


def pack(thing: Any) -> bytes:
    """Any value of the model as compressed JSON."""
    return compress(_json(thing))


def unpack(kind: type[Thing], packed: bytes) -> Thing:
    """Build a value of the model from its packed form."""
    return build(kind, from_json(decompress(packed)))


def like_pattern(word: str) -> str:
    """The LIKE pattern of texts that contain a word; ``!`` is the escape character."""
    for special in "!%_":
        word = word.replace(special, "!" + special)
    return f"%{word}%"


class _Compressors(threading.local):
    """One compressor a thread: making one takes as long as compressing a short text."""

    def __init__(self) -> None:
        self.own = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)


_COMPRESSORS = _Compressors()


def compress(body: bytes) -> bytes:
    """Compress bytes for storage."""
    return _COMPRESSORS.own.compress(body)


def decompress(packed: bytes) -> bytes:
    """Restore stored bytes."""
    try:
        return zstandard.ZstdDecompressor().decompress(packed)
    except zstandard.ZstdError as error:
        raise StoreError(f"stored bytes are damaged: {error}") from error


def build(kind: type[Thing], plain: Json) -> Thing:
    """Build a value of the model from plain values, which are consumed."""
    try:
        built: Thing = _builder(kind)(plain)  # type: ignore[arg-type]  # a class is hashable
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(f"stored {kind.__name__} cannot be read: {error!r}") from error
    return built


def _plain(thing: Any) -> Any:
    if isinstance(thing, Mapping):
        return dict(thing)
    raise NotImplementedError(type(thing).__name__)


@cache
def _builder(kind: Any) -> Convert:
    hints = get_type_hints(kind, localns={"Value": _Value})
    names = {item.name for item in dataclasses.fields(kind)}
    steps = [(name, convert) for name in names if (convert := _converter(hints[name]))]

    def construct(plain: dict[str, Any]) -> Any:
        for name, convert in steps:
            if (found := plain.get(name)) is not None:
                plain[name] = convert(found)
        if not plain.keys() <= names:
            plain = {name: plain[name] for name in names & plain.keys()}
        return kind(**plain)

    return construct


def _converter(hint: Any) -> Convert | None:
    """The converter from plain values to a type; None when there is nothing to convert."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        kinds = [kind for kind in inner if kind is not type(None)]
        return _converter(kinds[0]) if len(kinds) == 1 else None
    if hint is _Value:
        return _value
    if origin is tuple:
        item = _converter(inner[0])
        return tuple if item is None else lambda plain: tuple(map(item, plain))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key = _converter(inner[0])
        value = _converter(inner[1])
        if key is None and value is None:
            return None
        keys, values = key or _same, value or _same
        return lambda plain: {keys(k): values(v) for k, v in plain.items()}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint._value2member_map_.__getitem__
    if dataclasses.is_dataclass(hint):
        return _builder(hint)  # type: ignore[arg-type]
    return None


def _same(plain: Any) -> Any:
    return plain


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(map(_value, plain))
    return Money(**plain) if isinstance(plain, dict) else plain
