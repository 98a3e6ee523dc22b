"""Pages whose declared charset cannot be true are read in the one in which they make words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.fetch.snapshots import charset_of, make_page
from specfactory.model import FetchEnd, Outcome, Tier
from specfactory.proof import PageViews
from specfactory.proof.text.characters import decode
from specfactory.proof.text.charsets import written_in
from specfactory.testing import answer
from tests.yardstick import within

DECLARED = "text/html; charset=utf-8"
WORDS = {
    "en": "The mouse weighs 54 g – it’s a café racer’s choice at £120, and nothing else is.",
    "fr": "La souris sans fil pèse 54 g et offre une fréquence élevée, à l’intérieur de la boîte.",
    "de": "Die kabellose Maus wiegt 54 g und ist für große Hände geeignet; Höhe und Länge: unten.",
    "es": "El ratón inalámbrico pesa 54 g. ¿Qué tamaño tiene? Diseño ergonómico, también barato.",
    "sv": "Den trådlösa musen väger 54 g. Färg: svart. Högsta upplösning för höger och vänster.",
    "pl": "Bezprzewodowa mysz waży 54 g i działa długo. Długość, szerokość i wysokość są poniżej.",
    "cs": "Bezdrátová myš váží 54 g a vydrží až 95 hodin. Délka, šířka a výška jsou uvedeny níže.",
    "hu": "A vezeték nélküli egér súlya 54 g, üzemideje hosszú; könnyű, erős és jó minőségű.",
    "tr": "Kablosuz fare 54 g ağırlığındadır. Uzunluk, genişlik ve yükseklik aşağıda; rengi siyah.",
    "ru": "Беспроводная мышь весит 54 г и работает до 95 часов. Длина, ширина и высота ниже.",
    "uk": "Бездротова миша важить 54 г і працює до 95 годин. Довжина, ширина та її висота нижче.",
    "el": "Το ασύρματο ποντίκι ζυγίζει 54 g και λειτουργεί έως 95 ώρες. Το μήκος και το πλάτος.",
    "he": "העכבר האלחוטי שוקל 54 גרם ופועל עד 95 שעות. האורך, הרוחב והגובה מופיעים למטה.",
    "ar": "يزن الفأر اللاسلكي 54 جراما ويعمل حتى 95 ساعة. الطول والعرض والارتفاع مذكورة أدناه.",
    "th": "เมาส์ไร้สายมีน้ำหนัก 54 กรัม และใช้งานได้นานถึง 95 ชั่วโมง ความยาว ความกว้าง",
    "ja": "ワイヤレスマウスの重さは54グラムで、最大95時間使えます。長さ、幅、高さは下に記載。",
    "zh": "这款无线鼠标重54克，电池可使用95小时。长度、宽度和高度见下表，颜色为黑色，适合玩家。",
    "tw": "這款無線滑鼠重54克，電池可使用95小時。長度、寬度和高度見下表，顏色為黑色，適合玩家。",
    "ko": "이 무선 마우스의 무게는 54그램이며 최대 95시간 사용할 수 있습니다. 길이와 너비는 아래.",
}
CASES = [
    ("en", "cp1252"), ("fr", "cp1252"), ("de", "cp1252"), ("es", "cp1252"), ("sv", "cp1252"),
    ("pl", "cp1250"), ("pl", "iso8859-2"), ("cs", "cp1250"), ("cs", "iso8859-2"),
    ("hu", "cp1250"), ("tr", "cp1254"), ("ru", "cp1251"), ("ru", "koi8-r"), ("ru", "cp866"),
    ("ru", "iso8859-5"), ("uk", "cp1251"), ("uk", "koi8-u"), ("el", "cp1253"),
    ("el", "iso8859-7"), ("he", "cp1255"), ("ar", "cp1256"), ("ar", "iso8859-6"),
    ("th", "cp874"), ("ja", "shift_jis"),
    ("ja", "euc_jp"), ("ja", "iso2022_jp"), ("ja", "utf-16-le"), ("ru", "utf-16-be"),
    ("zh", "gbk"), ("tw", "big5"), ("ko", "euc_kr"),
]  # fmt: skip


def page_in(language: str, codec: str) -> tuple[str, bytes]:
    text = f"<!doctype html><meta charset=utf-8><title>Mouse</title><p>{WORDS[language]}</p>"
    return text, text.encode(codec, "xmlcharrefreplace")


@pytest.mark.parametrize(("language", "codec"), CASES)
def test_page_that_claims_to_be_utf_8_is_read_as_what_it_is(language, codec):
    _, body = page_in(language, codec)

    assert decode(body, DECLARED, written_in(body, DECLARED)) == body.decode(codec)


@pytest.mark.parametrize("language", sorted(WORDS))
def test_what_is_true_is_left_alone(language):
    text, body = page_in(language, "utf-8")

    assert written_in(body, DECLARED) == ""
    assert written_in(body + body[:-1] * 20 + b"\xc3", DECLARED) == ""  # cut in a character
    assert written_in(text.encode("utf-8-sig"), "text/html; charset=koi8-r") == ""


def test_header_and_meta_that_can_be_true_are_believed():
    body = f"<meta charset=windows-1251><p>{WORDS['ru']}".encode("cp1251")

    assert written_in(body, DECLARED) == ""  # the header is wrong, the meta tag is not
    assert written_in(body, "text/html; charset=windows-1252") == ""


def test_few_letters_in_a_long_page_are_not_lost_as_damage():
    long = "<p>" + "plain words of a long page " * 500
    body = f"{long} Länge, Höhe, Größe: für große Hände".encode("cp1252")

    assert "�" in decode(body, DECLARED)
    assert decode(body, DECLARED, written_in(body, DECLARED)).endswith("für große Hände")


def test_a_few_broken_characters_do_not_make_another_charset():
    body = ("<p>" + "Größe und Höhe " * 200).encode() + b"\xe4 "

    assert written_in(body, DECLARED) == ""


def test_what_the_page_says_of_its_language_decides_between_equals():
    word = "<p>a\xe8a \xe8 \xe8".encode("latin-1")

    french = b"<html lang=fr>" + word
    czech = b"<html lang=cs>" + word
    assert decode(french, "", written_in(french)).count("è") == 3
    assert decode(czech, "", written_in(czech)).count("č") == 3


@pytest.mark.parametrize(
    "body", [b"", b"plain", b"%PDF-1.4 \xe4", b"\x89PNG\0\0\0\r\0\0\0\0" * 200]
)
def test_what_has_no_letters_is_nothing_to_guess_about(body):
    assert written_in(body, DECLARED) == ""


@given(st.binary(max_size=400))
def test_any_bytes_have_an_answer_that_decodes_them(body):
    assert isinstance(decode(body, DECLARED, written_in(body, DECLARED)), str)


def test_page_that_changes_in_the_middle_of_a_run_keeps_its_proofs():
    kept = []
    for codec in ("utf-8", "cp1251", "koi8-r", "utf-8"):
        _, body = page_in("ru", codec)
        response = answer(body, headers={"content-type": DECLARED})
        page = make_page(
            "p", "https://a.example/", Tier.LAB, response, FetchEnd(Outcome.OK, ""), body, 0,
            charset_of(response, body, ""),
        )  # fmt: skip
        kept.append((page, body))

    assert [page.charset for page, _ in kept] == ["utf-8", "cp1251", "koi8-r", "utf-8"]
    for page, body in kept:
        assert "мышь весит 54 г" in PageViews(page, body).source, page.charset


def test_long_word_without_a_charset_is_looked_at_quickly():
    with within(yards=10):
        assert written_in(b"\xff" + b"a" * 200_000) == "cp1252"
