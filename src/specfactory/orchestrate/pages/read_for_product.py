"""Read one page for one product: identify, extract, validate."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from specfactory.contract import CompiledContract
from specfactory.extract import extract_candidates
from specfactory.extract.templates import NO_SELECTORS, Applied, choose_fitting, select, settled
from specfactory.identify import judge_page, judge_subject, named_measures
from specfactory.model import Candidate, Dropped, Identity, Page, Product, Verdict
from specfactory.observe import Laps
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.read_for_category import selectors_of
from specfactory.orchestrate.templates import templates_for, uses_of
from specfactory.proof import PageViews, reading
from specfactory.publish import with_passage
from specfactory.store import Reading
from specfactory.validate import validate

ACCEPTED = 0.95  # the confidence of an identity that a person has accepted
SURE = 0.75  # on a page about the whole family, a part must name the product this surely


async def read_page_for_product(
    bench: Workbench,
    compiled: CompiledContract,
    product: Product,
    page: Page,
    body: bytes,
    *,
    siblings: Sequence[Product] | None = None,
    accept_unsure: bool = False,
    laps: Laps | None = None,
) -> Reading:
    """Read a page in a thread, with the templates and selectors of its source."""
    if siblings is None:
        of_brand = await bench.products.of_brand(product.category, product.brand)
        siblings = tuple(known for known in of_brand if known.id != product.id)
    at_work = await templates_for(bench, page.host, product.category)
    return await asyncio.to_thread(
        read_page,
        product,
        compiled,
        siblings,
        page,
        body,
        accept_unsure=accept_unsure,
        templates=at_work.templates,
        trials=at_work.trials,
        laps=laps,
        selectors=selectors_of(bench, compiled, page.host),
    )


def read_page(
    product: Product,
    compiled: CompiledContract,
    siblings: Sequence[Product],
    page: Page,
    body: bytes,
    *,
    accept_unsure: bool = False,
    templates: Sequence[Applied] = (),
    trials: Sequence[Applied] = (),
    laps: Laps | None = None,
    selectors: Mapping[str, str] = NO_SELECTORS,
) -> Reading:
    """Judge the page, take its candidates, and keep those that are this product's and valid.

    With ``accept_unsure``, a person has said that pages of unsure identity are this product's.
    Of the ``templates`` of the source the one that fits the page is used; what those on trial
    find is held against the rest and not kept. ``laps`` times parsing and extraction.
    ``selectors`` are those that a person wrote for the source; they settle their fields.
    """
    views = _parsed(page, body, laps)
    identity = judge_page(product, compiled.contract.identity, views, siblings)
    if views.unread:
        identity = replace(identity, reasons=(views.unread, *identity.reasons))
    if accept_unsure and identity.verdict is Verdict.UNSURE:
        reasons = ("a person accepted the identity", *identity.reasons)
        identity = replace(identity, verdict=Verdict.SAME, confidence=ACCEPTED, reasons=reasons)
    reading = Reading(product.id, page.id, compiled.contract.digest, identity)
    if identity.verdict is Verdict.SAME:
        named = named_measures(product, compiled.contract.identity, views, siblings)
        reading = replace(reading, measures=named)
    if identity.verdict.usable:
        fitting, tried = choose_fitting(templates, views), choose_fitting(trials, views)
        found = extract_candidates(views, compiled, [fitting] if fitting else [])
        selected = select(views, compiled, selectors)
        offered = settled(found.candidates, selected)
        kept, refused = admit(offered, product, compiled, siblings, identity, views)
        dropped = (*selected.dropped, *found.dropped, *refused)
        uses = uses_of(fitting, tried, found.candidates, views, compiled)
        reading = replace(reading, candidates=tuple(kept), dropped=dropped, uses=uses)
    if laps is not None:
        laps.lap("extract")
    return reading


def _parsed(page: Page, body: bytes, laps: Laps | None) -> PageViews:
    """The views of a page; where it is timed, the tree and the text are made at once."""
    if laps is None:
        return PageViews(page, body)
    laps.begin()
    views = PageViews(page, body)
    _ = views.outline, views.pdf
    laps.lap("parse")
    return views


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
    judge = _SubjectJudge(product, compiled, siblings, identity)
    for candidate in candidates:
        problem = judge(candidate) or validate(candidate, compiled)
        if problem is None:
            kept.append(with_passage(candidate, views))
        else:
            dropped.append(problem)
    return kept, dropped


class _SubjectJudge:
    """Tell whether a candidate's own subject is this product; each subject is judged once."""

    def __init__(
        self,
        product: Product,
        compiled: CompiledContract,
        siblings: Sequence[Product],
        page: Identity,
    ) -> None:
        self._product, self._siblings = product, siblings
        self._rules = compiled.contract.identity
        self._page = page
        self._known: dict[str, Identity] = {}

    def __call__(self, candidate: Candidate) -> Dropped | None:
        if candidate.subject is None:
            if self._page.verdict is Verdict.SAME:
                return None
            return _other(candidate, "the page is about the whole family")
        subject = candidate.subject
        if subject not in self._known:
            self._known[subject] = judge_subject(
                self._product, self._rules, subject, self._siblings
            )
        verdict = self._known[subject]
        sure = self._page.verdict is Verdict.SAME or verdict.confidence >= SURE
        if verdict.verdict is Verdict.SAME and sure:
            return None
        return _other(candidate, f"it belongs to {candidate.subject!r}: {verdict.reasons[0]}")


def _other(candidate: Candidate, detail: str) -> Dropped:
    evidence = candidate.evidence
    quote = " ".join(reading(snippet) for snippet in evidence.values)
    return Dropped(candidate.field, "other_product", detail, quote, evidence.page_id, evidence.url)
