"""The hard ids that a page proves, held against the product's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from specfactory.identify.hard_ids import KINDS, normal_id, same_id
from specfactory.model import Frozen, IdentityRules, Product, Tier, field

if TYPE_CHECKING:
    from specfactory.proof import PageViews

_SEARCHED = 200_000
_IN_URL = re.compile(r"/(?:dp|gp/product)/([A-Z0-9]{10})(?=[/?#]|$)")
_LABELLED = re.compile(
    r"\b(?P<label>GTIN(?:-?(?:8|12|13|14))?|EAN(?:-?13)?|UPC|ISBN(?:-?1[03])?|ASIN|MPN"
    r"|Manufacturer part number|Herstellernummer|Part number|SKU)\b"
    r"[\s:#.]{1,6}(?P<id>[A-Za-z0-9][A-Za-z0-9\-./]{4,30}[A-Za-z0-9])",
    re.IGNORECASE,
)
_LABEL_KINDS = {"gt": "gtin", "ea": "gtin", "up": "gtin", "is": "isbn", "as": "asin", "sk": "sku"}


class IdFinding(Frozen):
    """Result of comparing ids: a reason for a match or a conflict, and the ids proven."""

    match: str = ""
    conflict: str = ""
    proven: Mapping[str, str] = field(default_factory=dict)


def compare_ids(product: Product, rules: IdentityRules, views: PageViews) -> IdFinding:
    """Compare the page's ids with the product's; one that matches outranks strange ones."""
    found = page_ids(views)
    match, conflict = "", ""
    for kind, ours in _own_ids(product, rules):
        theirs = found.get(kind, ())
        answers = [same_id(kind, ours, text) for text in theirs]
        if True in answers:
            match = match or f"{kind} {ours} stands on the page"
        elif answers and all(answer is False for answer in answers):
            conflict = conflict or f"{kind} on the page is {theirs[0]}, the product's is {ours}"
    # ids worth keeping: one of a kind, and a SKU only from those who made it
    own = {kind: normal_id(kind, value) for kind, value in _own_ids(product, rules)}
    proven = {}
    for kind, texts in found.items():
        same = [text for text in texts if normal_id(kind, text) == own.get(kind)]
        maker = kind != "sku" or views.page.tier is Tier.MANUFACTURER
        if same or (maker and len(texts) == 1 and kind in rules.hard_ids):
            proven[kind] = (same or list(texts))[0]
    return IdFinding(match, "" if match else conflict, proven)


def page_ids(views: PageViews) -> dict[str, tuple[str, ...]]:
    """The valid ids of the page's main thing, by kind, as written."""
    found: dict[str, dict[str, str]] = {}
    for kind, text in _all_ids(views):
        key = normal_id(kind, text)
        if key is not None:
            found.setdefault(kind, {}).setdefault(key, text)
    return {kind: tuple(texts.values()) for kind, texts in found.items()}


def _all_ids(views: PageViews) -> Iterator[tuple[str, str]]:
    structured: list[tuple[str, str]] = []
    for item in views.items:
        for named in item.properties if item.main else ():
            name = named.path.rpartition(".")[2].casefold()
            if name == "productid" and ":" in named.words:
                name, _, text = named.words.partition(":")
                structured.append((KINDS.get(name.strip().casefold(), name), text.strip()))
            elif name in KINDS and named.path.count(".") <= 1:
                structured.append((KINDS[name], named.words.strip()))
    yield from structured
    if match := _IN_URL.search(views.page.final_url or views.page.url):
        yield "asin", match[1]
    known = {kind for kind, _ in structured}
    # with their label in the text; where several of a kind stand, whose they are is open
    labelled: dict[str, set[str]] = {}
    for match in _LABELLED.finditer((views.text or views.pdf)[:_SEARCHED]):
        kind = _LABEL_KINDS.get(match["label"][:2].casefold(), "mpn")
        if normal_id(kind, match["id"]) is not None:
            labelled.setdefault(kind, set()).add(match["id"])
    for kind, ids in labelled.items():
        if len(ids) == 1 and kind not in known:
            yield kind, ids.pop()


def _own_ids(product: Product, rules: IdentityRules) -> Iterator[tuple[str, str]]:
    for name, value in product.hard_ids.items():
        kind = KINDS.get(name.casefold(), name)
        if kind in rules.hard_ids or kind == "isbn":
            yield from ((kind, one) for one in re.split(r"[,;|]\s*", value) if normal_id(kind, one))
