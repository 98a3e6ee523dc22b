"""Labels: what a page calls a field."""

# ruff: noqa: E501 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract import LabelMatch, compile_contract, parse_contract
from specfactory.contract.matching.labels import label_key

COMPILED = compile_contract(
    parse_contract(
        """
category: sample
fields:
  weight: {type: number, unit: g, units: [g, oz], labels: {en: [Weight, Mouse weight], de: [Gewicht]}}
  weight_with_cable: {type: number, unit: g, labels: {en: [Weight with cable]}}
  length: {type: number, unit: mm, labels: {en: [Length], fr: [Longueur]}}
  cable_length: {type: number, unit: m, labels: {en: [Cable length], de: [Kabellänge]}, group: cable}
  dock_width: {type: number, unit: mm, labels: {en: [Dock > Width]}}
  width: {type: number, unit: mm, labels: {en: [Width]}}
  size: {type: dimensions, unit: mm, labels: {en: [Dimensions]}}
  polling: {type: integer, unit: Hz, labels: {en: [Polling rate]}}
  buttons: {type: integer, labels: {en: ["# of buttons", Number of buttons]}}
  connection: {type: text, labels: {en: [Connection type]}}
""",
        "sample.yaml",
    )
)


@pytest.mark.parametrize(
    ("label", "section", "field", "unit"),
    [
        ("Weight", "", "weight", None),
        ("WEIGHT:", "", "weight", None),
        ("  weight : ", "", "weight", None),
        ("Weight*", "", "weight", None),
        ("Weight¹:", "", "weight", None),
        ("Weight [1]", "", "weight", None),
        ("Mouse-Weight", "", "weight", None),
        ("Weight®", "", "weight", None),
        ("Gewicht", "", "weight", None),
        ("Weight (g)", "", "weight", "g"),
        ("Weight [oz]:", "", "weight", "oz"),
        ("Weight, g", "", "weight", "g"),
        ("Weight in grams", "", "weight", "grams"),
        ("Weight (approx.)", "", "weight", None),
        ("Weight (without cable)", "", "weight", None),
        ("Weight (with cable)", "", "weight_with_cable", None),
        ("Dimensions (L x W x H)", "", "size", None),
        ("Dimensions (LxWxH in mm)", "", "size", "mm"),
        ("Polling Rate (Hz)", "", "polling", "Hz"),
        ("Length", "", "length", None),
        ("Length", "Dimensions", "length", None),
        ("Length", "Cable", "cable_length", None),
        ("Length (m)", "Cable", "cable_length", "m"),
        ("Width", "Dock", "dock_width", None),
        ("Cable length", "Cable", "cable_length", None),
        ("Cable length", "Cord", "cable_length", None),
        ("Kabellänge", "Kabel", "cable_length", None),
        ("Connection type", "Wireless & Battery", "connection", None),
        ("# of buttons", "", "buttons", None),
        ("cable_length", "", "cable_length", None),
    ],
)
def test_a_label_names_its_field(label, section, field, unit):
    found = COMPILED.match_label(label, section)

    assert found is not None
    assert (found.field, found.unit) == (field, unit)
    assert 0 < found.score <= 1


@pytest.mark.parametrize(
    ("label", "section"),
    [
        ("", ""),
        ("Weights", ""),
        ("Weight class", ""),
        ("Weight (packaged)", ""),
        ("Weight (with batteries)", ""),
        ("Max weight", ""),
        ("Length", "Packaging"),
        ("Weight", "Charging dock"),
        ("Width", "In the box"),
        ("Colour", ""),
        ("Weight " * 100, ""),
    ],
)
def test_a_label_that_only_resembles_names_nothing(label, section):
    assert COMPILED.match_label(label, section) is None


def test_an_exact_label_scores_highest():
    assert COMPILED.match_label("Weight") == LabelMatch("weight", 1.0, None)
    assert COMPILED.match_label("Weight (approx.)") == LabelMatch("weight", 0.95, None)


@settings(deadline=None)
@given(
    st.sampled_from(["Weight", "Cable length", "Polling rate", "Number of buttons"]),
    st.sampled_from(["", ":", " :", "*", "¹", " [2]", "†:"]),
    st.booleans(),
    st.sampled_from([" ", "  ", "\u00a0", "-", "\n"]),
)
def test_spelling_does_not_matter(label, ending, upper, space):
    spelled = (label.upper() if upper else label).replace(" ", space) + ending

    assert COMPILED.match_label(spelled) == COMPILED.match_label(label)


@settings(deadline=None)
@given(st.text(max_size=130), st.text(max_size=20))
def test_any_text_may_be_asked_for(label, section):
    found = COMPILED.match_label(label, section)

    assert found is None or found.field in COMPILED.contract.fields


@settings(deadline=None)
@given(st.text(max_size=60))
def test_the_key_of_a_key_is_itself(label):
    key = label_key(label)

    assert label_key(key) == key
