"""What a host has shown on this very product: how often it says what its betters say.

A page that agrees with the maker and the labs wherever they speak is believed more where it
speaks alone, and one that often differs is believed less. Agreement may be copied, so it lifts
nobody above a shop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from specfactory.merge.clusters import Cluster
from specfactory.merge.weights import PRIOR_OBSERVATIONS, TIER_ACCURACY, log_odds
from specfactory.model import Field, Tier

ENOUGH_FIELDS = 8  # fewer shared fields say nothing about a host
HIGHEST = TIER_ACCURACY[Tier.RETAILER]
_TIERS = {tier: place for place, tier in enumerate(Tier)}


class HostAgreement(Struct):
    """How often a host named the value of a better source, and how often another."""

    tier: Tier
    agrees: int = 0
    differs: int = 0

    @property
    def shift(self) -> float:
        """What this adds to the strength of everything the host says, in log-odds."""
        seen = self.agrees + self.differs
        if seen < ENOUGH_FIELDS:
            return 0.0
        prior = TIER_ACCURACY[self.tier]
        shown = (prior * PRIOR_OBSERVATIONS + self.agrees) / (PRIOR_OBSERVATIONS + seen)
        return log_odds(min(shown, max(HIGHEST, prior))) - log_odds(prior)

    def __str__(self) -> str:
        return f"as better sources say in {self.agrees} of {self.agrees + self.differs} fields"


def standings(
    clusters: Mapping[str, list[Cluster]], fields: Mapping[str, Field]
) -> dict[str, HostAgreement]:
    """The standing of every host, over all fields of a product."""
    found: dict[str, HostAgreement] = {}
    for name, of_field in clusters.items():
        if not fields[name].source_dependent:
            _count(of_field, found)
    return found


def _count(clusters: list[Cluster], found: dict[str, HostAgreement]) -> None:
    tiers = [{v.host: v.candidate.evidence.tier for v in c.voices} for c in clusters]
    best = min((_TIERS[t] for home in tiers for t in home.values()), default=0)
    for home in tiers:
        says_best = any(_TIERS[tier] == best for tier in home.values())
        for host, tier in home.items():
            if _TIERS[tier] > best:
                standing = found.setdefault(host, HostAgreement(tier))
                standing.agrees += says_best
                standing.differs += not says_best


def apply_standings(clusters: Iterable[Cluster], known: Mapping[str, HostAgreement]) -> None:
    """Let every host speak as loudly as it deserves."""
    for cluster in clusters:
        for host in cluster.hosts:
            if (standing := known.get(host)) and standing.shift:
                cluster.hosts[host] += standing.shift
                cluster.standings[host] = str(standing)
