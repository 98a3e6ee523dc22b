"""Units as fields accept them: a contract says which it takes, so any spelling of those is read."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from specfactory.contract.values.known_units import BASES, SPELLINGS, UNITS, Base, Unit
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
NO_UNITS: Mapping[str, tuple[str, ...]] = {}
FEET_AND_INCHES = "ft-in"
"""What a contract says where ``6-5`` means six feet and five inches."""

OwnUnits = tuple[tuple[str, tuple[str, ...]], ...]
"""The units that a contract declares itself, each with its spellings."""


class UnitTable(Frozen):
    """Spellings of the units that one field accepts."""

    unit: str
    exact: Mapping[str, Accepted]
    folded: Mapping[str, Accepted]
    bare: bool  # a number without a unit can only mean this one
    words: int = 1  # of the longest spelling
    bare_unit: Accepted | None = None  # what the contract says that it means
    has_feet_and_inches: bool = False  # "6-5" is six feet and five inches

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
def unit_table(
    unit: str, units: tuple[str, ...], own: OwnUnits = (), bare_unit: str | None = None
) -> UnitTable:
    """The table for a field with this unit that accepts these units."""
    scale, canonical = split_multiplier(unit)
    exact: dict[str, Accepted] = {}
    declared = dict(own)
    accepted = [*_accepted(canonical, units, declared)]
    for name, spellings, factor, offset in accepted:
        found = Accepted(name, factor / scale, offset / scale)
        for spelling in (*spellings, *declared.get(name, ())):
            exact.setdefault(spelling, found)
    bare = scale == 1 and _only_one_scale(exact.values())
    if scale != 1:  # the multiplier is the unit: "100 million" of them are 100
        home = Accepted(unit, 1.0, 0.0)
        words = [word for word, factor in MULTIPLIERS.items() if factor == scale]
        exact = {unit: home, **dict.fromkeys(words, home), **exact}
    longest = max(spelling.count(" ") for spelling in exact) + 1
    folded = _fold(exact.items())
    meant = exact.get(bare_unit) or folded.get(bare_unit.casefold()) if bare_unit else None
    return UnitTable(unit, exact, folded, bare, longest, meant, bare_unit == FEET_AND_INCHES)


def split_multiplier(unit: str) -> tuple[float, str]:
    """``million clicks`` is a thousand thousand ``clicks``."""
    first, _, rest = unit.partition(" ")
    scale = MULTIPLIERS.get(first.casefold()) if rest else None
    return (scale, rest) if scale else (1.0, unit)


def _accepted(
    canonical: str, units: tuple[str, ...], own: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, tuple[str, ...], float, float]]:
    """Name, spellings, factor and offset of each unit the field accepts."""
    home = resolve(canonical)
    names = dict.fromkeys((canonical, *units))
    if not units:  # all of the dimension
        names = dict.fromkeys((home.name if home else canonical, *_alike(canonical, home, own)))
    for name in names:
        written = convert(name, canonical, own)
        if written is not None:
            unit = resolve(name)
            spellings = (name, *SPELLINGS[unit.name]) if unit else _plain_spellings(name)
            # Other names of a plain unit (clicks, presses) are the same unit.
            is_plain = unit is None and home is None and written == (1.0, 0.0)
            yield (canonical if is_plain else unit.name if unit else name), spellings, *written


def _alike(canonical: str, home: Unit | None, own: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The units that measure the same as a field's unit: common ones, the contract's, pint's."""
    if home is not None:
        yield from (unit.name for unit in UNITS.values() if unit.dimension == home.dimension)
        yield from (name for name in own if not resolve(name) and pint_knows(name))
    elif _is_measured(canonical, own):
        powers = pint_size(canonical)
        for unit in UNITS.values():
            base = BASES.get(unit.dimension)
            if base is not None and powers is not None and base[0] == powers[0]:
                yield unit.name
        yield from pint_alike(canonical)


