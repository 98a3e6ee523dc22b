"""All structured data of a page as items, and which of them the page is about."""

import re
from collections import Counter
from urllib.parse import urljoin, urlsplit

from specfactory.proof.structured.drafts import ItemDraft, Markup
from specfactory.proof.structured.items import SUBJECT_RANKS, Item
from specfactory.proof.structured.json_ld import json_ld_items
from specfactory.proof.structured.meta_tags import meta_item
from specfactory.proof.structured.microdata_and_rdfa import MICRODATA, RDFA, marked_items
from specfactory.proof.structured.page_state import state_items

_WORD = re.compile(r"[^\W_]+")
_ADDRESSES = ("url", "@id", "mainEntityOfPage", "offers.url")
_PRICE = "offers.price"
_IDS = ("sku", "gtin13", "gtin", "mpn", "@id")
_HOMES = frozenset(("Apartment", "House", "Residence", "SingleFamilyResidence", "Accommodation",
                    "RealEstateListing"))  # fmt: skip
_OFFERED = frozenset(("Product", "Offer"))
_OWN_ADDRESS = 2.0  # weight of the page's own address against the words of its name
_MAIN_ENTITY = 0.5
_MIN_SHARE = 0.5


def read_items(page: Markup, title: str, h1: str, urls: frozenset[str]) -> tuple[Item, ...]:
    """Every item with its proofs; in each syntax at most one is the main one, or one home.

    The page's own title, heading and URLs distinguish its item from the others.
    """
    syntaxes = (
        list(json_ld_items(page)),
        list(marked_items(page, MICRODATA)),
        list(marked_items(page, RDFA)),
        list(state_items(page, h1, title)),
    )
    about = _About(title, h1, frozenset(map(_address, urls)))
    mains = {id(own) for drafts in syntaxes for own in about.own(drafts)}
    found = [
        draft.finished(id(draft) in mains)
        for drafts in syntaxes
        for draft in drafts
        if draft.properties
    ]
    about_page = meta_item(page)
    return (*found, *([about_page.finished(main=True)] if about_page else []))


class _About:
    """Distinguishes the thing that a page is about from the others on it."""

    def __init__(self, title: str, h1: str, urls: frozenset[str]) -> None:
        self._headings = f"{h1}\n{title}".casefold()
        self._words = frozenset(_WORD.findall(self._headings))
        self._urls = urls

    def own(self, drafts: list[ItemDraft]) -> list[ItemDraft]:
        """The main item, and a home's other sides: its offer, its listing and the house itself."""
        main = self.main(drafts)
        if main is None:
            return []
        kinds = Counter(draft.type for draft in drafts)
        others = [draft for draft in drafts if draft is not main and kinds[draft.type] == 1]
        return [main, *(draft for draft in others if self._is_side(draft, main))]

    def _is_side(self, draft: ItemDraft, main: ItemDraft) -> bool:
        """True when it describes the home that the main item offers: nothing says otherwise."""
        if draft.apart or not {draft.type, main.type} <= _HOMES | _OFFERED:
            return False
        if draft.type not in _HOMES and main.type not in _HOMES:
            return False
        addresses = self._addresses(draft)
        ours = self._urls | set(self._addresses(main))
        if addresses and ours.isdisjoint(addresses):
            return False
        return bool(addresses) or not draft.name or draft.name.casefold() == main.name.casefold()

    def main(self, drafts: list[ItemDraft]) -> ItemDraft | None:
        """The one that fits the page best; None when none does, or two do equally well."""
        own = [draft for draft in drafts if draft.type in SUBJECT_RANKS]
        near = [draft for draft in own if not draft.apart] or own
        fits = {id(draft): self._fit(draft) for draft in near}
        close = [draft for draft in near if fits[id(draft)] > 0]
        if not near:
            return None
        rank = min(SUBJECT_RANKS[draft.type] for draft in close or near)
        best = [draft for draft in close or near if SUBJECT_RANKS[draft.type] == rank]
        top = max(fits[id(draft)] for draft in best)
        first, *rivals = [draft for draft in best if fits[id(draft)] == top]
        if close:
            return None if any(_differ(first, rival) for rival in rivals) else first
        # a thing that stands alone is the page's, unless it says otherwise
        return None if rivals or first.apart or self._is_elsewhere(first) else first

    def _fit(self, draft: ItemDraft) -> float:
        """Score of an item by the page's own name and address."""
        url = _OWN_ADDRESS if self._urls & set(self._addresses(draft)) else 0.0
        share = self._share(draft.name)
        fit = url + (share if share >= _MIN_SHARE else 0.0)
        return fit + _MAIN_ENTITY if draft.entity else fit

    def _share(self, name: str) -> float:
        words = set(_WORD.findall(name.casefold()))
        if not words:
            return 0.0
        if name.strip().casefold() in self._headings:
            return 1.0
        return len(words & self._words) / len(words)

    def _is_elsewhere(self, draft: ItemDraft) -> bool:
        """True when it has another address and another name than the page."""
        if not self._words or not draft.name or self._share(draft.name) > 0:
            return False
        return any(urlsplit(url).path.strip("/") for url in self._addresses(draft))

    def _addresses(self, draft: ItemDraft) -> list[str]:
        base, found = next(iter(self._urls), ""), []
        for written in filter(None, map(draft.first, _ADDRESSES)):
            try:
                found.append(_address(urljoin(base, written.strip())))
            except ValueError:
                found.append(_address(""))
        return found


def _address(url: str) -> str:
    """An address for comparison: without scheme, ``www``, fragment and a last slash."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return ""
    query = f"?{parts.query}" if parts.query else ""
    return f"//{parts.netloc.casefold().removeprefix('www.')}{parts.path.rstrip('/')}{query}"


def _differ(one: ItemDraft, other: ItemDraft) -> bool:
    """True when two items of equal fit are different things, not one written twice."""
    ids = [(one.first(path), other.first(path)) for path in _IDS]
    if any(mine == its != "" for mine, its in ids):
        return False
    if one.name.casefold() != other.name.casefold():
        return True
    prices = one.first(_PRICE), other.first(_PRICE)
    return any(mine and its for mine, its in ids) and all(prices) and prices[0] != prices[1]
