"""Words behind an amount that multiply it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract import compile_contract, find_contract
from specfactory.contract.values.multipliers import multiple_behind
from specfactory.model import Money
from tests.unit.test_visible_values import LISTING, answers, price

PRODUCT = compile_contract(find_contract("product"))


@pytest.mark.parametrize(
    ("words", "language", "money"),
    [
        ("$1.2 million", "en", Money(1_200_000, "USD")),
        ("$1.25M", "en", Money(1_250_000, "USD")),
        ("$450K", "en", Money(450_000, "USD")),
        ("1,2 Mio. €", "de", Money(1_200_000, "EUR")),
        ("R$ 1,2 milhão", "pt", Money(1_200_000, "BRL")),
        ("₹ 45 Lakh", "en", Money(4_500_000, "INR")),
        ("3 500 тыс. руб", "ru", Money(3_500_000, "RUB")),
        ("3,980万円", "ja", Money(39_800_000, "JPY")),
        ("5억 원", "ko", Money(500_000_000, "KRW")),
    ],
)
def test_a_price_is_multiplied_by_the_word_behind_it(words, language, money):
    contract = compile_contract(find_contract("listing"))

    assert contract.derive("price", words, "", language) == money


@pytest.mark.parametrize("words", ["$20 M", "$20 Black", "$20 Medium", "$20 Kettle", "$20 cream"])
def test_a_size_or_a_colour_behind_a_price_multiplies_nothing(words):
    assert PRODUCT.derive("price", words, "", "en") == Money(20, "USD")


def test_a_visible_price_in_millions_is_quoted_with_its_word():
    page = "<title>Villa for sale</title><h1>Villa for sale</h1><p class=price>$1.2 million</p>"

    found = answers(page, LISTING)["price"]

    assert found.candidate.value == Money(1_200_000, "USD")
    assert found.candidate.evidence.values[0].quote == "$1.2 million"


def test_a_word_on_the_next_line_is_none():
    assert price("<p class=price>$49.90</p><p>Million sold</p>") == Money(49.9, "USD")


@given(st.text(max_size=12), st.integers(0, 12))
def test_any_words_give_a_factor_and_a_place_behind_it(words, at):
    times, end = multiple_behind(words, at)

    assert times >= 1
    assert end >= at
