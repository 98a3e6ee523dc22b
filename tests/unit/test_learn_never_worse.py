"""Learning never makes an answer worse: a template is compared with its pages, field by field."""

from __future__ import annotations

from dataclasses import replace

import pytest

from specfactory.contract import CompiledContract, compile_contract, parse_contract
from specfactory.errors import TooFewPages
from specfactory.extract import answer_page
from specfactory.extract.templates.apply import Applied, cut_span
from specfactory.extract.templates.template_candidates import apply_template
from specfactory.learn import Learning, Lesson, TemplateProposal, label_page, propose_templates
from specfactory.learn.comparison import compare_answers
from specfactory.learn.rules import same_words
from specfactory.learn.unlabelled import knowledge_of
from specfactory.model import Method, Outcome, Page, Tier, Value
from specfactory.proof import PageViews

CONTRACT = """
category: camera
version: '1'
title: Cameras
fields:
  name: {group: all, type: text, labels: {en: [product name]}, structured: [name, title]}
  maker: {group: all, type: text, labels: {en: [maker]}}
  sku: {group: all, type: text, labels: {en: [item]}}
  genre: {group: all, type: text, labels: {en: [genre]}}
  weight: {group: all, type: number, unit: g, units: [g, kg, lb], labels: {en: [weight]}}
"""
WORDS = "Amber Birch Cedar Delta Ember Fjord Grove Heath Inlet Jade Knoll Larch Mesa Nadir".split()  # noqa: SIM905
MAKERS = ("Canon", "Nikon", "Pentax")


@pytest.fixture(scope="module")
def camera() -> CompiledContract:
    return compile_contract(parse_contract(CONTRACT, "camera"))


def views(markup: str, name: str = "p") -> PageViews:
    url = f"https://shop.example/{name}"
    page = Page(name, url, url, "shop.example", Tier.RETAILER, 0, Outcome.OK, "",
                media_type="text/html")  # fmt: skip
    return PageViews(page, markup.encode())


def page(n: int, rows: str = "", title: str = "") -> str:
    """A page with a heading, a menu and rows."""
    return (
        f"<html lang=en><head><title>{title or f'{WORDS[n]} {n}'}</title></head><body><ul><li>Home"
        f"</li><li>News</li></ul><h2 class=head>{WORDS[n]} {n}</h2><p class=lead>Text {n * 7}</p>"
        f"<table><tr><th>Maker</th><td>{MAKERS[n % 3]}</td></tr>{rows}</table></body></html>"
    )


def learned(
    camera: CompiledContract, markups: list[str], known: dict[str, Value] | None = None
) -> Learning:
    pages = [
        label_page(Lesson(views(one, f"p{n}"), known=known or {}), camera)
        for n, one in enumerate(markups)
    ]
    knowledge = knowledge_of(camera.contract)
    return propose_templates(
        "shop.example", pages, camera, knowledge=knowledge, adopt_at=0.9, least_pages=5
    )


def proposal(camera: CompiledContract, markups: list[str]) -> TemplateProposal:
    (made,) = learned(camera, markups).proposals
    return made


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("> Canon PowerShot", "Canon PowerShot"),
        ("> 26205", "26205"),
        ("» Nikon |", "Nikon"),
        (": Kodak", "Kodak"),
        ("- 12 -", "12"),
        ("<5 ms", "<5 ms"),
        ("-20 °C", "-20 °C"),
        ("Mystic River (2003)", "Mystic River (2003)"),
        ("→", "→"),
    ],
)
def test_separators_and_arrows_are_no_part_of_a_value(words, value):
    start, end = cut_span(None, words)

    assert words[start:end] == value


def test_a_value_read_by_a_template_keeps_neither_arrow_nor_label(camera):
    rows = "<tr><th>Item</th><td>&gt; {}</td></tr><tr><td>Genre: Macro {}</td></tr>"
    markups = [page(n, rows.format(26200 + n, n)) for n in range(12)]
    made = proposal(camera, markups)

    candidates, _ = apply_template(Applied(made.template), views(markups[3]), camera)
    values = {one.field: one.value for one in candidates}

    assert (values["sku"], values["genre"]) == ("26203", "Macro 3")


def test_a_label_is_no_value(camera):
    markups = [page(n, f"<tr><th>Item</th><td>{26200 + n}</td></tr>") for n in range(12)]
    applied = Applied(proposal(camera, markups).template)
    changed = page(5, "<tr><th>Item</th><td>Usually Ships:</td></tr>")

    candidates, dropped = apply_template(applied, views(changed), camera)

    assert "sku" not in {one.field for one in candidates}
    assert ("sku", "label") in {(one.field, one.reason) for one in dropped}


def test_a_place_that_records_of_the_same_things_contradict_is_not_read(camera):
    """The shop's "weight" is that of the parcel: the records say 159 g."""
    markups = [page(n, f"<tr><th>Weight</th><td>{900 + n} g</td></tr>") for n in range(12)]

    (made,) = learned(camera, markups, {"weight": 159}).proposals

    assert "weight" not in {one.field for one in made.template.fields}


