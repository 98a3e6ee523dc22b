"""The language of checks."""

# ruff: noqa: PT017 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract.matching.check_expressions import ExpressionError, parse_expression
from specfactory.model import Money

VALUES = {
    "weight": 54,
    "length": 126.8,
    "shape": "ergonomic",
    "links": ("wired", "Bluetooth"),
    "wireless": True,
    "price": Money(99, "EUR"),
}


@pytest.mark.parametrize(
    ("expression", "passed"),
    [
        ("weight >= 20 and weight <= 250", True),
        ("20 <= weight <= 250", True),
        ("20 <= weight <= 50", False),
        ("weight > 100 or length > 100", True),
        ("not weight > 100", True),
        ("not not wireless", True),
        ("shape == 'Ergonomic'", True),
        ('shape != "symmetrical"', True),
        ("shape in ('ergonomic', 'symmetrical')", True),
        ("shape not in ('ergonomic', 'symmetrical')", False),
        ("'bluetooth' in links", True),
        ("'gonom' in shape", True),
        ("len(links) == 2", True),
        ("weight * 2 + 1 == 109", True),
        ("weight + 2 * 3 == 60", True),
        ("(weight + 2) * 3 == 168", True),
        ("-weight < 0", True),
        ("abs(weight - 60) <= 6", True),
        ("min(weight, length) == 54 and max(weight, length) == 126.8", True),
        ("price < 100", True),
        ("wireless == true", True),
        ("known(weight) and not known(width)", True),
        ("not known(width) or width > 3", True),
        ("known(width) and width > 3", False),
        ("width > 3", None),
        ("weight > 3 and width > 3", None),
        ("weight / 0 > 1", None),
        ("shape > 3", None),
        ("shape + 1 > 3", None),
        ("len(weight) > 3", None),
        ("1e2 == 100", True),
    ],
)
def test_an_expression_holds_or_not_or_cannot_be_told(expression, passed):
    assert parse_expression(expression).holds(VALUES) is passed


def test_an_expression_names_its_fields_once():
    assert parse_expression("a > 1 and known(b) and a < max(c, 'd')").fields == ("a", "b", "c")


@pytest.mark.parametrize(
    ("expression", "problem"),
    [
        ("", "ends too early"),
        ("weight >", "ends too early"),
        ("weight > 3)", "one too many"),
        ("(weight > 3", "')' is missing"),
        ("weight > > 3", "stands where a value should be"),
        ("weight = 3", "not understood"),
        ("eval(weight)", "unknown function"),
        ("weight.__class__", "not understood"),
        ("weight and and", "stands where a value should be"),
        ("abs(1, 2)", "takes one value"),
        ("known(3)", "takes the name of a field"),
        ("(" * 100 + "1" + ")" * 100, "nested deeper"),
        ("1 + " * 1000 + "1", "longer than"),
        ("shape not 3", "'in' is missing"),
    ],
)
def test_an_expression_that_cannot_be_read_says_why(expression, problem):
    with pytest.raises(ExpressionError) as caught:
        parse_expression(expression)

    assert problem in str(caught.value)


@settings(deadline=None)
@given(st.text("ab()+-*/<>=!,.'\" 019 andornotinknownlenmax", max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        expression = parse_expression(text)
    except ExpressionError as problem:
        assert str(problem)
    else:
        assert expression.holds(VALUES) in (True, False, None)


@settings(deadline=None)
@given(st.integers(-1000, 1000), st.integers(-1000, 1000), st.integers(1, 1000))
def test_arithmetic_is_that_of_python(a, b, c):
    assert parse_expression(f"{a} - {b} * {c} + {a} / {c} == x").holds({"x": a - b * c + a / c})


@pytest.mark.parametrize("text", ["-" * 1900 + "1 < 2", "not " * 480 + "true"])
def test_long_chains_of_signs_do_not_recurse(text):
    assert parse_expression(text).holds({}) is True
