"""Thrift's compact protocol, in which Parquet writes what it says of its data.

A field is its number, its type and its bytes; a struct is the bytes of its fields.
"""

from collections.abc import Sequence

I32, I64, BINARY, LIST, STRUCT = 5, 6, 8, 9, 12

Field = tuple[int, int, bytes]


def varint(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first."""
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    made.append(number)
    return bytes(made)


def plain_text(text: str) -> bytes:
    """A text after its length."""
    encoded = text.encode("utf-8", "replace")
    return varint(len(encoded)) + encoded


def number(place: int, value: int, kind: int = I32) -> Field:
    """A whole number that is not negative."""
    return place, kind, varint(value << 1)


def text(place: int, value: str) -> Field:
    """A text."""
    return place, BINARY, plain_text(value)


def struct(place: int, value: bytes) -> Field:
    """A struct inside another."""
    return place, STRUCT, value


def several(place: int, kind: int, items: Sequence[bytes]) -> Field:
    """A list of items of one type."""
    return place, LIST, list_head(kind, len(items)) + b"".join(items)


def list_head(kind: int, count: int) -> bytes:
    """The beginning of a list, before its items."""
    return bytes([count << 4 | kind]) if count < 15 else bytes([0xF0 | kind]) + varint(count)


def fields(*given: Field, before: int = 0) -> bytes:
    """Fields in the order of their numbers, after the one with the number ``before``."""
    made = b""
    for place, kind, value in given:
        made += bytes([place - before << 4 | kind]) + value
        before = place
    return made


def struct_of(*given: Field) -> bytes:
    """A struct of these fields."""
    return fields(*given) + b"\0"
