"""Strength of a single candidate, before it is compared with others.

A strength is the log-odds that the value is right. All constants are here.
"""

import math
from collections.abc import Mapping
from functools import lru_cache

from specfactory.contract import FIELD_TYPES
from specfactory.model import (
    Calibration,
    Candidate,
    Field,
    Frozen,
    Identity,
    Instant,
    Method,
    Threshold,
    Tier,
    Verdict,
    field,
    host_without_www,
)

# Share of right values taken from a specification table of a page surely about the product.
# These are targets we chose, not measurements: a lone manufacturer's value is to come out near
# 0.95, a lone shop's near 0.85, a lone forum post's near 0.6. The shifts below are judgement in
# the same way. Measured accuracy (MergeKnowledge) replaces the tier's, by host and field.
TIER_ACCURACY: Mapping[Tier, float] = {
    Tier.MANUFACTURER: 0.95,
    Tier.LAB: 0.93,
    Tier.RETAILER: 0.85,
    Tier.AGGREGATOR: 0.75,
    Tier.COMMUNITY: 0.60,
}
TIER_PLACES = {tier: place for place, tier in enumerate(Tier)}  # the most trusted first
# Log-odds of each method relative to a table: running text is more often about something else,
# and a language model may misread.
METHOD_SHIFT: Mapping[Method, float] = {
    Method.STRUCTURED: 0.0,
    Method.TABLE: 0.0,
    Method.TEMPLATE: 0.0,
    Method.SELECTOR: 0.0,
    Method.VISIBLE: -0.3,
    Method.PAIR: -0.05,
    Method.PATTERN: -0.35,
    Method.ARTICLE: -0.5,
    Method.MODEL: -0.5,
    Method.OVERRIDE: 0.0,
}
PRIOR_OBSERVATIONS = 8  # the tier's accuracy counts like this many observed values
SURE_IDENTITY = 0.9  # from here on doubt about whose page it is does not weigh in
SURE_READING = 0.9  # from here on doubt about what the page says does not weigh in
FAMILY_IDENTITY = 0.8  # a part about this product on a page about several
PREFERRED_SHIFT = (0.3, 0.15)  # first and second of a field's preferred tiers
NOT_PREFERRED_SHIFT = -0.3
AGE_SHIFT_PER_YEAR, OLDEST_SHIFT = -0.1, -0.5
SELF_CONTRADICTION = (-0.2, -0.7, -1.2)  # a host's best value, an equal one, a weaker one
MANY_WRONG_VALUES = 15  # of a field with a list of allowed ones, at most
# Weight of further votes when values compete: mistakes travel, so it is less than a whole one.
SECOND_VOTE = 0.5
IN_DOUBT_SHIFT = -1.5  # a reader may not see it, or sees another value
CLEAR_LEAD = 0.6  # the leading value's share among competing ones; below it is a conflict
DISPUTE_DISCOUNT = 0.08  # off the confidence of a value that sources may differ in, and do

_YEAR_MS = 365.25 * 24 * 3600 * 1000


class MergeWeights(Frozen):
    """Log-odds per tier and shifts per method; judgement, until truth has taught better."""

    tiers: Mapping[Tier, float] = field(default_factory=lambda: dict(TIER_LOG_ODDS))
    methods: Mapping[Method, float] = field(default_factory=lambda: dict(METHOD_SHIFT))
    observed: int = 0  # votes known to be right or wrong


class MergeKnowledge(Frozen):
    """Lessons of golden products and reviews about hosts, kinds of votes and confidence."""

    accuracy: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    weights: MergeWeights = field(default_factory=MergeWeights)
    calibration: Calibration = field(default_factory=Calibration)  # by type of field
    lessons: int = 0  # values known to be right or wrong
    threshold: Threshold | None = None  # from which on 99% of them are right


def log_odds(share: float) -> float:
    """Log-odds of a share, kept finite."""
    bounded = min(max(share, 0.001), 0.999)
    return math.log(bounded / (1 - bounded))


