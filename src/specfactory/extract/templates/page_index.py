"""Inverted index of a page: its texts, and for every feature the texts that have it.

Sets of texts are integers with one bit per text, so that a rule is an AND of a few integers.
"""

from collections.abc import Collection, Iterator, Mapping

from specfactory.extract.templates.rule_features import KINDS, describe
from specfactory.extract.templates.text_nodes import PageTexts, Text

Key = tuple[int, str]
Wanted = Mapping[int, Collection[str]]  # features used by rules, by kind
SEPARATORS = " \t\n\r\u00a0:;,|-–—·•/.*\"'»«<>()[]"
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
