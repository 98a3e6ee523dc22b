"""Measures by which variants of one model differ: ``64 GB``, ``13 inch``, ``500 ml``."""

import re
from collections.abc import Collection, Sequence

from specfactory.identify.names import LIST, Token
from specfactory.identify.vocabulary import MEMORY, VARYING

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
QUANTITY = re.compile(r"(\d+(?:[.,]\d+)*)([a-z]+)")
_FAR = 8  # of two sizes that differ so much, one is the memory and one the disk
Measure = tuple[float, str]


def split_measures(tokens: Sequence[Token]) -> tuple[list[Token], frozenset[Measure]]:
    """A name without the measures that tell its variant, and those measures."""
    taken: set[int] = set()
    measures: set[Measure] = set()
    pending: list[int] = []  # numbers that wait for a unit: in "64/128 GB" both have it
    for at, token in enumerate(tokens):
        quantity = QUANTITY.fullmatch(token.text)
        if NUMBER.fullmatch(token.text):
            pending = [*pending, at] if token.gap == LIST else [at]
            continue
        unit, factor = VARYING.get(quantity[2] if quantity else token.text, ("", 1.0))
        if unit and at + 1 < len(tokens) and tokens[at + 1].text in MEMORY:
            unit += " memory"
        if unit and quantity:
            taken.add(at)
            measures.add((_size(quantity[1], factor), unit))
        if unit and (not quantity or token.gap == LIST):
            for place in pending:
                taken |= {place, at}
                measures.add((_size(tokens[place].text, factor), unit))
        pending = []
    return [token for at, token in enumerate(tokens) if at not in taken], frozenset(measures)


def _size(digits: str, factor: float) -> float:
    try:
        size = float(digits.replace(",", ".")) * factor
    except ValueError:  # 1.000.000
        size = float(re.sub("[.,]", "", digits)) * factor
    return size if size % 1024 else size / 1024 * 1000  # a thousand in the makers' count


def of_unit(measures: Collection[Measure], unit: str) -> frozenset[Measure]:
    """The measures in one unit."""
    return frozenset(one for one in measures if one[1] == unit)


def lists_several(measures: frozenset[Measure]) -> bool:
    """Tell whether measures in one unit are of several variants, not memory and disk of one."""
    sizes = sorted(size for size, _ in measures)
    return len(sizes) > 2 or (len(sizes) == 2 and sizes[1] < _FAR * sizes[0])


def contradict(one: Collection[Measure], other: Collection[Measure]) -> bool:
    """Tell whether two names are of different variants; one that says less does not contradict."""
    return any(
        bool(of_unit(one, unit) - of_unit(other, unit))
        and bool(of_unit(other, unit) - of_unit(one, unit))
        for unit in {unit for _, unit in one} & {unit for _, unit in other}
    )


def say(measures: Collection[Measure]) -> str:
    """Measures as a person reads them."""
    return ", ".join(f"{size:g} {unit}" for size, unit in sorted(measures))
