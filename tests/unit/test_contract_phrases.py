"""Phrases: values stated in running text."""

# ruff: noqa: E501, PT017 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract import compile_contract, find_contract, parse_contract
from specfactory.contract.matching.phrases import PatternError, parse_pattern
from tests.yardstick import within

COMPILED = compile_contract(
    parse_contract(
        """
category: sample
components: {sensor: {"PixArt PAW3395": [PAW3395]}}
fields:
  weight:
    {type: number, unit: g, patterns: ["weighs [in at] [just|only] {value}", "{value} (lightweight|light) mouse"]}
  battery: {type: number, unit: h, patterns: ["battery [life] (lasts|of) {value}"]}
  buttons: {type: integer, patterns: ["{value} programmable buttons"]}
  sensor: {type: text, component: sensor, patterns: ["(uses|features) the {value} [sensor]"]}
  bluetooth: {type: boolean, patterns: ["{value} Bluetooth"]}
  size: {type: dimensions, unit: mm, patterns: ["measures {value}"]}
  price: {type: price, patterns: ["costs {value}"]}
  released: {type: date, patterns: ["released in {value}"]}
  shape: {type: enumeration, allowed: [symmetrical, ergonomic], patterns: ["{value} shape"]}
""",
        "sample.yaml",
    )
)


def found(text: str) -> list[tuple[str, str]]:
    return [(m.field, text[m.value_start : m.value_end]) for m in COMPILED.text_matches(text)]


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("The mouse weighs 54 g.", "weight", "54 g"),
        ("It weighs in at just 54 grams without its cable", "weight", "54 grams"),
        ("it WEIGHS about 1.9 oz", "weight", "1.9 oz"),
        ("a 54-gram lightweight mouse", "weight", "54-gram"),
        ("The battery lasts up to 90 hours", "battery", "90 hours"),
        ("a battery life of 90 h", "battery", "90 h"),
        ("with 6 programmable buttons", "buttons", "6"),
        ("It features the PAW3395 sensor", "sensor", "PAW3395"),
        ("It supports Bluetooth", "bluetooth", "supports"),
        ("It does not support Bluetooth", "bluetooth", "does not support"),
        ("It measures 126.8 x 68 x 40 mm", "size", "126.8 x 68 x 40 mm"),
        ("It costs $159.99 today", "price", "$159.99"),
        ("released in June 2024", "released", "June 2024"),
        ("an ergonomic shape", "shape", "ergonomic"),
    ],
)
def test_a_phrase_gives_the_words_of_its_value(text, field, value):
    assert (field, value) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "The mouse weighs less than 60 g",
        "The mouse weighs 54–60 g",
        "The mouse outweighs 54 g",
        "The mouse weighs 54 gold coins",
        "with 3.5 programmable buttonsets",
        "It uses the PAW3950 sensor",
    ],
)
def test_what_only_looks_like_a_phrase_is_none(text):
    assert found(text) == []


def test_every_match_derives_to_the_value_it_shows():
    text = "It weighs in at just 54 grams; the battery lasts 90 hours."

    values = {
        match.field: COMPILED.derive(match.field, text[match.value_start : match.value_end])
        for match in COMPILED.text_matches(text)
    }

    assert values == {"weight": 54, "battery": 90}


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("weighs a lot", "exactly one {value}"),
        ("{value} or {value}", "exactly one {value}"),
        ("{value}", "at least one word"),
        ("[weighs] {value}", "at least one word"),
        ("weighs [just {value}", "'[' is not closed"),
        ("weighs just] {value}", "closes nothing"),
        ("weighs (a] {value}", "does not close"),
        ("weighs () {value}", "nothing between"),
        ("weighs {amount} {value}", "not understood"),
        ("weighs [{value}]", "may not be optional"),
        ("(" * 9 + "a" + ")" * 9 + " {value}", "nested deeper"),
        ("weighs " * 100 + "{value}", "at most"),
    ],
)
def test_a_pattern_that_cannot_be_read_says_why(pattern, problem):
    with pytest.raises(PatternError) as caught:
        parse_pattern(pattern)

    assert problem in str(caught.value)


@settings(deadline=None)
@given(st.text("ab {}[]()|value", max_size=40))
def test_any_pattern_is_read_or_refused(pattern):
    try:
        parse_pattern(pattern)
    except PatternError as problem:
        assert str(problem)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_matches_lie_within_the_text(text):
    for match in COMPILED.text_matches("It weighs 54 g. " + text + " 6 programmable buttons"):
        assert match.start <= match.value_start < match.value_end <= match.end


@pytest.mark.parametrize("text", ["weighs " * 20000, "weighs 1" + "0," * 40000, "1 " * 60000, "it weighs in at just " * 6000])  # fmt: skip
def test_hostile_text_takes_time_in_proportion(text):
    mouse = compile_contract(find_contract("mouse"))
    list(mouse.text_matches("warm"))

    with within(yards=80):
        list(mouse.text_matches(text))
