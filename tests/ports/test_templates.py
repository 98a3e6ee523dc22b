"""Templates, labels and the watch at work, on every database."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from specfactory.errors import UnknownSubject
from specfactory.model import Identity, Outcome, Page, Product, Tier, Verdict
from specfactory.model.learned_templates import (
    FieldFigures,
    LearnedTemplate,
    PageLabel,
    TemplateStatus,
    TemplateUse,
)
from specfactory.model.template import Ballot, Feature, FieldTemplate, Rule, Template
from specfactory.ports import Database
from specfactory.store import (
    Pages,
    Products,
    Reading,
    Readings,
    Templates,
    TemplateWatch,
    template_number,
)
from specfactory.store.sites.template_counts import KEPT, STRETCH

RULES = Template(
    "abc123", "shop.example", ("Weight\nhtml",), (Feature("path", "td"),),
    (FieldTemplate("weight", Ballot((Rule((0,), 1.0),), 0.2), ()),), shape=(1, 2, 3),
)  # fmt: skip
DRAFT = LearnedTemplate(
    "shop.example", "mouse", "l1", TemplateStatus.ADOPTED, 0.98, 0.95, 20, 1000, "ann",
    (FieldFigures("weight", 9, 9, 20, 19, 18, ("54 g", "61 g"), ("person",)),), "good",
)  # fmt: skip


async def added(db: Database, draft: LearnedTemplate = DRAFT) -> LearnedTemplate:
    async with db.transaction() as tx:
        return await Templates(db).add(tx, draft, RULES)


def page(url: str, at: int = 1000, outcome: Outcome = Outcome.OK) -> Page:
    body = url.encode()
    return Page(f"{url}-{at}", url, url, "shop.example", Tier.RETAILER, at, outcome, "",
                content_hash=hashlib.sha256(body).hexdigest(), media_type="text/html")  # fmt: skip


async def save(db: Database, *pages: Page) -> None:
    async with db.transaction() as tx:
        for one in pages:
            await Pages(db).save(tx, one, one.url.encode())


async def test_a_template_comes_back_with_its_figures_and_its_rules(db: Database) -> None:
    learned = await added(db)

    assert (learned.id, learned.version, learned.name) == (1, 1, "t1")
    assert await Templates(db).get(1) == learned
    assert await Templates(db).rules(1) == replace(RULES, id="t1")


async def test_versions_count_up_within_a_layout(db: Database) -> None:
    await added(db)

    assert (await added(db)).version == 2
    assert (await added(db, replace(DRAFT, layout="l2"))).version == 1
    assert (await added(db, replace(DRAFT, category="monitor"))).version == 1


async def test_a_template_that_is_not_there_is_named(db: Database) -> None:
    with pytest.raises(UnknownSubject, match="no template 't7'"):
        await Templates(db).get(7)


@pytest.mark.parametrize("words", ["", "t", "seven", "t1x", "9" * 30])
def test_what_is_no_id_is_refused(words: str) -> None:
    with pytest.raises(UnknownSubject):
        template_number(words)


async def test_only_templates_at_work_are_used(db: Database) -> None:
    for status in TemplateStatus:
        await added(db, replace(DRAFT, status=status))
    await added(db, replace(DRAFT, host="other.example"))

    found = await Templates(db).at_work("shop.example", "mouse")

    assert [status for _, status, _ in found] == [TemplateStatus.ADOPTED, TemplateStatus.TRIAL]


async def test_of_two_who_decide_only_the_first_does(db: Database) -> None:
    learned, templates = await added(db), Templates(db)

    async with db.transaction() as tx:
        first = await templates.move(
            tx, learned, TemplateStatus.RETIRED, reason="old", actor="ann", at=2000, replaces=None
        )
    async with db.transaction() as tx:
        second = await templates.move(
            tx, learned, TemplateStatus.REJECTED, reason="bad", actor="bob", at=3000
        )

    found = await templates.get(learned.id)
    assert (first, second) == (True, False)
    assert (found.status, found.reason, found.reviewed_by, found.reviewed_at) == (
        TemplateStatus.RETIRED, "old", "ann", 2000
    )  # fmt: skip


async def test_templates_are_listed_by_host_and_status_the_latest_first(db: Database) -> None:
    await added(db)
    await added(db, replace(DRAFT, status=TemplateStatus.PROPOSED))
    await added(db, replace(DRAFT, host="other.example"))
    templates = Templates(db)

    assert [one.id for one in await templates.list()] == [3, 2, 1]
    assert [one.id for one in await templates.list("shop.example")] == [2, 1]
    assert [one.id for one in await templates.list(status=TemplateStatus.PROPOSED)] == [2]
    assert [one.id for one in await templates.list(limit=1)] == [3]


async def test_a_persons_later_word_replaces_the_earlier_one_and_nobody_elses(db: Database) -> None:
    await save(db, page("u1"))
    first = PageLabel("u1-1000", "shop.example", "weight", ("54 g",), "ann", 1)
    later = replace(first, values=("55 g", "56 g"), set_at=2)
    other = replace(first, values=(), actor="bob")
    templates = Templates(db)

    async with db.transaction() as tx:
        for label in (first, other, later):
            await templates.set_label(tx, label)

    assert await templates.labels("shop.example") == [later, other]
    assert await templates.labels("other.example") == []


async def test_the_newest_good_page_of_each_address_teaches(db: Database) -> None:
    await save(db, page("u1", 1), page("u1", 3), page("u2", 2),
               page("u3", 4, Outcome.SOFT_404), page("u1", 5, Outcome.BLOCKED))  # fmt: skip
    templates = Templates(db)

    assert [one.id for one in await templates.good_pages("shop.example", 10)] == ["u1-3", "u2-2"]
    assert await templates.outcomes("shop.example") == {"blocked": 1, "ok": 3, "soft_404": 1}


async def test_readings_of_a_page_are_found_by_category(db: Database) -> None:
    await save(db, page("u1"))
    product = Product("mouse", "Razer", "Viper", "", {}, "mouse-razer-viper")
    use = TemplateUse("t1", ("weight",), ("weight",))
    reading = Reading(product.id, "u1-1000", "d", Identity(Verdict.SAME, 1.0, ()), uses=(use,))
    async with db.transaction() as tx:
        await Products(db).save(tx, product)
        await Readings(db).save(tx, reading)

    assert await Templates(db).readings_of("u1-1000") == {"mouse": [reading]}
    assert await Templates(db).categories("shop.example") == ["mouse"]


async def count(db: Database, use: TemplateUse, times: int) -> int:
    pages = 0
    async with db.transaction() as tx:
        for _ in range(times):
            pages = await TemplateWatch(db).count(tx, use, ("weight", "sensor"))
    return pages


async def test_pages_are_counted_field_by_field_and_long_ago_is_forgotten(db: Database) -> None:
    await added(db)
    both = TemplateUse("t1", ("weight", "sensor"), ("weight",), ("weight",), ("sensor",))
    watch = TemplateWatch(db)

    await count(db, both, 7)
    pages = await count(db, TemplateUse("t1", ("weight",)), 3)
    conduct = await watch.conduct(db, 1, pages, pages)
    by_field = {one.field: one for one in conduct.fields}
    later = await count(db, TemplateUse("t1"), STRETCH * (KEPT + 3))
    latest = await watch.conduct(db, 1, later, 10)
    everything = await watch.conduct(db, 1, later, later)

    assert (pages, conduct.pages) == (10, 10)
    weight, sensor = by_field["weight"], by_field["sensor"]
    assert (weight.filled, weight.valid, weight.agreed, weight.disagreed) == (10, 7, 7, 0)
    assert (sensor.filled, sensor.valid, sensor.agreed, sensor.disagreed) == (7, 0, 0, 7)
    assert latest.pages <= 2 * STRETCH
    assert [one.filled for one in latest.fields] == [0, 0]
    assert everything.pages <= STRETCH * (KEPT + 1)
    assert (await Templates(db).get(1)).pages_read == later


async def test_a_drift_is_told_once(db: Database) -> None:
    await added(db)

    async with db.transaction() as tx:
        told = [await TemplateWatch(db).drifted(tx, 1, at) for at in (5, 6)]

    assert told == [True, False]
    assert (await Templates(db).get(1)).drifted_at == 5


async def test_an_address_is_a_misfit_once_until_the_host_is_learned(db: Database) -> None:
    watch, source = TemplateWatch(db), ("shop.example", "mouse")

    async with db.transaction() as tx:
        seen = [(await watch.misfit(tx, *source, url, 1)).pages for url in ("u1", "u2", "u1")]
        await watch.learned(tx, *source, 2, fruitless=True)
        await watch.learned(tx, *source, 3, fruitless=True)
        after = await watch.misfit(tx, *source, "u1", 4)
        await watch.learned(tx, *source, 5, fruitless=False)
        good = await watch.misfit(tx, *source, "u1", 6)

    assert seen == [1, 2, 2]
    assert (after.pages, after.fruitless) == (1, 2)
    assert (good.pages, good.fruitless) == (1, 0)
