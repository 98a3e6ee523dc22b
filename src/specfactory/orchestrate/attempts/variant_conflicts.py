"""Pages that each may be the product's, but are about different variants of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from specfactory.identify import ID_CONFIDENCE, contradict, say_measures
from specfactory.model import Identity, Verdict
from specfactory.store import Reading

_CONFIDENCE = 0.5


def tell_apart(readings: Iterable[Reading]) -> dict[str, Identity]:
    """The identities of pages, by their ids, that name another variant than other pages do.

    The product does not say which is meant, so none of them is it until a person has said so.
    A page that a hard id proves to be the product's is; the others are held against it.
    """
    named = [one for one in readings if one.measures]
    found = {}
    for one in named:
        rival = next((other for other in named if contradict(one.measures, other.measures)), None)
        if rival is not None and one.identity.confidence < ID_CONFIDENCE:
            found[one.page_id] = _disputed(one, rival)
    return found


def disputes(apart: Sequence[Reading]) -> tuple[str, ...]:
    """What a person is asked about pages that were told apart; nothing when there are none."""
    named = sorted({one.measures for one in apart})
    said = "; ".join(say_measures(measures) for measures in named)
    return (f"pages are about different variants ({said}): name the one that is meant",)[
        : len(named)
    ]


def _disputed(one: Reading, rival: Reading) -> Identity:
    mine, theirs = say_measures(one.measures), say_measures(rival.measures)
    reason = f"is about {mine}, another page about {theirs}; which variant is meant is not said"
    reasons = (reason, *(known for known in one.identity.reasons if known != reason))
    return replace(
        one.identity, verdict=Verdict.UNSURE, confidence=_CONFIDENCE, reasons=reasons, hard_ids={}
    )
