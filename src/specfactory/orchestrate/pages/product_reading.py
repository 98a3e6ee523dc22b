"""Read one page for one product: identify, extract, validate.

Workers only name these functions for the processes that read: so extraction is loaded by its
first page, not with this module.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from specfactory.contract import CompiledContract, compile_contract
from specfactory.discover import document_links
from specfactory.identify import judge_page, judge_subject, named_connections, named_measures
from specfactory.merge import around_values, passages
from specfactory.model import Candidate, Contract, Dropped, Frozen, Identity, Page, Product, Verdict
from specfactory.observe import Laps
from specfactory.orchestrate.pages.handed_on import NO_SELECTORS, share_garbled
from specfactory.orchestrate.templates import NO_TEMPLATES, StoredTemplates
from specfactory.ports import Hit
from specfactory.proof import PageViews, reading
from specfactory.publish import with_passage
from specfactory.store import Reading
from specfactory.validate import validate

ACCEPTED = 0.95  # the confidence of an identity that a person has accepted
SURE = 0.75  # on a page about the whole family, a part must name the product this surely
MOST_OF_A_FIELD = 40  # values of one page: more of them say no more, and all are weighed together
MOST_DROPPED = 500


class ProductRead(Frozen):
    """A page read for a product, and what else its bytes told."""

    reading: Reading
    timings_ms: Mapping[str, float]  # empty where it was not timed
    garbled: float  # share of wrongly decoded characters
    data_sheets: tuple[Hit, ...] = ()  # that the page links, where it is about the product


def read_product(
    product: Product,
    contract: Contract,
    siblings: Sequence[Product],
    page: Page,
    body: bytes,
    accept_unsure: bool,
    at_work: StoredTemplates,
    selectors: Mapping[str, str],
    timed: bool,
) -> ProductRead:
    """Read a page for a product, in the process that reads."""
    laps = Laps(time.monotonic if timed else None)
    reading = read_page(
        product, compile_contract(contract), siblings, page, body, accept_unsure=accept_unsure,
        at_work=at_work, laps=laps, selectors=selectors,
    )  # fmt: skip
    sheets: tuple[Hit, ...] = ()
    tree = PageViews(page, body).tree  # parsed once
    if reading.identity.verdict is Verdict.SAME and page.media_type == "text/html" and tree:
        sheets = tuple(document_links(tree, page))
    return ProductRead(reading, laps.ms, share_garbled(page, body), sheets)


def read_page(
    product: Product,
    compiled: CompiledContract,
    siblings: Sequence[Product],
    page: Page,
    body: bytes,
    *,
    accept_unsure: bool = False,
    at_work: StoredTemplates = NO_TEMPLATES,
    laps: Laps | None = None,
    selectors: Mapping[str, str] = NO_SELECTORS,
) -> Reading:
    """Judge the page, take its candidates, and keep those that are this product's and valid.

    With ``accept_unsure``, a person has said that pages of unsure identity are this product's.
    Of the templates ``at_work`` the one that fits the page is used; what those on trial find is
    held against the rest and not kept. ``laps`` times parsing and extraction.
    ``selectors`` are those that a person wrote for the source; they settle their fields.
    """
    from specfactory.extract import extract_candidates, place_owners
    from specfactory.extract.templates import select, settled
    from specfactory.orchestrate.templates import made_ready, uses_of

    laps = laps or Laps()
    laps.begin()
    views = PageViews(page, body)
    if laps.is_on:  # else the tree and the text are made when they are needed
        _ = views.outline, views.pdf
        laps.lap("parse")
    rules = compiled.contract.identity
    identity = judge_page(product, rules, views, siblings, place_owners(views))
    if views.unread:
        identity = replace(identity, reasons=(views.unread, *identity.reasons))
    if accept_unsure and identity.verdict is Verdict.UNSURE:
        reasons = ("a person accepted the identity", *identity.reasons)
        identity = replace(identity, verdict=Verdict.SAME, confidence=ACCEPTED, reasons=reasons)
    templates = tuple(one.id for one in at_work.templates)
    reading = Reading(product.id, page.id, compiled.contract.digest, identity, offered=templates)
    if identity.verdict is Verdict.SAME:
        named = named_measures(product, compiled.contract.identity, views, siblings)
        connections = named_connections(product, compiled.contract.identity, views, siblings)
        reading = replace(reading, measures=named, variant=connections)
    if identity.verdict.usable:
        fitting, tried = made_ready(at_work).fitting(views)
        found = extract_candidates(views, compiled, [fitting] if fitting else [])
        selected = select(views, compiled, selectors)
        offered = settled(found.candidates, selected)
        kept, refused = admit(offered, product, compiled, siblings, identity, views)
        dropped = (*selected.dropped, *found.dropped, *refused)[:MOST_DROPPED]
        uses = uses_of(fitting, tried, found.candidates, views, compiled)
        text = views.text or views.pdf
        reading = replace(
            reading, candidates=tuple(kept), dropped=dropped, uses=uses,
            passages=passages(text, (product.brand, product.model)),
            around=around_values(text, kept),
        )  # fmt: skip
    laps.lap("extract")
    return reading


def admit(
    candidates: Sequence[Candidate],
    product: Product,
    compiled: CompiledContract,
    siblings: Sequence[Product],
    identity: Identity,
    views: PageViews,
) -> tuple[list[Candidate], list[Dropped]]:
    """Candidates that are this product's and valid, and the others with the reason."""
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    about_product = identity.verdict is Verdict.SAME
    judged: dict[str, Identity] = {}  # each subject once
    counts: Counter[str] = Counter()  # by field

    def of_another(candidate: Candidate) -> Dropped | None:
        subject = candidate.subject
        if subject is None:
            whole_family = "the page is about the whole family"
            return None if about_product else _other(candidate, whole_family)
        if subject not in judged:
            rules = compiled.contract.identity
            judged[subject] = judge_subject(product, rules, subject, siblings)
        found = judged[subject]
        if found.verdict is Verdict.SAME and (about_product or found.confidence >= SURE):
            return None
        return _other(candidate, f"it belongs to {subject!r}: {found.reasons[0]}")

    for candidate in candidates:
        problem = of_another(candidate) or validate(candidate, compiled)
        if problem is not None:
            dropped.append(problem)
        elif (number := counts[candidate.field]) < MOST_OF_A_FIELD:
            counts[candidate.field] = number + 1
            kept.append(with_passage(candidate, views))
    return kept, dropped


def _other(candidate: Candidate, detail: str) -> Dropped:
    evidence = candidate.evidence
    quote = " ".join(reading(snippet) for snippet in evidence.values)
    return Dropped(candidate.field, "other_product", detail, quote, evidence.page_id, evidence.url)
