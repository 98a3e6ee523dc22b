"""Attribute values out of titles and descriptions, learned from other texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.attribute_reading.learning import TextExample, learn_reader
from benchmarks.attribute_reading.reader import attribute_candidates
from benchmarks.attribute_reading.spans import fold, shape_of, spans_of
from specfactory.contract import compile_contract
from specfactory.contract.drafts.from_examples import contract_from_examples
from specfactory.extract.answers.library import page_of
from specfactory.proof import PageViews, prove

_COLORS = ("red", "blue", "green", "black")
_BRANDS = ("Acme", "Bolt", "Corvus", "Dorn", "Elm")


def _example(at: int) -> TextExample:
    color, brand = _COLORS[at % 4], _BRANDS[at % 5]
    width = 10 + at
    colored = at % 3 != 0
    title = f"{brand} K{at:03}-X Shelf"
    described = f'A {color} shelf, {width}" wide' if colored else f'A shelf, {width}" wide'
    values = {
        "color": [color] if colored else [],
        "brand": [brand],
        "width": [f'{width}"'],
        "model": [f"K{at:03}-X"],
    }
    return TextExample((title, f"{described}, made in {1990 + at}."), values)


@pytest.fixture(scope="module")
def reader():
    return learn_reader([_example(at) for at in range(40)])


def _best(reader, title, described):
    read = reader.read((title, described), ("color", "brand", "width", "model"))
    return {
        name: values[0].span.text
        for name, values in read.items()
        if values and values[0].likelihood > 0.5
    }


def test_known_values_and_new_ones_of_a_known_shape_are_read(reader):
    found = _best(reader, "Bolt K977-X Shelf", 'A green shelf, 64" wide, made in 1985.')

    assert found == {"color": "green", "brand": "Bolt", "width": '64"', "model": "K977-X"}


def test_a_value_that_the_text_does_not_give_is_not_answered(reader):
    found = _best(reader, "Bolt K977-X Shelf", 'A shelf, 64" wide, made in 1985.')

    assert "color" not in found


def test_learning_twice_gives_the_same_reader():
    examples = [_example(at) for at in range(10)]

    assert learn_reader(examples).fields == learn_reader(examples).fields


def test_every_candidate_of_a_page_is_proven(reader):
    examples = {"Color": _COLORS, "Brand": _BRANDS, "Width": ['10"', '12"'], "Model": ["K1-X"]}
    compiled = compile_contract(contract_from_examples("shelf", examples))
    html = '<h1>Elm K977-X Shelf</h1><p>A black shelf, 64" wide, made in 1985.</p>'
    views = PageViews(page_of(html), html.encode())

    found = attribute_candidates(views, compiled, reader)

    assert {c.field: c.value for c in found} == {
        "color": "black", "brand": "Elm", "width": 64, "model": "K977-X",
    }  # fmt: skip
    assert all(prove(candidate, compiled, views) is None for candidate in found)
    assert all(0.4 <= candidate.likelihood <= 1 for candidate in found)


def test_words_that_lost_their_space_are_parted():
    texts = {span.text for span in spans_of(["Hot-Plug Hard DriveFor G1-G7", "35w x 22d"])}

    assert {"Hard Drive", "G1-G7", "35", "22"} <= texts


def test_codes_have_a_shape_of_their_own():
    assert shape_of("HT2513RD-7X") == shape_of("ab12") == "C"
    assert shape_of("2.5 oz.") == "d a."


@given(st.lists(st.text(max_size=60), max_size=3))
def test_spans_stand_where_they_say(parts):
    for span in spans_of(parts):
        assert parts[span.part][span.start : span.end] == span.text
        assert span.folded == fold(span.text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_reader_reads_any_text(reader, title, described):
    for values in reader.read((title, described), reader.fields).values():
        assert all(0 <= value.likelihood <= 1 for value in values)