def share_of(strength: float) -> float:
    """The share behind log-odds."""
    return 1 / (1 + math.exp(-strength))


class Scale:
    """Weighs the candidates of one product; caches what depends on the page alone."""

    def __init__(
        self, knowledge: MergeKnowledge, identities: Mapping[str, Identity], now: Instant
    ) -> None:
        self._accuracy = {(host_without_www(f"//{host}"), name): counts
                          for (host, name), counts in knowledge.accuracy.items()}  # fmt: skip
        self.knowledge = knowledge
        self._weights = knowledge.weights
        self._identities = identities
        self._now = now
        self._pages: dict[tuple[str, Method, Instant], float] = {}

    def strength(self, candidate: Candidate, wanted: Field) -> float:
        """The log-odds that this candidate, on its own, is right."""
        evidence = candidate.evidence
        key = (evidence.page_id, evidence.method, evidence.seen_at)
        page = self._pages.get(key)
        if page is None:
            page = self._pages[key] = self._page_shift(candidate)
        base = self._weights.tiers[evidence.tier]
        counts = None
        if self._accuracy:
            counts = self._accuracy.get((host_without_www(evidence.url), wanted.name))
        if counts is not None:
            right, wrong = counts
            observed = PRIOR_OBSERVATIONS + right + wrong
            base = log_odds((share_of(base) * PRIOR_OBSERVATIONS + right) / observed)
        doubt = 0.0
        if candidate.likelihood is not None:  # being sure of the reading adds nothing
            doubt = min(0.0, log_odds(candidate.likelihood) - log_odds(SURE_READING))
        if candidate.doubt:
            doubt += IN_DOUBT_SHIFT
        return base + page + tier_shift(wanted.tiers, evidence.tier) + doubt

    def _page_shift(self, candidate: Candidate) -> float:
        evidence = candidate.evidence
        identity = self._identities.get(evidence.page_id)
        doubt = 0.0
        if identity is not None:
            sure = identity.confidence if identity.verdict is Verdict.SAME else FAMILY_IDENTITY
            doubt = min(0.0, log_odds(sure) - log_odds(SURE_IDENTITY))
        years = (self._now - evidence.seen_at) / _YEAR_MS if evidence.seen_at else 0.0
        age = max(OLDEST_SHIFT, AGE_SHIFT_PER_YEAR * max(0.0, years))
        return self._weights.methods[evidence.method] + doubt + age


TIER_LOG_ODDS: Mapping[Tier, float] = {
    tier: log_odds(share) for tier, share in TIER_ACCURACY.items()
}


@lru_cache(maxsize=1024)
def tier_shift(preferred: tuple[Tier, ...], tier: Tier) -> float:
    """Log-odds that a field's preference adds to a tier."""
    if not preferred:
        return 0.0
    if tier not in preferred:
        return NOT_PREFERRED_SHIFT
    place = preferred.index(tier)
    return PREFERRED_SHIFT[place] if place < len(PREFERRED_SHIFT) else 0.0


def wrong_values(wanted: Field) -> int:
    """Number of wrong values of a field that a source could name."""
    if wanted.allowed:
        return max(1, min(MANY_WRONG_VALUES, len(wanted.allowed) - 1))
    return FIELD_TYPES[wanted.type].wrong_values


def alone(strengths: list[float], wrong: int) -> float:
    """Confidence in an undisputed value, by its independent sources, strongest first.

    The first source counts as it is; each further one that names the same value out of
    ``wrong`` + 1 possible ones counts that much more.
    """
    odds = strengths[0] + sum(max(0.0, s + math.log(wrong)) for s in strengths[1:])
    return share_of(odds)


def contest(strengths: list[float]) -> float:
    """The weight of a value among competing ones, strongest source first."""
    return strengths[0] + SECOND_VOTE * sum(max(0.0, s) for s in strengths[1:])
