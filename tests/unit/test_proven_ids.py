"""Hard ids of a record: what its pages agree on, and never against its fields."""

from __future__ import annotations

from specfactory.contract import compile_contract, find_contract
from specfactory.identify import with_agreed_ids, with_field_ids
from specfactory.model import FieldResult, Identity, Verdict

PRODUCT = compile_contract(find_contract("product"))
UPC, OTHER = "018208254200", "074101001471"


def _page(**ids):
    return Identity(Verdict.SAME, 0.9, (), ids)


def _agreed(*pages):
    return with_agreed_ids(pages[0], pages).hard_ids


def _with_fields(ids, fields):
    return with_field_ids(_page(**ids), fields, PRODUCT).hard_ids


def _fields(**values):
    return {name: FieldResult(name, value, 0.9) for name, value in values.items()}


def test_pages_that_write_an_id_differently_agree():
    ids = _agreed(_page(gtin=UPC), _page(gtin=f"0{UPC}", mpn="25-420"))

    assert ids == {"gtin": UPC, "mpn": "25-420"}


def test_pages_that_prove_different_ids_prove_none():
    assert _agreed(_page(gtin=UPC), _page(gtin=OTHER, mpn="25420A")) == {"mpn": "25420A"}


def test_a_field_outranks_an_id_that_contradicts_it():
    ids = _with_fields({"gtin": OTHER, "mpn": "X1"}, _fields(gtin=UPC, mpn=None))

    assert ids == {"gtin": UPC, "mpn": "X1"}


def test_a_shops_sku_is_no_hard_id_and_contradicts_none():
    assert _with_fields({"sku": "AA-100"}, _fields(sku="BB-200")) == {}
    assert _with_fields({}, _fields(sku="BB-200")) == {}


def test_an_id_that_agrees_with_its_field_is_written_as_the_field_is():
    assert _with_fields({"gtin": f"0{UPC}"}, _fields(gtin=UPC)) == {"gtin": UPC}
