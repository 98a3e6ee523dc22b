"""Which characters the bytes of a page stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.proof.text.characters import decode, is_binary, is_pdf


def test_the_byte_order_mark_outranks_the_header():
    body = b"\xef\xbb\xbf" + "Gewicht: 54 g – schön".encode()

    assert decode(body, "text/html; charset=iso-8859-1") == "Gewicht: 54 g – schön"


def test_the_header_outranks_the_meta_tag():
    body = '<meta charset="utf-8">größer'.encode("cp1252")

    assert decode(body, "text/html; charset=windows-1252").endswith("größer")


def test_the_meta_tag_outranks_a_guess():
    body = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">вес'.encode(
        "koi8-r"
    )

    assert decode(body).endswith("вес")


def test_a_header_that_cannot_be_true_is_passed_over():
    body = "größer".encode("cp1252")

    assert decode(body, "text/html; charset=utf-8") == "größer"


def test_latin_1_means_what_browsers_make_of_it():
    assert decode(b"54\x96g", charset="iso-8859-1") == "54–g"


def test_a_page_cut_inside_a_character_stays_utf_8():
    body = ("ä" * 2000).encode()[:-1]

    assert decode(body, charset="utf-8").startswith("ää")


def test_codecs_that_are_no_charsets_are_not_used():
    assert decode(b"+AGE-", charset="utf-7") == "+AGE-"
    assert decode(b"3c3c", charset="hex") == "3c3c"


@given(st.binary(max_size=300), st.text(max_size=20))
def test_any_bytes_with_any_charset_give_text(body, charset):
    assert isinstance(decode(body, charset=charset), str)


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\ufeff"), max_size=200))
def test_utf_8_comes_back_as_it_went(text):
    assert decode(text.encode(), charset="utf-8") == text


@pytest.mark.parametrize(
    ("body", "media_type", "expected"),
    [
        (b"%PDF-1.7\n", "text/html", True),
        (b"\n%PDF-1.4", "application/pdf", True),
        (b"<html>no</html>", "application/pdf", False),
        (b"<html></html>", "text/html", False),
    ],
)
def test_a_pdf_is_known_by_its_bytes(body, media_type, expected):
    assert is_pdf(body, media_type) is expected


def test_pictures_are_binary_and_utf_16_is_not():
    assert is_binary(b"\x89PNG\x00\x00\x00\rIHDR\x00\x00")
    assert not is_binary("﻿<html>".encode("utf-16-le"))
