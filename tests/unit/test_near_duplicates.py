"""Texts that say the same with few words changed are found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from specfactory.observe.duplicates import near_duplicates, resemblance, signature

_STORY = " ".join(f"word{at} follows word{at + 1} in the story" for at in range(80))


def test_a_text_with_a_few_words_changed_resembles_the_first():
    changed = _STORY.replace("word40 ", "another ")

    found = list(near_duplicates({"a": signature(_STORY), "b": signature(changed)}))

    assert [pair[:2] for pair in found] == [("a", "b")]


def test_texts_about_other_things_do_not_resemble_each_other():
    other = " ".join(f"thing{at} stands beside thing{at + 2} on a shelf" for at in range(80))

    assert list(near_duplicates({"a": signature(_STORY), "b": signature(other)})) == []


def test_an_empty_text_resembles_nothing():
    assert resemblance(signature(""), signature("")) == 0.0


@given(st.text(max_size=300))
def test_a_text_resembles_itself(text):
    mine = signature(text)

    assert resemblance(mine, mine) in ((1.0,) if mine else (0.0,))
