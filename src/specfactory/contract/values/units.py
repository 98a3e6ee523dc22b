"""Units as fields accept them, and units of running text, composed from parts.

A field's contract says which units it takes, so any spelling of those is read (``unit_table``).
In running text a unit is what it measures (powers of base quantities) and its size, so that
``ml`` and ``cubic centimetre`` are one unit (``unit_at``). Both read the same table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from specfactory.contract.text import word_set
from specfactory.contract.values.currencies import (
    ISO_CODES,
    PAGE_SIGNS,
    PLAIN_CODES,
    SIGNS,
    currencies_of,
    is_weak,
)
from specfactory.contract.values.known_units import BASES, SPELLINGS, TEXT_SPELLINGS, UNITS, Unit
from specfactory.contract.values.multipliers import MULTIPLIERS
from specfactory.model import Frozen

T = TypeVar("T")

COUNTS = word_set(
    "click clicks klick klicks clics clic cycle cycles zyklen cicli ciclos actuation actuations "
    "betätigungen press presses keystroke keystrokes button buttons tasten boutons botones "
    "pulsanti key keys step steps level levels stage stages zone zones color colors colour "
    "colours farben profile profiles port ports star stars person persons people serving "
    "servings portion portions portionen room rooms zimmer bedroom bedrooms piece pieces"
)
"""Plain units: things that are counted, which pint need not be asked about."""

ORDINARY_WORDS = word_set("in an or ore once mes mi grad pt y d г м ч let ay perc 年 分 天 升 米")
"""Units that are common words as well."""

# A force is often written as the mass that weighs it; only where the contract lists the mass.
_WEIGHS = {"g": "gf", "kg": "kgf", "oz": "ozf", "lb": "lbf"}


class Accepted(NamedTuple):
    """A unit as one field takes it: ``value * factor + offset`` is in the field's unit."""

    name: str
    factor: float
    offset: float


AS_WRITTEN = Accepted("", 1.0, 0.0)


class UnitTable(Frozen):
    """Spellings of the units that one field accepts."""

    unit: str
    exact: Mapping[str, Accepted]
    folded: Mapping[str, Accepted]
    bare: bool  # a number without a unit can only mean this one
    words: int = 1  # of the longest spelling

    @property
    def names(self) -> tuple[str, ...]:
        """The units that are accepted, each by its own name."""
        return tuple(dict.fromkeys(unit.name for unit in self.exact.values()))

    def find(self, written: str) -> Accepted | None:
        """The accepted unit that is written so, or None."""
        return self.exact.get(written) or self.folded.get(written.casefold())


def resolve(unit: str) -> Unit | None:
    """A unit of the common table by its name or one of its spellings."""
    found = UNITS.get(unit) or UNITS.get(_NAMES.get(unit, ""))
    return found or UNITS.get(_FOLDED_NAMES.get(unit.casefold(), ""))


def is_unit(written: str) -> bool:
    """Tell whether a word is a common unit of any dimension, as written."""
    return written in _NAMES or written in UNITS or written.casefold() in _FOLDED_NAMES


def spellings_of(*dimensions: str) -> frozenset[str]:
    """Lower-case names of the units of some dimensions, without symbols and common words."""
    written = (s for unit in UNITS.values() if unit.dimension in dimensions
               for s in SPELLINGS[unit.name])  # fmt: skip
    folded = {spelling.casefold() for spelling in written if spelling[0].isalpha()}
    return frozenset(word for word in folded if word not in ORDINARY_WORDS or not word.isascii())


@lru_cache(maxsize=4096)
def unit_table(unit: str, units: tuple[str, ...]) -> UnitTable:
    """The table for a field with this unit that accepts these units."""
    scale, canonical = split_multiplier(unit)
    exact: dict[str, Accepted] = {}
    for name, spellings, factor, offset in _accepted(canonical, units):
        found = Accepted(name, factor / scale, offset / scale)
        for spelling in spellings:
            exact.setdefault(spelling, found)
    bare = scale == 1 and _only_one_scale(exact.values())
    if scale != 1:  # the multiplier is the unit: "100 million" of them are 100
        home = Accepted(unit, 1.0, 0.0)
        words = [word for word, factor in MULTIPLIERS.items() if factor == scale]
        exact = {unit: home, **dict.fromkeys(words, home), **exact}
    longest = max(spelling.count(" ") for spelling in exact) + 1
    return UnitTable(unit, exact, _fold(exact.items()), bare, longest)