def test_the_record_of_a_thing_decides_between_template_and_page(camera):
    labelled = label_page(
        Lesson(views(page(2, "<tr><th>Weight</th><td>159 g</td></tr>")), known={"weight": 159}),
        camera,
    )
    right = labelled.said["weight"].candidate
    parcel = replace(right, value=907)

    worse = compare_answers("weight", labelled, parcel, camera, same_words)
    equal = compare_answers("weight", labelled, right, camera, same_words)

    assert (worse.better, worse.worse, worse.contradicted) == (0, 1, 1)
    assert (equal.better, equal.worse, equal.confirmed) == (0, 0, 1)


def test_what_the_contract_refuses_is_worse_than_what_the_page_says(camera):
    labelled = label_page(Lesson(views(page(2))), camera)

    missed = compare_answers("maker", labelled, None, camera, same_words)

    assert (missed.better, missed.worse) == (0, 1)


def test_a_field_that_pages_give_better_themselves_stays_theirs(camera, monkeypatch):
    monkeypatch.setattr(
        "specfactory.learn.proposals.compare_answers",
        lambda name, *_: (
            compare_answers(name, *_)
            if name != "maker"
            else compare_answers(name, _[0], None, *_[2:])
        ),
    )
    markups = [page(n, f"<tr><th>Item</th><td>{26200 + n}</td></tr>") for n in range(12)]
    made = proposal(camera, markups)

    maker = next(one for one in made.figures if one.field == "maker")

    assert "without a template" in maker.left_out
    assert not made.doubts


def test_words_that_all_names_of_a_site_share_are_no_part_of_them(camera):
    def reviewed(n: int) -> str:
        title = f"{WORDS[n]} {n} Review"
        return page(n, title=f"{title} | Shop").replace("<h2", f"<h1>{title}</h1><h2", 1)

    made = proposal(camera, [reviewed(n) for n in range(12)])
    unseen = views(reviewed(13))

    before = answer_page(unseen, camera)["name"]
    after = answer_page(unseen, camera, (Applied(made.template),))["name"]

    assert before.candidate.value == f"{WORDS[13]} 13 Review"
    assert after.candidate.value == f"{WORDS[13]} 13"


def test_a_label_that_no_reader_pairs_leads_to_its_column(camera):
    """Head cells over value cells: the label stands above its value, not beside it."""
    rows = "<tr><td>Country</td><td>Genre</td></tr><tr><td>Peru {}</td><td>Macro {}</td></tr>"
    markups = [page(n, rows.format(n, n)) for n in range(12)]
    made = proposal(camera, markups)

    genre = next(one for one in made.figures if one.field == "genre")
    answer = answer_page(views(markups[4]), camera, (Applied(made.template),))["genre"]

    assert answer.candidate.value == "Macro 4"
    assert not genre.left_out


def test_several_items_run_together_are_read_as_the_first(camera):
    items = ("<a href=/g>Macro {}</a>", "<a href=/g>Macro {}</a> / <a href=/g>Sports</a>")
    markups = [
        page(n, f"<tr><th>Genre</th><td>{items[n % 2].format(n)}</td></tr>") for n in range(14)
    ]
    made = proposal(camera, markups)

    answer = answer_page(views(markups[5]), camera, (Applied(made.template),))["genre"]

    assert answer.candidate.value == "Macro 5"


def test_a_template_claims_no_more_than_pages_left_out_prove(camera):
    markups = [page(n, f"<tr><th>Item</th><td>{26200 + n}</td></tr>") for n in range(12)]
    made = proposal(camera, markups)
    figures = {one.field: one for one in made.figures}

    for one in made.template.fields:
        of = figures[one.field]
        assert one.likelihood == pytest.approx((of.right + 1) / (of.tried + 2), abs=1e-4)
        assert one.likelihood < 0.95


def test_a_template_that_is_only_as_good_gives_way_to_surer_evidence(camera):
    markups = [page(n, f"<tr><th>Item</th><td>{26200 + n}</td></tr>") for n in range(12)]
    made = proposal(camera, markups)
    doubtful = replace(
        made.template,
        fields=tuple(replace(one, likelihood=0.3, leads=False) for one in made.template.fields),
    )

    answer = answer_page(views(markups[3]), camera, (Applied(doubtful),))["sku"]

    assert answer.candidate.evidence.method is not Method.TEMPLATE


def test_learning_says_for_every_field_why_nothing_could_be_learned(camera):
    bare = [
        f"<html><body><div><p>One {n}</p><p>Two {n * 3}</p><i>{n * 5}</i><b>{WORDS[n]}</b></div>"
        f"<ol><li>{n * 11}</li></ol><h4>{n * 13}</h4></body></html>"
        for n in range(8)
    ]
    found = learned(camera, bare)

    assert not found.proposals
    assert found.refused.keys() == camera.contract.fields.keys()
    assert "weight: no page" in str(TooFewPages("x.example", 8, 5, {}, found.refused))
