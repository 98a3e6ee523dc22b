"""Base classes of values and words, time and JSON as everything here writes them, and events."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, dataclass_transform

import msgspec
from msgspec import field
from msgspec.structs import replace

__all__ = [
    "Described", "Discreet", "Event", "Explained", "Frozen", "Instant", "Json", "defaults_of",
    "field", "iso_milliseconds", "iso_seconds", "replace",
]  # fmt: skip

Instant: TypeAlias = int
Json: TypeAlias = Any


def iso_seconds(at: Instant) -> str:
    """An instant as ISO 8601 in UTC: 2026-02-12T10:35:00Z."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_milliseconds(at: Instant) -> str:
    """An instant as ISO 8601 in UTC, exactly: 2026-02-12T10:35:00.000Z."""
    shown = datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds")
    return shown.removesuffix("+00:00") + "Z"


class _Fields:
    """The fields of a frozen class as ``dataclasses`` knows them, made on first use."""

    def __init__(self) -> None:
        self._known: dict[type[Frozen], dict[str, Any]] = {}

    def __get__(self, thing: object, kind: type[Frozen]) -> dict[str, Any]:
        if kind not in self._known:
            self._known[kind] = _as_dataclass(kind)
        return self._known[kind]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(msgspec.Struct, frozen=True):
    """A value that never changes, its fields declared as those of a frozen dataclass.

    It is made in C: a tenth of the time of a dataclass, which also writes and compiles source
    for every class that is loaded. Functions of ``dataclasses`` take it as one of theirs.
    """

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]
    else:
        __dataclass_fields__ = _Fields()


class Described:
    """A default with a description, which ``dataclasses`` show as metadata."""

    def __init__(self, default: Any, metadata: Mapping[str, Any]) -> None:
        self.default, self.metadata = default, metadata

    def __call__(self) -> Any:
        return self.default


class Discreet(Frozen):
    """A value whose ``hidden`` fields are never shown, because they may hold credentials."""

    hidden: ClassVar[tuple[str, ...]] = ()

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        shown = (name for name in self.__struct_fields__ if name not in self.hidden)
        return [(name, getattr(self, name)) for name in shown]

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.__rich_repr__())
        return f"{type(self).__name__}({shown})"


class Explained(StrEnum):
    """Words that are explained to people: each is declared with its text and its meaning."""

    meaning: str

    def __new__(cls, text: str, meaning: str = "") -> Self:
        word = str.__new__(cls, text)
        word._value_, word.meaning = text, meaning
        return word


def defaults_of(kind: type[Frozen]) -> dict[str, Any]:
    """The default of every field: a value, a ``factory`` that makes one, or NODEFAULT."""
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    needed = [msgspec.NODEFAULT] * (len(names) - len(defaults))
    return dict(zip(names, (*needed, *defaults), strict=True))


def _as_dataclass(kind: type[Frozen]) -> dict[str, dataclasses.Field[Any]]:
    """Let ``dataclasses`` itself make fields of the same names, types and defaults."""
    types: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        types |= vars(base).get("__annotations__", {})
    described = [(name, types[name], _field(given)) for name, given in defaults_of(kind).items()]
    made: Any = dataclasses.make_dataclass(
        kind.__name__, described, init=False, repr=False, eq=False, namespace={"__doc__": "Fields."}
    )
    fields: dict[str, dataclasses.Field[Any]] = made.__dataclass_fields__
    return fields


def _field(default: Any) -> Any:
    if default is msgspec.NODEFAULT:
        return dataclasses.field()
    factory = getattr(default, "factory", None)
    if isinstance(factory, Described):
        return dataclasses.field(default=factory.default, metadata=factory.metadata)
    if factory is not None:
        return dataclasses.field(default_factory=factory)
    return dataclasses.field(default=default)


class Event(Frozen):
    """Something that happened, named ``noun.past_verb``; declared in declared_events.py."""

    name: str
    at: Instant
    fields: Mapping[str, Json]
