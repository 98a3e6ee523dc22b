"""Records as schema.org JSON-LD, for search engines and other catalogues."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from specfactory.model import Contract, Field, FieldType
from specfactory.publish.jsonl_and_csv import opened

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
    paths = {path.rpartition(".")[2] for f in contract.fields.values() for path in f.structured}
    thing: dict[str, Any] = {
        "@type": next((kind for path, kind in _ABOUT if path in paths), "Product"),
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
        value = entry["value"]
        # The first path that is a property of schema.org, not the name of a meta tag.
        path = next((path for path in field.structured if not set(":+") & set(path)), None)
        if path is not None:
            _put(thing, path.split("."), field, value)
            continue
        unit = {"unitText": field.unit} if field.unit else {}
        shown = _money(value) if isinstance(value, dict) else value
        more.append({"@type": "PropertyValue", "name": name, "value": shown, **unit})
    if more:
        thing["additionalProperty"] = more
    cited = (entry.get("provenance", {}).get("url") for entry in document["fields"].values())
    if urls := sorted({url for url in cited if url}):
        thing["subjectOf"] = [{"@type": "WebPage", "url": url} for url in urls]
    return thing


def export_linked_data(
    documents: Iterable[tuple[Mapping[str, Any], Contract]], out: Path | TextIO
) -> int:
    """Write all records as one JSON-LD document; return their number."""
    graph = [linked_data(document, contract) for document, contract in documents]
    with opened(out) as file:
        json.dump({"@context": "https://schema.org", "@graph": graph}, file,
                  ensure_ascii=False, indent=1)  # fmt: skip
        file.write("\n")
    return len(graph)


def _put(node: dict[str, Any], path: list[str], field: Field, value: Any) -> None:
    """Set a property below its nodes; an existing one stays."""
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


def _money(value: Mapping[str, Any]) -> dict[str, Any]:
    amount = {"value": value["amount"], "currency": value["currency"]}
    return {"@type": "MonetaryAmount", **amount}
