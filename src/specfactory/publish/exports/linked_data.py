"""Records as schema.org JSON-LD, for search engines and other catalogues.

A value goes to the first schema.org path of its field at which the vocabulary allows it; all
others are additional properties.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from specfactory.contract import FIELD_TYPES
from specfactory.control_characters import visible_controls
from specfactory.model import Contract, Field, FieldType
from specfactory.publish.exports.json_forms import Document, unit_of
from specfactory.publish.exports.schema_org import REFINED, Ranges, vocabulary
from specfactory.publish.exports.table_spool import cell_text
from specfactory.publish.exports.whole_files import opened

Node = dict[str, Any]

_ABOUT = (
    ("recipeIngredient", "Recipe"), ("articleBody", "Article"), ("floorSize", "Accommodation"),
)  # fmt: skip
_NODES = ("Offer", "AggregateRating", "NutritionInformation", "GeoCoordinates", "PostalAddress",
          "PriceSpecification", "OfferShippingDetails", "MerchantReturnPolicy", "MonetaryAmount",
          "QuantitativeValue", "Brand", "Country", "ImageObject", "VideoObject", "Organization",
          "Person", "Place", "WebPage", "CreativeWork", "Product")  # fmt: skip
_NAMED = ("Brand", "Country", "Organization", "Person", "Place")  # may stand for a mere name
_PERSONS = ("author", "creator")
_QUANTITIES = frozenset({"Mass", "Energy", "Distance"})  # written as 310 g
_MINUTES = {"min": 1, "minute": 1, "h": 60, "hour": 60, "day": 1440}
_GTINS = {8: "gtin8", 12: "gtin12", 13: "gtin13", 14: "gtin14"}


def schema_org_thing(document: Document, contract: Contract) -> Node:
    """A record (as ``record_json`` gives it) as a thing of schema.org; unknowns are left out."""
    identity = document["identity"]
    paths = {path.rpartition(".")[2] for f in contract.fields.values() for path in f.structured}
    kind = next((kind for path, kind in _ABOUT if path in paths), "Product")
    thing: Node = {
        "@type": kind,
        "@id": f"urn:specfactory:{document['product_id']}",
        "name": " ".join(filter(None, (identity[n] for n in ("brand", "model", "variant")))),
    }
    if kind == "Product" and identity["brand"]:
        thing["brand"] = {"@type": "Brand", "name": identity["brand"]}
    if kind == "Product" and identity["model"]:
        thing["model"] = identity["model"]
    more = []
    for name, entry in document["fields"].items():
        field = contract.fields.get(name)
        if "unknown_reason" in entry or field is None:
            continue
        # A path with a colon is the name of a meta tag, one with a plus the sum of two.
        paths_of = (path.split(".") for path in field.structured if not set(":+") & set(path))
        if not any(_put(thing, path, field, entry["value"]) for path in paths_of):
            more.append(_property_value(name, field, entry["value"]))
    if more:
        has_more = vocabulary().ranges(kind, "additionalProperty")
        thing["additionalProperty" if has_more else "mentions"] = more
    cited = (entry.get("provenance", {}).get("url") for entry in document["fields"].values())
    if urls := sorted({url for url in cited if url}):
        thing["subjectOf"] = [{"@type": "WebPage", "url": url} for url in urls]
    return thing


@contextmanager
def json_ld(out: Path | TextIO) -> Iterator[Callable[[Document, Contract], None]]:
    """Open a JSON-LD document; what is yielded adds one record to its graph."""
    comma = ""

    def add(document: Document, contract: Contract) -> None:
        nonlocal comma
        text = json.dumps(schema_org_thing(document, contract), ensure_ascii=False)
        file.write(f"{comma}\n{visible_controls(text)}")
        comma = ","

    with opened(out) as file:
        file.write('{"@context": "https://schema.org", "@graph": [')
        yield add
        file.write("\n]}\n")


def _put(thing: Node, path: list[str], field: Field, value: Any) -> bool:
    """Set a property below its nodes where that is allowed; one that is there stays."""
    found = _route(thing, path)
    if found is None:
        return False
    kinds, there = found
    last = _GTINS.get(len(str(value)), "") if path[-1].startswith("gtin") else path[-1]
    made = _expressed(kinds[-1], last, field, value)
    if made is None or any(there.get(name, each) != each for name, each in made.items()):
        return False
    node = thing
    for name, kind in zip(path[:-1], kinds[1:], strict=True):
        node = node.setdefault(name, {})
        node["@type"] = kind
    node.update(made)
    return True


def _route(thing: Node, path: list[str]) -> tuple[list[str], Node] | None:
    """The types of the nodes along a path, from the thing on, and what the last one has already."""
    known, at = vocabulary(), thing
    kinds = [thing["@type"]]
    for place, name in enumerate(path):
        refined = REFINED.get(kinds[-1], "")
        if place and not known.ranges(kinds[-1], name) and known.ranges(refined, name):
            kinds[-1] = refined
        ranges = known.ranges(kinds[-1], name)
        if not ranges:
            return None
        if place == len(path) - 1:
            break
        at = at.get(name, {})
        kind = at.get("@type") if isinstance(at, dict) else None
        kind = kind or _node_kind(name, ranges)
        if not isinstance(at, dict) or kind is None:
            return None
        kinds.append(kind)
    return kinds, at


def _node_kind(name: str, ranges: Ranges) -> str | None:
    if name in _PERSONS and "Person" in ranges:
        return "Person"
    return next((kind for kind in _NODES if kind in ranges), None)


def _expressed(kind: str, name: str, field: Field, value: Any) -> Node | None:
    """The properties that say a value; None where the vocabulary has no room for it."""
    ranges = vocabulary().ranges(kind, name)
    if isinstance(value, dict) and "MonetaryAmount" not in ranges:
        amount, currency = value["amount"], value["currency"]
        if "Number" not in ranges:
            return None
        for beside in ("priceCurrency", "currency"):
            if vocabulary().ranges(kind, beside):
                return {name: amount, beside: currency}
        return None
    if isinstance(value, list):
        if FIELD_TYPES[field.type].is_several_numbers:
            return None
        each = [_one(name, ranges, field, item) for item in value]
        return None if None in each else {name: each}
    made = _one(name, ranges, field, value)
    return None if made is None else {name: made}


def _one(name: str, ranges: Ranges, field: Field, value: Any) -> Any:
    if isinstance(value, bool):
        return value if "Boolean" in ranges else None
    if isinstance(value, dict):
        return _money(value)
    if isinstance(value, int | float):
        return _number(name, ranges, unit_of(field), value)
    return _words(name, ranges, field, value)


def _number(name: str, ranges: Ranges, unit: str | None, value: float) -> Any:
    if unit and "QuantitativeValue" in ranges:
        return {"@type": "QuantitativeValue", "value": value, "unitText": unit}
    if unit in _MINUTES and "Duration" in ranges:
        return f"PT{value * _MINUTES[unit]:g}M"
    if unit and set(ranges) & _QUANTITIES:
        return f"{value:g} {unit}"
    counts_in_unit = unit is None or name.casefold().endswith(f"{unit}s")  # merchantReturnDays
    if counts_in_unit and ("Number" in ranges or ("Integer" in ranges and value == int(value))):
        return value
    if "Text" in ranges:
        return f"{value:g} {unit}" if unit else f"{value}"
    return None


def _words(name: str, ranges: Ranges, field: Field, value: str) -> Any:
    if member := vocabulary().member(ranges, (value, *field.allowed.get(value, ()))):
        return member
    if field.type is FieldType.DATE and {"Date", "DateTime"} & set(ranges):
        return value
    kind = _node_kind(name, ranges)
    if kind in _NAMED:
        return {"@type": kind, "name": value}
    is_address = value.startswith(("https://", "http://"))
    return value if "Text" in ranges or ("URL" in ranges and is_address) else None


def _property_value(name: str, field: Field, value: Any) -> Node:
    unit = unit_of(field)
    if isinstance(value, dict):
        value = _money(value)
    elif FIELD_TYPES[field.type].is_several_numbers:
        value = cell_text(value)
    beside = {"unitText": unit} if unit else {}
    return {"@type": "PropertyValue", "name": name, "value": value, **beside}


def _money(value: Mapping[str, Any]) -> Node:
    return {"@type": "MonetaryAmount", "value": value["amount"], "currency": value["currency"]}
