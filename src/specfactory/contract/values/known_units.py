"""The common units: dimension, factor to the dimension's base, and how pages write them.

The only table of units is ``data/units.txt``. Each dimension gives its base in SI base
quantities, so that units of running text are composed.

Pint is asked only for what is not there: importing it costs a third of a second, and this table a
millisecond.
"""

from __future__ import annotations

from typing import NamedTuple

from specfactory.word_lists import read_lists


class Unit(NamedTuple):
    """A unit: a value in it is ``value * factor + offset`` in the base of its dimension."""

    name: str
    dimension: str
    factor: float
    offset: float = 0.0


# Units with an offset are bases of their own in running text, where nothing is converted.
_TEMPERATURES = {
    "K": (1.0, 0.0, "kelvin kelvins field: KEL"),
    "°C": (1.0, 273.15, "celsius degC deg_C degrees_celsius ℃ field: CEL text: C centigrade "
           "degree_celsius degree_centigrade degrees_centigrade degrees_C"),
    "°F": (5 / 9, 459.67 * 5 / 9, "fahrenheit degF deg_F degrees_fahrenheit ℉ field: FAH text: F "
           "degree_fahrenheit degrees_F"),
}  # fmt: skip


def _read_table() -> tuple[list[tuple[Unit, tuple[str, ...], tuple[str, ...]]], dict[str, Base]]:
    """Every unit with its spellings in fields and in running text; the base of each dimension."""
    lines: list[tuple[Unit, str]] = []
    bases: dict[str, Base] = {}
    for title, rows in read_lists("contract/values/data/units.txt").items():
        dimension, powers, size = title.split(" | ")
        parts = (part.split(":") for part in powers.split())
        bases[dimension] = tuple(sorted((base, int(power)) for base, power in parts)), float(size)
        for line in rows:
            name, factor, words = f"{line} ".split(" ", 2)
            lines.append((Unit(name.replace("_", " "), dimension, float(factor)), words))
    for name, (scale, offset, words) in _TEMPERATURES.items():
        lines.append((Unit(name, "temperature", scale, offset), words))
    return [(unit, *_spellings(unit.name, words)) for unit, words in lines], bases


def _spellings(name: str, words: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    groups: dict[str, list[str]] = {"": [], "field:": [], "text:": []}
    group = ""
    for at, word in enumerate(words.split()):
        if word in groups:
            group = word
            if at == 0:
                groups[group].append(name)
        else:
            groups[group].append(word.replace("_", " "))
    own = () if name in (*groups["field:"], *groups["text:"]) else (name,)
    both = (*own, *groups[""])
    return (*both, *groups["field:"]), (*both, *groups["text:"])


Base = tuple[tuple[tuple[str, int], ...], float]
_ROWS, BASES = _read_table()
UNITS = {unit.name: unit for unit, fields, _ in _ROWS if fields}
SPELLINGS = {unit.name: fields for unit, fields, _ in _ROWS if fields}
TEXT_SPELLINGS = [(unit, words) for unit, _, words in _ROWS if words]
"""Units with their spellings in running text."""
