"""A learning that was stopped goes on where it was, on every database."""

from __future__ import annotations

import asyncio

import pytest

from specfactory.learn import pause
from specfactory.learn.rules import template as rules
from specfactory.model import replace
from specfactory.orchestrate import Workbench
from specfactory.orchestrate.learning import DomainLearner, learn_host
from specfactory.orchestrate.learning.sample_collection import Collector
from specfactory.store.sites import LearningNotes, PageNote
from tests.ports.test_reread import HOST, PAGES, bench

__all__ = ["bench"]


async def test_a_learning_that_was_stopped_does_not_begin_anew(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes, contract = LearningNotes(bench.database), bench.contract("mouse").contract
    read: list[str] = []
    answer_page, third = learn_host.answer_page, asyncio.Event()
    loop = asyncio.get_running_loop()

    def reading(views, compiled):
        read.append(views.page.id)
        if len(read) == 3:
            loop.call_soon_threadsafe(third.set)
        return answer_page(views, compiled)

    monkeypatch.setattr(learn_host, "answer_page", reading)
    learning = asyncio.create_task(learn(bench))
    await asyncio.wait_for(third.wait(), 30)
    learning.cancel()
    await asyncio.gather(learning, return_exceptions=True)
    noted = await notes.pages(HOST, contract)
    first, read[:] = set(read), []

    assert (await learn(bench)).status == "adopted"

    assert {*noted} <= first
    assert len(noted) >= 2
    assert not {*noted} & {*read}
    assert len(read) == PAGES - len(noted)
    assert await notes.of(HOST, contract) == {}  # it is learned


async def test_rules_that_were_learned_before_a_stop_are_not_learned_again(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn_one, begun = rules.learn_one, list[object]()
    stuck, loop = asyncio.Event(), asyncio.get_running_loop()

    def learning_one(shown, unknown):
        begun.append(shown)
        if len(begun) == 2:
            loop.call_soon_threadsafe(stuck.set)
            while True:
                pause()  # until it is stopped
        return learn_one(shown, unknown)

    monkeypatch.setattr(rules, "learn_one", learning_one)
    stopped = asyncio.create_task(learn(bench))
    await asyncio.wait_for(stuck.wait(), 30)
    stopped.cancel()
    await asyncio.gather(stopped, return_exceptions=True)

    resumed = await learn(bench)
    in_steps, begun[:] = len(begun) - 2, [None, None]
    afresh = await learn(bench)
    at_once = len(begun) - 2

    assert in_steps == at_once - 1 >= 1
    assert await rules_of(bench, resumed) == await rules_of(bench, afresh)


async def test_later_pages_do_not_displace_those_that_a_stopped_learning_has_read(
    bench: Workbench,
) -> None:
    contract, noted = bench.contract("mouse").contract, ["page-01", "page-04"]
    async with bench.database.transaction() as tx:
        for page_id in noted:
            await LearningNotes(bench.database).save_page(
                tx, HOST, contract, page_id, PageNote((), ())
            )

    collected = await Collector(bench, HOST, "mouse", lambda _: None).stored(3, ())

    assert [one.views.page.id for one in collected.lessons] == [*noted, f"page-{PAGES - 1}"]


async def rules_of(bench: Workbench, result):
    return replace(await bench.templates.rules(result.template_id), id="")


async def learn(bench: Workbench):
    learner = DomainLearner(bench, "ann")
    return await learner.learn_domain(HOST, category="mouse", sample_count=PAGES)
