"""Values of the model to bytes and back.

JSON by the names of the fields, so that values stored under an older model can still be read:
a missing field takes its default, a removed one is ignored. A ``Value`` is recognised by its
JSON form: an object is ``Money``, an array a tuple, 54 an int, 54.0 a float.
"""

import hashlib
import json
import threading
from collections import deque
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
import zstandard

from specfactory.errors import StoreError
from specfactory.model import Json, Money

Thing = TypeVar("Thing")

LEVEL = 3
_LATEST = deque[tuple[bytes, str]](maxlen=32)
_SMALL = 300_000  # bytes: larger bodies are not kept in memory for this


def to_json(thing: Any) -> str:
    """Any value of the model as JSON text."""
    return _json(thing).decode()


def _json(thing: Any) -> bytes:
    try:
        return msgspec.json.encode(thing, enc_hook=_plain)
    except UnicodeEncodeError:  # half a surrogate pair, out of some page's escapes
        return json.dumps(msgspec.to_builtins(thing, enc_hook=_plain)).encode()


def _plain(thing: Any) -> Any:
    if isinstance(thing, Mapping):
        return dict(thing)
    raise NotImplementedError(type(thing).__name__)


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


def build(kind: type[Thing], plain: Json) -> Thing:
    """Build a value of the model from plain values; 0 and 1 are truth values, too."""
    try:
        return msgspec.convert(plain, kind, strict=False, dec_hook=_value)
    except msgspec.ValidationError as error:
        raise StoreError(f"stored {kind.__name__} cannot be read: {error}") from error


def _value(_kind: type, plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(_kind, each) for each in plain)
    return Money(**plain) if isinstance(plain, dict) else plain


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


def body_hash(body: bytes) -> str:
    """Hash of stored bytes, in hex; "" where there are none.

    A page is hashed when it is fetched and checked when it is stored, a moment later: the latest
    bodies are known by identity, because a second hash takes a fortieth of a crawl.
    """
    if not body:
        return ""
    for known, digest in tuple(_LATEST):  # threads may add to it meanwhile
        if known is body:
            return digest
    digest = hashlib.sha256(body).hexdigest()
    if len(body) <= _SMALL:
        _LATEST.appendleft((body, digest))
    return digest


def compress(body: bytes) -> bytes:
    """Compress bytes for storage."""
    return _COMPRESSORS.own.compress(body)


def decompress(packed: bytes) -> bytes:
    """Restore stored bytes."""
    try:
        return zstandard.ZstdDecompressor().decompress(packed)
    except zstandard.ZstdError as error:
        raise StoreError(f"stored bytes are damaged: {error}") from error
