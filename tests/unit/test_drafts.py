"""Contracts drafted from sample pages, and written as files."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.contract import (
    categories,
    compile_contract,
    contract_problems,
    find_contract,
    parse_contract,
)
from specfactory.contract.drafts.to_yaml import contract_text
from specfactory.errors import UsageError
from specfactory.extract import answer_page
from specfactory.extract.answers.library import page_of
from specfactory.extract.labelled.loose_pairs import is_label, open_pairs
from specfactory.learn.contract_drafts import draft_contract
from specfactory.model import FieldType, Level
from specfactory.proof import PageViews


def _views(html: str) -> PageViews:
    return PageViews(page_of(html), html.encode())


def _kettle(number: int, more: str = "", language: str = "en") -> PageViews:
    return _views(
        f"""<html lang={language}><title>Kettle K{number}</title><h1>Kettle K{number}</h1>
        <script type="application/ld+json">{{"@type": "Product", "name": "Kettle K{number}",
        "offers": {{"price": "{20 + number}.90", "priceCurrency": "EUR"}}}}</script>
        <table><tr><th>Power</th><td>2{number}00 W</td></tr>{more}</table>
        <dl><dt>Boil dry protection</dt><dd>yes</dd></dl>
        <div><p><b>Lid</b> <i>steel {number}</i></p><p><b>Spout</b> <i>gooseneck</i></p>
        <p><b>Feet</b> <i>four</i></p></div><p>Launched: 2024-0{number}-01</p></html>"""
    )


PAGES = [_kettle(number) for number in (1, 2, 3)]


def test_a_draft_has_known_fields_and_the_labels_of_the_pages_with_their_types() -> None:
    drafted = draft_contract("kettle", PAGES)
    fields = drafted.contract.fields

    assert drafted.base == "product"
    assert fields["price"].type is FieldType.PRICE
    assert (fields["power"].type, fields["power"].unit) == (FieldType.NUMBER, "W")
    assert fields["boil_dry_protection"].type is FieldType.BOOLEAN
    assert fields["launched"].type is FieldType.DATE
    assert {"lid", "spout", "feet"} <= set(fields)


def test_a_draft_finds_again_what_it_was_drafted_from() -> None:
    compiled = compile_contract(draft_contract("kettle", PAGES).contract)

    answers = answer_page(PAGES[1], compiled)

    assert answers["power"].candidate.value == 2200
    assert answers["boil_dry_protection"].candidate.value is True


def test_examples_stand_beside_the_fields() -> None:
    assert draft_contract("kettle", PAGES).notes()["power"] == (
        "on 3 of 3 pages: 2100 W | 2200 W | 2300 W"
    )


def test_a_label_of_one_page_among_three_is_left_out() -> None:
    odd = _kettle(4, "<tr><th>Voucher code</th><td>X1</td></tr>")

    assert "voucher_code" not in draft_contract("kettle", [*PAGES, odd]).contract.fields
    assert "voucher_code" in draft_contract("kettle", [odd]).contract.fields


def test_what_stands_on_most_pages_is_expected_the_rest_optional() -> None:
    some = [_kettle(n, "<tr><th>Filter</th><td>mesh</td></tr>") for n in (4, 5)]
    fields = draft_contract("kettle", [*PAGES, *some]).contract.fields

    assert fields["power"].level is Level.EXPECTED
    assert fields["filter"].level is Level.OPTIONAL


def test_labels_stand_under_the_language_of_the_pages() -> None:
    german = [_kettle(n, "<tr><th>Deckelart</th><td>Klappe</td></tr>", "de") for n in (1, 2, 3)]

    assert draft_contract("kettle", german).contract.fields["deckelart"].labels == {
        "de": ("Deckelart",)
    }


@pytest.mark.parametrize("pages", [[], [_views("")], [_views("<p>Hello there.")]])
def test_pages_that_name_nothing_are_said_so(pages: list[PageViews]) -> None:
    with pytest.raises(UsageError):
        draft_contract("kettle", pages)


@pytest.mark.parametrize("category", categories())
def test_every_bundled_contract_survives_being_written_and_read(category: str) -> None:
    contract = find_contract(category)

    again = parse_contract(contract_text(contract), "written")

    assert again.fields == contract.fields
    assert again.components == contract.components


def test_a_draft_is_a_sound_contract_file() -> None:
    drafted = draft_contract("kettle", PAGES)

    again = parse_contract(contract_text(drafted.contract, drafted.notes()), "written")

    assert again.fields == drafted.contract.fields


HOSTILE = [
    "a: b", "- x", "# no", "{a: b}", "[x", "&anchor", "*alias", "!!python/object:x", "%TAG", "null",
    "true", "~", "yes", "1.5", "2020-01-01", "<<", "? q", "| block", "'q", '"dq', "\\x", "a\x07b",
    "a\x1b[31mb", "\u202eabc", "\u2028x", "\x85y", "\x9bcsi", "\ufffe", "\U0001f600", "w" * 5000,
    "weight", "WEIGHT", "fields", "category", "type", "サイズ", "3D", "...", "---", "GTIN", "Price",
    "1 kg", "no", "12 mm", "5 €", "red",
]  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(*[st.sampled_from(HOSTILE)] * 3), min_size=1, max_size=8),
    st.sampled_from(["shop.example", "a b", "{x: y}", "user:pw@h.example", "h.example:99999", ""]),
    st.sampled_from(["kettle", "null", "a: b", "3D", "fields", "\x1b", "x" * 200]),
)
def test_a_draft_of_hostile_labels_passes_the_check_of_contracts(
    rows: list[tuple[str, str, str]], host: str, category: str
) -> None:
    cells = "".join(
        f"<tr><th>{escape(label)} {escape(more)}</th><td>{escape(value)}</td></tr>"
        f"<tr><th>{escape(label)}</th><td>{escape(value)}</td></tr>"
        for label, more, value in rows
    )
    page = f'<link rel=canonical href="https://{host}/"><h1>Lid</h1><table>{cells}</table>'
    try:
        drafted = draft_contract(category, [_views(page), _views(page)])
    except UsageError:
        return  # nothing there is a label

    text = contract_text(drafted.contract, drafted.notes())

    assert contract_problems(text, "draft.yaml") == []
    assert [c for c in text if c != "\n" and not c.isprintable()] == []


@pytest.mark.parametrize(
    ("words", "may"),
    [("Weight", True), ("Max. load (kg)", True), ("12", False), ("Click here!", False),
     ("This is a whole sentence about nothing at all", False), ("", False)],
)  # fmt: skip
def test_labels_are_short_and_no_sentences(words: str, may: bool) -> None:
    assert is_label(words) is may


def test_open_pairs_of_a_huge_page_are_bounded() -> None:
    page = "<table>" + "".join(f"<tr><th>L{n}<td>v" for n in range(5_000)) + "</table>"

    assert len(list(open_pairs(_views(page)))) == 2_000


@pytest.mark.parametrize(
    "head",
    [
        "<thead><tr><td>Feature</td><td>Our kettle</td></tr></thead>",
        "<tr><th>Feature</th><th>Our kettle</th></tr>",
        "<tr><td>Specification</td><td>Details</td></tr>",
    ],
)
def test_the_head_of_a_table_of_two_columns_is_no_field(head: str) -> None:
    rows = "<tr><td>Volume</td><td>2 l</td></tr><tr><td>Spout</td><td>long</td></tr>"

    pairs = list(open_pairs(_views(f"<table>{head}{rows}</table>")))

    assert pairs == [("Volume", "2 l"), ("Spout", "long")]


def test_a_table_that_is_all_heads_has_its_rows() -> None:
    rows = "<tr><th>Volume</th><th>2 l</th></tr><tr><th>Spout</th><th>long</th></tr>"

    pairs = list(open_pairs(_views(f"<table>{rows}</table>")))

    assert pairs == [("Volume", "2 l"), ("Spout", "long")]


def test_numbers_of_a_draft_are_read_by_the_customs_of_the_pages() -> None:
    row = "<tr><th>Leistung</th><td>2.200 W</td></tr>"

    drafted = draft_contract("kocher", [_kettle(1, row, "de"), _kettle(2, row, "de")])

    field = drafted.contract.fields["leistung"]
    assert (field.type, field.unit) == (FieldType.NUMBER, "W")


def test_a_label_that_a_known_field_explains_makes_no_second_field() -> None:
    row = "<tr><th>Abmessungen (B x H x T)</th><td>16 x 24,5 x 21 cm</td></tr>"

    drafted = draft_contract("kocher", [_kettle(1, row, "de"), _kettle(2, row, "de")])

    measured = [f.name for f in drafted.contract.fields.values() if f.type is FieldType.DIMENSIONS]
    assert measured == ["dimensions"]


def _player(number: int) -> PageViews:
    menu = "".join(f"<dt>Shop<dd>Home Tickets Video Fantasy Scores Standings Odds {n}" for n in "a")
    return _views(
        f"""<html lang=en><link rel=canonical href="http://league.example/p/{number}">
        <title>Ann Player {number}</title><h1>Ann Player {number}</h1>
        <table><tr><th>Height</th><td>6-{number}</td></tr><tr><th>Position</th><td>Guard</td></tr>
        <tr><th>Salary</th><td>${number},640,208</td></tr>
        <tr><th>http</th><td>//league.example/p/{number}</td></tr>
        <tr><th>Script</th><td>function() {{ show({number}) }}</td></tr></table>
        <ul><li>Game one<li>Game two<li>Game {number}</ul><dl>{menu}</dl></html>"""
    )


def test_a_draft_of_another_trade_has_no_fields_of_the_bundled_ones() -> None:
    drafted = draft_contract("player", [_player(number) for number in (1, 2, 3)])

    assert drafted.base == ""
    assert set(drafted.contract.fields) == {"name", "height", "position", "salary"}


def test_a_draft_knows_only_labels_in_the_languages_of_its_pages() -> None:
    for field in draft_contract("kettle", PAGES).contract.fields.values():
        assert set(field.labels) <= {"en"}, field


def test_a_draft_names_what_tells_things_apart_and_where_the_pages_are_from() -> None:
    pages = [_kettle(n, f"<tr><th>SKU</th><td>K-20{n}</td></tr>") for n in (1, 2, 3)]
    kettle = draft_contract("kettle", pages).contract
    player = draft_contract("player", [_player(number) for number in (1, 2, 3)]).contract

    assert kettle.identity.hard_ids == ("sku",)
    assert "mini" in kettle.identity.variant_words
    assert [source.host for source in player.sources] == ["league.example"]
    again = parse_contract(contract_text(player), "player.yaml")
    assert (again.identity, again.sources) == (player.identity, player.sources)
