"""Plan of the next round: gaps in, sources out, the most new fields per cost first.

Expected fields of a source are learnt from what it gave before; a source without a history
is judged by its tier and by the field groups that its contract names.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from specfactory.model import Contract, Frozen, PlannedSource, Product, Source, SourceYield, Tier

# Share of a contract's fields that a page of a tier usually answers, before anything is known
# about the source: first guesses, outweighed after a few pages by what the source really gave.
PRIOR = {
    Tier.MANUFACTURER: 0.45,
    Tier.LAB: 0.25,
    Tier.RETAILER: 0.25,
    Tier.AGGREGATOR: 0.20,
    Tier.COMMUNITY: 0.05,
}
PRIOR_PAGES = 2.0  # weight of the first guess, in pages
NAMED_GROUP = 0.7  # a field of a group for which the contract names the source
OTHER_GROUP = 0.05


class Lead(Frozen):
    """A page known beforehand: given by the user, linked from a page, or read before."""

    source: Source
    url: str
    why: str
    worth: float = 0.0  # fields that it gave before and that may have changed
    given: bool = False  # by the user: read whatever else is planned


def sources_for(product: Product, sources: Iterable[Source]) -> tuple[Source, ...]:
    """The sources that may know this product: other brands' own sites do not."""
    brand = _letters(product.brand)

    def may_know(source: Source) -> bool:
        if source.tier is not Tier.MANUFACTURER or not brand:
            return True
        return brand in (set(map(_letters, source.brands)) or _letters(source.host))

    return tuple(source for source in sources if source.enabled and may_know(source))


def _letters(words: str) -> str:
    return "".join(c for c in words.casefold() if c.isalnum())


def plan_round(
    contract: Contract,
    sources: Sequence[Source],
    leads: Sequence[Lead],
    missing: Sequence[str],
    yields: Mapping[str, SourceYield],
    tiers: Sequence[Tier],
    count: int,
) -> list[PlannedSource]:
    """The next ``count`` steps, best expected gain per cost first.

    Leads come before sources of the same worth, because nothing has to be searched, and those
    that the user gave before all. When no source of the wanted tiers is left, any other is
    taken, so that a round is never wasted.
    """
    given = {lead.url for lead in leads if lead.given}
    steps = []
    for lead in leads:
        step = _step(contract, lead.source, missing, yields)
        gain = step.expected_fields + lead.worth
        why = f"{lead.why}; {step.why}"
        steps.append(replace(step, url=lead.url, expected_fields=gain, why=why))
    steps += [_step(contract, source, missing, yields) for source in sources]
    fitting = [step for step in steps if step.source.tier in tiers]
    if len(tiers) > 1:  # the identity check wants the manufacturer, whatever was given
        fitting += [s for s in steps if s.url in given and s.source.tier not in tiers]
    wanted = fitting or steps
    wanted.sort(
        key=lambda s: (
            s.url not in given,
            -s.expected_fields / s.expected_cost,
            s.url is None,
            s.source.host,
        )
    )
    return wanted[:count]


def _step(
    contract: Contract, source: Source, missing: Sequence[str], yields: Mapping[str, SourceYield]
) -> PlannedSource:
    past = yields.get(source.host)
    gain = sum(chance(contract, source, past, name) for name in missing)
    basis = f"gave them on {past.pages} pages before" if past and past.pages else "first guess"
    why = f"{gain:.0f} of {len(missing)} open fields ({basis})"
    tries = 1.0  # that one good page takes
    if past is not None:
        tries = (past.pages + past.failures + 1.0) / (past.pages + 1.0)
    return PlannedSource(source, None, gain, source.cost * tries, why)


def chance(contract: Contract, source: Source, past: SourceYield | None, name: str) -> float:
    """Likelihood that a page of the source gives the field."""
    prior = PRIOR[source.tier]
    if source.groups:
        named = contract.fields[name].group in source.groups
        prior = NAMED_GROUP if named else OTHER_GROUP
    if past is None or not past.pages:
        return prior
    seen = past.fields.get(name, 0)
    return (seen + prior * PRIOR_PAGES) / (past.pages + PRIOR_PAGES)
