"""Pages that list several products: what they say of one of them is not their own.

Used only where structured data names nothing that the page is about. The features mean the
same everywhere: alike blocks, each with money and a link; schema.org types of collections; no
buy button apart from the blocks.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from specfactory.contract.values import ANY_PRICE
from specfactory.extract.page import dropped
from specfactory.extract.unlabelled import Places
from specfactory.model import Candidate, Dropped, Method, ViewName
from specfactory.proof import Element, PageViews

FAMILIES = frozenset({"price", "currency", "availability", "id", "brand"})
_MAX_MONEY = 300
_MAX_BLOCK = 1_200  # characters of a block
_LEAST_BLOCK = 12
_MAX_LEVELS = 10
_MAX_LOOKED_AT = 400
_LEAST_BLOCKS = 4  # of which the price stands in none
_LIKELY = 0.65  # a price from here on is the page's own, whatever else is listed
_FAIR = 0.5  # one that stands apart from the blocks, where there is a button to buy with
_DOUBTFUL = 0.4  # below it a price without a code or a button is likelier none
_COLLECTIONS = frozenset({"CollectionPage", "SearchResultsPage", "OfferCatalog"})
_MANY = "SomeProducts"  # the type of a placeholder for several
_LISTED = "the page lists several products, and nothing says that this is its own"
_NOTHING = "nothing on the page says that it is about one product"
_MAX_TWINS = 12
_NAMES = frozenset(("h2", "h3", "h4", "h5", "h6"))


class ListedProducts:
    """Tells the values of a page's own product from those of one of many that it lists."""

    def __init__(self, views: PageViews, places: Places) -> None:
        self._views = views
        self._places = places
        self._price_wanted = False
        self._price = 0.0
        self._best: Candidate | None = None
        self._has_own_code = False  # a code with its label stands apart from the blocks

    def note_codes(self, codes: list[Candidate]) -> None:
        """Note the candidates of a code: a page that lists many products labels no code."""
        labelled = (one for one in codes if one.evidence.method is not Method.VISIBLE)
        self._has_own_code = self._has_own_code or any(not self._in_block(one) for one in labelled)

    def note_prices(self, prices: list[Candidate], floor: float) -> None:
        """Note the candidates of the price, by which a page is judged."""
        self._price_wanted = True
        best = max(prices, key=_likelihood, default=None)
        if best is not None and _likelihood(best) >= floor:
            self._best, self._price = best, 1.0 if _is_structured(best) else _likelihood(best)

    def own(self, family: str, candidates: list[Candidate]) -> list[Candidate]:
        """The candidates that may be the page's own."""
        if self.has_thing:
            return candidates
        if self._lists_products:
            return [
                one
                for one in candidates
                if _is_structured(one)
                or not (
                    one.evidence.method is Method.VISIBLE
                    or family in ("price", "brand")
                    or self._in_block(one)
                )
            ]
        if family in ("price", "currency"):
            is_sold = self._price >= _DOUBTFUL or self._has_own_code or self._own_buttons
        elif family in ("availability", "id"):
            priced = self._price >= _DOUBTFUL
            if not self._price_wanted:
                priced = ANY_PRICE.search(self._views.text) is not None
            metas = (item.type for item in self._views.items if item.syntax == "meta")
            is_product = any(type_.startswith("product") for type_ in metas)
            is_sold = priced or is_product or self._own_buttons
        else:
            return candidates
        if is_sold:
            return candidates
        return [one for one in candidates if one.evidence.method is not Method.VISIBLE]

    def drop(self, candidates: list[Candidate]) -> Dropped:
        """Report why none of them is an answer, by the likeliest."""
        best = max(candidates, key=_likelihood)
        several = self._lists_products
        reason, detail = ("several_products", _LISTED) if several else ("no_product", _NOTHING)
        return dropped(best.field, reason, detail, best.evidence.values, self._views)

    @cached_property
    def has_thing(self) -> bool:
        """True when structured data says what the page is about."""
        return any(
            item.main and item.is_thing and item.syntax != "meta" and item.type != _MANY
            for item in self._views.items
        )

    @cached_property
    def _lists_products(self) -> bool:
        if self._has_twin:
            return True
        among = self._best is not None and self._in_block(self._best)
        # A fair price stands apart from the blocks; where none is wanted, it may.
        apart = not self._price_wanted
        if self._best is not None:
            apart = self._price >= _FAIR and not among
        if self._has_own_code or (apart and self._own_buttons):
            return False
        if any(item.type in _COLLECTIONS for item in self._views.items):
            return True
        return self._price < _LIKELY and (among or len(self._blocks) >= _LEAST_BLOCKS)

    @property
    def _has_twin(self) -> bool:
        """True when the likeliest price stands in one of several alike boxes with an offer each."""
        first = self._best.evidence.values[0] if self._best is not None else None
        if first is None or first.view is not ViewName.TEXT:
            return False
        for box in _upwards(self._places.at(first.start, first.end)):
            if box.end - box.start > _MAX_BLOCK or box.parent is None:
                return False
            if self._is_offer(box):
                make = box.tag, box.get("class")
                twins = [at for at in box.parent.children if (at.tag, at.get("class")) == make]
                return sum(map(self._is_offer, twins[:_MAX_TWINS])) > 1
        return False

    def _is_offer(self, box: Element) -> bool:
        """True when a box has a name other than the page's title, money and a button of its own."""
        inside = [at.tag for at in islice(box.descendants(), _MAX_LOOKED_AT)]
        if "h1" in inside or not _NAMES.intersection(inside):
            return False
        buttons = self._places.buy_buttons
        pressed = any(box.start <= button.start < box.end for button in buttons)
        return pressed and ANY_PRICE.search(self._views.text, box.start, box.end) is not None

    def _in_block(self, one: Candidate) -> bool:
        first = one.evidence.values[0]
        if first.view is not ViewName.TEXT:
            return False
        return self._is_inside(self._places.at(first.start, first.end))

    def _is_inside(self, element: Element | None) -> bool:
        return any(at.index in self._blocks for at in _upwards(element))

    @cached_property
    def _own_buttons(self) -> list[Element]:
        return [button for button in self._places.buy_buttons if not self._is_inside(button)]

    @cached_property
    def _blocks(self) -> frozenset[int]:
        """The largest group of alike blocks that each have money and a link."""
        makes: dict[tuple[int, str, str], dict[int, Element]] = {}
        for amount in islice(ANY_PRICE.finditer(self._views.text), _MAX_MONEY):
            path = list(_upwards(self._places.at(*amount.span())))
            for level, element in enumerate(path[:_MAX_LEVELS]):
                if element.end - element.start > _MAX_BLOCK:
                    break
                make = len(path) - level, element.tag, element.get("class")
                makes.setdefault(make, {})[element.index] = element
        most: frozenset[int] = frozenset()
        for blocks in makes.values():
            by_words: dict[str, int] = {}  # blocks that begin with the same words count once
            for index, block in blocks.items() if len(blocks) > 1 else ():
                parts = (*islice(block.descendants(), _MAX_LOOKED_AT), *_upwards(block))
                linked = any(at.tag == "a" and at.get("href") for at in parts)
                if linked and block.end - block.start >= _LEAST_BLOCK:
                    words = self._views.text[block.start : block.end][: _LEAST_BLOCK * 4]
                    by_words.setdefault(words, index)
            if len(by_words) > max(len(most), 1):
                most = frozenset(by_words.values())
        return most


def _upwards(element: Element | None) -> Iterator[Element]:
    while element is not None and element.tag not in ("body", "html"):
        yield element
        element = element.parent


def _is_structured(one: Candidate) -> bool:
    return one.evidence.method in (Method.STRUCTURED, Method.SELECTOR, Method.TEMPLATE)


def _likelihood(one: Candidate) -> float:
    return one.likelihood or 0.0
