"""What a template finds becomes candidates that can be proven from the page alone."""

from __future__ import annotations

import pytest

from specfactory.extract.templates.apply import Applied
from specfactory.extract.templates.template_candidates import (
    apply_template,
    template_candidates,
    text_span,
)
from specfactory.extract.templates.text_nodes import read_texts
from specfactory.learn import Sample, learn_template
from specfactory.model import Method
from specfactory.proof import prove
from tests.pages import page_views, small_contract

COMPILED = small_contract()


def markup(weight: int, form: str) -> str:
    return f"<html lang=en><body><h1>Mouse {weight}</h1>{form.format(weight)}<p>Imprint</p></body>"


def candidates(form: str, value: str = "{} g"):
    samples = []
    for weight in range(50, 62):
        views = page_views(markup(weight, form))
        labels = {"weight": [value.format(weight)]} if weight < 53 else {}
        samples.append(Sample(read_texts(views.tree), labels))
    views = page_views(markup(83, form))
    answers = Applied(learn_template("shop.example", samples)).one(views.tree).values()
    made, dropped = template_candidates(answers, views, COMPILED)
    return views, made, dropped


@pytest.mark.parametrize(
    "form",
    [
        "<table><tr><td>Heft<td>{} g</table>",
        "<p>Heft: <b>{}&nbsp;g</b> with battery</p>",
        "<p class=w><i>Heft</i>\n   {}   g\n<i>net</i></p>",
        "<div>g g g <span>{} g</span></div>",
        "<p>Heft: {} g (approx)</p>",
    ],
)
def test_a_candidate_of_a_template_is_proven(form):
    views, made, dropped = candidates(form)

    (candidate,) = made
    assert not dropped
    assert (candidate.field, candidate.value) == ("weight", 83)
    assert candidate.evidence.method is Method.TEMPLATE
    assert prove(candidate, COMPILED, views) is None


def test_the_label_before_a_value_is_cited_where_the_contract_knows_it():
    _, (known,), _ = candidates("<table><tr><td>Weight<td>{} g</table>")
    _, (strange,), _ = candidates("<table><tr><td>Heft<td>{} g</table>")

    assert known.evidence.label is not None
    assert known.evidence.label.quote == "Weight"
    assert strange.evidence.label is None


def test_what_is_no_value_of_the_field_is_dropped_with_its_reason():
    _, made, dropped = candidates("<table><tr><td>Heft<td>{} stars</table>", "{} stars")

    assert not made
    assert [drop.field for drop in dropped] == ["weight"]


def test_a_copy_of_the_words_elsewhere_is_not_quoted_instead():
    views = page_views("<body><p>7 g</p><div><b>7 g</b> and <i>x</i> 7 g</div></body>")
    texts = read_texts(views.tree).texts

    spans = [text_span(views, text.node, text.words) for text in texts]

    assert [views.text[a:b] for a, b in spans] == ["7 g", "7 g", "and", "x", "7 g"]
    assert len(set(spans)) == 5


def coloured(number: int) -> tuple[str, list[str]]:
    """A page with one to four colours, each in an item of its own."""
    names = ["Black", "White", "Pink", "Lime"][: 1 + number % 4]
    items = "".join(f"<li class=c>{name} {number}</li>" for name in names)
    body = f"<html lang=en><body><h1>Mouse {number}</h1><p>Shades</p><ul>{items}</ul></body>"
    return body, [f"{name} {number}" for name in names]


def test_a_list_is_taken_with_all_its_items_and_proven():
    samples = []
    for number in range(50, 70):
        body, names = coloured(number)
        labels = {"colors": names} if number < 54 else {}
        samples.append(Sample(read_texts(page_views(body).tree), labels))
    applied = Applied(learn_template("shop.example", samples))
    body, names = coloured(83)
    views = page_views(body)

    (candidate,), dropped = apply_template(applied, views, COMPILED)

    assert not dropped
    assert candidate.value == tuple(names)
    assert len(candidate.evidence.values) == len(names) == 4
    assert prove(candidate, COMPILED, views) is None
