"""Units of running text, composed from parts.

A unit is what it measures (powers of base quantities) and its size, so that ``ml`` and ``cubic
centimetre`` are one unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from specfactory.contract.values.currencies import (
    ISO_CODES,
    PAGE_SIGNS,
    PLAIN_CODES,
    SIGNS,
    currencies_of,
    is_weak,
)
from specfactory.contract.values.known_units import BASES, TEXT_SPELLINGS
from specfactory.word_lists import word_set


class Compound(NamedTuple):
    """Sorted powers of base quantities that a unit measures, and its size in SI units."""

    powers: tuple[tuple[str, int], ...]
    size: float

    def times(self, other: Compound, power: int = 1) -> Compound:
        """Multiply this unit by a power of another."""
        powers = dict(self.powers)
        for base, exponent in other.powers:
            powers[base] = powers.get(base, 0) + exponent * power
        kept = tuple(sorted((base, e) for base, e in powers.items() if e))
        return Compound(kept, self.size * other.size**power)

    def is_same(self, other: Compound) -> bool:
        """Tell whether both measure the same in the same size."""
        return self.powers == other.powers and abs(self.size / other.size - 1) < 1e-6


PLAIN = Compound((), 1.0)
"""The unit of a number without one."""

# Symbols and names that take the prefixes of the metric system.
_METRIC_SYMBOLS = (
    "m g s A K mol cd Hz N J W Pa V Ω ohm H T Wb Gy Sv Bq lm lx l L ℓ bit b B cal eV bar yr pc t"
)
_METRIC_NAMES = (
    "metre meter mètre metro gram gramme second sec ampere amp kelvin mole candela hertz newton "
    "joule watt pascal volt ohm coulomb farad henry tesla weber gray sievert becquerel lumen lux "
    "litre liter litro bit byte calorie electronvolt electron_volt bar barn annum year parsec "
    "tonne bel"
)
_PREFIXES = {"Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2,
             "da": 1, "d": -1, "c": -2, "m": -3, "µ": -6, "μ": -6, "u": -6, "n": -9, "p": -12,
             "f": -15, "a": -18}  # fmt: skip
_PREFIX_NAMES = {"yotta": 24, "zetta": 21, "exa": 18, "peta": 15, "tera": 12, "giga": 9, "mega": 6,
                 "kilo": 3, "hecto": 2, "deca": 1, "deci": -1, "centi": -2, "milli": -3,
                 "micro": -6, "nano": -9, "pico": -12, "femto": -15, "atto": -18}  # fmt: skip
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40}
# A letter that means another unit with a prefix than alone.
_PREFIXED_ONLY = {"a": "year", "F": "farad", "b": "barn"}
_NOT_IN_TEXT = word_set("real")  # "five real reasons"
_BEHIND_SYMBOL = ("h", "s", "m")  # "MWh", "Nm": symbols that are written behind another
_TEXT_WORD = r"[^\W\d_⁰¹²³⁴-⁹]+(?:-(?:year|years|force|mass))?|[°%\"″”′℃℉](?:[CF]\b)?"
_POWER = r"(?:\^?[-−]?[1-4](?!\d)|[⁻]?[¹²³⁴]|\s(?:squared|cubed))"
_TERM = re.compile(
    rf"(?P<before>(?:square|cubic|sq\.?|cu\.?|inverse)\s)?(?P<word>{_TEXT_WORD})(?P<power>{_POWER})?",
    re.I,
)
_TEXT_LINK = re.compile(
    r"\s?(?:/|\bper\s|\ba\s(?=day|week|month|year|hour|minute))\s?|\s?[·⋅*]\s?|\s|-(?=h)"
)
_RAISED_TO = re.compile(_POWER)
_TEXT_NEXT = re.compile(r"\s([^\W\d_]+)")
_RAISED = str.maketrans("¹²³⁴⁻−", "1234--")
_POWER_WORDS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "inverse": -1}
_MAX_TERMS = 5


class PhraseUnit(NamedTuple):
    """A unit found in a text."""

    unit: Compound
    end: int


@lru_cache(maxsize=1)
def _text_units() -> tuple[dict[str, Compound], dict[str, Compound]]:
    """Units of running text by symbol, case and all; and by name, in small letters."""
    symbols: dict[str, Compound] = {}
    names: dict[str, Compound] = {}
    for unit, words in TEXT_SPELLINGS:
        powers, size = BASES.get(unit.dimension, (((unit.name, 1),), 1 / unit.factor))
        made = Compound(powers, unit.factor * size)
        for word in words:
            is_name = len(word) > 3 and word.islower()
            (names if is_name else symbols).setdefault(word, made)
    for symbol in _METRIC_SYMBOLS.split():
        _add_prefixes(symbols, symbol, symbols[symbol], _PREFIXES)
    for symbol, name in _PREFIXED_ONLY.items():
        _add_prefixes(symbols, symbol, names[name], _PREFIXES)
    for name in (word.replace("_", " ") for word in _METRIC_NAMES.split()):
        made = names.get(name) or symbols[name]
        for word in (name, f"{name}s", f"{name}es"):
            names.setdefault(word, made)
            _add_prefixes(names, word, made, _PREFIX_NAMES)
    for code in PLAIN_CODES:
        names.setdefault(code, currency(code.upper()))
        symbols.setdefault(code.upper(), currency(code.upper()))
    for sign in SIGNS:
        named = sign in PAGE_SIGNS or (len(sign) > 3 and not is_weak(sign))
        if named and sign.isascii() and sign not in _NOT_IN_TEXT:
            names.setdefault(sign, currency(currencies_of(sign)[0]))
    return symbols, names


def _add_prefixes(
    table: dict[str, Compound], word: str, made: Compound, prefixes: Mapping[str, int]
) -> None:
    for prefix, power in prefixes.items():
        if power > 0 or made.powers != (("bit", 1),):  # there are no parts of a bit
            table.setdefault(prefix + word, made._replace(size=made.size * 10.0**power))
    if word in ("B", "bit"):
        for prefix, power in _BINARY.items():
            table[prefix + word] = made._replace(size=made.size * 2.0**power)


def currency(code: str) -> Compound:
    """Money of one currency, as a unit."""
    return Compound(((code, 1),), 1.0)


def unit_at(text: str, at: int) -> PhraseUnit | None:
    """Find the longest unit that stands at a place of a text."""
    first = _term(text, at)
    if first is None:
        return None
    unit, end = PLAIN.times(first[0], first[1]), first[2]
    for _ in range(_MAX_TERMS):
        link = _TEXT_LINK.match(text, end)
        following = _term(text, link.end()) if link else None
        if link is None or following is None:
            break
        divides = "/" in link[0] or link[0].strip() in ("per", "a")
        if not divides and link[0].isspace():
            # names follow one another (megawatt hour), quantities do not
            word = text[link.end() : following[2]].casefold()
            if len(word) < 4 or not word.startswith(("hour", "second", "metre", "meter", "watt")):
                break
        unit = unit.times(following[0], -following[1] if divides else following[1])
        end = following[2]
    return PhraseUnit(unit, end)


def _term(text: str, at: int) -> tuple[Compound, int, int] | None:
    """One unit, its power, and where it ends."""
    match = _TERM.match(text, at)
    if match is None:
        return None
    symbols, names = _text_units()
    unit, end = None, match.end("word")
    if (following := _TEXT_NEXT.match(text, end)) is not None:  # degrees Celsius, metric tons
        both = f"{match['word']} {following[1]}"
        unit = names.get(both.casefold()) or symbols.get(both)
        end = following.end() if unit else end
    unit = unit or unit_named(match["word"])
    if unit is None:
        return None
    power = 1
    raised = _RAISED_TO.match(text, end)
    if raised and not (unit.powers and unit.powers[0][0] in ISO_CODES):
        written, end = raised[0].strip().lstrip("^"), raised.end()
        power = {"squared": 2, "cubed": 3}.get(written) or int(written.translate(_RAISED))
    if match["before"]:
        power *= _POWER_WORDS[match["before"].strip(" .").casefold()]
    return unit, power, end


@lru_cache(maxsize=4096)
def unit_named(word: str) -> Compound | None:
    """Find a unit of running text by its symbol or its name."""
    symbols, names = _text_units()
    if word in symbols:
        return symbols[word]
    name = word.casefold()
    if (len(word) > 3 or word.islower()) and (found := names.get(name)):
        return found
    for tail in _BEHIND_SYMBOL:
        head = word[: -len(tail)]
        if len(word) > 1 and word.endswith(tail) and head in symbols and head != "m":
            return symbols[head].times(symbols[tail])
    return symbols.get(name) if len(word) > 2 else None


def parse_unit(words: str) -> Compound | None:
    """Read a unit that the whole of some words names: ``kilometre per square second``."""
    if words.casefold() in ("", "dimensionless"):
        return PLAIN
    found = unit_at(words, 0)
    return found.unit if found and found.end == len(words) else None
