"""Where on a page something stands: its element, the words of its markup, the page's title."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from specfactory.extract.page import Layout, RegionKind, Regions
from specfactory.extract.unlabelled.shop_words import button_says, hint_tokens
from specfactory.proof import Element

_LEVELS = 5  # elements looked at upwards for the words of their markup
_MAX_BUTTON = 60
_MAX_BUTTONS = 200
_BUTTONS = frozenset(("button", "a", "input", "label", "span", "div"))
_NAMED = ("class", "id", "itemprop", "name", "data-testid", "data-test", "data-qa", "data-role")
_TITLES = {"h1": 0.6, "h2": 0.1, "h3": 0.0}
_MAX_TITLES = 80
_OWN = 0.5  # bonus for standing in the page's own part
_SURE = 1.8  # an h1 of the page's own part with most of the title's words
FAR: Final = 100_000


class Places:
    """The elements of a page, looked up by text offset."""

    def __init__(self, layout: Layout, regions: Regions) -> None:
        self.layout = layout
        self.regions = regions
        self.text = layout.text
        self._shown = layout.outline.shown
        self._tokens: dict[int, frozenset[str]] = {}

    @cached_property
    def _starts(self) -> list[int]:
        return [element.start for element in self._shown]

    def at(self, start: int, end: int) -> Element | None:
        """The smallest element that holds a span of the text."""
        index = bisect_right(self._starts, start) - 1
        if index < 0:
            return None
        element: Element | None = self._shown[index]
        while element is not None and element.end < end:
            element = element.parent
        return element

    def kind(self, element: Element | None) -> RegionKind:
        """The kind of region an element stands in."""
        return self.regions.of(element).kind

    def tokens(self, element: Element) -> frozenset[str]:
        """The words in an element's class, id, itemprop and the like."""
        known = self._tokens.get(element.index)
        if known is None:
            given = element.attributes
            written = " ".join([given[name] or "" for name in _NAMED if name in given])
            known = self._tokens[element.index] = hint_tokens(written)
        return known

    def tokens_around(self, element: Element | None) -> frozenset[str]:
        """The words of the markup of an element and of the boxes next around it."""
        found: set[str] = set()
        for _, at in zip(range(_LEVELS), upwards(element), strict=False):
            if at.attributes:
                found |= self.tokens(at)
        return frozenset(found)

    @cached_property
    def title(self) -> Element | None:
        """The element in which the page names its own product."""
        headed = [e for e in self.layout.outline.tagged(*_TITLES) if e.start >= 0][:_MAX_TITLES]
        best, fit = self._fittest(headed)
        if best is not None and fit >= _SURE:
            return best
        # Without a good heading: short elements whose words open the page's title.
        title, text = self.layout.views.title.casefold(), self.text
        first = title[:1]
        titled = [
            e
            for e in self._shown
            if 8 <= e.end - e.start <= 250
            and ((begin := text[e.start]).casefold()[:1] == first or begin.isspace())
            and title.startswith(" ".join(text[e.start : e.end].casefold().split())[:60])
        ]
        return self._fittest(headed + titled[:20])[0]

    def _fittest(self, some: list[Element]) -> tuple[Element | None, float]:
        """The first of the elements that fit the page's title best, and how well it does."""
        wanted = frozenset(self.layout.views.title.casefold().split())
        fits = []
        for element in some:
            words = frozenset(self.text[element.start : element.end].casefold().split())
            both = len(words & wanted)
            fit = both / max(len(words), 1) + both / max(len(words | wanted), 1)
            fits.append(fit + _TITLES.get(element.tag, 0.0) - 0.2 * element.hidden)
        best, most = -1, 0.0
        # The region takes longest to find: it is asked for only while it may still matter.
        for at in sorted(range(len(some)), key=lambda one: -fits[one]):
            if best >= 0 and fits[at] + _OWN < most:
                break
            own = self.kind(some[at]) not in (RegionKind.OTHER, RegionKind.CARD, RegionKind.POST)
            fit = fits[at] + _OWN * own
            if best < 0 or fit > most or (fit == most and at < best):
                best, most = at, fit
        return (some[best], most) if best >= 0 else (None, 0.0)

    @cached_property
    def buttons(self) -> list[tuple[int, Element, str]]:
        """Buttons to buy, or that say why not: offset, element, "buy" or "none"."""
        found: list[tuple[int, Element, str]] = []
        for element in self._shown:
            if element.tag not in _BUTTONS or element.end - element.start > _MAX_BUTTON:
                continue
            if element.children and element.tag in ("div", "span"):
                continue
            says = button_says(self.text[element.start : element.end])
            if says and self.kind(element) is not RegionKind.HIDDEN and len(found) < _MAX_BUTTONS:
                found.append((element.start, element, says))
        return found

    @cached_property
    def _buy_buttons(self) -> list[tuple[int, Element]]:
        return [(start, element) for start, element, says in self.buttons if says == "buy"]

    def to_button(self, offset: int) -> int:
        """Distance to the nearest buy button, in characters; FAR when there is none."""
        return min((abs(start - offset) for start, _ in self._buy_buttons), default=FAR)

    def nearest_button(self, offset: int) -> Element | None:
        """The buy button nearest to an offset."""
        buys = self._buy_buttons
        return min(buys, key=lambda one: abs(one[0] - offset))[1] if buys else None

    def common_size(self, one: Element | None, other: Element | None) -> int:
        """The number of characters in the smallest box around both."""
        if one is None or other is None:
            return FAR
        around = {element.index for element in upwards(one)}
        for element in upwards(other):
            if element.index in around:
                return element.end - element.start
        return FAR


def upwards(element: Element | None) -> Iterator[Element]:
    """An element and all that it stands in, the innermost first."""
    while element is not None:
        yield element
        element = element.parent
