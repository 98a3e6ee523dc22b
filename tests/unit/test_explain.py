"""What ``spec explain`` says of candidates that no version weighed."""

from __future__ import annotations

import pytest

from specfactory.entry.cli.records.explain import not_weighed
from specfactory.model import (
    Candidate,
    Decision,
    DecisionAction,
    Evidence,
    FieldResult,
    Identity,
    Method,
    ReviewKind,
    Snippet,
    Tier,
    Verdict,
    ViewName,
)
from specfactory.store import Reading


def candidate(value: str) -> Candidate:
    words = Snippet("page-1", ViewName.TEXT, 1, 0, len(value), value)
    place = "https://shop.example/p"
    evidence = Evidence("page-1", place, Tier.RETAILER, Method.TEMPLATE, (words,))
    return Candidate("name", value, evidence)


REJECTED = Decision(
    1, ReviewKind.FIELD, "p", "name", DecisionAction.REJECT, "Acme X1", "no", "ann", 0
)
NEWER = "the page was read again (template) after this version was made"


@pytest.mark.parametrize(
    ("value", "decisions", "is_name", "why"),
    [
        ("Shop.com", [], True, "it does not name the product"),
        ("Shop.com", [REJECTED], True, "it does not name the product"),
        ("Acme X1", [REJECTED], True, "a person's decision stands against 'Acme X1'"),
        ("red", [REJECTED], False, "a person's decision stands against 'red'"),
        ("red", [], False, NEWER),
        ("Acme X100", [], True, NEWER),
    ],
)
def test_the_reason_is_a_decision_only_where_a_person_decided(value, decisions, is_name, why):
    reading = Reading("p", "page-1", "", Identity(Verdict.SAME, 1.0, ()), (candidate(value),))

    (dropped,) = not_weighed([reading], FieldResult("name", "Acme X100"), decisions, is_name)

    assert (dropped.quote, dropped.detail) == (value, why)
