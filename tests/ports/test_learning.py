"""Learning a host and watching its templates, on every database."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from specfactory.assembly import open_factory
from specfactory.learn import Lesson, label_page
from specfactory.model import Identity, Outcome, Page, ReviewKind, Tier, Verdict, replace
from specfactory.model.learned_templates import TemplateStatus, TemplateUse
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.learning.learn_host import DomainLearner
from specfactory.orchestrate.learning.rivals import find_rivals
from specfactory.orchestrate.templates import is_outdated, templates_for
from specfactory.orchestrate.templates.upkeep import watch_reading
from specfactory.proof import PageViews
from specfactory.settings import Settings
from specfactory.store import Reading

HOST = "shop.example"
CONTRACT = """
category: mouse
version: "1.0.0"
title: Mouse
fields:
  weight: {group: body, type: number, unit: g, range: [1, 500], labels: {en: [Weight]}}
  length: {group: body, type: number, unit: mm, labels: {en: [Length]}}
"""


def markup(n: int) -> str:
    return (
        f"<html lang=en><head><title>Mouse {n}</title></head><body><nav><a>Home</a></nav><main>"
        f"<h1>Mouse {n}</h1><table><tr><th>Weight</th><td>{50 + n} g</td></tr><tr><th>Length</th>"
        f"<td>{110 + n} mm</td></tr></table></main><p>Imprint</p></body></html>"
    )


@pytest.fixture
async def bench(database_url: str, tmp_path: Path) -> AsyncIterator[Workbench]:
    (tmp_path / "mouse.yaml").write_text(CONTRACT)
    (tmp_path / "pages").mkdir()
    for n in range(20):
        (tmp_path / "pages" / f"{n:02d}.html").write_text(markup(n))
    settings = Settings(database_url=database_url, contracts_dir=str(tmp_path))
    async with open_factory(settings) as opened:
        yield opened


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return tmp_path / "pages"


async def learn(bench: Workbench, pages: Path, actor: str = "ann"):
    return await DomainLearner(bench, actor).learn_domain(HOST, category="mouse", folder=pages)


def reading(*uses: TemplateUse) -> Reading:
    return Reading("p", "page-1", "d", Identity(Verdict.SAME, 1.0, ()), uses=uses)


def page(n: int) -> Page:
    url = f"https://{HOST}/{n}"
    return Page(f"page-{n}", url, url, HOST, Tier.RETAILER, 1, Outcome.OK, "",
                content_hash=hashlib.sha256(b"x").hexdigest(), media_type="text/html")  # fmt: skip


def views(html: str) -> PageViews:
    return PageViews(page(1), html.encode())


async def watch(bench: Workbench, n: int, *uses: TemplateUse):
    async with bench.database.transaction() as tx:
        return await watch_reading(bench, tx, page(n), reading(*uses), "mouse")


async def test_a_host_is_learned_and_its_template_is_at_work(bench: Workbench, pages: Path) -> None:
    result = await learn(bench, pages)
    at_work = await templates_for(bench, HOST, "mouse")

    assert (result.status, result.template_id, result.accuracy) == ("adopted", 1, 1.0)
    assert [one.id for one in at_work.templates] == ["t1"]
    assert is_outdated(reading(), at_work)
    assert not is_outdated(reading(TemplateUse("t1")), at_work)
    assert is_outdated(reading(TemplateUse("t9")), at_work)
    assert not is_outdated(replace(reading(), offered=("t1",)), at_work)  # it does not fit
    assert is_outdated(replace(reading(), offered=("t0",)), at_work)


async def test_the_tenth_page_without_a_template_queues_one_learn_job(bench: Workbench) -> None:
    queued = [(await watch(bench, n)).queued for n in (*range(9), 3, 9, 10)]

    assert queued == [False] * 10 + [True, False]
    (job,) = await bench.jobs.list()
    assert (job.kind, job.key, job.category) == ("learn", HOST, "mouse")
    assert job.priority_reason == "10 good pages without a template"


async def test_pages_about_others_and_bad_pages_do_not_count(bench: Workbench) -> None:
    other = Reading("p", "page-1", "d", Identity(Verdict.OTHER, 1.0, ()))

    async with bench.database.transaction() as tx:
        for n in range(12):
            await watch_reading(bench, tx, page(n), other, "mouse")

    assert await bench.jobs.list() == []


async def test_a_template_that_finds_less_drifts_once_and_is_learned_again(
    bench: Workbench, pages: Path
) -> None:
    await learn(bench, pages)
    found = TemplateUse("t1", ("length", "weight"), ("length", "weight"))

    for n in range(10):
        assert not (await watch(bench, n, found)).events
    told = [e for n in range(30) for e in (await watch(bench, n, TemplateUse("t1"))).events]

    (drift,) = told
    assert (drift.name, drift.fields["template"]) == ("template.drifted", "t1")
    assert len(await bench.jobs.list(kind="learn")) == 1
    assert (await bench.templates.get(1)).status is TemplateStatus.ADOPTED


@pytest.mark.parametrize(("agrees", "status"), [(True, "adopted"), (False, "proposed")])
async def test_a_second_template_is_tried_and_adopted_or_put_to_review(
    bench: Workbench, pages: Path, agrees: bool, status: str
) -> None:
    await learn(bench, pages)
    assert (await learn(bench, pages)).status == "on_trial"
    both = ("length", "weight")
    use = TemplateUse("t2", both, both, both if agrees else (), () if agrees else both, trial=True)

    for n in range(10):
        await watch(bench, n, TemplateUse("t1", both, both), use)

    assert (await bench.templates.get(2)).status == status
    assert (await bench.templates.get(1)).status == ("retired" if agrees else "adopted")


def relaunched(n: int) -> str:
    return (
        f"<html lang=en><head><title>Mouse {n}</title></head><body><div class=top><a>Start</a>"
        f"</div><section class=card><h1>Mouse {n}</h1><dl class=facts><dt>Weight</dt>"
        f"<dd>{50 + n} g</dd><dt>Length</dt><dd>{110 + n} mm</dd></dl></section>"
        "<div class=end>Imprint</div></body></html>"
    )


async def test_after_a_relaunch_the_new_template_works_without_a_trial_beside_the_dead_one(
    bench: Workbench, pages: Path
) -> None:
    await learn(bench, pages)
    for n in range(20):
        (pages / f"{n:02d}.html").write_text(relaunched(n))

    result = await learn(bench, pages, "factory")

    assert (result.status, result.template_id) == ("adopted", 2)
    at_work = await templates_for(bench, HOST, "mouse")
    assert [one.id for one in at_work.templates] == ["t2", "t1"]  # old pages may be left


async def test_a_template_that_finds_nothing_on_its_layout_any_more_is_no_rival(
    bench: Workbench, pages: Path
) -> None:
    await learn(bench, pages)
    template, compiled = await bench.templates.rules(1), bench.contract("mouse")
    alive, dead = (
        label_page(Lesson(views(html)), compiled)
        for html in (markup(1), markup(1).replace("51 g", "ask us").replace("111 mm", "ask us"))
    )

    assert find_rivals(template, [template], [alive], compiled) == {"t1"}
    assert find_rivals(template, [template], [dead], compiled) == frozenset()


async def test_a_person_rejects_approves_and_rolls_back(bench: Workbench, pages: Path) -> None:
    desk = DomainLearner(bench, "ann")
    await learn(bench, pages)
    await desk.reject_template(1, "wrong block")
    assert (await learn(bench, pages)).status == "queued_for_review"
    assert (await learn(bench, pages)).status == "queued_for_review"  # the first is overtaken
    (waiting,) = await desk.get_review_queue()
    (question,) = await bench.reviews.list_open()
    assert (question.kind, question.field) == (ReviewKind.TEMPLATE, "t3")

    approved = await desk.approve_template(waiting.id)
    await learn(bench, pages)
    await desk.approve_template("t4")
    back = await desk.roll_back(HOST)

    assert (approved.status, approved.reviewed_by) == (TemplateStatus.ADOPTED, "ann")
    assert await bench.reviews.list_open() == []
    assert back.restored is not None
    assert (back.taken.name, back.restored.name, back.restored.status) == ("t4", "t3", "adopted")


async def test_a_worker_leaves_a_layout_alone_whose_template_does_well(
    bench: Workbench, pages: Path
) -> None:
    from specfactory.errors import TooFewPages

    await learn(bench, pages)

    with pytest.raises(TooFewPages):
        await learn(bench, pages, "factory")
    assert [one.name for one in await bench.templates.list()] == ["t1"]
