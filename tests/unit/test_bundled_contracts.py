"""The bundled contracts, as the engine reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract import (
    CompiledContract,
    compile_contract,
    contract_problems,
    parse_contract,
)
from specfactory.contract.matching.labels import label_claims
from specfactory.errors import NotDerivable
from specfactory.model import Contract, Field, FieldType, Level, Money, Tier, Value

CATEGORIES = ("article", "listing", "monitor", "mouse", "product", "recipe")
LANGUAGES = ("en", "de", "fr", "es", "it")
MEASURED = (FieldType.NUMBER, FieldType.INTEGER, FieldType.DIMENSIONS, FieldType.PRICE)


def bundled_text(category: str) -> str:
    return (files("specfactory.contract") / "bundled" / f"{category}.yaml").read_text("utf-8")


@cache
def bundled(category: str) -> Contract:
    return parse_contract(bundled_text(category), f"{category}.yaml")


@cache
def compiled(category: str) -> CompiledContract:
    return compile_contract(bundled(category))


def all_fields() -> Iterator[tuple[str, Field]]:
    for category in CATEGORIES:
        for field in bundled(category).fields.values():
            yield category, field


def all_labels(field: Field) -> list[str]:
    return [label for labels in field.labels.values() for label in labels]


def one_or_list(field: Field, value: str) -> Value:
    return (value,) if field.type is FieldType.LIST else value


# ------------------------------------------------------------------ the files


@pytest.mark.parametrize("category", CATEGORIES)
def test_file_has_no_problems_and_is_named_after_its_category(category: str) -> None:
    assert contract_problems(bundled_text(category), f"{category}.yaml") == []
    assert bundled(category).category == category
    assert bundled(category).version
    assert bundled(category).title


@pytest.mark.parametrize(
    ("category", "at_least", "at_most"),
    [
        ("mouse", 145, 160),
        ("monitor", 75, 95),
        ("product", 25, 45),
        ("recipe", 25, 45),
        ("article", 12, 25),
        ("listing", 35, 55),
    ],
)
def test_contract_has_as_many_fields_as_its_trade_lists(
    category: str, at_least: int, at_most: int
) -> None:
    assert at_least <= len(bundled(category).fields) <= at_most


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_level_that_matters_is_used(category: str) -> None:
    levels = Counter(field.level for field in bundled(category).fields.values())

    assert levels[Level.REQUIRED] >= 3
    assert levels[Level.CRITICAL] >= 1
    assert levels[Level.EXPECTED] >= 5


def test_mouse_asks_for_few_fields_always_and_for_many_as_a_rule() -> None:
    levels = Counter(field.level for field in bundled("mouse").fields.values())

    assert levels[Level.REQUIRED] == 8
    assert 12 <= levels[Level.CRITICAL] <= 16
    assert levels[Level.EXPECTED] >= 90


def test_some_critical_fields_of_mice_stand_in_labs_only_and_some_in_shops() -> None:
    critical = [f for f in bundled("mouse").fields.values() if f.level is Level.CRITICAL]
    labs = {field.name for field in critical if field.tiers == (Tier.LAB,)}

    assert {"click_latency", "sensor_latency", "lod_measured"} <= labs
    assert {"gtin", "mpn", "price"} <= {f.name for f in critical if Tier.RETAILER in f.tiers}


def test_what_only_labs_measure_may_differ_between_labs() -> None:
    for category in ("mouse", "monitor"):
        for field in bundled(category).fields.values():
            measured = field.name.endswith("_measured") or field.group == "latency"
            assert field.source_dependent or not measured, field.name


def test_numbers_have_limits() -> None:
    for category, field in all_fields():
        if field.type in MEASURED:
            assert field.low is not None, (category, field.name)
            assert field.high is not None, (category, field.name)


@pytest.mark.parametrize("category", ["mouse", "monitor", "listing"])
def test_fields_that_matter_are_labelled_in_every_language(category: str) -> None:
    same_everywhere = {"msrp", "latitude", "longitude"}
    for field in bundled(category).fields.values():
        if field.level in (Level.REQUIRED, Level.CRITICAL) and field.name not in same_everywhere:
            assert set(LANGUAGES) <= set(field.labels), field.name


def test_sources_of_mice_cover_every_tier_and_their_search_takes_a_query() -> None:
    sources = bundled("mouse").sources

    assert {source.tier for source in sources} == set(Tier)
    assert all("{query}" in source.search for source in sources if source.search)
    assert len({source.host for source in sources}) == len(sources)


def test_hard_ids_are_text_fields_of_their_contract() -> None:
    for category in CATEGORIES:
        for name in bundled(category).identity.hard_ids:
            assert bundled(category).fields[name].type is FieldType.TEXT


def test_no_word_both_tells_variants_apart_and_says_nothing() -> None:
    for category in CATEGORIES:
        identity = bundled(category).identity
        assert not set(identity.variant_words) & set(identity.neutral_words), category


# ------------------------------------------------------------------ labels


@pytest.mark.parametrize("category", CATEGORIES)
def test_no_label_is_claimed_by_two_fields(category: str) -> None:
    claims = label_claims(bundled(category))

    assert {key: owners for key, owners in claims.items() if len(owners) > 1} == {}


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_label_names_its_own_field(category: str) -> None:
    for field in bundled(category).fields.values():
        for label in all_labels(field):
            match = compiled(category).match_label(label)
            assert match is not None, label
            assert match.field == field.name, label


@given(st.data())
def test_label_names_its_field_however_it_is_set(data: st.DataObject) -> None:
    category = data.draw(st.sampled_from(CATEGORIES))
    field = data.draw(st.sampled_from(list(bundled(category).fields.values())))
    label = data.draw(st.sampled_from(all_labels(field)))
    cased = data.draw(st.sampled_from([label, label.upper(), label.lower()]))
    around = data.draw(st.sampled_from(["{}", "{}:", " {} ", "{} :", "{}*", "{}\u00a0"]))

    match = compiled(category).match_label(around.format(cased))

    assert match is not None
    assert match.field == field.name


@pytest.mark.parametrize(
    ("section", "label", "field"),
    [
        ("", "Length", "length"),
        ("Dimensions", "Length", "length"),
        ("Cable", "Length", "cable_length"),
        ("Cable", "Type", "cable_type"),
        ("Package", "Weight", "package_weight"),
        ("Sensor", "Type", "sensor_type"),
        ("Sensor", "Brand", "sensor_brand"),
        ("Switch", "Type", "switch_type"),
        ("Encoder", "Type", "encoder_type"),
        ("Battery", "Type", "battery_type"),
        ("Battery", "Capacity", "battery_capacity"),
        ("Feet", "Material", "feet_material"),
        ("Click latency", "Bluetooth", "click_latency_bluetooth"),
        ("Polling rate", "Wireless", "polling_rate_wireless"),
        ("", "Click latency (wired)", "click_latency_wired"),
        ("", "Weight (measured)", "weight_measured"),
        ("", "Weight (g)", "weight"),
        ("", "Gewicht", "weight"),
        ("", "Poids", "weight"),
        ("", "Kabellänge", "cable_length"),
    ],
)
def test_mouse_label_is_read_under_its_heading(section: str, label: str, field: str) -> None:
    match = compiled("mouse").match_label(label, section)

    assert match is not None
    assert match.field == field


# ------------------------------------------------------------------ values


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_allowed_value_and_synonym_derives_to_its_value(category: str) -> None:
    for field in bundled(category).fields.values():
        for value, synonyms in field.allowed.items():
            for words in (value, *synonyms):
                assert compiled(category).derive(field.name, words) == one_or_list(field, value)


@pytest.mark.parametrize("category", ["mouse", "monitor"])
def test_every_component_and_synonym_derives_to_its_name(category: str) -> None:
    for field in bundled(category).fields.values():
        for name, synonyms in bundled(category).components.get(field.component or "", {}).items():
            for words in (name, *synonyms):
                assert compiled(category).derive(field.name, words) == name
            assert compiled(category).component(field.name, name) == name


def test_component_lists_of_mice_are_those_of_a_reviewer() -> None:
    components = bundled("mouse").components

    assert len(components["sensor"]) >= 40
    assert len(components["switch"]) >= 35
    assert len(components["encoder"]) >= 15


def test_unheard_of_part_is_kept_as_written_but_is_no_component() -> None:
    mouse = compiled("mouse")

    assert mouse.derive("sensor", "Brightwheel S9") == "Brightwheel S9"
    assert mouse.component("sensor", "Brightwheel S9") is None


@pytest.mark.parametrize(
    ("category", "field", "words", "language", "value"),
    [
        ("mouse", "weight", "54 g (1.9 oz)", "en", 54),
        ("mouse", "cable_length", "1,8 m", "de", 1.8),
        ("mouse", "cable_length", "6 ft", "en", 1.83),
        ("mouse", "polling_rate", "1.000 Hz", "de", 1000),
        ("mouse", "polling_rate", "8 kHz", "en", 8000),
        ("mouse", "max_dpi", "35,000 DPI", "en", 35000),
        ("mouse", "max_acceleration", "70 G", "en", 70),
        ("mouse", "switch_durability", "90 million clicks", "en", 90),
        ("mouse", "switch_durability", "90 Millionen Klicks", "de", 90),
        ("mouse", "actuation_force", "0.6 N", "en", 60),
        ("mouse", "warranty", "2 years", "en", 24),
        ("mouse", "battery_life", "up to 95 hours", "en", 95),
        ("mouse", "charge_time", "1.5 hours", "en", 90),
        ("mouse", "dpi_deviation", "-1.2%", "en", -1.2),
        (
            "mouse",
            "connection",
            "LIGHTSPEED, Bluetooth, USB",
            "en",
            ("2.4 GHz", "Bluetooth", "wired"),
        ),
        ("mouse", "msrp", "$159.99", "en", Money(159.99, "USD")),
        ("mouse", "msrp_eur", "179,99 €", "de", Money(179.99, "EUR")),
        ("mouse", "release_date", "April 2024", "en", "2024-04"),
        ("monitor", "resolution", "2560 x 1440", "en", (2560, 1440)),
        ("monitor", "contrast_ratio", "1000:1", "en", 1000),
        ("monitor", "brightness", "400 nits", "en", 400),
        ("monitor", "screen_size", "68.5 cm (27 inch)", "en", 27),
        ("monitor", "aspect_ratio", "16:9", "en", "16:9"),
        ("product", "availability", "https://schema.org/OutOfStock", "", "out of stock"),
        ("product", "availability", "Nicht auf Lager", "de", "out of stock"),
        ("product", "condition", "https://schema.org/NewCondition", "", "new"),
        ("product", "price", "129,90 €", "de", Money(129.9, "EUR")),
        ("product", "review_count", "1,234 reviews", "en", 1234),
        ("recipe", "prep_time", "PT1H30M", "", 90),
        ("recipe", "calories", "270 calories", "en", 270),
        ("recipe", "oven_temperature", "180 °C", "en", 180),
        ("article", "date_published", "2024-03-01T10:00:00Z", "", "2024-03-01"),
        ("article", "author", "Jane Doe and John Smith", "en", ("Jane Doe", "John Smith")),
        ("listing", "living_area", "ca. 85,5 m²", "de", 85.5),
        ("listing", "rooms", "3,5 Zimmer", "de", 3.5),
        ("listing", "price", "450.000 €", "de", Money(450000, "EUR")),
        ("listing", "property_type", "Etagenwohnung", "de", "apartment"),
    ],
)
def test_words_of_real_pages_derive(
    category: str, field: str, words: str, language: str, value: Value
) -> None:
    assert compiled(category).derive(field, words, "", language) == value


def test_vague_word_for_a_connection_is_not_guessed() -> None:
    with pytest.raises(NotDerivable, match="none of wired"):
        compiled("mouse").derive("connection", "Wireless")


# ------------------------------------------------------------------ structured data


@pytest.mark.parametrize(
    ("category", "path", "field"),
    [
        ("mouse", "gtin13", "gtin"),
        ("mouse", "mpn", "mpn"),
        ("mouse", "sku", "sku"),
        ("mouse", "brand.name", "brand"),
        ("mouse", "weight", "weight"),
        ("mouse", "offers.price", "price"),
        ("monitor", "offers.price", "price"),
        ("product", "offers.price", "price"),
        ("product", "offers.priceCurrency", "currency"),
        ("product", "offers.availability", "availability"),
        ("product", "aggregateRating.ratingValue", "rating"),
        ("product", "aggregateRating.reviewCount", "review_count"),
        ("recipe", "recipeIngredient", "ingredients"),
        ("recipe", "recipeInstructions.text", "instructions"),
        ("recipe", "totalTime", "total_time"),
        ("recipe", "nutrition.calories", "calories"),
        ("article", "headline", "title"),
        ("article", "author.name", "author"),
        ("article", "datePublished", "date_published"),
        ("listing", "address.postalCode", "postal_code"),
        ("listing", "geo.latitude", "latitude"),
        ("listing", "floorSize.value", "living_area"),
    ],
)
def test_structured_path_fills_its_field(category: str, path: str, field: str) -> None:
    assert field in compiled(category).structured_fields(path)


# ------------------------------------------------------------------ phrases


def test_every_pattern_marks_its_value_once() -> None:
    for category, field in all_fields():
        for pattern in field.patterns:
            assert pattern.count("{value}") == 1, (category, field.name, pattern)


@pytest.mark.parametrize(
    ("sentence", "field", "words"),
    [
        ("At last: the new one weighs in at just 54 g.", "weight", "54 g"),
        ("Our scale showed 55 g.", "weight_measured", "55 g"),
        ("It measures 127.1 x 63.9 x 39.9 mm.", "dimensions", "127.1 x 63.9 x 39.9 mm"),
        ("The body is 127 mm long.", "length", "127 mm"),
        ("At its hump it is 40 mm tall.", "height", "40 mm"),
        ("It is built around the Focus Pro 35K sensor.", "sensor", "Focus Pro 35K"),
        ("A sensitivity of up to 35,000 DPI is plenty.", "max_dpi", "35,000 DPI"),
        ("It has a tracking speed of up to 750 IPS.", "max_ips", "750 IPS"),
        ("The polling rate of up to 8000 Hz held.", "polling_rate", "8000 Hz"),
        ("Its switches are rated for 90 million clicks.", "switch_durability", "90 million clicks"),
        ("We noted an actuation force of about 62 gf.", "actuation_force", "62 gf"),
        ("It has a battery life of up to 95 hours.", "battery_life", "95 hours"),
        ("Expect up to 17 hours at 8000 Hz.", "battery_life_max_polling", "17 hours"),
        ("It charges fully in about 90 min.", "charge_time", "90 min"),
        ("Power comes from a 500 mAh battery.", "battery_capacity", "500 mAh"),
        ("We found an average click latency of just 0.6 ms.", "click_latency", "0.6 ms"),
        ("We found a wired click latency of 0.4 ms.", "click_latency_wired", "0.4 ms"),
        ("It stops tracking at a height of 1.1 mm.", "lod_measured", "1.1 mm"),
        ("It has a list price of $159.99.", "msrp", "$159.99"),
        ("The cable weighs 21 g.", "cable_weight", "21 g"),
    ],
)
def test_sentence_of_a_review_gives_its_value(sentence: str, field: str, words: str) -> None:
    found = [
        (match.field, sentence[match.value_start : match.value_end])
        for match in compiled("mouse").text_matches(sentence)
    ]

    assert (field, words) in found


def test_latency_of_one_mode_is_not_taken_for_the_latency() -> None:
    sentence = "We saw a wired click latency of 0.4 ms and a wireless click latency of 0.9 ms."
    found = {match.field for match in compiled("mouse").text_matches(sentence)}

    assert found == {"click_latency_wired", "click_latency_wireless"}
