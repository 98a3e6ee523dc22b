"""Prices as pages of the world write them, read with hints."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract.values.currencies import ISO_CODES, currencies_of
from specfactory.contract.values.prices import (
    PriceRule,
    derive_price,
    read_amount,
    read_lone_price,
    read_price,
)
from specfactory.errors import NotDerivable
from specfactory.model import Money


@pytest.mark.parametrize(
    ("words", "amount", "currency"),
    [
        ("$1,299.00", "1299.00", "USD"),
        ("1.299,00 €", "1299.00", "EUR"),
        ("CHF 1'299.-", "1299", "CHF"),
        ("₹ 12,34,567", "1234567", "INR"),
        ("1 299 Kč", "1299", "CZK"),
        ("RD$ 4,500", "4500", "DOP"),
        ("KWD 1.250", "1.250", "KWD"),
        ("49€ 95", "49.95", "EUR"),
        ("from 26 to 50 €", "26", "EUR"),
        ("2 for $5", "5", "USD"),
        ("1,5 Ft", "1.5", "HUF"),
        ("ab 7,50 EUR", "7.50", "EUR"),
        ("٤٥ ج.م", "45", "EGP"),
        ("5 lakh ₹", "500000", "INR"),
        ("Rs. 1,299", "1299", "INR"),
        ("Fr. 12.50", "12.50", "CHF"),
        ("12.50 K.D", "12.50", "KWD"),
    ],
)
def test_a_price_is_read_in_its_own_convention(words, amount, currency):
    read = read_price(words)

    assert (read.amount, read.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize("words", ["", "in stock", "20% off", "12.05.2021", "16 ft", "May, 2004"])
def test_what_is_no_price_has_no_amount(words):
    assert read_price(words.replace("May", "June")).amount is None


@pytest.mark.parametrize("words", ["Free", "kostenlos", "GRATIS!", "無料"])
def test_what_is_free_costs_nothing(words):
    assert read_price(words).amount == 0


def test_a_hint_names_the_currency_that_the_price_leaves_out():
    assert read_price("39.95", currency_hint="was £ 45.00").currency == "GBP"
    assert read_price("39.95", currency_hint="Add to cart").currency is None


def test_a_hint_settles_the_decimal_mark():
    assert read_price("1,250", decimal_hint=",").amount == Decimal("1.250")
    assert read_price("1,250").amount == 1250


def test_letters_of_a_sentence_are_no_currency():
    assert read_price("29.99", currency_hint="out of stock, all sizes, try later").sign is None


_WHOLE = st.integers(min_value=1, max_value=10**12 - 1)
_CENTS = st.integers(min_value=0, max_value=99)


@given(_WHOLE, _CENTS, st.sampled_from([",.", ".,", " ,", "'.", "\u00a0,"]))
def test_every_grouping_convention_gives_the_amount_back(whole, cents, marks):
    grouped = f"{whole:,}".replace(",", marks[0])

    assert read_amount(f"{grouped}{marks[1]}{cents:02}") == whole + Decimal(cents) / 100


@given(_WHOLE, st.sampled_from(sorted(ISO_CODES)), st.booleans())
def test_every_code_is_read_on_either_side(whole, code, before):
    read = read_price(f"{code} {whole}" if before else f"{whole} {code}")

    assert (read.amount, read.currency) == (whole, code)


@given(st.text(max_size=60), st.text(max_size=20))
def test_no_text_breaks_it_and_no_digit_is_invented(words, hint):
    read = read_price(words, currency_hint=hint)

    if read.amount is not None and read.amount != 0:
        digits = "".join(str(int(char)) for char in words if char.isdecimal())
        figures = "".join(char for char in format(read.amount, "f") if char.isdigit())
        assert figures.strip("0") in digits
    assert read.currency is None or read.currency in currencies_of(read.sign)


def test_a_thousandth_is_refused_where_a_record_needs_certainty():
    with pytest.raises(NotDerivable):
        derive_price(PriceRule("price"), "KWD 1.250")


def test_dollars_of_a_country_are_not_us_dollars():
    assert derive_price(PriceRule("price"), "TT$ 20").currency == "TTD"


@pytest.mark.parametrize(
    ("words", "amount", "sign"), [("11,33 Br", "11.33", "Br"), ("تومان56,000", "56000", "تومان")]
)
def test_a_lone_price_in_a_seldom_currency_is_read(words, amount, sign):
    read = read_lone_price(words)

    assert read is not None
    assert (str(read.amount), read.sign) == (amount, sign)


def test_a_field_takes_a_seldom_currency_when_it_can_be_no_other():
    assert derive_price(PriceRule("price"), "120 kn") == Money(120, "HRK")
    assert derive_price(PriceRule("price", ("ETB",)), "11,33 Br") == Money(11.33, "ETB")
    for words in ("11,33 Br", "56,000 تومان", "5 BD"):  # two countries', ten rials, thousandths
        with pytest.raises(NotDerivable):
            derive_price(PriceRule("price"), words)


@pytest.mark.parametrize("words", ["16.00 ft", "12 Br or 14 Br", "$.75,333", "99", "Br"])
def test_what_may_be_something_else_is_no_lone_price(words):
    assert read_lone_price(words) is None
