"""What healing has come to, in figures; and reasons in words that are whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.heal.diagnoses import shortened
from specfactory.heal.figures import figures_of
from specfactory.model import HealingStatus
from specfactory.store.sites.healing_events import HealingCount


def counts(*ended: tuple[HealingStatus, int]) -> list[HealingCount]:
    return [HealingCount("blocked", "slow_down", status, events, 9.0) for status, events in ended]


def test_what_a_person_took_back_was_not_in_vain() -> None:
    figures = figures_of(
        counts((HealingStatus.UNDONE, 2), (HealingStatus.TAKEN_BACK, 1), (HealingStatus.HELPED, 3))
    )

    assert (figures.total.undone, figures.total.taken_back, figures.total.tried) == (2, 1, 6)
    assert figures.success_rate == 0.75


@pytest.mark.parametrize(
    ("text", "most", "said"),
    [("HTTP 403", 20, "HTTP 403"), ("no connection to it", 14, "no connection …"),
     ("no connection to it", 13, "no …"), ("abcdefghij", 5, "abcd …"), ("a\n b", 9, "a b")],
)  # fmt: skip
def test_what_is_quoted_ends_with_a_whole_word(text: str, most: int, said: str) -> None:
    assert shortened(text, most) == said


@given(st.text(st.sampled_from("ab é"), max_size=40), st.integers(3, 30))
def test_no_quoted_word_is_cut(text: str, most: int) -> None:
    said = shortened(text, most).removesuffix(" …")

    assert len(said) <= most
    if " " in said:
        assert said.split() == text.split()[: len(said.split())]
