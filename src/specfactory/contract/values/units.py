"""Units as fields accept them: a contract says which it takes, so any spelling of those is read."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from specfactory.contract.values.known_units import SPELLINGS, UNITS, Unit
from specfactory.contract.values.multipliers import MULTIPLIERS
from specfactory.model import Frozen
from specfactory.word_lists import read_words, word_set

T = TypeVar("T")

COUNTS = read_words("contract/values/data/counted_things.txt")["counted"]

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
