"""Lists on recipe pages: from structured data item by item, else from below headings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.contract import compile_contract, find_contract
from specfactory.extract import answer_page, extract_candidates
from specfactory.extract.labelled.recipe_lines import ingredient_likeness, is_amount, step_likeness
from specfactory.model import Method
from specfactory.proof import prove
from tests.pages import page_views

RECIPE = compile_contract(find_contract("recipe"))


def answers(body):
    """The values that a page gives for a recipe; every one proven."""
    views = page_views(body)
    found = answer_page(views, RECIPE)
    for answer in found.values():
        assert prove(answer.candidate, RECIPE, views) is None
    return {name: answer.candidate.value for name, answer in found.items()}


def ld(**said):
    thing = {"@type": "Recipe", "name": "Leek soup", **said}
    return f'<script type="application/ld+json">{json.dumps(thing)}</script><h1>Leek soup</h1>'


def test_an_ingredient_with_a_comma_is_one_item_and_salt_may_come_twice():
    found = answers(ld(recipeIngredient=["2 leeks, sliced", "1 tsp salt", "1 tsp salt"]))

    assert found["ingredients"] == ("2 leeks, sliced", "1 tsp salt", "1 tsp salt")


def test_steps_with_markup_in_them_are_read_as_people_read_them():
    steps = [{"@type": "HowToStep", "text": "<p>Wash the leeks.</p>"}, "Boil &amp; serve."]

    found = answers(ld(recipeInstructions=steps))

    assert found["instructions"] == ("Wash the leeks.", "Boil & serve.")


def test_one_text_of_sentences_is_not_cut_at_its_commas():
    text = "Wash the leeks, slice them and boil them. Season with salt, then serve hot."

    assert answers(ld(recipeInstructions=text))["instructions"] == (text,)


def test_times_are_minutes_and_a_missing_total_is_the_sum_of_its_parts():
    found = answers(ld(prepTime="PT15M", cookTime="P0DT1H30M"))

    assert (found["prep_time"], found["cook_time"], found["total_time"]) == (15, 90, 105)


def test_a_part_of_a_sum_proves_no_total():
    views = page_views(ld(prepTime="PT15M", cookTime="soon"))

    assert "total_time" not in answer_page(views, RECIPE)


PLAIN = """
<nav><ul><li>Soups</li><li>Stews</li><li>Ingredients A-Z</li></ul></nav>
<h1>Leek soup</h1><p>My aunt made it every winter, and so do I when the leeks are good.</p>
<h2>{ingredients}</h2><p>Serves 4</p><h3>Soup</h3>
<ul><li>3 leeks, sliced</li><li>1 l stock</li><li>salt</li></ul>
<h3>Topping</h3><ul><li>100 g cheese</li></ul>
<h2>{steps}</h2>
<ol><li>Wash the leeks and slice them.</li><li>Boil them in the stock for ten minutes.</li></ol>
<h2>Notes</h2><p>It keeps for three days in a cold place, well covered.</p>
<h2>More</h2><ul><li><a href="/a">Onion soup with toasted bread and cheese.</a></li></ul>
"""


@pytest.mark.parametrize(
    ("ingredients", "steps"),
    [("Ingredients", "Method"), ("Zutaten für 4 Personen", "Zubereitung"),
     ("Ingrédients :", "Étapes"), ("材料", "作り方"), ("Ингредиенты", "Приготовление"),
     ("What you'll need", "Soup directions")],
)  # fmt: skip
def test_lists_below_headings_are_taken_in_many_languages(ingredients, steps):
    found = answers(PLAIN.format(ingredients=ingredients, steps=steps))

    assert found["ingredients"] == ("3 leeks, sliced", "1 l stock", "salt", "100 g cheese")
    assert found["instructions"] == (
        "Wash the leeks and slice them.", "Boil them in the stock for ten minutes.")  # fmt: skip


def test_the_heading_of_a_section_is_quoted_beside_its_list():
    views = page_views(PLAIN.format(ingredients="Ingredients", steps="Method"))

    (candidate,) = [
        one
        for one in extract_candidates(views, RECIPE).candidates
        if one.field == "ingredients" and one.evidence.method is Method.VISIBLE
    ]

    assert candidate.evidence.section.quote == "Ingredients"
    assert [part.quote for part in candidate.evidence.values][:2] == [
        "3 leeks, sliced",
        "1 l stock",
    ]


def test_lines_and_bold_labels_do_as_well_as_lists_and_headings():
    found = answers(
        "<h1>Leek soup</h1><div><p><b>Ingredients:</b><br>3 leeks<br>1 l stock</p>"
        "<p><b>Method</b></p><p>1. Wash the leeks and slice them.</p>"
        "<p>2. Boil them for ten minutes.</p></div>"
    )

    assert found["ingredients"] == ("3 leeks", "1 l stock")
    assert found["instructions"] == (
        "Wash the leeks and slice them.", "Boil them for ten minutes.")  # fmt: skip


def test_amounts_and_names_in_boxes_of_their_own_belong_together():
    row = "<div><div>{}</div><div>{}</div></div>"
    rows = [("300 g", "leeks"), ("1 l", "stock"), ("2 tsp", "salt")]
    box = "".join(row.format(*one) for one in rows)

    found = answers(f"<h1>Leek soup</h1><h2>Ingredients</h2><div>{box}</div>")

    assert found["ingredients"] == ("300 g leeks", "1 l stock", "2 tsp salt")


def test_names_without_amounts_in_structured_data_give_way_to_the_full_list():
    body = "<h2>Ingredients</h2><ul><li>3 leeks</li><li>1 l stock</li></ul>"

    found = answers(ld(recipeIngredient=["leeks", "stock"]) + body)

    assert found["ingredients"] == ("3 leeks", "1 l stock")


def test_names_of_steps_stand_for_them_only_where_there_is_no_text():
    steps = [{"@type": "HowToStep", "name": "First", "text": "Wash the leeks."}] * 2

    assert answers(ld(recipeInstructions=steps))["instructions"] == ("Wash the leeks.",) * 2
    named = answers(ld(recipeInstructions=[{"name": "Wash all leeks"}, {"name": "Boil them"}]))
    assert named["instructions"] == ("Wash all leeks", "Boil them")


def test_a_class_that_names_the_list_is_a_hint_where_no_heading_does():
    items = "".join(f'<p class="ingredient">{n} leeks</p>' for n in ("1", "2", "3"))

    found = answers(f"<h1>Soup</h1><p>A story of a soup.</p><div>{items}</div>")

    assert found["ingredients"] == ("1 leeks", "2 leeks", "3 leeks")


def test_a_page_without_a_recipe_gives_no_lists():
    found = answers(
        "<h1>About us</h1><p>We have been selling pots since 1990, in three towns.</p>"
        "<nav><ul><li><a href=/>Home</a></li><li><a href=/shop>Shop</a></li></ul></nav>"
    )

    assert "ingredients" not in found
    assert "instructions" not in found


def test_the_house_is_the_author_only_where_nobody_is_named():
    site = '<meta property="og:site_name" content="Soup House">'

    assert answers(site + ld())["author"] == "Soup House"
    assert answers(site + ld(author={"name": "admin"}))["author"] == "Soup House"
    assert answers(site + ld(author={"@id": "#a", "name": "Ann Lee"}))["author"] == "Ann Lee"


@pytest.mark.parametrize(
    "line",
    ["200 g flour", "½ cup milk", "1 1/2 tsp. salt", "2 EL Öl", "3 gousses d'ail",
     "2 cucharadas de sal", "2 spsk. sukker", "150克鸡胸肉", "Flour 200 g",
     "2–3 łyżki cukru", "50 мл молока"],
)  # fmt: skip
def test_amounts_make_an_ingredient(line):
    assert ingredient_likeness(line) == 1.0
    assert step_likeness(line) < 0.5


@pytest.mark.parametrize(
    "line",
    [
        "Serves 4",
        "1x 2x 3x",
        "12",
        "For the sauce:",
        "Bake it for ten minutes. Then let it cool down.",
    ],
)
def test_what_frames_a_list_is_no_ingredient(line):
    assert ingredient_likeness(line) == 0.0


def test_an_amount_alone_is_told_from_an_ingredient():
    assert is_amount("½ cup")
    assert is_amount("200 g")
    assert not is_amount("200 g flour")
    assert not is_amount("flour")


@given(st.text(max_size=300))
def test_any_line_has_a_likeness_between_none_and_full(line):
    assert 0 <= ingredient_likeness(line) <= 1
    assert 0 <= step_likeness(line) <= 1
