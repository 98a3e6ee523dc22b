"""Ranges, scales and whole numbers: what a field's own name and type settle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract.values.quantities import NumberRule, derive_number
from specfactory.contract.values.units import unit_table
from specfactory.errors import NotDerivable

_DPI = unit_table("dpi", ())
_LENGTH = unit_table("mm", ())


@pytest.mark.parametrize(
    ("field", "words", "value"),
    [
        ("max_dpi", "100 – 26,000 DPI", 26000),
        ("min_dpi", "100 – 26,000 DPI", 100),
        ("dpi_maximum", "400/800/1600 DPI", 1600),
    ],
)
def test_a_field_takes_the_end_of_a_range_that_its_name_asks_for(field, words, value):
    assert derive_number(NumberRule(field, _DPI, True, 50, 60000), words) == value


def test_a_range_is_several_values_for_a_field_that_asks_for_no_end():
    with pytest.raises(NotDerivable, match="100 and 26000"):
        derive_number(NumberRule("dpi", _DPI, True, 50, 60000), "100 – 26,000 DPI")


def test_numbers_that_are_no_range_have_no_end():
    with pytest.raises(NotDerivable):
        derive_number(NumberRule("max_length", _LENGTH), "54 mm (60 mm with cap)")


def test_the_same_length_in_two_units_is_no_range():
    assert derive_number(NumberRule("min_length", _LENGTH), "12 mm / 0.47 in") == 12


@pytest.mark.parametrize("words", ["4.5 out of 5", "4,5 de 5", "4.5 / 5", "4.5 von 5"])
def test_what_was_rated_on_is_not_the_rating(words):
    assert derive_number(NumberRule("rating", None, False, 0, 100), words) == 4.5


def test_a_count_is_not_rated():
    with pytest.raises(NotDerivable):
        derive_number(NumberRule("page", None, True), "3 of 5")


def test_three_digits_behind_a_mark_are_thousands_where_only_whole_numbers_are():
    assert derive_number(NumberRule("reviews", None, True), "1,234 reviews") == 1234
    with pytest.raises(NotDerivable):
        derive_number(NumberRule("ratio", None), "1,234")


@given(st.integers(1, 999), st.integers(0, 999), st.sampled_from(",."))
def test_a_grouped_count_is_never_a_fraction(thousands, rest, mark):
    words = f"{thousands}{mark}{rest:03}"

    assert derive_number(NumberRule("count", None, True), words) == thousands * 1000 + rest
