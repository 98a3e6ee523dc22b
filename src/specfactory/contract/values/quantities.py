"""From the quantities of a quote to the one number of a field, in the field's unit."""

import math
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import NamedTuple

from specfactory.contract.values.known_units import UNITS
from specfactory.contract.values.number_words import in_digits
from specfactory.contract.values.numbers import NumberReading, Quantity, decimal_mark, raised, scan
from specfactory.contract.values.refusal import refuse
from specfactory.contract.values.units import (
    AS_WRITTEN,
    Accepted,
    UnitTable,
    resolve,
    split_multiplier,
)
from specfactory.errors import NotDerivable
from specfactory.model import Frozen


class NumberRule(Frozen):
    """Limits and units that a field sets for its number."""

    field: str
    table: UnitTable | None
    integer: bool = False
    low: float | None = None
    high: float | None = None

    def admits(self, value: float) -> bool:
        """Tell whether the value lies within the field's range."""
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


class Settled(NamedTuple):
    """A quantity in the field's unit, with the step of its last written digit."""

    value: float
    exact: float  # before it was rounded to what was written
    step: float
    unit: str
    scale: float
    distance: float  # how far its unit is from the field's own


_CONNECTOR = re.compile(
    r"\s*(?:[-–—−/~,;&+x×*]|to|or|and|through|bis|oder|und|à|ou|et|hasta|al?|o|y|e)?\s*", re.I
)
_BOUND = re.compile(
    r"(?:[<>]|\b(?:less than|more than|greater than|under|over|below|above|weniger als|"
    r"mehr als|unter|über|"
    r"moins de|plus de|menos de|más de|meno di|più di|fewer than|at least|mindestens|au moins|"
    r"al menos|almeno))\s*$",
    re.I,
)
_ISO_DURATION = re.compile(
    r"P(?:0+Y)?(?:0+M)?(?:(\d+)W)?(?:(\d+)D)?"
    r"(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?",
    re.ASCII | re.IGNORECASE,
)
_ISO_SECONDS = (604800, 86400, 3600, 60, 1)
_OUT_OF = re.compile(
    r"(?<=\d)\s{0,2}(?:/|out of|of|von|sur|su|de|di|sobre|van|av|af|z|od|из|от|trên)\s{0,2}"
    r"(\d{1,3})(?:[.,]0)?(?![\d.,]*\d)"
)
_SCALES = frozenset({5, 6, 10, 20, 100})  # on which people rate
_RATED = re.compile(r"(\d{1,3}(?:[.,]\d{1,3})?)$")
_ENDS: Mapping[str, Callable[..., Settled]] = {
    "max": max, "maximum": max, "highest": max, "largest": max, "most": max,
    "min": min, "minimum": min, "lowest": min, "smallest": min, "least": min,
}  # fmt: skip
_FEET_AND_INCHES = re.compile(
    r"(?<![\w.,'′’-])(\d{1,2})\s?(?:[-–'′’´]|ft\b\.?)\s?((?:1[01]|\d)(?:\.\d{1,2})?)"
    r"(?:\s?(?:\"|″|”|''|’’|′′|in\b\.?|inches\b))?(?![\w-]|\s?[-/]\s?\d|\.\d)"
)
_TO_ONE = re.compile(r"(?<=\d)\s?:\s?1(?![\d.,])")
_COMPOUNDS = {
    ("day", "h"): 24,
    ("h", "min"): 60,
    ("min", "s"): 60,
    ("ft", "in"): 12,
    ("lb", "oz"): 16,
}


_READ_AGAIN = frozenset(("unit_missing", "unit_not_accepted"))


def derive_number(
    rule: NumberRule, words: str, label_unit: str | None = None, language: str = ""
) -> int | float:
    """Derive the number that the words give for this field; raises NotDerivable otherwise."""
    try:
        return _derived(rule, words, label_unit, language)
    except NotDerivable as refusal:
        if refusal.code not in _READ_AGAIN or rule.table is None:
            raise
        from specfactory.contract.values.running_text import written_plainly  # seldom needed

        again = written_plainly(words, rule.table.names)
        if again is None:
            raise
    return _derived(rule, again, None, "en")


