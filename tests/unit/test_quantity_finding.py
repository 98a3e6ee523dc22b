"""Quantities in running text, units put together from parts, ratings."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from benchmarks.node_values import read_brand, read_rating_of
from benchmarks.ratings import read_rating
from specfactory.contract.values.composed_units import PLAIN, parse_unit
from specfactory.contract.values.number_words import word_numbers
from specfactory.contract.values.quantities import NumberRule, derive_number
from specfactory.contract.values.running_text import find_quantities
from specfactory.contract.values.units import unit_table
from specfactory.errors import NotDerivable


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("a rope of twenty-one metres", 21, "metre"),
        ("it holds 1,500 mAh", 1500, "milliampere hour"),
        ("it drives at 130 km/h", 130, "kilometre per hour"),
        ("weighs 2 1/2 lbs", 2.5, "pound"),
        ("1,5 kg of flour", 1.5, "kilogram"),
        ("between 4 mg and 6 mg", 5, "milligram"),
        ("rents at $15 per day", 15, "dollar per day"),
        ("raised €10M last year", 10e6, "euro"),
        ("two thirds of it", 2 / 3, "dimensionless"),
        ("a board 2 in thick", 2, "inch"),
        ("there are 5 in the box", 5, "dimensionless"),
        ("9.81e0 ± 0.1 m/s²", 9.81, "metre per square second"),
    ],
)
def test_a_quantity_is_found_with_its_unit(text, value, unit):
    (found,) = find_quantities(text)

    assert found.value == pytest.approx(value)
    assert found.unit.is_same(parse_unit(unit))


@pytest.mark.parametrize(
    "text", ["the 21st century", "at 2 pm", "at 10:30 am", "the 1960s", "3D", "one of us", "245 23"]
)
def test_ordinals_times_and_names_are_no_quantities(text):
    assert find_quantities(text) == []


def test_two_names_of_a_unit_are_one_unit():
    assert parse_unit("ml").is_same(parse_unit("cubic centimetre"))
    assert not parse_unit("ml").is_same(parse_unit("l"))


def test_a_quote_is_no_inch():
    (found,) = find_quantities('he said "room 101" and left')

    assert found.unit is PLAIN


@given(st.integers(0, 999), st.sampled_from(["kg", "mm", "GHz", "°C", "years", "sq ft", "kWh"]))
def test_a_number_before_a_unit_comes_back(number, unit):
    (found,) = find_quantities(f"about {number} {unit}")

    assert found.value == number
    assert found.unit.is_same(parse_unit(unit))


@given(st.text(max_size=120))
def test_no_text_breaks_it_and_spans_are_in_order(text):
    found = find_quantities(text)

    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(st.text(alphabet="onetwhrudfivsxp a-nd", max_size=60))
def test_words_are_numbers_only_where_they_are_written(text):
    assert all(text[one.start : one.end].strip() for one in word_numbers(text))


@pytest.mark.parametrize(
    ("words", "value", "best"),
    [
        ("4,5 de 5", 4.5, 5),
        ("Rated 4.4 out of 5 stars", 4.4, 5),
        ("178 reviews, 4.8 / 5.0", 4.8, 5),
        ("4.8 (178)", 4.8, None),
        ("9/10", 9, 10),
        ("★★★★☆", 4, 5),
        ("no reviews yet", None, None),
    ],
)
def test_a_rating_is_read_with_its_scale(words, value, best):
    assert read_rating(words) == (value, best)


@given(st.text(max_size=80))
def test_no_words_break_a_rating(words):
    read_rating(words)


def _node(html):
    return next(LexborHTMLParser(html).body.iter())


def test_a_brand_is_its_text_or_what_its_picture_says():
    assert read_brand(_node("<a> Acme\n Tools</a>")) == "Acme Tools"
    assert read_brand(_node("<a><img alt='Acme'></a>")) == "Acme"
    assert read_brand(_node("<img src='acme.png'>")) is None
    assert read_brand(_node(f"<b>{'long words ' * 9}</b>")) is None


def test_a_rating_without_text_may_stand_in_an_attribute():
    assert read_rating_of(_node("<i aria-label='3.5 out of 5'></i>")).value == 3.5


@pytest.mark.parametrize(
    ("unit", "units", "words", "value"),
    [
        ("ml", ("ml", "l"), "5 cubic centimetres", 5),
        ("km/h", ("km/h", "m/s"), "12 metres per second", 43.2),
        ("g", ("g", "kg"), "25 kilogrammes", 25_000),
        ("h", ("h", "min"), "ninety minutes", 1.5),
        ("h", ("h", "min"), "two and a half hours", 2.5),
    ],
)
def test_a_field_takes_its_units_however_they_are_spelled(unit, units, words, value):
    assert derive_number(NumberRule("field", unit_table(unit, units)), words) == value


@pytest.mark.parametrize(
    ("unit", "units", "words"),
    [
        ("g", ("g", "kg"), "5 metric tons"),  # not among its units
        ("g", ("g", "kg"), "10 to 20 kilogrammes"),
        ("ml", ("ml",), "1.500 cubic centimetres"),  # one and a half, or a thousand and more
    ],
)
def test_other_units_and_several_readings_stay_refused(unit, units, words):
    with pytest.raises(NotDerivable):
        derive_number(NumberRule("field", unit_table(unit, units)), words)
