"""What does not fit its field is dropped with a reason."""

from __future__ import annotations

import pytest

from specfactory.contract import CompiledContract
from specfactory.model import (
    Candidate,
    Check,
    Contract,
    Evidence,
    Field,
    FieldType,
    Method,
    Money,
    Snippet,
    Tier,
    ViewName,
)
from specfactory.validate import component_flag, cross_check, validate

FIELDS = {
    "weight": Field("weight", FieldType.NUMBER, unit="g", low=20, high=250),
    "buttons": Field("buttons", FieldType.INTEGER, low=1, high=20),
    "sensor": Field("sensor", FieldType.TEXT, component="sensor"),
    "switches": Field("switches", FieldType.LIST, component="sensor"),
    "rgb": Field("rgb", FieldType.BOOLEAN),
    "shape": Field("shape", FieldType.ENUMERATION, allowed={"ergonomic": (), "symmetrical": ()}),
    "colours": Field("colours", FieldType.LIST, allowed={"black": (), "white": ()}),
    "released": Field("released", FieldType.DATE),
    "price": Field("price", FieldType.PRICE, low=1, high=1000),
    "size": Field("size", FieldType.DIMENSIONS, unit="mm", low=10, high=300),
}
CONTRACT = Contract(
    "mouse", "1", "Mouse", FIELDS,
    components={"sensor": {"Focus Pro 35K": ("Razer Focus Pro 35K",)}},
    checks=(Check("light", "weight < 100", "a light mouse"),),
)  # fmt: skip
COMPILED = CompiledContract(CONTRACT)


def _candidate(field, value):
    snippet = Snippet("p1", ViewName.TEXT, 1, 0, 5, "words")
    evidence = Evidence("p1", "https://x.example/p", Tier.LAB, Method.TABLE, (snippet,))
    return Candidate(field, value, evidence)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("weight", 54), ("weight", 54.5), ("weight", 20), ("weight", 250), ("buttons", 5),
        ("sensor", "PAW3950"), ("rgb", False), ("shape", "ergonomic"), ("colours", ("white",)),
        ("released", "2024"), ("released", "2024-04"), ("released", "2024-04-30"),
        ("price", Money(159.99, "EUR")), ("size", (127.1, 63.9, 39.9)),
    ],
)  # fmt: skip
def test_what_fits_passes(field, value):
    assert validate(_candidate(field, value), COMPILED) is None


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("weight", 19.9, "out_of_range"),
        ("weight", 251, "out_of_range"),
        ("weight", "54", "wrong_type"),
        ("weight", True, "wrong_type"),
        ("weight", float("nan"), "wrong_type"),
        ("weight", float("inf"), "wrong_type"),
        ("buttons", 5.5, "wrong_type"),
        ("buttons", 0, "out_of_range"),
        ("sensor", "  ", "wrong_type"),
        ("rgb", "yes", "wrong_type"),
        ("rgb", 1, "wrong_type"),
        ("shape", "round", "not_allowed"),
        ("colours", ("black", "green"), "not_allowed"),
        ("colours", (), "wrong_type"),
        ("released", "2024-13", "wrong_type"),
        ("released", "April 2024", "wrong_type"),
        ("price", Money(0.5, "EUR"), "out_of_range"),
        ("price", Money(159.99, "€"), "wrong_type"),
        ("price", 159.99, "wrong_type"),
        ("size", (127.1, 63.9, 399.0), "out_of_range"),
        ("size", (127.1, -63.9), "wrong_type"),
        ("size", (127.1,), "wrong_type"),
        ("nothing", 1, "unknown_field"),
    ],
)
def test_what_does_not_fit_is_dropped_with_its_reason(field, value, reason):
    dropped = validate(_candidate(field, value), COMPILED)

    assert dropped is not None
    assert (dropped.reason, dropped.quote, dropped.page_id) == (reason, "words", "p1")


def test_the_detail_names_the_value_and_the_limit():
    dropped = validate(_candidate("weight", 541), COMPILED)

    assert dropped is not None
    assert dropped.detail == "541 is above 250 g"


@pytest.mark.parametrize(
    ("field", "value", "flag"),
    [
        ("sensor", "Focus Pro 35K", None),
        ("sensor", "TTC Gold", "extracted 'TTC Gold' but not in component_db"),
        ("switches", ("Focus Pro 35K", "TTC Gold"), "extracted 'TTC Gold' but not in component_db"),
        ("weight", 54, None),
    ],
)
def test_components_outside_the_list_are_flagged(field, value, flag):
    assert component_flag(field, value, COMPILED) == flag


@pytest.mark.parametrize(("weight", "passed"), [(54, True), (154, False), (None, None)])
def test_checks_run_across_fields(weight, passed):
    values = {} if weight is None else {"weight": weight}

    assert [check.passed for check in cross_check(values, COMPILED)] == [passed]
