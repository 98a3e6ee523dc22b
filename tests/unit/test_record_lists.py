"""Lists of records: many things on one page, found by repetition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.extract.lists import find_records
from specfactory.proof import reading
from tests.pages import page_views

NAMES = [
    f"{maker} {model}" for maker in ("Razer", "Zowie", "Pulsar") for model in ("Ada", "Bo Pro")
]
MENU = "".join(f"<li><a href=/menu/{at}>Department number {at}</a></li>" for at in range(40))


def cards(names):
    return "".join(
        f'<div class=card><a href="/p/{at}"><img></a><h3><a href="/p/{at}">{name}</a></h3>'
        f"<p>Wireless mouse, in stock</p><b>€ {at + 20}.90</b><a href=/cart>Buy</a></div>"
        for at, name in enumerate(names)
    )


def rows(names):
    return "".join(
        f"<tr><td>{at + 1}/5/2024</td><td>No. 40-{at}</td><td>{name}</td>"
        f'<td><a href="/files/{at}.pdf">PDF</a></td></tr>'
        for at, name in enumerate(names)
    )


def headings(names):
    return "".join(
        f'<h3><a href="/p/{at}">{name}</a></h3><p>Reviewed in 2024</p>'
        for at, name in enumerate(names)
    )


PAGES = {
    "cards": lambda names: f"<main>{cards(names)}</main>",
    "rows": lambda names: f"<table><tr><th>Date<th>No<th>Name<th>File</tr>{rows(names)}</table>",
    "headings": lambda names: f"<div>{headings(names)}</div>",
}


def found(body):
    return find_records(page_views(f"<nav><ul>{MENU}</ul></nav>{body}<footer>About us</footer>"))


@pytest.mark.parametrize("kind", PAGES)
def test_records_are_found_by_repetition_with_their_names(kind):
    listed = found(PAGES[kind](NAMES))

    assert [record.name for record in listed.records] == NAMES


@pytest.mark.parametrize(("kind", "link"), [("cards", "/p/3"), ("rows", "/files/3.pdf")])
def test_the_link_of_a_record_is_its_own_not_one_that_all_share(kind, link):
    listed = found(PAGES[kind](NAMES))

    assert listed.records[3].url == f"https://shop.example{link}"


def test_a_record_shows_its_price():
    listed = found(PAGES["cards"](NAMES))

    assert [reading(record.price) for record in listed.records[:2]] == ["€ 20.90", "€ 21.90"]


def test_records_in_several_tables_of_one_shape_are_one_list():
    body = "".join(
        f"<table>{rows([f'{name} {month}' for name in NAMES])}</table>" for month in "ab"
    )

    assert len(found(body).records) == 2 * len(NAMES)


def test_a_menu_is_no_list_of_records_beside_a_real_one():
    assert all("Department" not in record.name for record in found(PAGES["rows"](NAMES)).records)


def test_a_page_without_repetition_has_no_list():
    assert find_records(page_views("<h1>Viper</h1><p>One <a href=/x>link</a> only.</p>")) is None


@given(
    st.lists(st.text("abcdefgh ö", min_size=6, max_size=30), min_size=3, max_size=9, unique=True)
)
def test_every_name_and_price_stands_at_its_proof(names):
    views = page_views(PAGES["cards"]([f"Mouse {name} x" for name in names]))

    for record in find_records(views).records:
        proofs = (record.proof, record.price, record.whole)
        assert all(views.text[one.start : one.end] == one.quote for one in proofs)
        assert record.name == " ".join(reading(record.proof).split())
