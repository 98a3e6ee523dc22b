"""Vote of rules: every rule gives its weight to the texts of a page that it selects.

An inverted index has the texts of every feature. Sets of texts are integers with one bit per
text, so that a rule is an AND of a few integers.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from specfactory.extract.templates.rule_features import KINDS, describe
from specfactory.extract.templates.text_nodes import PageTexts, Text

Key = tuple[int, str]
Wanted = Mapping[int, Collection[str]]  # features used by rules, by kind
SEPARATORS = " \t\n\r\u00a0:;,|-–—·•/.*\"'»«<>()[]"
_ALIKE = tuple(KINDS.index(kind) for kind in ("anchor", "steps", "prefix"))
_HREF, _FORM = KINDS.index("href"), KINDS.index("form")
_MAX_SELECTED = 60
_STRANGE_FLOOR = 0.55
_STATIC = (KINDS.index("static"), "static")


def folded(words: str) -> str:
    """Fold words for comparison: no case, single spaces, no separators at the ends."""
    bare = words.strip(SEPARATORS)
    return " ".join((bare or words).split()).casefold()


class PageIndex:
    """Texts of one page with their features; ``masks`` maps a feature to its texts."""

    __slots__ = ("folded", "free", "masks", "rows", "texts")

    def __init__(
        self, page: PageTexts, statics: Collection[str], wanted: Wanted | None = None
    ) -> None:
        self.texts: list[Text] = page.texts
        self.rows = describe(page, statics)
        self.folded = [folded(text.words) for text in page.texts]
        self.masks: dict[Key, int] = {}
        for kind, column in enumerate(zip(*self.rows, strict=True)):
            used = wanted.get(kind, ()) if wanted is not None else None
            found: dict[str, int] = {}
            for at, value in enumerate(column) if used is None or used else ():
                if value and (used is None or value in used):
                    found[value] = found.get(value, 0) | 1 << at
            self.masks.update(((kind, value), mask) for value, mask in found.items())
        every = (1 << len(self.texts)) - 1
        self.free = every & ~self.masks.get(_STATIC, 0)

    def select(self, keys: tuple[Key, ...]) -> int:
        """Texts with all of the features; fixed texts are never values."""
        found = self.free
        masks = self.masks
        for key in keys:
            found &= masks.get(key, 0)
            if not found:
                return 0
        return found

    def holding(self, values: Collection[str]) -> int:
        """Texts equal to one of these folded values."""
        found = 0
        for at, words in enumerate(self.folded):
            if words in values:
                found |= 1 << at
        return found & self.free

    def values(self, mask: int, most: int = 60) -> frozenset[str]:
        """Folded words of a set of texts."""
        words = self.folded
        return frozenset(words[at] for at, _ in zip(bits(mask), range(most), strict=False))


def bits(mask: int) -> Iterator[int]:
    """Indexes of the texts in a set, in document order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def wanted_of(keys: Collection[Key]) -> dict[int, set[str]]:
    """Group the features used by rules by kind, with the one of fixed texts."""
    wanted: dict[int, set[str]] = {}
    for kind, value in (*keys, _STATIC):
        wanted.setdefault(kind, set()).add(value)
    return wanted


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
