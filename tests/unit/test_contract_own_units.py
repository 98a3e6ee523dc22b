"""Units that a contract declares, units that only pint knows, and numbers without a unit."""

from __future__ import annotations

import pytest

from specfactory.contract import (
    compile_contract,
    contract_problems,
    contract_schema,
    parse_contract,
)
from specfactory.contract.drafts import contract_text
from specfactory.errors import NotDerivable


def _contract(field: str, head: str = ""):
    text = f"category: thing\n{head}\nfields:\n  size: {{type: number, {field}}}\n"
    return parse_contract(text, "thing.yaml")


def _derive(words: str, field: str, head: str = ""):
    return compile_contract(_contract(field, head)).derive("size", words)


@pytest.mark.parametrize("written", ["12 MP", "12 Megapixel", "12 million pixels", "12 megapixel"])
@pytest.mark.parametrize(
    ("field", "head"),
    [
        ("unit: MP", 'units: {MP: [Megapixel, "million pixels"]}'),
        ('unit: MP, units: {MP: [Megapixel, "million pixels"]}', ""),
    ],
)
def test_a_contract_declares_a_unit_with_its_spellings(written, field, head):
    assert _derive(written, field, head) == 12


def test_a_declared_spelling_of_a_common_unit_is_converted():
    assert (
        _derive("2.0 Lbs.avdp", "unit: g", "units: {lb: [Lbs.avdp]}") == 910
    )  # as exact as it was written


@pytest.mark.parametrize(
    ("written", "unit", "value"),
    [
        ("2 furlongs", "furlong", 2),
        ("1 mile", "furlong", 8),
        ("3 furlongs", "m", 603.5),
        ("2 m²", "ft**2", 22),
        ("1 oz", "dram", 16),
        ("5 J/(kg*K)", "J/(kg*K)", 5),
        ("12 light years", "light_year", 12),
    ],
)
def test_any_unit_that_pint_knows_is_one(written, unit, value):
    units = ", units: [m, furlong]" if (unit, written) == ("m", "3 furlongs") else ""

    assert _derive(written, f'unit: "{unit}"{units}') == pytest.approx(value, rel=1e-2)


def test_a_bare_number_is_in_the_unit_that_the_contract_says():
    assert _derive("210", "unit: kg, bare: lb") == pytest.approx(95.3, abs=0.1)
    assert _derive("95 kg", "unit: kg, bare: lb") == 95


def test_a_bare_number_means_nothing_where_the_contract_does_not_say_so():
    with pytest.raises(NotDerivable):
        _derive("210", "unit: kg")


@pytest.mark.parametrize(
    "written", ["6-5", "6'5\"", "6′5″", "6’5”", "6' 5''", "6 ft 5 in", "6'5", "6 - 5", "77 in"]
)
def test_feet_and_inches_where_the_contract_says_so(written):
    assert _derive(written, "unit: cm, bare: ft-in") == pytest.approx(195.6, abs=0.1)


@pytest.mark.parametrize("written", ["6-15", "2-11-1984", "6", "11/6-5", "6-5-2"])
def test_other_numbers_with_hyphens_are_no_feet_and_inches(written):
    with pytest.raises(NotDerivable):
        _derive(written, "unit: cm, bare: ft-in")


def test_hyphens_are_no_feet_where_the_contract_does_not_say_so():
    with pytest.raises(NotDerivable):
        _derive("6-5", "unit: cm")


@pytest.mark.parametrize(
    ("field", "where", "unit"),
    [
        ("unit: flurbs", "fields.size.unit", "flurbs"),
        ("unit: million flurbs", "fields.size.unit", "flurbs"),
        ("unit: g, units: [g, flurbs]", "fields.size.units", "flurbs"),
        ("unit: g, bare: flurbs", "fields.size.bare", "flurbs"),
    ],
)
def test_an_unknown_unit_is_a_problem_of_the_contract(field, where, unit):
    text = f"category: thing\nfields:\n  size: {{type: number, {field}}}\n"

    (problem,) = contract_problems(text, "thing.yaml")

    assert problem.where == where
    assert f"{unit!r} is no known unit" in str(problem)


@pytest.mark.parametrize("field", ["unit: g, bare: mm", "unit: g, bare: ft-in"])
def test_a_bare_number_in_a_unit_of_another_kind_is_a_problem(field):
    text = f"category: thing\nfields:\n  size: {{type: number, {field}}}\n"

    (problem,) = contract_problems(text, "thing.yaml")

    assert problem.where == "fields.size.bare"


def test_a_contract_with_units_of_its_own_is_written_and_read_again():
    contract = _contract("unit: MP, bare: MP", 'units: {MP: [Megapixel, "million pixels"]}')

    again = parse_contract(contract_text(contract), "thing.yaml")

    assert again.units == contract.units
    assert again.fields == contract.fields
    assert "units" in contract_schema()["properties"]