def split_multiplier(unit: str) -> tuple[float, str]:
    """``million clicks`` is a thousand thousand ``clicks``."""
    first, _, rest = unit.partition(" ")
    scale = MULTIPLIERS.get(first.casefold()) if rest else None
    return (scale, rest) if scale else (1.0, unit)


def _accepted(
    canonical: str, units: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...], float, float]]:
    """Name, spellings, factor and offset of each unit the field accepts."""
    home = resolve(canonical)
    names = dict.fromkeys((canonical, *units))
    if home is None:  # counts and the like: other names of a plain unit are the same unit
        unknown = [name for name in names if name.casefold() not in COUNTS]
        measured = len(unknown) > 1 and pint_knows(unknown[0])
        for name in names:
            same = None if resolve(name) else 1.0
            factor = pint_factor(name, canonical) if measured else same
            if factor is not None:
                yield (name if measured else canonical), _plain_spellings(name), factor, 0.0
        return
    if not units:
        alike = (unit.name for unit in UNITS.values() if unit.dimension == home.dimension)
        names = dict.fromkeys((home.name, *alike))
    for name in names:
        if (written := into(name, home)) is not None:
            unit = resolve(name)
            spellings = (name, *SPELLINGS[unit.name]) if unit else _plain_spellings(name)
            yield (unit.name if unit else name), spellings, *written


def into(name: str, home: Unit) -> tuple[float, float] | None:
    """Factor and offset from the named unit into ``home``; None when they measure other things."""
    unit = resolve(name)
    if unit is not None and unit.dimension == "mass" and home.dimension == "force":
        unit = UNITS[_WEIGHS[unit.name]] if unit.name in _WEIGHS else None
    if unit is None:
        factor = pint_factor(name, home.name)
        return None if factor is None else (factor, 0.0)
    if unit.dimension != home.dimension:
        return None
    return unit.factor / home.factor, (unit.offset - home.offset) / home.factor


def _plain_spellings(name: str) -> tuple[str, ...]:
    return (name, name[:-1]) if len(name) > 3 and name.endswith("s") else (name, name + "s")


def _only_one_scale(accepted: Iterable[Accepted]) -> bool:
    """Tell whether all are plain names, or units that nobody writes in any other scale."""
    found = set(accepted)
    if len({unit.factor for unit in found}) != 1:
        return False
    return all(
        unit.name in _SETTLED or unit.name not in UNITS or UNITS[unit.name].dimension in _ONE_SCALE
        for unit in found
    )


_SETTLED = frozenset({"ips", "G"})  # where the contract accepts nothing else
_ONE_SCALE = frozenset({"count per inch", "pixel density", "pixel", "frame rate", "turning"})


def _fold(exact: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Lower-case spellings that mean one thing only: "mw" is neither mW nor MW."""
    folded: dict[str, T | None] = {}
    for spelling, unit in exact:
        key = spelling.casefold()
        folded[key] = unit if folded.get(key, unit) == unit else None
    return {key: unit for key, unit in folded.items() if unit is not None}


_WRITTEN = [(spelling, name) for name, spellings in SPELLINGS.items() for spelling in spellings]
_NAMES = dict(reversed(_WRITTEN))  # the first unit of a spelling wins
_FOLDED_NAMES = _fold(_WRITTEN)


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint  # slow to import, and needed for uncommon units only

    return pint.UnitRegistry()


_PINTABLE = re.compile(r"[^\W\d_]+(?:[_ /*·-][^\W\d_]+|\*{0,2}\^?[23²³](?!\d))*")
_MAX_NAME = 40


def _is_pintable(unit: str) -> bool:
    """Pint reads expressions; it is asked about plain names and small powers only."""
    return len(unit) <= _MAX_NAME and _PINTABLE.fullmatch(unit) is not None


@lru_cache(maxsize=1024)
def pint_factor(unit: str, into_unit: str) -> float | None:
    """Convert one unit into the other with pint; None when it cannot."""
    if not _is_pintable(unit) or not _is_pintable(into_unit):
        return None
    try:
        return float(_registry().Quantity(1.0, unit).to(into_unit).magnitude)
    except Exception:  # pint's parser raises of every kind on odd names
        return None


@lru_cache(maxsize=1024)
def pint_knows(unit: str) -> bool:
    """Tell whether pint takes this for a unit with a dimension."""
    if not _is_pintable(unit):
        return False
    try:
        return not _registry().Quantity(1.0, unit).dimensionless
    except Exception:  # pint's parser raises of every kind on odd names
        return False


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
