"""extruct and price-parser as one would use them together: the first Product or OpenGraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from specfactory.model import Money, Value

_SYNTAXES = ["json-ld", "microdata", "opengraph"]


def peer_values(body: bytes, extruct: Any, parser: Any) -> dict[str, Value]:
    """The fields of the first product in structured data."""
    try:
        found = extruct.extract(
            body.decode("utf-8", "replace"), syntaxes=_SYNTAXES, uniform=True, errors="ignore"
        )
    except Exception:
        return {}
    values: dict[str, Value] = {}
    for item in (one for syntax in _SYNTAXES[:2] for one in _products(found.get(syntax, []))):
        _take(values, _flat(item), parser)
    for item in found.get("opengraph", []):
        _take(values, {"price": item.get("product:price:amount") or item.get("og:price:amount"),
                       "currency": item.get("product:price:currency"),
                       "brand": item.get("product:brand")}, parser)  # fmt: skip
    return values


def _products(items: Any) -> Iterator[dict[str, Any]]:
    waiting = list(items) if isinstance(items, list) else [items]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, dict):
            if "Product" in str(item.get("@type")):
                yield item
            waiting += item.get("@graph") or []


def _flat(item: dict[str, Any]) -> dict[str, Any]:
    offers = item.get("offers")
    offer = offers[0] if isinstance(offers, list) and offers else offers
    offer = offer if isinstance(offer, dict) else {}
    brand = item.get("brand")
    return {
        "price": offer.get("price") or offer.get("lowPrice"),
        "currency": offer.get("priceCurrency"),
        "availability": offer.get("availability"),
        "sku": item.get("sku") or item.get("productID"),
        "brand": brand.get("name") if isinstance(brand, dict) else brand,
    }


def _take(values: dict[str, Value], given: dict[str, Any], parser: Any) -> None:
    for name, value in given.items():
        if value in (None, "", []) or name in values:
            continue
        if name == "price":
            amount = parser.Price.fromstring(str(value)).amount_float
            if amount is not None:
                values[name] = Money(amount, str(given.get("currency") or ""))
        elif name == "availability":
            values[name] = "in stock" if "InStock" in str(value) else "out of stock"
        else:
            values[name] = str(value)
