"""How far one candidate is believed, before it is held against others.

A strength is the log-odds that the value is right. All constants stand here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from specfactory.model import (
    Calibration,
    Candidate,
    Field,
    FieldType,
    Frozen,
    Identity,
    Instant,
    Method,
    Threshold,
    Tier,
    Verdict,
    field,
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
# How much weaker a way of reading is than a table, in log-odds: running text says more often
# something about something else, and a language model may misread.
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
PRIOR_OBSERVATIONS = 8  # the tier's accuracy counts like so many observed values of the host
SURE_IDENTITY = 0.9  # from here on doubt about whose page it is does not weigh in
SURE_READING = 0.9  # from here on doubt about what the page says does not weigh in
FAMILY_IDENTITY = 0.8  # a part about this product on a page about several
PREFERRED_SHIFT = (0.3, 0.15)  # first and second of a field's preferred tiers
NOT_PREFERRED_SHIFT = -0.3
AGE_SHIFT_PER_YEAR, OLDEST_SHIFT = -0.1, -0.5
SELF_CONTRADICTION = (-0.2, -0.7, -1.2)  # a host's best value, an equal one, a weaker one
# How many wrong values there are to fall for: two sources seldom make the same mistake.
WRONG_VALUES: Mapping[FieldType, int] = {FieldType.BOOLEAN: 1, FieldType.ENUMERATION: 4}
MANY_WRONG_VALUES = 15
# What a second voice adds when values compete: mistakes travel, so it is less than a whole one.
SECOND_VOICE = 0.5
CLEAR_LEAD = 0.6  # the leading value's share among competing ones; below it is a conflict
DISPUTE_DISCOUNT = 0.08  # off the confidence of a value that sources may differ in, and do

_YEAR_MS = 365.25 * 24 * 3600 * 1000


class MergeWeights(Frozen):
    """Log-odds per tier and shifts per method; judgement, until truth has taught better."""

    tiers: Mapping[Tier, float] = field(default_factory=lambda: dict(TIER_LOG_ODDS))
    methods: Mapping[Method, float] = field(default_factory=lambda: dict(METHOD_SHIFT))
    observed: int = 0  # voices of which it is known whether they were right


class MergeKnowledge(Frozen):
    """What golden products and reviews have taught: about hosts, kinds of voices, confidence."""

    accuracy: Mapping[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    weights: MergeWeights = field(default_factory=MergeWeights)
    calibration: Calibration = field(default_factory=Calibration)  # by type of field
    lessons: int = 0  # values of which it is known whether they were right
    threshold: Threshold | None = None  # from which on 99% of them are right


@lru_cache(maxsize=4096)
def host_of(url: str) -> str:
    """The host of a URL as a person says it, with its port and without ``www.``."""
    return urlsplit(url).netloc.rpartition("@")[2].lower().removeprefix("www.")


def log_odds(share: float) -> float:
    """Log-odds of a share, kept finite."""
    bounded = min(max(share, 0.001), 0.999)
    return math.log(bounded / (1 - bounded))


def share_of(strength: float) -> float:
    """The share behind log-odds."""
    return 1 / (1 + math.exp(-strength))


class Scale:
    """Weighs the candidates of one product; remembers what it has computed per page."""

    def __init__(
        self, knowledge: MergeKnowledge, identities: Mapping[str, Identity], now: Instant
    ) -> None:
        self._accuracy = {(host_of(f"//{host}"), name): counts
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
        preferred = tier_shift(wanted.tiers, evidence.tier)
        base = self._base(host_of(evidence.url), wanted.name, evidence.tier)
        return base + page + preferred + _doubt(candidate.likelihood)

    def _base(self, host: str, name: str, tier: Tier) -> float:
        learned = self._weights.tiers[tier]
        counts = self._accuracy.get((host, name)) if self._accuracy else None
        if counts is None:
            return learned
        right, wrong = counts
        prior = share_of(learned)
        return log_odds((prior * PRIOR_OBSERVATIONS + right) / (PRIOR_OBSERVATIONS + right + wrong))

    def _page_shift(self, candidate: Candidate) -> float:
        evidence = candidate.evidence
        identity = self._identities.get(evidence.page_id)
        years = (self._now - evidence.seen_at) / _YEAR_MS if evidence.seen_at else 0.0
        age = max(OLDEST_SHIFT, AGE_SHIFT_PER_YEAR * max(0.0, years))
        return self._weights.methods[evidence.method] + _identity_shift(identity) + age


def _doubt(likelihood: float | None) -> float:
    """What the page's own doubt takes away; being sure of the reading adds nothing."""
    if likelihood is None:
        return 0.0
    return min(0.0, log_odds(likelihood) - log_odds(SURE_READING))


TIER_LOG_ODDS: Mapping[Tier, float] = {
    tier: log_odds(share) for tier, share in TIER_ACCURACY.items()
}


def _identity_shift(identity: Identity | None) -> float:
    if identity is None:
        return 0.0
    sure = identity.confidence if identity.verdict is Verdict.SAME else FAMILY_IDENTITY
    return min(0.0, log_odds(sure) - log_odds(SURE_IDENTITY))


@lru_cache(maxsize=1024)
def tier_shift(preferred: tuple[Tier, ...], tier: Tier) -> float:
    """What a field's preference adds to a tier."""
    if not preferred:
        return 0.0
    if tier not in preferred:
        return NOT_PREFERRED_SHIFT
    place = preferred.index(tier)
    return PREFERRED_SHIFT[place] if place < len(PREFERRED_SHIFT) else 0.0


def wrong_values(wanted: Field) -> int:
    """How many wrong values of a field a source could name."""
    if wanted.allowed:
        return max(1, min(MANY_WRONG_VALUES, len(wanted.allowed) - 1))
    return WRONG_VALUES.get(wanted.type, MANY_WRONG_VALUES)


def alone(strengths: list[float], wrong: int) -> float:
    """Confidence in a value that nobody disputes, by its independent sources, strongest first.

    The first source counts as it is; each further one that names the same value out of
    ``wrong`` + 1 possible ones counts that much more.
    """
    odds = strengths[0] + sum(max(0.0, s + math.log(wrong)) for s in strengths[1:])
    return share_of(odds)


def contest(strengths: list[float]) -> float:
    """The weight of a value among competing ones, strongest source first."""
    return strengths[0] + SECOND_VOICE * sum(max(0.0, s) for s in strengths[1:])
