"""What a call costs: the operator's prices first, then the table, never nothing for something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.errors import SettingError
from specfactory.observe.model_costs import Price, PriceTable


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("gpt-4o-mini", Price(0.15, 0.60)),
        ("gpt-4o-mini-2024-07-18", Price(0.15, 0.60)),
        ("openai/gpt-4o-mini", Price(0.15, 0.60)),
        ("gemini-2.0-flash-001", Price(0.10, 0.40)),
        ("llama3:8b", None),
    ],
)
def test_known_models_have_a_price_also_as_dated_editions(model, price):
    assert PriceTable().of(model) == price


def test_the_operators_prices_come_first_and_may_be_of_any_model():
    table = PriceTable(("gpt-4o-mini=1/2", "my=own=4.5/5"))

    assert table.of("gpt-4o-mini") == Price(1.0, 2.0)
    assert table.of("gpt-4o-mini-2024-07-18") == Price(1.0, 2.0)
    assert table.of("my=own") == Price(4.5, 5.0)
    assert table.micros("gpt-4o-mini", 1_000_000, 500_000) == 2_000_000


def test_a_model_without_a_price_is_free():
    assert PriceTable().micros("llama3:8b", 10_000, 10_000) == 0


@pytest.mark.parametrize(
    "written", ["", "gpt", "gpt=", "gpt=1", "gpt=1/", "=1/2", "gpt=-1/2", "a=x/y"]
)
def test_a_malformed_price_is_refused_by_the_settings_name(written):
    with pytest.raises(SettingError, match=r"model\.prices"):
        PriceTable((written,))


@given(st.integers(0, 10**7), st.integers(0, 10**6))
def test_what_was_used_never_costs_nothing(asked, said):
    micros = Price(0.075, 0.30).micros(asked, said)

    assert (micros > 0) == (asked + said > 0)
    assert micros - 1 <= asked * 0.075 + said * 0.30 <= micros + 1e-6
