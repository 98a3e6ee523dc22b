"""No regular expression of the package backtracks on what pages hold."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache

import pytest

from tests.pattern_attacks import weakness_of
from tests.pattern_collection import Collected

LABEL, TITLE, VALUE = "a label of 90 characters", "a title of 500", "a value of 400"
ONE_SPACE = "a list whose runs of spaces are one space"
PROVEN_SAFE = {
    "proof/visibility/style_rules.py _PIECE": "its text always ends with a brace",
    # What takes the square of its text, and is never given more than a few hundred characters.
    "contract/files/load.py _SELECTOR_END": "a selector that the operator wrote",
    "contract/matching/labels.py _FOOTNOTE": LABEL,
    "contract/matching/labels.py _LAST_UNIT": LABEL,
    "contract/matching/labels.py _SECTION": LABEL,
    "contract/values/dimensions.py _LINK": VALUE,
    "contract/values/number_words.py _VULGAR": VALUE,
    "contract/values/quantities.py _CONNECTOR": VALUE,
    "contract/values/words.py _ANDS": ONE_SPACE,
    "contract/values/words.py _QUALIFIED": VALUE,
    "contract/values/words.py _SEMICOLON": ONE_SPACE,
    "contract/values/words.py _STRONG": ONE_SPACE,
    "contract/values/words.py _WEAK": ONE_SPACE,
    "extract/articles/byline_words.py _BY_BEFORE": "the 40 characters before a name",
    "extract/articles/date_words.py _HOURS": "what stands right behind a date",
    "extract/articles/headline.py _SEPARATOR": TITLE,
    "extract/labelled/labelled_values.py _LAST_WORD": "the 24 characters before a label",
    "extract/labelled/pairs.py _PIECE": "what stands beside a label, up to a limit",
    "extract/labelled/recipe_lines.py _AMOUNT": "a line of a recipe",
    "extract/labelled/recipe_lines.py _COUNT_ONLY": "a line of two words",
    "extract/labelled/split_lines.py _SEPARATOR": "the beginning of a line, as long as a label",
    "extract/page/product_names.py _NAME": TITLE,
    "extract/templates/apply.py _TAIL": "the last 200 characters of a value",
    "extract/unlabelled/shop_words.py BESIDE": "what stands beside a price, up to a limit",
    "fetch/outcomes/walls.py _PARTS": "a headline, up to a limit",
    "identify/measures.py QUANTITY": "one word of a title",
    "identify/names.py _CHUNK": TITLE,
    "identify/names.py _ORDINAL": "one word of a title",
    "proof/structured/page_state.py _KEY_BEFORE": "the 60 characters before a name",
    "proof/structured/page_state.py _TITLE_PARTS": TITLE,
}


@cache
def collected() -> tuple[Collected, ...]:
    """Every pattern, from a process that has compiled none before."""
    command = [sys.executable, "-m", "tests.pattern_collection"]
    told = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return tuple(Collected(*one) for one in json.loads(told))


def test_no_pattern_grows_faster_than_what_it_is_given():
    unproven = [one for one in collected() if one.place not in PROVEN_SAFE]

    weak = {
        one.place: (one.pattern, found.attack)
        for one in unproven
        if (found := weakness_of(re.compile(one.pattern, one.flags), anywhere=one.anywhere))
    }
    assert weak == {}
    assert len(unproven) > 300


def test_what_is_proven_safe_exists():
    assert PROVEN_SAFE.keys() <= {one.place for one in collected()}


@pytest.mark.parametrize(
    ("pattern", "anywhere"),
    [(r"(a+)+$", True), (r"(?:a|a)*b", False), (r"\s+$", True), (r"\s*;", True), (r"x*x*y", False)],
)
def test_pattern_that_backtracks_is_found(pattern, anywhere, monkeypatch):
    monkeypatch.setattr("tests.pattern_attacks.GIVEN_UP", 2.0)

    assert weakness_of(re.compile(pattern), anywhere=anywhere)


@pytest.mark.parametrize(
    "pattern", [r"\d{1,9}x", r"a++b", r"(?:(?<!\s)\s++)?+;", r"[^<]*+<", r"(?>a+)b", r"\w+"]
)
def test_pattern_that_does_not_is_left_alone(pattern):
    assert weakness_of(re.compile(pattern), anywhere=False) is None
