"""Time one page, fetched and read as workers do it."""

from __future__ import annotations

import time
from contextlib import suppress

from specfactory.errors import Unreadable
from specfactory.model import Frozen, Outcome, Page
from specfactory.observe import Laps, Profile, profile_of
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.pages.handed_on import is_quick, shared_body
from specfactory.orchestrate.pages.taken_page import PagePurpose, take_page
from specfactory.proof import PageViews


class ProfiledPage(Frozen):
    """A page that was fetched to see where its time goes."""

    page: Page
    profile: Profile
    filled: int | None = None  # fields that it gave; None: it was not read


def time_parsing(page: Page, body: bytes) -> float:
    """Milliseconds that parsing a page takes, in the process that reads."""
    laps = Laps(time.monotonic)
    views = PageViews(page, body)
    _ = views.outline, views.pdf
    laps.lap("parse")
    return laps.ms["parse"]


async def profile_page(bench: Workbench, url: str, category: str | None = None) -> ProfiledPage:
    """Fetch a page anew, read it where a category is given, store it, and time it all."""
    compiled = bench.contract(category) if category else None
    purpose = PagePurpose(compiled, reads=compiled is not None, anew=True, timed=True)
    await bench.fetch.start_afresh(url)
    taken = await take_page(bench, url, purpose)
    page, reading = taken.page, taken.reading
    laps = taken.laps if taken.laps.is_on else Laps(bench.clock.monotonic)  # no page was read
    if compiled is None and page.outcome is Outcome.OK:
        with suppress(Unreadable):
            laps.ms["parse"] = await bench.readers.run(
                time_parsing, page, shared_body(taken.body), quick=is_quick(page)
            )
    laps.begin()
    async with bench.database.transaction() as tx:
        await taken.write(tx)
    laps.lap("store")  # with the commit
    await taken.after()
    filled = len(reading.candidates) if reading is not None else None
    return ProfiledPage(page, profile_of({**page.timings_ms, **laps.ms}), filled)
