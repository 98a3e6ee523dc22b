"""Pages that a command is given: a file, standard input, a stored page, or an address to fetch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from specfactory.entry.cli.terminal import checked_url, open_factory, sqlite_file
from specfactory.orchestrate import templates

if TYPE_CHECKING:
    from specfactory.model import Page
    from specfactory.orchestrate import Workbench
    from specfactory.proof import PageViews
    from specfactory.settings import Settings

MAX_BYTES = 50_000_000
STORED = "page-"  # the beginning of the ids of stored pages


class GivenPage(NamedTuple):
    """A page, where it came from, and the templates that were learned for it."""

    place: str
    views: PageViews
    templates: templates.StoredTemplates | None = None


async def read_place(
    settings: Settings, place: str, url: str = "", category: str | None = None
) -> GivenPage:
    """Read the page at a place; a fetched one is stored, so that it can be proven later."""
    from specfactory.proof import PageViews

    fetched = "://" in place
    if not fetched and (not place.startswith(STORED) or Path(place).exists()):
        given, file = _given(place, url), sqlite_file(settings)
        if not url or not category or (file is not None and not file.exists()):
            return given  # reading a file makes no database
        async with open_factory(settings) as factory:
            host = given.views.page.host
            return given._replace(templates=await templates.templates_for(factory, host, category))
    async with open_factory(settings) as factory:
        if fetched:
            page, body = await _fetched(factory, place, category)
        else:
            page = await factory.pages.get(place)
            body = await factory.pages.body(page)
        known = await templates.templates_for(factory, page.host, category) if category else None
    return GivenPage(place if fetched else page.url, PageViews(page, body), known)


async def _fetched(factory: Workbench, url: str, category: str | None) -> tuple[Page, bytes]:
    from specfactory.errors import PageNotUsable
    from specfactory.model import Outcome
    from specfactory.orchestrate.pages import PagePurpose, take_page

    compiled = factory.contract(category) if category else None
    taken = await take_page(factory, checked_url(url), PagePurpose(compiled, needs_body=True))
    await taken.keep()
    page = taken.page
    if page.outcome is not Outcome.OK:
        raise PageNotUsable(url, page.outcome, page.outcome_evidence)
    return page, taken.body


def _given(place: str, url: str) -> GivenPage:
    import sys

    from specfactory.errors import UnknownSubject, UsageError
    from specfactory.extract.answers import page_of
    from specfactory.fetch import host_of
    from specfactory.proof import PageViews

    if place == "-":
        body = sys.stdin.buffer.read(MAX_BYTES + 1)
    elif not Path(place).is_file():
        raise UnknownSubject("page", place, "give a file or an address such as https://…")
    else:
        with Path(place).open("rb") as file:
            body = file.read(MAX_BYTES + 1)
    if len(body) > MAX_BYTES:
        raise UsageError(f"{place} has more than {MAX_BYTES // 1_000_000} MB; no page is so large")
    media_type = "application/pdf" if body.startswith(b"%PDF-") else "text/html"
    page = replace(page_of(body, url, media_type), host=host_of(url))
    return GivenPage(place, PageViews(page, body))
