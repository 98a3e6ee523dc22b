"""Words to values: yes and no, allowed values, lists, components, and when two are the same."""

# ruff: noqa: PT017 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract import compile_contract, parse_contract
from specfactory.contract.values.words import split_items
from specfactory.errors import NotDerivable
from specfactory.model import Money
from tests.yardstick import within

COMPILED = compile_contract(
    parse_contract(
        """
category: sample
components:
  sensor:
    "Focus Pro 35K": [Razer Focus Pro 35K Optical Sensor Gen-2]
    "PixArt PAW3395": [PAW3395]
    HERO: []
    "HERO 2": []
fields:
  rgb: {type: boolean}
  rechargeable: {type: boolean, allowed: {"true": [lithium], "false": [AA, AAA]}}
  shape: {type: enumeration, allowed: {symmetrical: [ambidextrous], ergonomic: [right-handed]}}
  links: {type: list, allowed: {wired: [USB, cable], 2.4 GHz: [RF], Bluetooth: [BT]}}
  colors: {type: list}
  sensor: {type: text, component: sensor}
  sensors: {type: list, component: sensor}
  name: {type: text}
  weight: {type: number, unit: g, tolerance: 1}
  price: {type: price, tolerance: 2%}
  size: {type: dimensions, unit: mm, tolerance: 0.5}
  released: {type: date}
""",
        "sample.yaml",
    )
)


def code(field: str, words: str, language: str = "") -> str:
    with pytest.raises(NotDerivable) as caught:
        COMPILED.derive(field, words, "", language)
    return caught.value.code


@pytest.mark.parametrize(
    "words", ["✓", "✔", "Yes", "YES.", "Ja", "Oui", "Sí", "Sì", "true", "Supported", "Included",
              "Yes (via software)", "Yes, 16.8 million colours", "Built-in", "yes – Chroma"]
)  # fmt: skip
def test_words_that_mean_yes(words):
    assert COMPILED.derive("rgb", words) is True


@pytest.mark.parametrize(
    "words", ["✗", "No", "Nein", "Non", "None", "false", "Not supported", "not included", "Without",
              "No (wired only)", "nicht unterstützt", "No."]
)  # fmt: skip
def test_words_that_mean_no(words):
    assert COMPILED.derive("rgb", words) is False


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("—", "no_value"),
        ("-", "no_value"),
        ("N/A", "no_value"),
        ("unknown", "no_value"),
        ("Optional", "not_allowed"),
        ("No software needed", "not_allowed"),
        ("Yes/No", "several_values"),
    ],
)
def test_words_between_yes_and_no_are_refused(words, expected):
    assert code("rgb", words) == expected


def test_a_contract_adds_its_own_words_for_yes_and_no():
    assert COMPILED.derive("rechargeable", "Lithium") is True
    assert COMPILED.derive("rechargeable", "AA") is False


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("ergonomic", "ergonomic"),
        ("Ambidextrous", "symmetrical"),
        ("RIGHT\u2011HANDED", "ergonomic"),
        ("Right handed (large hands)", "ergonomic"),
        ("Right-handed, ergonomic shape", "ergonomic"),
    ],
)
def test_the_one_allowed_value_is_found_by_its_normal_form(words, value):
    assert COMPILED.derive("shape", words) == value


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("ergonomic or symmetrical", "several_values"),
        ("not ergonomic", "not_allowed"),
        ("ergonomics", "not_allowed"),
        ("round", "not_allowed"),
        ("TBA", "no_value"),
    ],
)
def test_other_words_are_no_allowed_value(words, expected):
    assert code("shape", words) == expected


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("USB, Bluetooth and 2.4GHz", ("wired", "Bluetooth", "2.4 GHz")),
        ("RF / BT", ("2.4 GHz", "Bluetooth")),
        ("Bluetooth 2.4 GHz wired", ("Bluetooth", "2.4 GHz", "wired")),
        ("BT", ("Bluetooth",)),
    ],
)
def test_items_of_a_list_take_their_allowed_form(words, value):
    assert COMPILED.derive("links", words) == value


def test_an_item_that_is_not_allowed_is_refused():
    assert code("links", "USB, carrier pigeon") == "not_allowed"


