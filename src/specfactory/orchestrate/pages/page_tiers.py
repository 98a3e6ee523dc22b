"""Trust in a page: the tier of the host that answered, as settings and contracts name it."""

from collections.abc import Iterable, Sequence

from specfactory.fetch import host_of
from specfactory.hosts import owner_of
from specfactory.model import Page, Source, Tier

_TRUST = tuple(Tier)  # the most trusted first


def least_trusted(tiers: Iterable[Tier]) -> Tier:
    """The lowest of several tiers."""
    return max(tiers, key=_TRUST.index)


def named_tier(host: str, sources: Sequence[Source]) -> Tier | None:
    """The tier that the sources give to a host; None if they name nothing of its owner.

    A host that is not named has the tier of those that its owner has, the lowest where they
    differ: a maker's forum may be one of them.
    """
    named = [source.tier for source in sources if source.host == host]
    owner = owner_of(host) if sources and not named else ""
    akin = [s.tier for s in sources if not named and owner_of(s.host) == owner]
    return named[0] if named else least_trusted(akin) if akin else None


def tier_of_answer(page: Page, asked: Tier, sources: Sequence[Source]) -> Tier:
    """The tier of a page that was asked for at a host of the tier ``asked``."""
    return tier_reached(page.host, host_of(page.url), asked, sources)


def tier_reached(host: str, by: str, tier: Tier, sources: Sequence[Source]) -> Tier:
    """The tier of a host that another one, of ``tier``, led to: by a redirect or as a result.

    That lends no trust: a host that nobody named is a shop at most.
    """
    if host == by:
        return tier
    known = named_tier(host, sources)
    if known is not None:
        return known
    return tier if owner_of(host) == owner_of(by) else least_trusted((tier, Tier.RETAILER))
