"""Products' ids, and values as JSON."""

# ruff: noqa: PT017 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract import (
    FIELD_TYPES,
    make_product,
    product_id,
    value_from_json,
    value_to_json,
)
from specfactory.errors import UsageError
from specfactory.model import Field, FieldType, Money

ID = "mouse-razer-viper-v3-pro-wireless"


def test_the_id_is_the_name_in_small_letters():
    assert product_id("mouse", "Razer", "Viper V3 Pro", "Wireless") == ID


@pytest.mark.parametrize(
    ("brand", "model", "variant"),
    [
        ("razer ", " Viper  v3 PRO", "wireless"),
        ("RAZER", "Viper-V3-Pro", "Wireless"),
        ("Razer™", "Viper\u00a0V3_Pro", "WIRELESS"),
        ("Razer", "Razer Viper V3 Pro", "Wireless"),
        ("Rázer", "Viper V3 Pro", "Wireless"),
    ],
)
def test_spelling_variants_have_the_same_id(brand, model, variant):
    assert product_id("mouse", brand, model, variant) == ID


@pytest.mark.parametrize("other", ["Viper V2 Pro", "Viper V3", "Viper V3 Pro SE", "Viper V3 Pro+"])
def test_other_models_have_other_ids(other):
    assert product_id("mouse", "Razer", other, "Wireless") != ID


def test_a_product_is_clean_and_has_its_id():
    product = make_product(
        "mouse", " Razer ", "Viper  V3 Pro", "Wireless", {"sku": " RZ01 ", "gtin": " "}
    )

    assert (product.id, product.name) == (ID, "Razer Viper V3 Pro Wireless")
    assert product.hard_ids == {"sku": "RZ01"}


@settings(deadline=None)
@given(st.text(max_size=20), st.text(max_size=20), st.text(max_size=20))
def test_any_names_make_a_product_or_a_clear_refusal(brand, model, variant):
    try:
        product = make_product("mouse", brand, model, variant)
    except UsageError as problem:
        assert "needs a" in str(problem)
    else:
        assert product.id.startswith("mouse-")
        assert not set(product.id) & set(" /\\.\n_\0")


@pytest.mark.parametrize(
    ("kind", "value", "json"),
    [
        (FieldType.NUMBER, 54.5, 54.5),
        (FieldType.INTEGER, 54, 54),
        (FieldType.TEXT, "black", "black"),
        (FieldType.BOOLEAN, False, False),
        (FieldType.LIST, ("a", "b"), ["a", "b"]),
        (FieldType.DATE, "2024-06", "2024-06"),
        (FieldType.PRICE, Money(99.9, "EUR"), {"amount": 99.9, "currency": "EUR"}),
        (FieldType.DIMENSIONS, (126.8, 64), [126.8, 64]),
    ],
)
def test_values_go_to_json_and_back(kind, value, json):
    assert value_to_json(value) == json
    assert value_from_json(Field("f", kind), json) == value


@pytest.mark.parametrize(
    ("kind", "json"),
    [
        (FieldType.NUMBER, "54"),
        (FieldType.NUMBER, True),
        (FieldType.NUMBER, float("nan")),
        (FieldType.INTEGER, 5.5),
        (FieldType.TEXT, ""),
        (FieldType.TEXT, None),
        (FieldType.BOOLEAN, 1),
        (FieldType.LIST, ["a", 1]),
        (FieldType.DATE, "2024-13"),
        (FieldType.PRICE, 99),
        (FieldType.PRICE, {"amount": 99, "currency": "euro"}),
        (FieldType.DIMENSIONS, [126]),
        (FieldType.DIMENSIONS, [126, "64"]),
    ],
)
def test_json_of_another_type_is_refused(kind, json):
    with pytest.raises(UsageError, match="f is "):
        value_from_json(Field("f", kind), json)


def test_an_enumeration_takes_allowed_values_only():
    field = Field("shape", FieldType.ENUMERATION, allowed={"round": ("circular",), "flat": ()})

    assert value_from_json(field, "flat") == "flat"
    with pytest.raises(
        UsageError, match="one of the allowed values: round, flat; given 'circular'"
    ):
        value_from_json(field, "circular")
    assert value_to_json(None) is None


def test_every_field_type_has_its_row_of_facts():
    assert set(FIELD_TYPES) == set(FieldType)
