"""The hard ids that a page proves, held against the product's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from specfactory.contract.text import is_upc
from specfactory.identify.hard_ids import KINDS, normal_id, same_id
from specfactory.model import (
    Evidence,
    Frozen,
    IdentityRules,
    Method,
    Product,
    Snippet,
    Tier,
    ViewName,
    field,
)
from specfactory.proof import snippet

if TYPE_CHECKING:
    from specfactory.proof import PageViews

_SEARCHED = 200_000
_IN_URL = re.compile(r"/(?:dp|gp/product)/([A-Z0-9]{10})(?=[/?#]|$)")
_LABELLED = re.compile(
    r"\b(?P<label>GTIN(?:-?(?:8|12|13|14))?|EAN(?:-?13)?|UPC|ISBN(?:-?1[03])?|ASIN|MPN"
    r"|(?:Manufacturer(?:'s)?|Mfr\.?|Mfg\.?) ?(?:(?:part|item|model) ?)?(?:number|no\.?|#|part)"
    r"|Herstellernummer|Hersteller-?Nr|(?P<any>Part (?:number|no\.?|#)|Item (?:number|no\.?|#)"
    r"|Product code|Model (?:number|no\.?))|SKU)"
    r"(?: ?(?:code|number|no\.?|#))?(?<=[\w.#])"
    r"[\s:#.]{1,6}(?P<id>[A-Za-z0-9][A-Za-z0-9\-./]{4,30}[A-Za-z0-9])",
    re.IGNORECASE,
)
_LABEL_KINDS = {"gt": "gtin", "ea": "gtin", "up": "gtin", "is": "isbn", "as": "asin", "sk": "sku"}
_OTHERS = frozenset(("mpn", "sku"))  # kinds by which pages call a UPC, too
IsOwn = Callable[[int], bool]


class FoundId(NamedTuple):
    """An id as a page writes it, with its proof."""

    text: str
    evidence: Evidence


class IdFinding(Frozen):
    """Result of comparing ids: a reason for a match or a conflict, and the ids proven."""

    match: str = ""
    conflict: str = ""
    proven: Mapping[str, FoundId] = field(default_factory=dict)


def compare_ids(
    product: Product, rules: IdentityRules, views: PageViews, is_own: IsOwn = lambda offset: True
) -> IdFinding:
    """Compare the page's ids with the product's; one that matches outranks strange ones.

    Only ids at offsets that are the product's own (``is_own``) count.
    """
    known = {normal_id(kind, ours) or "" for kind, ours in _own_ids(product, rules)}
    found = page_ids(views, is_own, known)
    match, conflict = "", ""
    for kind, ours in _own_ids(product, rules):
        theirs = found.get(kind, ())
        answers = [same_id(kind, ours, one.text) for one in theirs]
        if True in answers:
            match = match or f"{kind} {ours} stands on the page"
        elif answers and all(answer is False for answer in answers):
            conflict = (
                conflict or f"{kind} on the page is {theirs[0].text}, the product's is {ours}"
            )
    # ids worth keeping: one of a kind, and a SKU only from those who made it
    own = {kind: normal_id(kind, value) for kind, value in _own_ids(product, rules)}
    proven = {}
    for kind, ids in found.items():
        same = [one for one in ids if normal_id(kind, one.text) == own.get(kind)]
        maker = kind != "sku" or views.page.tier is Tier.MANUFACTURER
        if same or (maker and len(ids) == 1 and kind in rules.hard_ids):
            proven[kind] = (same or list(ids))[0]
    return IdFinding(match, "" if match else conflict, proven)


def page_ids(
    views: PageViews, is_own: IsOwn = lambda offset: True, known: Collection[str] = ()
) -> dict[str, tuple[FoundId, ...]]:
    """The valid ids of the page's main thing, by kind, as written.

    A bare part or item number may be the shop's own: it counts from the maker, or if ``known``.
    """
    found: dict[str, dict[str, FoundId]] = {}
    for named, one in _all_ids(views, is_own, known):
        # Whatever words a page has for it, digits with the check digit of a UPC are a GTIN.
        kind = "gtin" if named in _OTHERS and is_upc(one.text) else named
        key = normal_id(kind, one.text)
        if key is not None:
            found.setdefault(kind, {}).setdefault(key, one)
    return {kind: tuple(ids.values()) for kind, ids in found.items()}


def _all_ids(
    views: PageViews, is_own: IsOwn, known_ids: Collection[str]
) -> Iterator[tuple[str, FoundId]]:
    structured: list[tuple[str, FoundId]] = []
    for item in views.items:
        for named in item.properties if item.main else ():
            name = named.path.rpartition(".")[2].casefold()
            if name == "productid" and ":" in named.words:
                name, _, text = named.words.partition(":")
                kind, text = KINDS.get(name.strip().casefold(), name), text.strip()
            elif name in KINDS and named.path.count(".") <= 1:
                kind, text = KINDS[name], named.words.strip()
            else:
                continue
            proof = _proof(views, Method.STRUCTURED, named.snippet, named.label)
            structured.append((kind, FoundId(text, proof)))
    yield from structured
    if match := _IN_URL.search(views.page.final_url or views.page.url):
        yield "asin", FoundId(match[1], _proof(views, Method.VISIBLE))
    known = {kind for kind, _ in structured}
    # with their label in the text; where several of a kind stand, whose they are is open
    labelled: dict[str, dict[str, FoundId]] = {}
    view = ViewName.TEXT if views.text else ViewName.PDF
    is_maker = views.page.tier is Tier.MANUFACTURER
    for match in _LABELLED.finditer((views.text or views.pdf)[:_SEARCHED]):
        kind, code = _LABEL_KINDS.get(match["label"][:2].casefold(), "mpn"), match["id"]
        if kind in _OTHERS and is_upc(code):
            kind = "gtin"
        elif match["any"] and not is_maker and normal_id(kind, code) not in known_ids:
            continue
        if normal_id(kind, code) is not None and (not views.text or is_own(match.start("id"))):
            quotes = (snippet(views, view, *match.span(part)) for part in ("id", "label"))
            found = FoundId(code, _proof(views, Method.PAIR, *quotes))
            labelled.setdefault(kind, {}).setdefault(code, found)
    for kind, ids in labelled.items():
        if len(ids) == 1 and kind not in known:
            yield kind, next(iter(ids.values()))


def _proof(
    views: PageViews, method: Method, value: Snippet | None = None, label: Snippet | None = None
) -> Evidence:
    """The evidence of an id; one that stands in the page's address needs no quote."""
    page = views.page
    url, values = page.final_url or page.url, (value,) if value else ()
    return Evidence(page.id, url, page.tier, method, values, label, page.fetched_at)


def _own_ids(product: Product, rules: IdentityRules) -> Iterator[tuple[str, str]]:
    for name, value in product.hard_ids.items():
        kind = KINDS.get(name.casefold(), name)
        if kind in rules.hard_ids or kind == "isbn":
            yield from ((kind, one) for one in re.split(r"[,;|]\s*", value) if normal_id(kind, one))
