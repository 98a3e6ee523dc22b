"""``specfactory.extract(html, want=[…])``: values with proofs, no set-up."""

from __future__ import annotations

import doctest
import json
import pydoc
from decimal import Decimal
from pathlib import Path

import pytest

import specfactory
from specfactory import Price
from specfactory.errors import UnknownSubject, Unreadable, UsageError
from specfactory.extract import extract_candidates

MUG = """<html lang="en"><title>Mug</title><h1>Mug</h1>
<table><tr><th>Weight</th><td>310 g</td></tr><tr><th>Glaze</th><td>celadon</td></tr></table>
<script type="application/ld+json">{"@type": "Product", "name": "Mug",
"offers": {"price": "12.50", "priceCurrency": "EUR"}}</script></html>"""


def test_the_values_that_are_wanted_come_with_the_words_that_prove_them() -> None:
    found = specfactory.extract(MUG, want=["price", "weight"])

    assert found["price"].value == Price(Decimal("12.5"), "EUR")
    assert (found["weight"].value, found["weight"].unit) == (310, "g")
    assert (found["weight"].quote, found["weight"].label) == ("310 g", "Weight")
    assert "".join(span.quote for span in found["weight"].spans) == "310 g"
    assert list(found) == ["price", "weight"]


def test_a_name_that_no_contract_knows_is_looked_for_as_a_label() -> None:
    assert specfactory.extract(MUG, want=["glaze"])["glaze"].value == "celadon"


def test_what_the_page_does_not_say_is_missing_with_its_reason() -> None:
    found = specfactory.extract(MUG, want=["weight", "cable length"])

    assert list(found) == ["weight"]
    assert found.missing == {"cable length": "the page does not say"}


def test_what_cannot_be_read_is_missing_with_the_words_that_were_there() -> None:
    found = specfactory.extract("<table><tr><th>Weight<td>heavy</table>", want=["weight"])

    assert "heavy" in found.missing["weight"]
    broken = specfactory.extract(b"%PDF-1.4 garbage", want=["weight"])
    assert "PDF cannot be read" in broken.missing["weight"]


def test_a_category_gives_all_its_fields() -> None:
    found = specfactory.extract(MUG, category="product")

    assert found["name"].value == "Mug"
    assert found["price"].value == Price(Decimal("12.5"), "EUR")


def test_bytes_of_any_encoding_are_read() -> None:
    page = "<meta charset=iso-8859-15><table><tr><th>Glaze<td>café 5 €</table>"

    found = specfactory.extract(page.encode("iso-8859-15"), want=["glaze"])

    assert found["glaze"].value == "café 5 €"


@pytest.mark.parametrize("garbage", ["", b"", b"\x00\xff" * 50, "<" * 999, "\ud800", b"%PDF-1.4"])
def test_garbage_gives_nothing_and_no_error(garbage: str | bytes) -> None:
    assert not specfactory.extract(garbage, want=["price"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"want": "price"}, "list of field names"),
        ({"want": []}, "no field is wanted"),
        ({"want": ["?"]}, "no name of a field"),
        ({"category": "spoon"}, "spoon"),
    ],
)
def test_misuse_is_said_in_words(options: dict[str, object], said: str) -> None:
    with pytest.raises((UsageError, UnknownSubject), match=said):
        specfactory.extract(MUG, **options)  # type: ignore[arg-type]


def test_a_field_that_the_category_lacks_is_an_error() -> None:
    with pytest.raises(UnknownSubject, match="glaze"):
        specfactory.extract(MUG, want=["glaze"], category="product")


def test_the_package_is_still_a_package() -> None:
    assert callable(extract_candidates)
    with pytest.raises(AttributeError):
        specfactory.nothing  # noqa: B018


def test_the_example_in_the_docstring_is_true() -> None:
    assert doctest.testmod(specfactory).failed == 0
    assert doctest.testmod(specfactory).attempted > 0


def test_of_two_products_of_equal_rank_none_is_answered_for() -> None:
    offers = ", ".join(
        f'{{"@type": "Product", "name": "{name}", "offers": '
        f'{{"price": "{price}", "priceCurrency": "EUR"}}}}'
        for name, price in (("Amber mug", "1.00"), ("Blue cup", "2.00"))
    )
    page = f'<title>Deals</title><script type="application/ld+json">[{offers}]</script>'

    deals = specfactory.extract(page, want=["price"])
    mine = specfactory.extract(page.replace("Deals", "Blue cup"), want=["price"])

    assert "several_subjects" in deals.missing["price"]
    assert mine["price"].value == Price(Decimal("2.0"), "EUR")


def test_a_labelled_price_without_a_currency_is_missing_with_its_reason() -> None:
    found = specfactory.extract("<table><tr><th>Price<td>129.99</table>", want=["price"])

    assert "129.99" in found.missing["price"]