def _derived(rule: NumberRule, words: str, label_unit: str | None, language: str) -> int | float:
    if words[:1] in ("P", "p") and (seconds := iso_seconds(words)) is not None:
        home = resolve(split_multiplier(rule.table.unit)[1]) if rule.table else None
        if home is None or home.dimension != UNITS["s"].dimension:
            refuse(rule.field, words, "unit_not_accepted", "it is a duration")
        return _whole(rule, words, _rounded(seconds / home.factor, 1, 1 / home.factor))
    text = in_digits(words)
    if rule.table is None:
        text = _without_scale(rule, text)
    elif rule.table.has_feet_and_inches:
        text = _FEET_AND_INCHES.sub(r"\1 ft \2 in", text)
    found = scan(text, decimal_mark(language), rule.table)
    if not found:
        refuse(rule.field, words, "not_a_number", "there is no number in it")
    for at in range(len(found) - 2, -1, -1):  # in "54–60 g" the first number is in grams too
        here, after = found[at], found[at + 1]
        if not here.unit and after.unit and _CONNECTOR.fullmatch(text, here.end, after.start):
            found[at] = here._replace(unit=after.unit, foreign=after.foreign)
    chosen = _choose(rule, words, text, found, label_unit)
    return _whole(rule, words, _agree(rule, words, text, chosen))


def _choose(
    rule: NumberRule, words: str, text: str, found: list[Quantity], label_unit: str | None
) -> list[tuple[Quantity, Accepted]]:
    """The quantities that could be the value, each with its unit."""
    bare = [q for q in found if not q.unit]
    table = rule.table
    if table is None:
        if not bare:
            problem = f"it is in {found[0].unit}, but the field has no unit"
            refuse(rule.field, words, "unit_not_accepted", problem)
        return [(q, AS_WRITTEN) for q in bare]
    own = [
        (q, unit)
        for q in found
        if q.unit and not q.foreign and (unit := table.find(q.unit)) is not None
    ]
    if own:
        first = found[0]
        if not first.unit and first.start == 0 and not first.named and len(found) > 1:
            return [(first, own[0][1]), *own]  # "54 (60 g with battery)"
        return own
    wanted = f"the field takes {', '.join(table.names[:8])}"
    if not bare:
        units = ", ".join(dict.fromkeys(q.unit for q in found))
        refuse(rule.field, words, "unit_not_accepted", f"it is in {units}, {wanted}")
    # Numbers alone: the label, or a unit in front, must say what they count.
    if label_unit is not None:
        unit = table.find(label_unit)
        if unit is None:
            problem = f"its label says {label_unit}, {wanted}"
            refuse(rule.field, words, "unit_not_accepted", problem)
        return [(q, unit) for q in bare]
    # "DPI 26000", "mm 125": in front only exactly as units are written
    before = text[max(0, bare[0].start - 24) : bare[0].start].rstrip(" :\u00a0")
    word = before.rpartition(" ")[2].strip("[]()")
    if word and not word[-1].isdigit() and (front := table.exact.get(word)) is not None:
        return [(q, front) for q in bare]
    home = table.bare_unit
    if home is None and table.bare:
        home = table.find(split_multiplier(table.unit)[1])
    if home is not None and (counted := [q for q in bare if not q.named]):
        return [(q, home) for q in counted]
    return refuse(rule.field, words, "unit_missing", f"it has no unit, {wanted}")


def _agree(
    rule: NumberRule, words: str, text: str, chosen: list[tuple[Quantity, Accepted]]
) -> float:
    """The one number all of them mean; two that differ are several values."""
    for quantity, _ in chosen:
        before = text[max(0, quantity.start - 14) : quantity.start]
        if text[quantity.end : quantity.end + 1] == "+" or (before and _BOUND.search(before)):
            refuse(rule.field, words, "not_exact", "it is a bound, not a value")
    if len(chosen) == 1:
        return settle(rule, words, *chosen[0]).value
    settled: list[Settled] = []
    at = 0
    while at < len(chosen):
        total = _compound(text, *chosen[at : at + 2]) if at + 1 < len(chosen) else None
        settled.append(total or settle(rule, words, *chosen[at]))
        at += 2 if total else 1
    best = min(settled, key=lambda one: (one.distance, one.step))
    other = next((one for one in settled if not _same(best, one)), None)
    if other is None:
        return best.value
    # a field asks for one end of a range, or of a list of steps, by its name: max_dpi
    ends = [_ENDS[word] for word in rule.field.split("_") if word in _ENDS]
    is_range = all(
        _CONNECTOR.fullmatch(text, a.end, b.start) and text[a.end : b.start]
        for (a, _), (b, _) in pairwise(chosen)
    )
    if len(ends) == 1 and is_range:
        return ends[0](settled, key=lambda one: one.exact).value
    problem = f"it gives {best.value:g} and {other.value:g}"
    return refuse(rule.field, words, "several_values", problem)


