"""One page, fetched and read as the line does it, with the time of every phase."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from specfactory.contract import CompiledContract
from specfactory.extract import answer_page
from specfactory.extract.templates import Applied, choose_fitting
from specfactory.model import Fetched, Frozen, Outcome, Page, Tier
from specfactory.observe import Laps, Profile, profile_of
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.usage_directives import as_wished
from specfactory.orchestrate.pages.visits import note_visit, stored_in
from specfactory.orchestrate.templates import templates_for
from specfactory.proof import PageViews


class ProfiledPage(Frozen):
    """A page that was fetched to see where its time goes."""

    page: Page
    profile: Profile
    filled: int | None = None  # fields that it gave; None: it was not read


async def profile_page(bench: Workbench, url: str, category: str | None = None) -> ProfiledPage:
    """Fetch a page anew, read it where a category is given, store it, and time it all."""
    compiled = bench.contract(category) if category else None
    await bench.fetch.start_afresh(url)
    got = await as_wished(bench, category or "", await bench.fetch.fetch_page(url, Tier.RETAILER))
    laps, filled = Laps(bench.clock.monotonic), None
    if got.page.outcome is Outcome.OK:
        shelf = await templates_for(bench, got.page.host, category) if category else None
        known = shelf.templates if shelf else ()
        filled = await asyncio.to_thread(_read, got, compiled, known, laps)
    laps.begin()
    async with bench.database.transaction() as tx:
        await bench.pages.save(tx, got.page, got.body, got.response)
        await note_visit(bench, tx, got.page, timings_ms=dict(stored_in(laps)))
    laps.lap("store")  # with the commit
    return ProfiledPage(got.page, profile_of({**got.page.timings_ms, **laps.ms}), filled)


def _read(
    got: Fetched, compiled: CompiledContract | None, templates: Sequence[Applied], laps: Laps
) -> int | None:
    laps.begin()
    views = PageViews(got.page, got.body)
    _ = views.outline, views.pdf
    laps.lap("parse")
    if compiled is None:
        return None
    fitting = choose_fitting(templates, views)
    answers = answer_page(views, compiled, [fitting] if fitting else [])
    laps.lap("extract")
    return len(answers)
