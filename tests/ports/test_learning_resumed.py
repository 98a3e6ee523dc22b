"""A learning that was stopped goes on where it was, on every database."""

from __future__ import annotations

import asyncio

import pytest

from specfactory.orchestrate import Workbench
from specfactory.orchestrate.learning import DomainLearner, learn_host
from specfactory.store.sites import LearningNotes
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
    noted = await notes.of(HOST, contract)
    first, read[:] = set(read), []

    assert (await learn(bench)).status == "adopted"

    assert {*noted} <= first
    assert len(noted) >= 2
    assert not {*noted} & {*read}
    assert len(read) == PAGES - len(noted)
    assert await notes.of(HOST, contract) == {}  # it is learned


async def learn(bench: Workbench):
    learner = DomainLearner(bench, "ann")
    return await learner.learn_domain(HOST, category="mouse", sample_count=PAGES)
