"""Where on a page something stands: its element, the words of its markup, the page's title."""

from collections.abc import Iterator
from functools import cache, cached_property
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
        self.at = layout.outline.holder  # the smallest element that holds a span of the text
        self._shown = layout.outline.shown
        self.tokens = cache(self._tokens)

    def kind(self, element: Element | None) -> RegionKind:
        """The kind of region an element stands in."""
        return self.regions.of(element).kind

    def _tokens(self, element: Element) -> frozenset[str]:
        """The words in an element's class, id, itemprop and the like."""
        given = element.attributes
        return hint_tokens(" ".join([given[name] or "" for name in _NAMED if name in given]))

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
    def buy_buttons(self) -> list[Element]:
        """The elements that say nothing but an offer to buy."""
        found: list[Element] = []
        for element in self._shown:
            if element.tag not in _BUTTONS or element.end - element.start > _MAX_BUTTON:
                continue
            if element.children and element.tag in ("div", "span"):
                continue
            buys = button_says(self.text[element.start : element.end]) == "buy"
            if buys and self.kind(element) is not RegionKind.HIDDEN and len(found) < _MAX_BUTTONS:
                found.append(element)
        return found

    def nearest_button(self, offset: int) -> Element | None:
        """The buy button nearest to an offset."""
        return min(self.buy_buttons, key=lambda one: abs(one.start - offset), default=None)

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
