"""Columns of exported tables: named with their unit, described for people."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from specfactory.model import Field, FieldType, Frozen
from specfactory.publish.exports.json_forms import unit_of

DESCRIPTION = ("name", "type", "unit", "meaning")

MONEY = "money"  # in place of a unit: an amount and its currency have a column each
_SIGNS = {"%": " percent ", "‰": " permille ", "°": "deg", "µ": "u", "μ": "u", "Ω": "ohm",
          "²": "2", "³": "3", "/": " per ", '"': " in ", "″": " in ", "′": " ft ", "'": " ft ",
          "€": " EUR ", "$": " USD ", "£": " GBP "}  # fmt: skip
_MOST_NAMED = 12  # allowed values in a description
_LARGEST = 2**63  # beyond it a whole number fits no column of numbers


class Column(Frozen):
    """One column of a table."""

    name: str
    kind: FieldType
    meaning: str
    unit: str | None = None

    @property
    def described(self) -> tuple[str, str, str, str]:
        """The line about it in a file of column descriptions."""
        return self.name, self.kind.value, self.unit or "", self.meaning


class FieldColumns(Struct):
    """The columns of a field: of its values, for each unit that contracts give it, then one more.

    A price has two of values.
    """

    values: dict[str, tuple[Column, ...]]  # by unit
    confidence: Column


class _Seen(Struct):
    """A field as records had it in one unit."""

    declared: Field | None
    kinds: set[FieldType]


class Layout:
    """The columns of the fields that were seen, in the order in which they came."""

    def __init__(self, head: Sequence[Column]) -> None:
        self._head = head
        self._seen: dict[str, dict[str, _Seen]] = {}

    def note(self, name: str, declared: Field | None, value: object) -> str:
        """Take note of a field and a value of it; return its unit, as a key of its columns."""
        is_price = declared is not None and declared.type is FieldType.PRICE
        unit = MONEY if is_price else unit_of(declared) or ""
        seen = self._seen.setdefault(name, {}).setdefault(unit, _Seen(declared, set()))
        seen.kinds.add(FieldType.TEXT if declared is None else declared.type)
        if isinstance(value, int) and abs(value) >= _LARGEST:
            seen.kinds.add(FieldType.TEXT)
        return unit

    def columns(self) -> dict[str, FieldColumns]:
        """The columns of each field; no two of the whole table have the same name."""
        taken = {column.name.casefold() for column in self._head}

        def named(name: str) -> str:
            made, number = name, 1
            while made.casefold() in taken:
                number += 1
                made = f"field_{name}" if number == 2 else f"{name}_{number - 1}"
            taken.add(made.casefold())
            return made

        found = {}
        for name, by_unit in self._seen.items():
            values = {unit: tuple(_columns(name, unit, seen)) for unit, seen in by_unit.items()}
            values = {
                unit: tuple(Column(named(c.name), c.kind, c.meaning, c.unit) for c in columns)
                for unit, columns in values.items()
            }
            about = " or ".join(c[0].name for c in values.values())
            confidence = Column(
                named(f"{name}_confidence"), FieldType.NUMBER,
                f"Estimated probability that {about} is right, from 0 to 1.",
            )  # fmt: skip
            found[name] = FieldColumns(values, confidence)
        return found


def _columns(name: str, unit: str, seen: _Seen) -> Iterable[Column]:
    meaning = meaning_of(name, seen.declared)
    if unit == MONEY:
        yield Column(f"{name}_amount", FieldType.NUMBER, meaning)
        currency = f"Currency of {name}_amount (ISO 4217)."
        yield Column(f"{name}_currency", FieldType.TEXT, currency)
        return
    kind = next(iter(seen.kinds)) if len(seen.kinds) == 1 else FieldType.TEXT
    yield Column(with_unit(name, unit), kind, meaning, unit or None)


def with_unit(name: str, unit: str) -> str:
    """The name of a column whose values are in a unit: weight and g make weight_g."""
    for sign, word in _SIGNS.items():
        unit = unit.replace(sign, word)
    suffix = re.sub(r"\W+", "_", unit).strip("_")
    if not suffix or name.casefold().endswith(f"_{suffix.casefold()}"):
        return name
    return f"{name}_{suffix}"


def meaning_of(name: str, declared: Field | None) -> str:
    """A field in words: its label, the contract's hint, and the values that it may have."""
    if declared is None:
        return f"{name.replace('_', ' ').capitalize()}; the contract no longer has this field."
    labels = declared.labels.get("en") or next(iter(declared.labels.values()), ())
    label = labels[0] if labels else name.replace("_", " ").capitalize()
    words = [f"{label.rstrip('.')}.", declared.hint]
    if 0 < len(declared.allowed) <= _MOST_NAMED:
        words.append(f"One of: {', '.join(declared.allowed)}.")
    return " ".join(filter(None, words))