@pytest.mark.parametrize(
    ("words", "codec"),
    [
        ("чёрный, Этот чайник быстро кипятит воду", "cp1251"),
        ("чёрный, Этот чайник быстро кипятит воду", "koi8-r"),
        ("μαύρο, Ο βραστήρας βράζει γρήγορα το νερό", "iso8859-7"),
        ("żółty, Ten czajnik szybko gotuje wodę", "iso8859-2"),
        ("שחור, הקומקום מרתיח מים במהירות", "cp1255"),
        ("ブラック, この電気ケトルはお湯を早く沸かす", "shift_jis"),
        ("grün, Für die Küche geeignet", "utf-16-le"),
    ],
)
def test_bytes_that_declare_no_charset_are_read_in_the_one_they_are_written_in(
    words: str, codec: str
) -> None:
    colour, _, text = words.partition(", ")
    page = f"<title>K2</title><h1>K2</h1><table><tr><th>Glaze<td>{colour}</table><p>{text}.</p>"

    found = specfactory.extract(page.encode(codec), want=["glaze"])

    assert found["glaze"].value == colour


def test_bytes_that_are_no_text_are_said_to_be_none() -> None:
    picture = bytes(range(32)) * 40 + b"\0" * 500

    assert specfactory.extract(picture, want=["weight"]).missing == {
        "weight": "its bytes are no text"
    }


def test_without_a_wish_everything_that_the_page_says_is_given() -> None:
    found = specfactory.extract(MUG)

    assert found.kind == "product"
    assert found["price"].value == Price(Decimal("12.50"), "EUR")
    assert (found["name"].value, found["weight"].value) == ("Mug", 310)
    assert found["glaze"].value == "celadon"


@pytest.mark.parametrize(
    ("page", "kind"),
    [
        ("<h1>Soup</h1><h2>Ingredients</h2><ul><li>2 leeks<li>1 l water</ul>"
         "<h2>Instructions</h2><ol><li>Cut the leeks.<li>Boil them.</ol>", "recipe"),
        ("<h1>Flat</h1><table><tr><th>Rooms<td>3<tr><th>Living area<td>80 m²"
         "<tr><th>Bathrooms<td>1</table>", "listing"),
        ("<h1>Kettle</h1><table><tr><th>SKU<td>K-22<tr><th>Price<td>25.00 EUR</table>", "product"),
        ("<h1>Ann Player</h1><table><tr><th>Height<td>6 ft<tr><th>Position<td>Guard</table>",
         "page"),
    ],
)  # fmt: skip
def test_the_kind_of_a_page_is_guessed_by_what_it_says(page: str, kind: str) -> None:
    assert specfactory.extract(page).kind == kind


def test_what_was_found_is_a_plain_dictionary_with_money_as_decimal() -> None:
    plain = specfactory.extract(MUG, want=["price", "weight"]).to_dict()

    assert plain["price"]["value"] == {"amount": Decimal("12.50"), "currency": "EUR"}
    assert plain["weight"]["quote"] == "310 g"
    assert json.loads(json.dumps(plain, default=str))["weight"]["value"] == 310


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "html is None; give a page as text or bytes"),
        (7, "html is 7"),
        (Path("mug.html"), "html is the path mug.html; give what is in the file"),
        ("mug.html", "html is the path mug.html; give what is in the file"),
        (__file__, "html is the path"),
        ("https://shop.example/mug", "html is the address https://shop.example/mug; fetch it"),
    ],
)
def test_what_is_no_page_is_said_to_be_none(given: object, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        specfactory.extract(given, want=["price"])  # type: ignore[arg-type]


def test_help_shows_what_is_public() -> None:
    told = pydoc.plain(pydoc.render_doc(specfactory))

    for name in ("extract(html, want=None", "class Values", "class Found", "class Price"):
        assert name in told
    assert "Without ``want``, everything" in pydoc.plain(pydoc.render_doc(specfactory.extract))


ANVIL = """<html lang=en><title>Anvil 20</title><h1>Anvil 20</h1><table>
<tr><th>Material used here<td>iron<tr><th>Heft<td>9 kg<tr><th>Finish<td>black</table>"""


def test_a_field_that_is_missing_names_the_label_that_comes_nearest() -> None:
    found = specfactory.extract(ANVIL, want=["material", "weight", "warranty"])

    assert found.missing == {
        "material": "the page says `Material used here: iron`; add the label?",
        "weight": "the page says `Heft: 9 kg`; add the label?",
        "warranty": "the page does not say",
    }


def test_page_with_a_deadline_says_what_it_says_without_one():
    page = "<h1>Mug</h1><p>Weight: 310 g</p><p>Price: <b>$12.50</b></p>"

    assert specfactory.extract(page, deadline_seconds=120) == specfactory.extract(page)


def test_page_that_takes_too_long_is_unreadable():
    specfactory.extract("<p>Weight: 310 g</p>", deadline_seconds=120)  # everything is loaded

    with pytest.raises(Unreadable, match=r"within 0\.001 s"):
        specfactory.extract("<p>Weight: 310 g</p>" * 20_000, deadline_seconds=0.001)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_deadline_that_is_no_time_is_refused(seconds):
    with pytest.raises(UsageError, match="deadline_seconds"):
        specfactory.extract("<p>Weight: 310 g</p>", deadline_seconds=seconds)
