"""Numbers as pages write them."""

# ruff: noqa: E501 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract.values.numbers import NumberReading, decimal_mark, raised, readings, scan
from specfactory.contract.values.units import unit_table
from tests.yardstick import within

CONVENTIONS = {
    "en": (",", "."),
    "de": (".", ","),
    "es": (".", ","),
    "it": (".", ","),
    "fr": ("\u202f", ","),
    "pl": ("\u00a0", ","),
    "de-CH": ("’", "."),
    "ar": ("٬", "٫"),
    "": (" ", "."),
}


def written(whole: int, fraction: str, group: str, point: str) -> str:
    """A number by a convention: groups of three, a decimal mark."""
    grouped = f"{whole:,}".replace(",", group)
    return f"{grouped}{point}{fraction}" if fraction else grouped


@settings(deadline=None)
@given(
    whole=st.integers(0, 10**9),
    fraction=st.text("0123456789", max_size=4),
    language=st.sampled_from(sorted(CONVENTIONS)),
)
def test_a_number_written_by_a_language_is_read_back(whole, fraction, language):
    if language == "" and len(fraction) == 3 and whole < 1000:
        return  # ambiguous on purpose
    digits = written(whole, fraction, *CONVENTIONS[language])

    read = readings(digits, decimal_mark(language))

    assert read == (NumberReading(float(f"{whole}.{fraction or 0}"), len(fraction)),)


@settings(deadline=None)
@given(st.integers(1, 999), st.integers(0, 999))
def test_three_digits_behind_one_mark_are_ambiguous_without_a_language(whole, group):
    digits = f"{whole}.{group:03}"

    values = {reading.value for reading in readings(digits, "")}

    assert values == {float(f"{whole}{group:03}"), float(digits)}


@settings(deadline=None)
@given(st.text("0123456789.,'’٫٬ \u00a0", max_size=30), st.sampled_from(["", ".", ",", "fr"]))
def test_no_digit_string_breaks_the_reader(digits, mark):
    assert all(reading.value >= 0 for reading in readings("1" + digits.strip("., ") + "1", mark))


@pytest.mark.parametrize("digits", ["1,2,3", "1.2.3", "12,34.5,6", "1.000.00", "2.0.1"])
def test_shapes_of_no_number_have_no_reading(digits):
    assert readings(digits, ".") == ()


@pytest.mark.parametrize(
    ("digits", "mark", "value"),
    [
        ("1,5", ".", 1.5),  # a decimal comma on an English page is never fifteen
        ("1,50", ".", 1.5),
        ("0.125", ",", 0.125),  # a leading zero is no group
        ("0,125", ".", 0.125),
        ("1299.00", ",", 1299.0),
        ("1,00,000", ".", 100000.0),
        ("1.000", "fr", None),
        ("1,000", "fr", 1.0),
    ],
)
def test_shape_decides_before_the_language(digits, mark, value):
    read = readings(digits, mark)

    assert (read[0].value if len(read) == 1 else None) == value


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_can_be_scanned(words):
    for quantity in scan(words, ".", unit_table("g", ())):
        assert 0 <= quantity.start <= quantity.end <= len(words)


@pytest.mark.parametrize("words", ["PAW3395", "3D", "2in1", "v2.5", "5th", "802.11be", "RZ01-A1"])
def test_model_tokens_are_no_numbers(words):
    assert scan(words, ".", None) == []


def test_digits_parted_by_a_hair_space_stay_two_numbers():
    found = scan("129\u200a90", ".", None)

    assert [quantity.readings[0].value for quantity in found] == [129.0, 90.0]


def test_raised_digits_do_not_run_into_the_number():
    (found,) = scan("129⁹⁰", ".", None)

    assert (found.readings[0].value, raised(found.power)) == (129.0, 90)


@pytest.mark.parametrize("words", ["1" * 20000, "1," * 10000, "1 000 " * 4000, "a." * 10000, "9'" * 9000])  # fmt: skip
def test_hostile_digit_strings_take_no_time(words):
    with within(yards=20):
        scan(words, "", unit_table("g", ()))
