"""One page on its own: what it says for a category, whatever product it is about."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from specfactory.contract import CompiledContract
from specfactory.extract.templates import NO_SELECTORS, covers, select, settled
from specfactory.model import Candidate, Dropped, Page
from specfactory.observe import Laps
from specfactory.orchestrate.bench import Workbench
from specfactory.proof import PageViews
from specfactory.store import PageReading
from specfactory.validate import validate

if TYPE_CHECKING:
    from specfactory.model import TemplateUse
    from specfactory.orchestrate.templates import AtWork

SMALL_BYTES = 150_000  # parsed in about a millisecond: handing it to a thread costs more


async def read_alone(
    bench: Workbench, compiled: CompiledContract, page: Page, body: bytes, laps: Laps | None = None
) -> PageReading:
    """Read a page for a category; in a thread, unless it is quickly done."""
    selectors = selectors_of(bench, compiled, page.host)
    if covers(selectors, compiled.contract.fields.keys()):
        if len(body) <= SMALL_BYTES:
            return values_of(page, body, compiled, selectors, None, laps)
        return await asyncio.to_thread(values_of, page, body, compiled, selectors, None, laps)
    from specfactory.orchestrate.templates import templates_for

    at_work = await templates_for(bench, page.host, compiled.contract.category)
    return await asyncio.to_thread(values_of, page, body, compiled, selectors, at_work, laps)


def selectors_of(bench: Workbench, compiled: CompiledContract, host: str) -> Mapping[str, str]:
    """The selectors that a person wrote for a source; none for most."""
    source = bench.source(compiled, host)
    return source.selectors if source is not None else NO_SELECTORS


def values_of(
    page: Page,
    body: bytes,
    compiled: CompiledContract,
    selectors: Mapping[str, str],
    at_work: AtWork | None = None,
    laps: Laps | None = None,
) -> PageReading:
    """At most one valid candidate for each field; other methods fill what selectors leave."""
    if laps is not None:
        laps.begin()
    views = PageViews(page, body)
    _ = views.tree
    if laps is not None:
        laps.lap("parse")
    selected = select(views, compiled, selectors)
    found, dropped = list(selected.candidates), list(selected.dropped)
    uses: tuple[TemplateUse, ...] = ()
    if not covers(selectors, compiled.contract.fields.keys()):
        others, refused, uses = _answers(views, compiled, at_work)
        found = settled(others, selected)
        dropped += refused
    problems = [validate(candidate, compiled) for candidate in found]
    kept = [one for one, problem in zip(found, problems, strict=True) if problem is None]
    dropped += filter(None, problems)
    if laps is not None:
        laps.lap("extract")
    contract = compiled.contract
    return PageReading(
        page.id, contract.category, contract.digest, tuple(kept), tuple(dropped), uses
    )


def _answers(
    views: PageViews, compiled: CompiledContract, at_work: AtWork | None
) -> tuple[list[Candidate], tuple[Dropped, ...], tuple[TemplateUse, ...]]:
    """What all methods answer, what was dropped, and how templates did."""
    from specfactory.extract.answers import answer_page
    from specfactory.extract.templates import choose_fitting
    from specfactory.orchestrate.templates import uses_of

    fitting = choose_fitting(at_work.templates, views) if at_work else None
    tried = choose_fitting(at_work.trials, views) if at_work else None
    answers = answer_page(views, compiled, (fitting,) if fitting else ())
    offered = [one for answer in answers.values() for one in (answer.candidate, *answer.others)]
    uses = uses_of(fitting, tried, offered, views, compiled)
    return [answer.candidate for answer in answers.values()], answers.dropped, uses
