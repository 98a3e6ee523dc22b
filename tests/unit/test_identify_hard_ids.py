"""Ids and their checksums; names and their normal forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract.text import is_gtin
from specfactory.identify import key_of, normal_id
from specfactory.identify.hard_ids import same_id
from specfactory.identify.names import slug_words, tokenise


@pytest.mark.parametrize("digits", ["4006381333931", "036000291452", "96385074", "10012345678902"])
def test_gtins_of_every_length_pass_their_checksum(digits):
    assert is_gtin(digits)


@given(st.sampled_from(["4006381333931", "036000291452", "96385074"]), st.data())
def test_one_changed_digit_fails_the_checksum(digits, data):
    at = data.draw(st.integers(0, len(digits) - 1))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != digits[at]]))

    assert not is_gtin(digits[:at] + digit + digits[at + 1 :])


@pytest.mark.parametrize(
    ("kind", "text", "normal"),
    [
        ("gtin", "4006381333931", "4006381333931"),
        ("gtin", "0 36000 29145 2", "0036000291452"),
        ("upc", "036000291452", "0036000291452"),
        ("gtin", "4006381333932", None),
        ("gtin", "0000000000000", None),
        ("isbn", "0-306-40615-2", "9780306406157"),
        ("isbn", "978-0-306-40615-7", "9780306406157"),
        ("isbn", "0-306-40615-3", None),
        ("asin", "B0D5CDZBJB", "B0D5CDZBJB"),
        ("asin", "b0d5cdzbjb", "B0D5CDZBJB"),
        ("asin", "A0D5CDZBJB", None),
        ("mpn", "RZ01-0463 0100", "RZ0104630100"),
        ("mpn", "n/a", None),
        ("sku", "910-006630", "910006630"),
    ],
)
def test_an_id_has_one_form_or_is_none(kind, text, normal):
    assert normal_id(kind, text) == normal


@pytest.mark.parametrize(
    ("kind", "ours", "theirs", "answer"),
    [
        ("gtin", "036000291452", "0036000291452", True),
        ("gtin", "4006381333931", "96385074", False),
        ("mpn", "RZ01-0463", "rz010463", True),
        ("mpn", "RZ01-0463", "RZ01-0512", False),
        ("mpn", "RZ01-0463-R3A1", "RZ01-0463-R3U1", None),
        ("sku", "RZ01-0463", "100200", None),
    ],
)
def test_ids_match_contradict_or_say_nothing(kind, ours, theirs, answer):
    assert same_id(kind, ours, theirs) is answer


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Viper V3 Pro", "viper  v 3 PRO"),
        ("Mark II", "mk2"),
        ("MKII", "Mark 2"),
        ("2nd Gen", "Gen 2"),
        ("Second Generation", "Gen-2"),
        ("Note 10+", "Note 10 Plus"),
        ("ViperV3Pro", "viper-v3-pro"),
        ("Próba", "Proba"),
        ("kabellos", "Wireless"),
        ("V3.0", "V3"),
    ],
)
def test_spellings_of_one_name_have_one_key(one, other):
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("V2", "V3"), ("G50 2", "G502"), ("2.1", "21"), ("X", "10"), ("II", "III")]
)
def test_names_that_differ_in_a_digit_have_different_keys(one, other):
    assert key_of(one) != key_of(other)


def test_a_slug_gives_its_words_without_ids_and_endings():
    url = "https://x.example/mice/12345/Razer_Viper-V3%20Pro.html?a=b#c"

    assert slug_words(url) == "mice | Razer Viper V3 Pro"


@given(st.text(max_size=600))
def test_tokens_are_never_empty_and_bounded(text):
    tokens = tokenise(text)

    assert len(tokens) <= 80
    assert all(token.text for token in tokens)
