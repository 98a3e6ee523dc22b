"""Vote of rules: every rule gives its weight to the texts it selects."""

from collections.abc import Sequence
from typing import NamedTuple

from specfactory.extract.templates.page_index import Key, PageIndex, bits
from specfactory.extract.templates.rule_features import KINDS

_ALIKE = tuple(KINDS.index(kind) for kind in ("anchor", "steps", "prefix"))
_HREF, _FORM = KINDS.index("href"), KINDS.index("form")
_MAX_SELECTED = 60
_STRANGE_FLOOR = 0.55


class Voter(NamedTuple):
    """A rule with its features looked up."""

    keys: tuple[Key, ...]
    weight: float
    first: bool = False


class Choice(NamedTuple):
    """Text chosen on a page, and the share of all weight that its words got."""

    at: int
    share: float


def choose_one(
    page: PageIndex, voters: Sequence[Voter], floor: float, forms: Sequence[str] = ()
) -> Choice | None:
    """Choose the text with most weight; None when it has too little.

    Copies of a value are counted together. A form that no sample had needs more weight.
    """
    shares: dict[str, float] = {}
    places: dict[str, dict[int, float]] = {}
    for keys, weight, _ in voters:
        mask = page.select(keys)
        if mask:
            at = (mask & -mask).bit_length() - 1
            words = page.folded[at]
            shares[words] = shares.get(words, 0.0) + weight
            spots = places.setdefault(words, {})
            spots[at] = spots.get(at, 0.0) + weight
    if not shares:
        return None
    words = max(shares, key=shares.__getitem__)
    share, spots = shares[words], places[words]
    at = max(spots, key=spots.__getitem__)
    strange = bool(forms) and kind_of_form(page.rows[at][_FORM]) not in forms
    if share < (max(floor, _STRANGE_FLOOR) if strange else floor):
        return None
    return Choice(at, share)


def choose_many(page: PageIndex, voters: Sequence[Voter], floor: float) -> list[Choice]:
    """Choose all texts with enough weight, in document order."""
    shares: dict[int, float] = {}
    for keys, weight, first in voters:
        mask = page.select(keys)
        if first:
            mask &= -mask
        for at, _ in zip(bits(mask), range(_MAX_SELECTED), strict=False):
            shares[at] = shares.get(at, 0.0) + weight
    return [Choice(at, share) for at, share in sorted(shares.items()) if share >= floor]


def siblings(page: PageIndex, at: int) -> list[int]:
    """Texts built like a chosen one, in its block or in adjacent blocks of the same list."""
    found, block, row = [at], page.texts[at].frame.block, page.rows[at]
    for step in (1, -1):
        other, gap = at + step, 0
        while 0 <= other < len(page.rows) and gap <= 2:
            near, beside = page.texts[other].frame.block, page.rows[other]
            same_list = block is near or (
                not gap and block.parent is near.parent and block.step == near.step
            )
            if (
                same_list
                and all(row[kind] == beside[kind] for kind in _ALIKE)
                and bool(row[_HREF]) == bool(beside[_HREF])
                and row[_FORM][1:3] == beside[_FORM][1:3]
                and page.free >> other & 1
            ):
                found.append(other)
                gap = 0
            else:
                gap += 1
            other += step
    return sorted(found)


def kind_of_form(form: str) -> str:
    """Part of a form code that stands for the kind of value: digits and money."""
    return form[1:3]
