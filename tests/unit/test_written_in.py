"""The language of a page, as it declares it."""

from __future__ import annotations

import pytest

from specfactory.contract import compile_contract, find_contract
from specfactory.extract import answer_page
from specfactory.proof import prove
from tests.pages import page_views

ARTICLE = compile_contract(find_contract("article"))
GERMAN = "<p>Die Brücke ist seit Montag für den Verkehr gesperrt und wird nicht geöffnet.</p>" * 3


def language(markup):
    views = page_views(markup)
    found = answer_page(views, ARTICLE).get("language")
    assert found is None or prove(found.candidate, ARTICLE, views) is None
    return found.candidate.value if found else None


@pytest.mark.parametrize(
    ("markup", "value"),
    [
        (f"<html lang=de-CH><h1>Brücke gesperrt</h1>{GERMAN}", "de-CH"),
        (f'<html class="no-js" lang="de"><h1>Brücke gesperrt</h1>{GERMAN}', "de"),
        ("<html lang='ja'><h1>新しい駅</h1><p>新しい駅が開業した。</p>", "ja"),
        (f'<meta http-equiv="Content-Language" content="de"><h1>Brücke</h1>{GERMAN}', "de"),
        (f'<html lang="en"><meta property="og:locale" content="de_DE"><h1>B</h1>{GERMAN}', "de_DE"),
    ],
)
def test_the_language_is_what_the_page_declares(markup, value):
    assert language(markup) == value


def test_a_declaration_that_the_words_contradict_is_not_believed():
    assert language(f"<html lang=en><h1>Brücke gesperrt</h1>{GERMAN}") is None


def test_a_page_that_declares_none_has_none():
    assert language(f"<html data-lang=de><h1>Brücke gesperrt</h1>{GERMAN}") is None
    assert language("<html lang=''><h1>x</h1>") is None
