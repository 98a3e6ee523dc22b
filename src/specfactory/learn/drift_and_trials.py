"""Monitoring of templates at work: drift of an adopted one, and the outcome of a trial."""

import math
from collections.abc import Sequence

from specfactory.model import FieldFigures, Frozen, TemplateConduct


class Drift(Frozen):
    """Field that is found, or valid, much less often than on the samples."""

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


class TrialEnd(Frozen):
    """Outcome of a trial at work, and its reason."""

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
    """Find the worst field that is significantly and much worse than its baseline.

    ``certainty`` holds for all fields together, so that many fields make no false alarm.
    """
    latest = {one.field: one for one in conduct.fields}
    chance = (1 - certainty) / max(2 * len(baseline), 1)
    found: list[Drift] = []
    for was in baseline:
        now = latest.get(was.field)
        if now is None or now.pages < least_pages:
            continue
        for what, hits, pages, hits_before, pages_before in (
            ("fill rate", now.filled, now.pages, was.filled, was.pages),
            ("validity", now.valid, now.filled, was.valid, was.filled),
        ):
            if not pages or not pages_before:
                continue
            # Smoothed: a few samples must never make a certainty of 1.
            expected = (hits_before + 0.5) / (pages_before + 1)
            observed = hits / pages
            if observed <= (1 - drop) * expected and at_most(hits, pages, expected) < chance:
                found.append(Drift(was.field, what, expected, observed, pages))
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
    """Decide whether a template on trial is adopted; None to continue the trial."""
    if conduct.pages < least_pages:
        return None
    agreed = sum(one.agreed for one in conduct.fields)
    compared = agreed + sum(one.disagreed for one in conduct.fields)
    drift = find_drift(baseline, conduct, least_pages=least_pages, certainty=certainty, drop=drop)
    passed = False
    if drift is not None:
        said = drift.reason
    elif compared and agreed < agree_at * compared:
        said = f"{compared - agreed} of {compared} values differ from what was read without it"
    elif not any(one.valid for one in conduct.fields):
        said = "it found nothing that holds"
    else:
        passed = True
        said = f"{agreed} of {compared} values agree with what was read without it"
    return TrialEnd(passed, f"tried on {conduct.pages} pages: {said}")


def at_most(hits: int, tries: int, share: float) -> float:
    """Binomial probability of at most this many hits, when each try hits with this share."""
    if share <= 0:
        return 1.0
    if share >= 1:
        return 1.0 if hits >= tries else 0.0
    hit, miss = math.log(share), math.log1p(-share)
    total = 0.0
    for k in range(hits + 1):
        ways = math.lgamma(tries + 1) - math.lgamma(k + 1) - math.lgamma(tries - k + 1)
        total += math.exp(ways + k * hit + (tries - k) * miss)
    return min(total, 1.0)
