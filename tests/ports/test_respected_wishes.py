"""Pages that ask not to be used, for categories that respect that and for others."""

from pathlib import Path

import pytest

from specfactory.entry.cli.pages.page_input import read_place
from specfactory.errors import JobFailed, PageNotUsable
from specfactory.model import Outcome
from specfactory.orchestrate.kinds.page import work_on_page
from specfactory.orchestrate.pages.profile import profile_page
from specfactory.orchestrate.pages.usage_directives import is_unwanted
from tests.pages import CONTRACT
from tests.ports.test_page_values import PAGE, Shop, shop, worked

__all__ = ["shop"]  # the fixture

SHY = PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>')


def respecting(shop: Shop, *words: str, category: str = "mouse") -> None:
    text = CONTRACT.replace("category: mouse", f"category: {category}")
    file = Path(shop.settings.contracts_dir, f"{category}.yaml")
    file.write_text(f"{text}\nrespect: [{', '.join(words)}]\n")


async def test_page_with_noindex_is_refused_and_not_kept_where_the_contract_asks(shop):
    respecting(shop, "noindex")
    shop.page = SHY
    async with shop.factory() as bench:
        with pytest.raises(JobFailed, match="noindex"):
            await work_on_page(bench, shop.job(category="mouse"))

        page = await bench.pages.latest(shop.job().key)
        readings = [one async for one in bench.readings.for_category("mouse")]
        (visit,) = await bench.visits.recent(shop.host, 5)
    assert (page, readings) == (None, [])
    assert visit.outcome is Outcome.REFUSED


async def test_page_that_a_person_asks_for_is_no_exception(shop):
    respecting(shop, "noindex")
    shop.page = SHY
    url = shop.job().key
    with pytest.raises(PageNotUsable, match="noindex"):
        await read_place(shop.settings, url, category="mouse")
    async with shop.factory() as bench:
        profiled = await profile_page(bench, url, "mouse")
        anyway = await profile_page(bench, url)

        assert (profiled.page.outcome, profiled.filled) == (Outcome.REFUSED, None)
        assert (profiled.page.content_hash, anyway.page.outcome) == ("", Outcome.OK)


@pytest.mark.parametrize("words", [(), ("noarchive",)])
async def test_other_contracts_use_it(shop, words):
    respecting(shop, *words)
    shop.page = SHY
    async with shop.factory() as bench:
        await worked(bench, shop.job(category="mouse"))

        assert [one async for one in bench.readings.for_category("mouse")]


async def test_page_that_was_kept_for_others_is_not_read_later_where_it_must_not_be(shop):
    respecting(shop, "noindex", category="shy")
    shop.page = SHY
    async with shop.factory() as bench:
        await worked(bench, shop.job(category="mouse"))
        kept = await bench.pages.latest(shop.job().key)

        assert kept is not None
        assert await is_unwanted(bench, "shy", kept)
        assert not await is_unwanted(bench, "mouse", kept)
        with pytest.raises(JobFailed, match="noindex"):
            await work_on_page(bench, shop.job(category="shy"))
