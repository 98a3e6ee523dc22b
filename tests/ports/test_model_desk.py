"""The desk of the language models, on every database, against a real server on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import pytest
from aiohttp import web

from specfactory.adapters.http.language_model import OpenAiModel
from specfactory.adapters.memory.state import MemoryState
from specfactory.errors import ModelFailed
from specfactory.model import Attempt, Budget, Spent
from specfactory.orchestrate.bench.model_calls import BudgetSpent, ModelDesk, Payer
from specfactory.ports import Database, ModelRequest
from specfactory.settings import ModelSettings
from specfactory.testing import ManualClock
from tests.model_server import ModelServer, said, serving

REQUEST = ModelRequest("system", '{"product": "a", "fields": [], "lines": []}', {}, 100)
OTHER = replace(REQUEST, user=REQUEST.user.replace("a", "b"))
GOOD = json.dumps({"answers": [{"field": "weight", "line": 1, "quote": "54 g", "value": "54 g"}]})
SETTINGS = ModelSettings(name="small", prices=("small=1/2", "large=10/20"))
DAY_SECONDS = 86_400


def why(attempt_id: str = "run_1", **budget) -> Payer:
    attempt = Attempt(attempt_id, "mouse-a", Budget(**budget), 0)
    return Payer(attempt, "page-1")


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with serving(ModelServer(script=[GOOD] * 20)) as running:
        yield running


class Desk:
    """A desk with what it stands on."""

    def __init__(self, db: Database, server: ModelServer, **settings) -> None:
        self.clock = ManualClock()
        self.state = MemoryState(self.clock)
        given = replace(SETTINGS, **settings)
        self.models = tuple(
            OpenAiModel(server.endpoint, name, timeout_seconds=given.timeout_seconds)
            for name in ("small", "large")
        )
        self.desk = ModelDesk(self.models, given, db, self.state, self.clock, Random(1))

    async def ask(self, request=REQUEST, purpose=None, model: int = 0):
        return await self.desk.ask(self.models[model], request, purpose or why())


@pytest.fixture
async def desk(db: Database, server: ModelServer) -> AsyncIterator[Desk]:
    made = Desk(db, server)
    yield made
    await made.desk.close()


async def test_an_answer_is_paid_once_and_then_kept(desk, server):
    first = await desk.ask()
    again = await desk.ask(purpose=why("run_2"))

    assert (first.cached, first.prompt_tokens, first.answer_tokens) == (False, 1_000, 100)
    assert first.cost_usd == pytest.approx(0.0012)
    assert (again.cached, again.cost_usd) == (True, 0.0)
    assert again.pointed == first.pointed
    assert len(server.requests) == 1


async def test_another_question_or_another_model_is_asked(desk, server):
    await desk.ask()
    await desk.ask(OTHER)
    await desk.ask(model=1)

    assert server.models == ["small", "small", "large"]


async def test_the_same_question_in_flight_is_asked_once(desk, server):
    server.delay_seconds = 0.05
    answers = await asyncio.gather(*(desk.ask() for _ in range(8)))

    assert len(server.requests) == 1
    assert sum(not answer.cached for answer in answers) == 1


async def asked(server) -> None:
    """Wait until a question has reached the model."""
    async with asyncio.timeout(30):
        while not server.requests:  # noqa: ASYNC110  # of another thread, which sets no event
            await asyncio.sleep(0.01)


async def test_the_same_question_of_another_worker_is_waited_for(db, desk, server):
    other = Desk(db, server)
    other.desk._state = desk.state  # one shared state, two workers
    server.delay_seconds = 0.2
    first = asyncio.create_task(desk.ask())
    await asked(server)
    other.clock.sleep = lambda seconds: asyncio.sleep(0.05)  # type: ignore[method-assign]

    assert (await other.ask()).cached
    assert not (await first).cached
    assert len(server.requests) == 1
    await other.desk.close()


async def test_who_waits_for_one_that_is_cancelled_is_told(desk, server):
    server.delay_seconds = 5
    first = asyncio.create_task(desk.ask())
    await asked(server)
    second = asyncio.create_task(desk.ask())
    await asyncio.sleep(0)
    first.cancel()

    with pytest.raises(ModelFailed, match="interrupted"):
        await second


async def test_the_ledger_has_calls_tokens_and_cost_of_an_attempt_model_by_model(desk):
    await desk.ask()
    await desk.ask(OTHER)
    await desk.ask(model=1)
    await desk.ask(purpose=why("run_2"))

    spent = await desk.desk.calls.spent_by("run_1", Spent(pages=7))

    assert spent.pages == 7
    assert spent.model_calls == {"small": 2, "large": 1}
    assert spent.model_tokens == {"small": (2_000, 200), "large": (1_000, 100)}
    assert spent.model_cost_usd == pytest.approx(0.0144)
    assert (await desk.desk.calls.spent_by("run_2", Spent())).model_calls == {}


@pytest.mark.parametrize(
    ("budget", "name"),
    [({"max_model_calls": 1}, "max_model_calls"),
     ({"max_model_cost_usd": 0.0013}, "max_model_cost_usd")],
)  # fmt: skip
async def test_a_product_spends_no_more_than_its_budget(desk, server, budget, name):
    await desk.ask(purpose=why(**budget))

    with pytest.raises(BudgetSpent, match=name):
        await desk.ask(OTHER, why(**budget))
    assert (await desk.ask(purpose=why(**budget))).cached  # what is kept costs nothing
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("limit", "name"),
    [({"daily_calls": 1}, "daily_calls"), ({"daily_cost_usd": 0.0013}, "daily_cost_usd")],
)
async def test_a_day_costs_no_more_than_its_budget_and_the_next_begins_anew(
    db, server, limit, name
):
    made = Desk(db, server, **limit)
    await made.ask()

    with pytest.raises(BudgetSpent, match=name):
        await made.ask(OTHER, why("run_2"))
    assert len(server.requests) == 1
    made.clock.advance(DAY_SECONDS)
    await made.ask(OTHER, why("run_2"))
    await made.desk.close()


async def test_calls_that_are_under_way_count_against_the_day(db, server):
    made = Desk(db, server, daily_calls=1)
    server.delay_seconds = 0.1

    results = await asyncio.gather(made.ask(), made.ask(OTHER), return_exceptions=True)

    assert sorted(type(result).__name__ for result in results) == ["Answered", "BudgetSpent"]
    assert len(server.requests) == 1
    await made.desk.close()


async def test_a_budget_of_nothing_asks_nothing(desk, server):
    with pytest.raises(BudgetSpent):
        await desk.ask(purpose=why(max_model_calls=0))

    assert server.requests == []


async def test_a_limit_is_waited_for_as_long_as_the_endpoint_wants(desk, server):
    server.script = [web.json_response({}, status=429, headers={"Retry-After": "7"}), GOOD]

    await desk.ask()

    assert max(desk.clock.slept) == 7.0


async def test_a_longer_wait_is_left_to_a_later_try(desk, server):
    server.script = [web.json_response({}, status=429, headers={"Retry-After": "3600"})]

    with pytest.raises(ModelFailed) as caught:
        await desk.ask()
    assert caught.value.cause == "rate_limited"
    assert len(server.requests) == 1


async def test_server_errors_are_tried_again_with_growing_pauses(desk, server):
    server.script = [web.Response(status=500), web.Response(status=503), GOOD]

    answer = await desk.ask()

    assert answer.pointed[0].value == "54 g"
    first, second = desk.clock.slept
    assert 1.0 <= first <= 1.5
    assert 2.0 <= second <= 3.0


async def test_after_the_last_try_it_has_failed_and_nothing_is_kept(desk, server):
    server.script = [*(web.Response(status=500) for _ in range(3)), GOOD]

    with pytest.raises(ModelFailed):
        await desk.ask()
    assert len(server.requests) == 3
    assert (await desk.desk.calls.of_day(desk.clock.now())) == (0, 0)
    assert not (await desk.ask()).cached


async def test_an_endpoint_that_fails_on_and_on_is_left_alone_for_a_while(desk, server):
    server.script = [web.Response(status=500) for _ in range(99)]
    for _ in range(2):
        with pytest.raises(ModelFailed):
            await desk.ask()
    asked = len(server.requests)

    with pytest.raises(ModelFailed, match="failed too often"):
        await desk.ask()
    assert len(server.requests) == asked


async def test_a_slow_answer_is_a_failure_of_its_own_and_tried_again(db, server):
    made = Desk(db, server, timeout_seconds=1.0, tries=2)
    server.delay_seconds = 10

    with pytest.raises(ModelFailed) as caught:
        await made.ask()
    assert (caught.value.cause, len(server.requests)) == ("timeout", 2)
    await made.desk.close()


async def test_a_wrong_key_is_not_tried_again(desk, server):
    server.key = "right"

    with pytest.raises(ModelFailed) as caught:
        await desk.ask()
    assert caught.value.permanent
    assert desk.clock.slept == []


@pytest.mark.parametrize("broken", [GOOD[:40], "I would say 54 g.", "", '{"answers": "none"}'])
async def test_an_unreadable_answer_is_asked_for_once_more_with_more_room(desk, server, broken):
    server.script = [said(broken, "length"), GOOD]

    answer = await desk.ask()

    assert answer.pointed[0].value == "54 g"
    assert [request["max_tokens"] for request in server.requests] == [100, 200]
    assert (answer.prompt_tokens, answer.cost_usd) == (2_000, pytest.approx(0.0024))


async def test_an_answer_that_stays_unreadable_is_refused_and_paid_and_not_kept(desk, server):
    server.script = ["no", "no", GOOD]

    with pytest.raises(ModelFailed, match="no JSON"):
        await desk.ask()
    assert await desk.desk.calls.of_day(desk.clock.now()) == (2, 2_400)
    assert not (await desk.ask()).cached


async def test_calls_to_one_endpoint_keep_their_distance(db, server):
    made = Desk(db, server, calls_per_minute=6, calls_at_once=1)

    for number in range(4):
        await made.ask(replace(REQUEST, user=str(number)))

    assert made.clock.slept == [pytest.approx(10.0, abs=0.1)] * 3
    await made.desk.close()
