"""Agreement of a host with higher-tier sources, on one product.

A page that agrees with the maker and the labs wherever they speak is believed more where it
speaks alone, and one that often differs is believed less. Agreement may be copied, so it lifts
no host above a shop.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from specfactory.merge.clusters import Cluster
from specfactory.merge.weights import PRIOR_OBSERVATIONS, TIER_ACCURACY, TIER_PLACES, log_odds
from specfactory.model import Field, Tier

ENOUGH_FIELDS = 8  # fewer shared fields say nothing about a host
HIGHEST = TIER_ACCURACY[Tier.RETAILER]


class HostAgreement(Struct):
    """Number of fields in which a host named a better source's value, or another one."""

    tier: Tier
    agrees: int = 0
    differs: int = 0

    @property
    def shift(self) -> float:
        """Log-odds added to the strength of everything the host says."""
        seen = self.agrees + self.differs
        if seen < ENOUGH_FIELDS:
            return 0.0
        prior = TIER_ACCURACY[self.tier]
        shown = (prior * PRIOR_OBSERVATIONS + self.agrees) / (PRIOR_OBSERVATIONS + seen)
        return log_odds(min(shown, max(HIGHEST, prior))) - log_odds(prior)

    def __str__(self) -> str:
        return f"as better sources say in {self.agrees} of {self.agrees + self.differs} fields"


def host_agreements(
    clusters: Mapping[str, list[Cluster]], fields: Mapping[str, Field]
) -> dict[str, HostAgreement]:
    """Count, for every host, over all fields of a product on which sources must not differ."""
    found: dict[str, HostAgreement] = {}
    for name, of_field in clusters.items():
        if fields[name].source_dependent:
            continue
        tiers = [{v.host: v.candidate.evidence.tier for v in c.votes} for c in of_field]
        best = min((TIER_PLACES[t] for home in tiers for t in home.values()), default=0)
        for home in tiers:
            says_best = any(TIER_PLACES[tier] == best for tier in home.values())
            for host, tier in home.items():
                if TIER_PLACES[tier] > best:
                    agreement = found.setdefault(host, HostAgreement(tier))
                    agreement.agrees += says_best
                    agreement.differs += not says_best
    return found


def apply_agreements(clusters: Iterable[Cluster], known: Mapping[str, HostAgreement]) -> None:
    """Shift the strength of every host by its agreement."""
    for cluster in clusters:
        for host in cluster.hosts:
            if (agreement := known.get(host)) and agreement.shift:
                cluster.hosts[host] += agreement.shift
                cluster.agreements[host] = str(agreement)
