"""Layouts are told apart, and templates are tried on pages left out."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from specfactory.extract.templates.page_shape import shape_of
from specfactory.extract.templates.text_nodes import read_texts
from specfactory.learn import Sample, find_layouts, try_template
from specfactory.model import lower_bound
from specfactory.proof.text.text_view import read_text


def texts(markup: str):
    return read_texts(LexborHTMLParser(markup))


def product(n: int) -> str:
    return (
        f"<body><h1>Lamp {n}</h1><table><tr><td>Power<td>{n} W</table>"
        f"<div class=price><b>€ {n * 3}</b></div><p>Imprint</p></body>"
    )


def article(n: int) -> str:
    return (
        f"<body><main><h2>Story {n}</h2><section><p>It was {n}.<p>And then.</section>"
        "<aside><em>More</em></aside></main></body>"
    )


def test_products_and_articles_are_two_layouts_and_an_error_page_is_none():
    pages = [product(1), article(2), "<h1>404</h1>", product(3)]

    shapes = [shape_of(read_text(LexborHTMLParser(markup))) for markup in pages]

    assert find_layouts(shapes) == [[0, 3], [1]]


def test_a_field_that_always_comes_out_right_has_full_accuracy():
    samples = [Sample(texts(product(n)), {"power": [f"{n} W"]}) for n in range(1, 13)]

    (trial,) = try_template("x.example", samples)

    assert (trial.field, trial.right, trial.tried, trial.filled) == ("power", 12, 12, 12)
    assert 0.7 < lower_bound(trial.right, trial.tried) < 1


def test_labels_that_follow_no_rule_are_found_out():
    odd = ["Lamp 1", "2 W", "€ 9", "Imprint", "Lamp 5", "6 W"]
    samples = [Sample(texts(product(n)), {"power": [odd[n - 1]]}) for n in range(1, 7)]

    (trial,) = try_template("x.example", samples)

    assert trial.accuracy < 0.7


def test_an_invented_value_counts_as_wrong():
    samples = [Sample(texts(product(n)), {"power": [f"{n} W"]}) for n in range(1, 6)]
    samples.append(Sample(texts(product(6)), {"power": []}))

    (trial,) = try_template("x.example", samples)

    assert trial.right == 5


@pytest.mark.parametrize(("right", "tried", "least", "most"), [(0, 0, 0, 0), (20, 20, 0.87, 0.89),
                                                               (40, 40, 0.93, 0.95)])  # fmt: skip
def test_more_pages_make_the_bound_tighter(right, tried, least, most):
    assert least <= lower_bound(right, tried) <= most
