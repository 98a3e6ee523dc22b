"""Templates at work: does one find less than it did, and has a new one proven itself?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from specfactory.model import FieldConduct, FieldFigures, TemplateConduct


@dataclass(frozen=True, slots=True)
class Drift:
    """A field that is found, or holds, much less often than on the samples."""

    field: str
    what: str  # "fill rate" or "validity"
    expected: float
    observed: float
    pages: int

    @property
    def reason(self) -> str:
        """The drift in words."""
        return (
            f"{self.what} of {self.field} fell from {self.expected:.0%} to {self.observed:.0%} "
            f"on {self.pages} pages"
        )


@dataclass(frozen=True, slots=True)
class TrialEnd:
    """How a trial at work ended, and why."""

    passed: bool
    reason: str


def find_drift(
    baseline: Sequence[FieldFigures],
    conduct: TemplateConduct,
    *,
    least_pages: int,
    certainty: float,
    drop: float,
) -> Drift | None:
    """The worst field that does significantly and much worse than its baseline.

    ``certainty`` holds for all fields together, so that many fields make no false alarm.
    """
    latest = {one.field: one for one in conduct.fields}
    chance = (1 - certainty) / max(2 * len(baseline), 1)
    found = [
        drift
        for figures in baseline
        if (one := latest.get(figures.field)) is not None and one.pages >= least_pages
        for drift in _drifts(figures, one, chance, drop)
    ]
    return min(found, key=lambda drift: drift.observed / drift.expected, default=None)


def judge_trial(
    conduct: TemplateConduct,
    *,
    baseline: Sequence[FieldFigures],
    least_pages: int,
    agree_at: float,
    certainty: float,
    drop: float,
) -> TrialEnd | None:
    """Whether a template tried beside others may take their place; None: go on trying."""
    if conduct.pages < least_pages:
        return None
    agreed = sum(one.agreed for one in conduct.fields)
    compared = agreed + sum(one.disagreed for one in conduct.fields)
    drift = find_drift(baseline, conduct, least_pages=least_pages, certainty=certainty, drop=drop)
    if drift is not None:
        return TrialEnd(False, f"tried on {conduct.pages} pages: {drift.reason}")
    if compared and agreed < agree_at * compared:
        wrong = compared - agreed
        reason = f"{wrong} of {compared} values differ from what was read without it"
        return TrialEnd(False, f"tried on {conduct.pages} pages: {reason}")
    if not sum(one.valid for one in conduct.fields):
        return TrialEnd(False, f"tried on {conduct.pages} pages: it found nothing that holds")
    said = f"{agreed} of {compared} values agree with what was read without it"
    return TrialEnd(True, f"tried on {conduct.pages} pages: {said}")


def _drifts(figures: FieldFigures, latest: FieldConduct, chance: float, drop: float) -> list[Drift]:
    fill = _drift(
        figures.field, "fill rate", (figures.filled, figures.pages),
        (latest.filled, latest.pages), chance, drop,
    )  # fmt: skip
    valid = _drift(
        figures.field, "validity", (figures.valid, figures.filled),
        (latest.valid, latest.filled), chance, drop,
    )  # fmt: skip
    return [one for one in (fill, valid) if one is not None]


def _drift(
    field: str,
    what: str,
    before: tuple[int, int],
    now: tuple[int, int],
    chance: float,
    drop: float,
) -> Drift | None:
    hits, pages = now
    if not pages or not before[1]:
        return None
    expected = (before[0] + 0.5) / (before[1] + 1)  # few samples never make a certainty of 1
    observed = hits / pages
    if observed > (1 - drop) * expected or at_most(hits, pages, expected) >= chance:
        return None
    return Drift(field, what, expected, observed, pages)


def at_most(hits: int, tries: int, share: float) -> float:
    """How probable so few hits are, when each try hits with this share (binomial)."""
    if share <= 0:
        return 1.0
    if share >= 1:
        return 1.0 if hits >= tries else 0.0
    one, other = math.log(share), math.log1p(-share)
    ways = math.lgamma(tries + 1)
    return min(
        sum(
            math.exp(
                ways - math.lgamma(k + 1) - math.lgamma(tries - k + 1)
                + k * one + (tries - k) * other
            )
            for k in range(hits + 1)
        ),
        1.0,
    )  # fmt: skip
