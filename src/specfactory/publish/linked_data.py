"""Records as schema.org JSON-LD: what search engines and other catalogues read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from specfactory.model import Contract, Field, FieldType
from specfactory.publish.exports import opened

_NODES = {
    "offers": "Offer", "brand": "Brand", "manufacturer": "Organization", "author": "Person",
    "publisher": "Organization", "seller": "Organization", "provider": "Organization",
    "aggregateRating": "AggregateRating", "nutrition": "NutritionInformation",
    "geo": "GeoCoordinates", "address": "PostalAddress", "countryOfOrigin": "Country",
    "priceSpecification": "PriceSpecification", "shippingDetails": "OfferShippingDetails",
    "hasMerchantReturnPolicy": "MerchantReturnPolicy", "shippingRate": "MonetaryAmount",
}  # fmt: skip
_ABOUT = (
    ("recipeIngredient", "Recipe"), ("articleBody", "Article"), ("floorSize", "Accommodation"),
)  # fmt: skip
_NAMED = frozenset({"brand", "manufacturer", "author", "publisher", "seller", "provider",
                    "countryOfOrigin"})  # fmt: skip
_DURATIONS = frozenset({"min", "minute", "minutes"})


def linked_data(document: Mapping[str, Any], contract: Contract) -> dict[str, Any]:
    """A record (as ``record_json`` gives it) as a thing of schema.org; unknowns are left out.

    A field without a schema.org path becomes an additionalProperty.
    """
    identity = document["identity"]
    thing: dict[str, Any] = {
        "@type": _type(contract),
        "@id": f"urn:specfactory:{document['product_id']}",
        "name": " ".join(filter(None, (identity[n] for n in ("brand", "model", "variant")))),
        "brand": {"@type": "Brand", "name": identity["brand"]},
        "model": identity["model"],
    }
    more: list[dict[str, Any]] = []
    for name, entry in document["fields"].items():
        field = contract.fields.get(name)
        if "unknown_reason" in entry or field is None:
            continue
        if (path := _path(field)) is not None:
            _put(thing, path.split("."), field, entry["value"])
        else:
            more.append(_additional(field, entry["value"]))
    return {**thing, **({"additionalProperty": more} if more else {}), **_based_on(document)}


def export_linked_data(
    documents: Iterable[tuple[Mapping[str, Any], Contract]], out: Path | TextIO
) -> int:
    """Write all records as one JSON-LD document; returns how many."""
    graph = [linked_data(document, contract) for document, contract in documents]
    with opened(out) as file:
        json.dump({"@context": "https://schema.org", "@graph": graph}, file,
                  ensure_ascii=False, indent=1)  # fmt: skip
        file.write("\n")
    return len(graph)


def _type(contract: Contract) -> str:
    paths = {path.rpartition(".")[2] for f in contract.fields.values() for path in f.structured}
    return next((kind for path, kind in _ABOUT if path in paths), "Product")


def _path(field: Field) -> str | None:
    """The first path that is a property of schema.org, not the name of a meta tag."""
    return next((path for path in field.structured if not set(":+") & set(path)), None)


def _put(node: dict[str, Any], path: list[str], field: Field, value: Any) -> None:
    """Set a property below its nodes; what is there already stays."""
    for name in path[:-1]:
        below = node.setdefault(name, {"@type": _NODES.get(name, "Thing")})
        if not isinstance(below, dict):
            return
        node = below
    last = path[-1]
    if isinstance(value, dict):  # money
        if "price" in last.lower():
            node.setdefault("priceCurrency", value["currency"])
            node.setdefault(last, value["amount"])
        else:
            node.setdefault(last, _money(value))
    elif last in _NAMED:
        node.setdefault(last, {"@type": _NODES[last], "name": value})
    else:
        node.setdefault(last, _plain(last, field, value))


def _plain(name: str, field: Field, value: Any) -> Any:
    if name.endswith("Time") and field.unit in _DURATIONS and isinstance(value, int | float):
        return f"PT{value:g}M"
    if name in ("availability", "itemCondition") and isinstance(value, str):
        return f"https://schema.org/{value}" if value.isalnum() else value
    if field.unit and field.type is FieldType.NUMBER:
        return {"@type": "QuantitativeValue", "value": value, "unitText": field.unit}
    return value


def _additional(field: Field, value: Any) -> dict[str, Any]:
    unit = {"unitText": field.unit} if field.unit else {}
    shown = _money(value) if isinstance(value, dict) else value
    return {"@type": "PropertyValue", "name": field.name, "value": shown, **unit}


def _money(value: Mapping[str, Any]) -> dict[str, Any]:
    amount = {"value": value["amount"], "currency": value["currency"]}
    return {"@type": "MonetaryAmount", **amount}


def _based_on(document: Mapping[str, Any]) -> dict[str, Any]:
    """The pages that the values were taken from."""
    cited = (entry.get("provenance", {}).get("url") for entry in document["fields"].values())
    urls = sorted({url for url in cited if url})
    return {"subjectOf": [{"@type": "WebPage", "url": url} for url in urls]} if urls else {}
