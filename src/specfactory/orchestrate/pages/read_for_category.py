"""Read one page for a category, whatever product it is about."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from specfactory.contract import CompiledContract, compile_contract
from specfactory.model import Answer, Candidate, Contract, Dropped, Frozen, Page, TemplateUse
from specfactory.observe import Laps
from specfactory.orchestrate.bench import Workbench, source_at
from specfactory.orchestrate.pages.handed_on import (
    NO_SELECTORS,
    is_quick,
    share_garbled,
    shared_body,
    shared_contract,
)
from specfactory.proof import PageViews
from specfactory.store import PageReading
from specfactory.validate import validate

if TYPE_CHECKING:
    from specfactory.extract import PageCandidates
    from specfactory.extract.answers import PageAnswers
    from specfactory.orchestrate.templates import StoredTemplates


class CategoryRead(Frozen):
    """A page read for a category, and what else its bytes told."""

    reading: PageReading
    timings_ms: Mapping[str, float]  # empty where it was not timed
    garbled: float  # share of wrongly decoded characters


class CategoryAnswers(Frozen):
    """Values of a page by selectors and the other methods, and what remains of it."""

    selected: PageCandidates
    others: Mapping[str, Answer]  # empty where selectors settle every field
    kept: tuple[Candidate, ...]  # valid, at most one for each field
    dropped: tuple[Dropped, ...]
    uses: tuple[TemplateUse, ...] = ()


async def read_page_for_category(
    bench: Workbench,
    compiled: CompiledContract,
    page: Page,
    body: bytes,
    *,
    timed: bool = False,
    deadline_seconds: float | None = None,
) -> CategoryRead:
    """Read a page for a category; raises Unreadable."""
    selectors, contract = selectors_of(bench, compiled, page.host), compiled.contract
    if compiled.is_covered_by(selectors):
        at_work, quick = None, is_quick(page)
    else:
        from specfactory.orchestrate.templates import templates_for

        found = await templates_for(bench, page.host, contract.category)
        at_work, quick = found.shared, False
    return await bench.readers.run(
        read_category, page, shared_body(body), shared_contract(contract), selectors, at_work,
        timed, quick=quick, deadline_seconds=deadline_seconds,
    )  # fmt: skip


def selectors_of(bench: Workbench, compiled: CompiledContract, host: str) -> Mapping[str, str]:
    """The selectors that a person wrote for a source; none for most."""
    source = source_at(bench.settings, compiled, host)
    return source.selectors if source is not None else NO_SELECTORS


def read_category(
    page: Page,
    body: bytes,
    contract: Contract,
    selectors: Mapping[str, str],
    at_work: StoredTemplates | None,
    timed: bool,
) -> CategoryRead:
    """Read a page for a category, in the process that reads."""
    compiled, laps = compile_contract(contract), Laps(time.monotonic if timed else None)
    views = PageViews(page, body)
    _ = views.tree
    laps.lap("parse")
    said = answer_for_category(views, compiled, selectors, at_work)
    laps.lap("extract")
    reading = PageReading(
        page.id, contract.category, contract.digest, said.kept, said.dropped, said.uses
    )
    return CategoryRead(reading, laps.ms, share_garbled(page, body))


def answer_for_category(
    views: PageViews,
    compiled: CompiledContract,
    selectors: Mapping[str, str],
    at_work: StoredTemplates | None = None,
    *,
    all_methods: bool = False,
) -> CategoryAnswers:
    """Selectors first; other methods fill what they leave, or with ``all_methods`` are shown."""
    from specfactory.extract.templates import select, settled

    selected = select(views, compiled, selectors)
    found, dropped = list(selected.candidates), list(selected.dropped)
    others: Mapping[str, Answer] = {}
    uses: tuple[TemplateUse, ...] = ()
    if all_methods or not compiled.is_covered_by(selectors):
        # Loads every method of extraction, which a crawl by selectors does without.
        from specfactory.extract.answers import answer_page
        from specfactory.orchestrate.templates import NO_TEMPLATES, made_ready, uses_of

        fitting, tried = made_ready(at_work or NO_TEMPLATES).fitting(views)
        others = answers = answer_page(views, compiled, (fitting,) if fitting else ())
        offered = [one for answer in answers.values() for one in (answer.candidate, *answer.others)]
        uses = uses_of(fitting, tried, offered, views, compiled)
        found = settled([answer.candidate for answer in answers.values()], selected)
        dropped += answers.dropped
    problems = [validate(candidate, compiled) for candidate in found]
    kept = tuple(one for one, problem in zip(found, problems, strict=True) if problem is None)
    dropped += filter(None, problems)
    return CategoryAnswers(selected, others, kept, tuple(dropped), uses)


def page_answers(said: CategoryAnswers, selectors: Mapping[str, str]) -> PageAnswers:
    """Show the kept values as answers, a selector's before those of the other methods."""
    from specfactory.extract.answers import PageAnswers, likelihood_of

    shown = {one.field: said.others[one.field] for one in said.kept if one.field in said.others}
    by_selector = {one.field for one in said.selected.candidates}
    for one in said.kept:
        if one.field in by_selector:
            other = said.others.get(one.field)
            others = (other.candidate, *other.others) if other is not None else ()
            reasons = (f"the selector {selectors[one.field]}", str(one.evidence.method))
            shown[one.field] = Answer(one.field, one, likelihood_of(one), reasons, others)
    return PageAnswers(shown, said.dropped)
