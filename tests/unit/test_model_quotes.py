"""Words are found again where a page has them: white space may differ, digits never."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.extract.language_model.answers import Squeezed, find_quote, find_value


def found(text: str, words: str) -> str | None:
    span = find_quote([Squeezed(text)], words, 0)
    return text[slice(*span)] if span else None


def valued(quote: str, value: str) -> str | None:
    span = find_value(quote, (0, len(quote)), value)
    return quote[slice(*span)] if span else None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It weighs just\n54 grams.", "weighs just 54 grams"),
        ("It weighs 54\u00a0g", "54 g"),
        ("It weighs 54g", "54 g"),
        ("It weighs 54 g", "54g"),
        ("the “Pro” edition – black", 'the "Pro" edition - black'),
        ("soft\u00adware is free", "software is free"),
        ("重量は54グラムです", "54グラム"),
    ],
)
def test_white_space_and_typography_may_differ(text, words):
    assert found(text, words) is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("weighs 54 grams", "weighs 55 grams"),
        ("weighs 540 grams", "weighs 54"),
        ("weighs 154 grams", "54 grams"),
        ("weighs 1.54 grams", "54 grams"),
        ("weighs 54.5 grams", "weighs 54"),
        ("1 000 g", "1000 g"),
        ("10 00 g", "1000 g"),
        ("the V3 mouse", "the V"),
        ("at -54 degrees", "54 degrees"),
        ("4 gallons", "4 g"),
        ("nothing of the kind", "weighs 54 g"),
        ("anything", ""),
        ("anything", " \n"),
    ],
)
def test_digits_may_not_differ_and_nothing_is_cut(text, words):
    assert found(text, words) is None


def test_of_several_places_the_nearest_to_the_line_is_taken():
    text = "weighs 54 g\n" * 3

    assert find_quote([Squeezed(text)], "weighs 54 g", 24) == (24, 35)


def test_only_what_was_offered_is_searched():
    text = "hidden: weighs 1 g\nshown: weighs 54 g"

    assert find_quote([Squeezed(text, 19)], "weighs 1 g", 0) is None


@pytest.mark.parametrize(
    ("quote", "value", "taken"),
    [
        ("it weighs 54 g now", "54 g", "54 g"),
        ("it weighs 54 kg now", "54", "54 kg"),  # never without the unit that the page gives
        ("it has 6 buttons", "6", "6"),
        ("it weighs 54 g now", "60 g", None),
        ("it weighs 54kg now", "54", None),
    ],
)
def test_a_value_stands_in_its_quote_with_its_unit(quote, value, taken):
    assert valued(quote, value) == taken


WORDS = st.text(st.sampled_from("ab 1 2.,-\n\u00a0é量"), max_size=40)


@given(WORDS, WORDS)
def test_what_is_found_has_the_same_digits_in_the_same_order(text, words):
    quote = found(text, words)

    if quote is not None:
        assert re.findall(r"\d+", quote) == re.findall(r"\d+", words)
        assert "".join(quote.split()) == "".join(words.split())


@given(WORDS, st.integers(0, 40), st.integers(0, 40))
def test_a_whole_text_is_found_in_itself(text, start, end):
    if text.split():
        assert found(text, text) == text.strip()
