"""Breadcrumbs: names, links and proofs of the sections that a page belongs to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.proof import reading
from tests.pages import page_views

NAMES = st.text("abcdefgh äöü日本", min_size=1, max_size=12).map(str.strip).filter(bool)


def steps(html):
    return [(crumb.name, crumb.url) for crumb in page_views(html).trail]


def links(*names, between=" &gt; "):
    return between.join(f'<a href="/{at}">{name}</a>' for at, name in enumerate(names))


@pytest.mark.parametrize("sign", [" &gt; ", " › ", " » ", " / ", "<span>|</span>", "\n", " - "])
def test_signs_between_crumbs_are_no_part_of_their_names(sign):
    html = f'<div class="breadcrumbs">{links("Home", "Mice", between=sign)}{sign}Viper</div>'

    assert [name for name, _ in steps(html)] == ["Home", "Mice", "Viper"]


def test_the_page_itself_is_the_last_crumb_and_has_no_link():
    html = f"<ul class=breadcrumb><li>{links('Home')}</li><li>Viper <b>V3</b></li></ul>"

    assert steps(html) == [("Home", "https://shop.example/0"), ("Viper V3", "")]


def test_a_menu_that_opens_beside_a_crumb_is_not_the_trail():
    menu = "<ul><li><a href=/x>Keyboards</a></li><li><a href=/y>Mats</a></li></ul>"
    html = f"<ul class=breadcrumb><li>{links('Home')}{menu}</li><li><a href=/m>Mice</a></li></ul>"

    assert [name for name, _ in steps(html)] == ["Home", "Mice"]


def test_words_that_introduce_a_trail_are_no_crumb():
    html = f'<nav aria-label="Breadcrumb">You are here: {links("Home", "Mice")}</nav>'

    assert [name for name, _ in steps(html)] == ["Home", "Mice"]


def test_links_with_arrows_between_them_are_a_trail_without_any_mark():
    html = f"<p>{links('News', 'Shop', between=' ')}</p><p>{links('Home', 'Mice')} &gt; Viper</p>"

    assert [name for name, _ in steps(html)] == ["Home", "Mice", "Viper"]


def test_a_link_with_a_picture_only_is_named_by_its_title():
    html = "<div class=breadcrumb><a href=/ title=Start><i></i></a> › <a href=/m>Mice</a></div>"

    assert [name for name, _ in steps(html)] == ["Start", "Mice"]


def test_a_list_of_products_in_structured_data_is_no_trail():
    html = (
        '<script type="application/ld+json">{"@type": "ItemList", "itemListElement": ['
        '{"@type": "ListItem", "position": 1, "name": "Viper", "url": "/viper"}]}</script>'
    )

    assert steps(html) == []


@given(st.lists(NAMES, min_size=2, max_size=6))
def test_every_name_is_proven_by_words_of_the_page(names):
    views = page_views(f'<nav class="breadcrumb"><p>{links(*names)}</p></nav>')

    assert [reading(crumb.proof) for crumb in views.trail] == [
        " ".join(name.split()) for name in names
    ]