def _is_measured(unit: str, own: Mapping[str, tuple[str, ...]]) -> bool:
    """True for a unit that pint converts: neither counted nor declared by the contract itself."""
    return unit not in own and unit.casefold() not in COUNTS and pint_knows(unit)


def convert(
    name: str, canonical: str, own: Mapping[str, tuple[str, ...]] = NO_UNITS
) -> tuple[float, float] | None:
    """Factor and offset from one unit into another; None when they measure other things."""
    home, unit = resolve(canonical), resolve(name)
    if home is not None:
        if unit is not None and unit.dimension == "mass" and home.dimension == "force":
            unit = UNITS[_WEIGHS[unit.name]] if unit.name in _WEIGHS else None
        if unit is None:
            return pint_conversion(name, home.name)
        if unit.dimension != home.dimension:
            return None
        return unit.factor / home.factor, (unit.offset - home.offset) / home.factor
    if name == canonical or not _is_measured(canonical, own):
        return None if unit else (1.0, 0.0)
    if unit is None:
        return pint_conversion(name, canonical)
    size, base = pint_size(canonical), BASES.get(unit.dimension)
    if size is None or base is None or base[0] != size[0]:
        return None
    return unit.factor * base[1] / size[1], 0.0


def is_known_unit(unit: str) -> bool:
    """Tell whether a unit is in the common table, a thing that is counted, or known to pint."""
    return bool(resolve(unit)) or unit.casefold() in COUNTS or _pint_quantity(unit) is not None


def _plain_spellings(name: str) -> tuple[str, ...]:
    other = name[:-1] if len(name) > 3 and name.endswith("s") else name + "s"
    return name, other, name.replace("_", " "), other.replace("_", " ")


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


_PINTABLE = re.compile(
    r"[^\W\d_]+(?:[_ /*·()-]+[^\W\d_]+|(?<=[^\W\d_])(?:\*\*|\^)?-?[2-9²³](?!\d)|\))*"
)
_MAX_NAME = 40


def _is_pintable(unit: str) -> bool:
    """Pint reads expressions; it is asked about plain names and small powers only."""
    return len(unit) <= _MAX_NAME and _PINTABLE.fullmatch(unit) is not None


@lru_cache(maxsize=1024)
def _pint_quantity(unit: str, amount: float = 1.0) -> Any:
    """An amount of a unit; None when pint does not know it."""
    if not _is_pintable(unit):
        return None
    try:
        return _registry().Quantity(amount, unit)
    except Exception:  # pint's parser raises of every kind on odd names
        return None


@lru_cache(maxsize=1024)
def pint_conversion(unit: str, into_unit: str) -> tuple[float, float] | None:
    """Factor and offset from one unit into the other by pint; None when it cannot."""
    nothing, one = _pint_quantity(unit, 0.0), _pint_quantity(unit)
    if one is None or _pint_quantity(into_unit) is None:
        return None
    try:
        offset = float(nothing.to(into_unit).magnitude)
        return float(one.to(into_unit).magnitude) - offset, offset
    except Exception:  # other dimensions, and units that pint converts under conditions only
        return None


def pint_knows(unit: str) -> bool:
    """Tell whether pint takes this for a unit with a dimension."""
    found = _pint_quantity(unit)
    return found is not None and not found.dimensionless


def pint_size(unit: str) -> Base | None:
    """What a unit measures in powers of base quantities, and its size in SI units."""
    found = _pint_quantity(unit).to_base_units()
    powers = [(_PINT_BASES.get(base, base), int(e)) for base, e in found.dimensionality.items()]
    return tuple(sorted(powers)), float(found.magnitude)


def pint_alike(unit: str) -> tuple[str, ...]:
    """The names that pint knows for what a unit measures."""
    found = _registry().get_compatible_units(unit)
    return tuple(sorted(str(each).replace("_", " ") for each in found))


_PINT_BASES = {"[mass]": "g", "[length]": "m", "[time]": "s", "[current]": "A",
               "[luminosity]": "cd", "[temperature]": "K", "[substance]": "mol"}  # fmt: skip
