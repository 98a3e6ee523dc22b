"""A contract drafted from examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract import compile_contract
from specfactory.contract.drafts.from_examples import (
    contract_from_examples,
    field_name,
    field_names,
)
from specfactory.errors import UsageError
from specfactory.model import FieldType


def drafted(*values: str, attribute: str = "Thing"):
    contract = contract_from_examples("goods", {attribute: values})
    return contract.fields[field_name(attribute)]


@pytest.mark.parametrize(
    ("values", "kind", "unit"),
    [
        (("300 GB", "1 TB", "73GB"), FieldType.NUMBER, "GB"),
        (("12 in", "7 in", "9 in"), FieldType.NUMBER, "in"),
        (("2 x 3 in", "4 x 5 in"), FieldType.DIMENSIONS, "in"),
        (("4.5", "3.0", "4.25"), FieldType.NUMBER, None),
        (("2", "4", "12"), FieldType.INTEGER, None),
        (("038000296659", "072310165786"), FieldType.TEXT, None),
        (("$12.99", "€ 5", "20 EUR"), FieldType.PRICE, None),
        (("3 May 2021", "2020-01-07"), FieldType.DATE, None),
        (("Yes", "no", "yes"), FieldType.BOOLEAN, None),
        (("oak", "red pine, waxed", "12 mm ply"), FieldType.TEXT, None),
    ],
)
def test_type_and_unit_are_what_the_examples_agree_on(values, kind, unit):
    field = drafted(*values)

    assert (field.type, field.unit) == (kind, unit)


def test_values_that_keep_coming_back_are_all_there_are():
    field = drafted(*["gas", "electric", "Gas", "gas"] * 10)

    assert field.type is FieldType.ENUMERATION
    assert set(field.allowed) == {"gas", "electric"}


def test_names_of_which_some_were_seen_once_are_an_open_set():
    field = drafted(*["Acme"] * 40, *["Bolt"] * 20, "Corvus", "Dorn", attribute="Brand")

    assert field.type is FieldType.TEXT


def test_a_known_kind_of_field_has_its_paths_and_labels_in_other_languages():
    field = drafted("Acme", "Bolt", attribute="Brand")

    assert "brand.name" in field.structured
    assert "Marke" in field.labels["de"]


def test_a_label_names_one_field_and_its_own_attribute_first():
    contract = contract_from_examples("goods", {"Brand": ["Acme"], "Manufacturer": ["Acme Ltd"]})
    compiled = compile_contract(contract)

    assert compiled.match_label("Brand").field == "brand"
    assert compiled.match_label("Manufacturer").field == "manufacturer"


def test_attributes_of_the_same_name_have_two_fields():
    assert field_names(["Color(s)", "color s"]) == {"Color(s)": "color_s", "color s": "color_s_2"}


def test_an_attribute_without_a_name_is_refused():
    with pytest.raises(UsageError):
        contract_from_examples("goods", {" ": ["x"]})


@given(st.dictionaries(st.text(min_size=1).filter(str.strip), st.lists(st.text(), max_size=5)))
def test_any_examples_give_a_contract_that_compiles(examples):
    try:
        contract = contract_from_examples("anything", examples)
    except UsageError:
        return

    compile_contract(contract)
    assert len(contract.fields) == len(examples)
