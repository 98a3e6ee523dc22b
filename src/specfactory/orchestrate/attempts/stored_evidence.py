"""Evidence about a product that is stored when an attempt begins."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from specfactory.discover import Lead, sources_for
from specfactory.errors import Unreadable
from specfactory.fetch import host_of
from specfactory.hosts import bears_name
from specfactory.learn.truth import fit_knowledge
from specfactory.merge import MergeKnowledge
from specfactory.model import (
    Attempt,
    Contract,
    DecisionAction,
    Instant,
    Job,
    Page,
    Product,
    ReviewKind,
    Source,
    Tier,
    Verdict,
    failure_facts,
)
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages import (
    is_unwanted,
    least_trusted,
    named_tier,
    read_page_for_product,
    tier_of_answer,
)
from specfactory.orchestrate.templates import is_outdated, templates_for
from specfactory.store import Reading
from specfactory.store.products import Lessons

HOUR_MS = 3_600_000


async def open_tally(
    bench: Workbench,
    product: Product,
    attempt: Attempt,
    sources: Sequence[Source] = (),
    urls: Sequence[str] = (),
    *,
    job: Job | None = None,
    refresh: bool = False,
) -> Tally:
    """Begin the tally of an attempt with what is known of its product.

    ``urls`` are pages that the user already knows; ``refresh`` asks fresh pages again.
    """
    compiled = bench.contract(product.category)
    tally = Tally(bench, product, compiled, attempt, sources_for(product, sources), job=job)
    tally.leads += [
        Lead(source_of(url, product, sources), url, "given", given=True) for url in urls
    ]
    await _load_evidence(bench, tally, refresh)
    return tally


async def _load_evidence(bench: Workbench, tally: Tally, refresh: bool) -> None:
    """Fill the tally with decisions, siblings, yields and the readings of earlier attempts."""
    product = tally.product
    decisions = await bench.reviews.decisions(product.id)
    tally.decisions = {d.field: d for d in decisions if d.kind is ReviewKind.FIELD and d.field}
    about = [d for d in decisions if d.kind is ReviewKind.IDENTITY]
    tally.identity_decided = bool(about)
    tally.identity_accepted = any(d.action is DecisionAction.ACCEPT for d in about)
    chosen = (d.value for d in about if d.action is DecisionAction.OVERRIDE)
    tally.chosen_variant = str(next(chosen, ""))
    tally.siblings = tuple(await bench.products.siblings(product))
    tally.yields = await bench.yields.for_category(product.category)
    tally.knowledge = await known_truth(bench, tally.compiled.contract)
    newest: Instant = bench.clock.now() - int(bench.settings.plan.fresh_hours * HOUR_MS)
    for stored in await bench.readings.for_product(product.id):
        page = await bench.pages.get(stored.page_id)
        if await is_unwanted(bench, product.category, page):
            continue
        page = in_present_tier(page, tally.sources)
        reading = at_most(await _current(bench, tally, page, stored), page.tier)
        tally.readings[page.url] = reading
        if not refresh and (page.confirmed_at or page.fetched_at) > newest:
            tally.fresh.add(page.host)
        elif reading.identity.verdict.usable:
            answered_itself = page.host == host_of(page.url)
            known = page.tier if answered_itself else least_trusted((page.tier, Tier.RETAILER))
            source = source_of(page.url, product, tally.sources, known)
            fields = len({candidate.field for candidate in reading.candidates})
            tally.leads.append(Lead(source, page.url, "may have changed", worth=fields))
    if refresh:
        return
    for attempt, trace in await bench.attempts.traces(product.id, since=newest):
        if attempt != tally.attempt.id:
            tally.fresh.update(
                host
                for host, ended in trace.items()
                if ended == Verdict.OTHER or failure_facts(ended).is_settled
            )


async def known_truth(bench: Workbench, contract: Contract) -> MergeKnowledge:
    """Fit merging to what golden products and reviews have taught about a category."""
    lessons, category = Lessons(bench.database), contract.category
    taught = await lessons.of_category(category)
    return fit_knowledge(
        await bench.goldens.accuracies(category),
        await lessons.voices(category),
        [
            (contract.fields[name].type, confidence, right)
            for name, confidence, right in taught
            if name in contract.fields
        ],
    )


async def _current(bench: Workbench, tally: Tally, page: Page, reading: Reading) -> Reading:
    """Read the stored page again where a stored reading is out of date.

    It is after a change of the contract or of the templates, or once a person accepts the identity.
    """
    accepted = tally.identity_accepted and reading.identity.verdict is Verdict.UNSURE
    same_contract = reading.contract_digest == tally.compiled.contract.digest
    at_work = await templates_for(bench, page.host, tally.product.category)
    if same_contract and not accepted and not is_outdated(reading, at_work):
        return reading
    body = await bench.pages.body(page)
    try:
        read = await read_page_for_product(
            bench, tally.compiled, tally.product, page, body,
            siblings=tally.siblings, accept_unsure=tally.identity_accepted,
        )  # fmt: skip
    except Unreadable:  # what it says by an earlier contract is no evidence for this one
        return reading if same_contract else replace(reading, candidates=())
    if not tally.identity_accepted:  # that may be undone
        tally.read_again.append(read.reading)
    return read.reading


def source_of(
    url: str, product: Product, sources: Sequence[Source], known: Tier | None = None
) -> Source:
    """The source that a URL belongs to; ``known`` is the tier that its page had.

    An unknown host that the user names is the maker's if its domain is the brand, and if no
    source says whose host is; else it is a shop.
    """
    host = host_of(url)
    for source in sources:
        if source.host == host:
            return source
    tier = named_tier(host, sources) or known
    if tier is None:
        makers = any(s.tier is Tier.MANUFACTURER for s in sources_for(product, sources))
        own = not makers and bears_name(host, product.brand)
        tier = Tier.MANUFACTURER if own else Tier.RETAILER
    return Source(host, tier, urlsplit(url).scheme or "https")


def in_present_tier(page: Page, sources: Sequence[Source]) -> Page:
    """A stored page in the tier that its host has by now, if that is lower.

    A higher one it gets when it is fetched again: its bytes may have come by another way.
    """
    present = tier_of_answer(page, page.tier, sources)
    known = named_tier(page.host, sources) or present
    return replace(page, tier=least_trusted((page.tier, present, known)))


def at_most(reading: Reading, tier: Tier) -> Reading:
    """A reading whose candidates are trusted no more than their page."""
    candidates = tuple(
        replace(c, evidence=replace(c.evidence, tier=least_trusted((c.evidence.tier, tier))))
        for c in reading.candidates
    )
    return reading if candidates == reading.candidates else replace(reading, candidates=candidates)