def _same(best: Settled, other: Settled) -> bool:
    if best.unit == other.unit and best.scale == other.scale:
        return best.value == other.value
    return abs(best.exact - other.exact) <= 1.01 * max(best.step, other.step)


def _compound(
    text: str, first: tuple[Quantity, Accepted], second: tuple[Quantity, Accepted]
) -> Settled | None:
    """``1 h 30 min`` is one quantity in two parts."""
    (big, big_unit), (small, small_unit) = first, second
    ratio = _COMPOUNDS.get((big_unit.name, small_unit.name))
    between = text[big.end : small.start].strip(" ,\u00a0")
    if ratio is None or between not in ("", "and", "und", "et", "y", "e"):
        return None
    whole, part = big.readings[0], small.readings[0]
    if whole.decimals or part.value >= ratio or len(big.readings) + len(small.readings) > 2:
        return None
    total = whole.value * big_unit.factor + part.value * small_unit.factor
    rounded = _rounded(total, part.decimals, small_unit.factor)
    distance = abs(math.log(small_unit.factor))
    return Settled(rounded, total, small_unit.factor, small_unit.name, 1.0, distance)


def settle(rule: NumberRule, words: str, quantity: Quantity, unit: Accepted) -> Settled:
    """Convert a quantity into the field's unit; of two readings the field's range decides."""
    read = quantity.readings
    if quantity.power:  # "10⁶" is a power; other raised digits could be a footnote or cents
        if read != (NumberReading(10.0, 0),) or len(quantity.power) > 2:
            refuse(rule.field, words, "ambiguous_number", "raised digits follow the number")
        read = (NumberReading(10.0 ** raised(quantity.power), 0),)
    step = quantity.scale * unit.factor
    values = []
    for way in read:
        value = way.value
        if quantity.scale != 1.0:
            value = round(value * quantity.scale, way.decimals)
        if unit.factor != 1.0 or unit.offset != 0.0:
            value = _rounded(value * unit.factor + unit.offset, way.decimals, step)
        values.append(value)
    at = 0
    if len(values) > 1:
        admitted = [value for value in values if rule.admits(value)]
        limited = rule.low is not None or rule.high is not None
        if rule.integer and rule.table is None:  # half a review is none
            wholes = {value for value, way in zip(values, read, strict=True) if not way.decimals}
            admitted, limited = [value for value in admitted if value in wholes], True
        if len(admitted) != 1 or not limited:
            options = " or ".join(f"{value:g}" for value in values)
            refuse(rule.field, words, "ambiguous_number", f"it may be read as {options}")
        at = values.index(admitted[0])
    distance = abs(math.log(unit.factor)) if unit.factor > 0 else 0.0
    exact = read[at].value * quantity.scale * unit.factor + unit.offset
    last_digit = 10.0 ** -read[at].decimals * step
    return Settled(values[at], exact, last_digit, unit.name, quantity.scale, distance)


def _rounded(value: float, decimals: int, step: float) -> float:
    """Round a converted number to the precision of what was written, at least to one decimal.

    1.9 oz are 54 g, not 53.864; 5 in are 127 mm, not 130.
    """
    place = math.floor(math.log10(step) - max(decimals, 1) + 1e-9)
    return round(value, -place)


def _whole(rule: NumberRule, words: str, value: float) -> int | float:
    if not math.isfinite(value):
        refuse(rule.field, words, "not_a_number", "it is too large")
    if value == int(value):
        return int(value)
    if rule.integer:
        refuse(rule.field, words, "not_an_integer", f"{value:g} is not a whole number")
    return value


def _without_scale(rule: NumberRule, words: str) -> str:
    """Cut the scale off: ``4.5 out of 5`` and ``1000:1`` give one value."""
    if (match := _OUT_OF.search(words)) is not None:
        scale = float(match[1])
        may_be = (
            not rule.integer and scale in _SCALES and rule.admits(scale)
        )  # counts are not rated
        rated = _RATED.search(words[: match.start()]) if may_be else None
        is_rating = rated is not None and float(rated[1].replace(",", ".")) <= scale
        if scale == rule.high or is_rating:
            words = words[: match.start()] + words[match.end() :]
    return _TO_ONE.sub("", words) if ":" in words else words


def iso_seconds(words: str) -> float | None:
    """Read ``PT1H30M``, as structured data writes durations; several are added up."""
    total, parts = 0.0, words.split()
    for part in parts:
        match = _ISO_DURATION.fullmatch(part)
        if match is None or not any(match.groups()):
            return None
        times = zip(match.groups(), _ISO_SECONDS, strict=True)
        total += sum(float(count) * seconds for count, seconds in times if count)
    return total if parts else None