@pytest.mark.parametrize(
    ("words", "language", "items"),
    [
        ("Black, White and Pink", "en", ["Black", "White", "Pink"]),
        ("Schwarz und Weiß", "de", ["Schwarz", "Weiß"]),
        ("Noir et Blanc", "fr", ["Noir", "Blanc"]),
        ("Negro y Blanco", "es", ["Negro", "Blanco"]),
        ("Nero e Bianco", "it", ["Nero", "Bianco"]),
        ("Black; White, glossy", "en", ["Black", "White, glossy"]),
        ("Black\nWhite, glossy", "en", ["Black", "White, glossy"]),
        ("Black • White", "en", ["Black", "White"]),
        ("Black/White", "en", ["Black", "White"]),
        ("Windows 10/11, macOS", "en", ["Windows 10/11", "macOS"]),
        ("Cable (USB-A, 1.8 m), Dongle", "en", ["Cable (USB-A, 1.8 m)", "Dongle"]),
        ("400, 800, 1,600", "en", ["400", "800", "1,600"]),
        ("https://a.test/1.jpg https://a.test/2.jpg", "", ["https://a.test/1.jpg", "https://a.test/2.jpg"]),
        ("and Pink", "en", ["Pink"]),
    ],
)  # fmt: skip
def test_lists_are_split_where_their_items_end(words, language, items):
    assert split_items(words, language) == items


@settings(deadline=None)
@given(st.text(max_size=200), st.sampled_from(["", "en", "de", "xx"]))
def test_any_words_can_be_split(words, language):
    for item in split_items(words, language):
        assert item.strip()


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("Razer Focus Pro 35K Optical Sensor Gen\u20112", "Focus Pro 35K"),
        ("PAW3395", "PixArt PAW3395"),
        ("PAW3395 optical sensor", "PixArt PAW3395"),
        ("HERO sensor", "HERO"),
        ("HERO 25K", "HERO 25K"),  # another model: not canonicalised
        ("Focus Pro 45K", "Focus Pro 45K"),
        ("Custom  PAW3395", "Custom PAW3395"),
    ],
)
def test_a_component_takes_its_known_name_only_when_nothing_tells_it_apart(words, value):
    assert COMPILED.derive("sensor", words) == value


def test_a_component_outside_the_list_is_unknown():
    assert COMPILED.component("sensor", "TTC Gold") is None
    assert COMPILED.component("sensor", "paw3395") == "PixArt PAW3395"
    assert COMPILED.component("name", "PAW3395") is None
    assert COMPILED.derive("sensors", "PAW3395, TTC Gold") == ("PixArt PAW3395", "TTC Gold")


@pytest.mark.parametrize(
    ("field", "words", "value"),
    [
        ("rgb", "yes¹", True),
        ("rgb", "✗²", False),
        ("rgb", "Yes *", True),
        ("shape", "Ergonomic [2]", "ergonomic"),
        ("name", "Steel†", "Steel"),
        ("name", "1.2 m²", "1.2 m²"),
        ("name", "10⁶", "10⁶"),
        ("links", "USB, Bluetooth³", ("wired", "Bluetooth")),
        ("sensor", "HERO sensor¹", "HERO"),
    ],
)
def test_footnote_marks_at_the_end_are_no_part_of_the_value(field, words, value):
    assert COMPILED.derive(field, words) == value


def test_text_keeps_its_words_and_collapses_white_space():
    assert COMPILED.derive("name", "  Viper\n V3\u00a0 Pro ") == "Viper V3 Pro"
    assert code("name", "n/a") == "no_value"
    assert code("name", "x" * 5000) == "too_long"


@pytest.mark.parametrize(
    ("field", "a", "b", "same"),
    [
        ("weight", 54, 55, True),
        ("weight", 54, 55.1, False),
        ("name", "Viper V3-Pro", "viper v3 pro", True),
        ("name", "Viper V3", "Viper V2", False),
        ("price", Money(100, "EUR"), Money(102, "EUR"), True),
        ("price", Money(100, "EUR"), Money(100, "USD"), False),
        ("size", (126, 64, 40), (40.4, 126.2, 64), True),
        ("size", (126, 64, 40), (126, 64), False),
        ("colors", ("Black", "White"), ("white", "black"), True),
        ("colors", ("Black",), ("Black", "White"), False),
        ("released", "2024", "2024-06-12", True),
        ("released", "2024-06", "2024-07", False),
        ("rgb", True, True, True),
        ("rgb", True, 1, False),
        ("weight", 54, "54", False),
    ],
)
def test_values_are_the_same_within_the_fields_tolerance(field, a, b, same):
    assert COMPILED.same(field, a, b) is same
    assert COMPILED.same(field, b, a) is same


@settings(deadline=None)
@given(st.text(max_size=60), st.sampled_from(sorted(COMPILED.contract.fields)))
def test_any_words_give_a_value_or_a_reason(words, field):
    try:
        value = COMPILED.derive(field, words)
    except NotDerivable as reason:
        assert reason.code
    else:
        assert COMPILED.same(field, value, value)


@pytest.mark.parametrize("space", ["\u00a0", " ", "\t", "\n", " \u00a0"])
def test_items_far_apart_are_split_in_linear_time(space):
    words = f"red{space * 20_000}and{space * 20_000}blue, green"

    with within(yards=2):
        items = split_items(words, "en")

    assert {"red", "green"} <= {word for item in items for word in item.replace(",", "").split()}
