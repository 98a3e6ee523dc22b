"""Calls of language models: cached, deduplicated, rate limited, within budgets.

A question that was answered before is never asked again; the same question in flight is asked
once. Calls are limited per endpoint and budgeted per attempt and day: the ledger in SQL counts
what was spent, the shared state what is in flight.
"""

import asyncio
from dataclasses import replace
from random import Random

from specfactory.errors import ModelFailed
from specfactory.extract.language_model import (
    NotReadable,
    Pointed,
    parse_answer,
    question_hash,
    token_count,
)
from specfactory.model import Attempt, Frozen, failure_facts
from specfactory.observe import PriceTable
from specfactory.orchestrate.bench.budgets import model_exhausted
from specfactory.orchestrate.bench.factory_health import FactoryHealth
from specfactory.ports import (
    Clock,
    Database,
    LanguageModel,
    ModelReply,
    ModelRequest,
    RateLimit,
    SharedState,
)
from specfactory.queue import pauses
from specfactory.settings import ModelSettings
from specfactory.store.products import MICROS, ModelCall, ModelCalls, day_of

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 30.0
LOOK_SECONDS = 0.5  # while another worker asks the same


class BudgetSpent(Exception):
    """A budget forbids the call; nothing went out."""

    def __init__(self, budget: str) -> None:
        super().__init__(budget)
        self.budget = budget


class Answered(Frozen):
    """A model's answer and its cost."""

    pointed: list[Pointed]
    cached: bool
    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost_micros: int = 0

    @property
    def cost_usd(self) -> float:
        """The cost of this answer; a cached one costs nothing."""
        return self.cost_micros / MICROS


class Payer(Frozen):
    """The attempt whose budget pays for a question, and the page it is about."""

    attempt: Attempt
    page_id: str


class ModelDesk:
    """Asks the configured models, the cheap one first."""

    def __init__(
        self,
        models: tuple[LanguageModel, ...],
        settings: ModelSettings,
        database: Database,
        state: SharedState,
        clock: Clock,
        random: Random,
        health: FactoryHealth | None = None,
    ) -> None:
        self._health = health
        self.models, self.settings = models, settings
        self.calls = ModelCalls(database)
        self._database, self._state = database, state
        self._clock, self._random = clock, random
        self._prices = PriceTable(settings.prices)
        self._under_way: dict[str, asyncio.Future[Answered]] = {}

    async def ask(self, model: LanguageModel, request: ModelRequest, payer: Payer) -> Answered:
        """Answer a question; ModelFailed or BudgetSpent when there is no answer."""
        question = question_hash(model.name, request)
        if (asked := self._under_way.get(question)) is not None:
            return Answered((await asyncio.shield(asked)).pointed, True)  # paid already
        answer: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.exception())  # maybe nobody else waits
        self._under_way[question] = answer
        try:
            found = await self._answer(model, request, payer, question)
        except Exception as problem:
            answer.set_exception(problem)
            raise
        except asyncio.CancelledError:
            answer.set_exception(ModelFailed("interrupted", f"{model.name}: interrupted"))
            raise
        finally:
            del self._under_way[question]
        answer.set_result(found)
        return found

    async def close(self) -> None:
        """Let go of connections."""
        for model in self.models:
            await model.close()

    async def _answer(
        self, model: LanguageModel, request: ModelRequest, payer: Payer, question: str
    ) -> Answered:
        if kept := await self._kept(question):
            return kept
        place = f"model:question:{question}"
        while await self._state.recall(place):  # another worker asks the same just now
            await self._clock.sleep(LOOK_SECONDS)
            if kept := await self._kept(question):
                return kept
        longest = self.settings.timeout_seconds * self.settings.tries
        await self._state.remember(place, True, longest)
        try:
            # ask; an answer that was cut off or is no JSON is asked for once more, with more
            # room
            room = replace(request, max_answer_tokens=2 * request.max_answer_tokens)
            paid = Answered([], False)
            for attempt in (request, room):
                reply = await self._tried(model, attempt, payer, question)
                paid = Answered(
                    [], False, paid.prompt_tokens + reply.prompt_tokens,
                    paid.answer_tokens + reply.answer_tokens,
                    paid.cost_micros + self._cost(model, reply),
                )  # fmt: skip
                try:
                    pointed = parse_answer(reply.text)
                except NotReadable:
                    continue
                async with self._database.transaction() as tx:
                    await self.calls.keep(tx, question, model.name, reply, self._clock.now())
                return replace(paid, pointed=pointed)
            raise ModelFailed(
                "unreadable", f"{model.name}: its answer is no JSON of the wanted form"
            )
        finally:
            await self._state.remember(place, None, 0.0)

    async def _kept(self, question: str) -> Answered | None:
        reply = await self.calls.answer(question)
        if reply is None:
            return None
        try:
            return Answered(parse_answer(reply.text), True)
        except NotReadable:
            return None

    async def _tried(
        self, model: LanguageModel, request: ModelRequest, payer: Payer, question: str
    ) -> ModelReply:
        """Ask with retries: pauses double, and are at least as long as the endpoint asks for."""
        waits = pauses(self._random, FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
        for left in reversed(range(self.settings.tries)):
            try:
                return await self._once(model, request, payer, question)
            except ModelFailed as failed:
                wait = max(failed.wait_seconds, next(waits))
                passes = failure_facts(failed.job_cause).passes
                if not passes or not left or wait > LONGEST_PAUSE_SECONDS:
                    raise
            await self._clock.sleep(wait)
        raise AssertionError("the last try returns or raises")

    async def _once(
        self, model: LanguageModel, request: ModelRequest, payer: Payer, question: str
    ) -> ModelReply:
        prompt = token_count(request.system) + token_count(request.user)
        most = self._prices.micros(model.name, prompt, request.max_answer_tokens)
        day = day_of(self._clock.now())
        # reserve a call in flight, unless a budget forbids it; the ledger gets its real cost
        calls, cost = await self.calls.of_day(self._clock.now())
        attempt = payer.attempt
        spent = await self.calls.spent_by(attempt.id, attempt.spent)
        calls += await self._state.add(f"model:calls:{day}", 1)
        cost += await self._state.add(f"model:cost:{day}", most)
        try:
            name = model_exhausted(attempt.budget, spent, most / MICROS)
            if name is None and calls > self.settings.daily_calls:
                name = "model.daily_calls"
            if name is None and most and cost > self.settings.daily_cost_usd * MICROS:
                name = "model.daily_cost_usd"
            if name is not None:
                raise BudgetSpent(name)
            place = f"model:{model.place}"
            permit = await self._state.permit(place)
            if not permit.allowed:
                wait = permit.wait_seconds
                said = f"{model.name} at {model.place}: failed too often, not asked for"
                raise ModelFailed("unreachable", f"{said} {wait:.0f} s", wait_seconds=wait)
            limit = RateLimit(60.0 / self.settings.calls_per_minute, self.settings.calls_at_once)
            if wait := await self._state.reserve(place, limit):
                await self._clock.sleep(wait)
            return await self._call(model, request, payer, question)
        finally:
            await self._state.add(f"model:calls:{day}", -1)
            await self._state.add(f"model:cost:{day}", -most)

    async def _call(
        self, model: LanguageModel, request: ModelRequest, payer: Payer, question: str
    ) -> ModelReply:
        place = f"model:{model.place}"
        try:
            reply = await model.ask(request)
        except ModelFailed as failed:
            away = failure_facts(failed.job_cause).opens_breaker
            await self._state.report(place, ok=not away)
            if away and self._health is not None:
                await self._health.model_failed(str(failed))
            await self._enter(model, payer, question, failed.cause, ModelReply("", 0, 0))
            raise
        await self._state.report(place, ok=True)
        if self._health is not None:
            await self._health.model_answered()
        await self._enter(model, payer, question, "ok" if reply.complete else "truncated", reply)
        return reply

    async def _enter(
        self, model: LanguageModel, payer: Payer, question: str, ended: str, reply: ModelReply
    ) -> None:
        attempt = payer.attempt
        call = ModelCall(
            self._clock.now(), attempt.id, attempt.product_id, payer.page_id, model.name, question,
            ended, reply.prompt_tokens, reply.answer_tokens, self._cost(model, reply),
        )  # fmt: skip
        async with self._database.transaction() as tx:
            await self.calls.enter(tx, call)

    def _cost(self, model: LanguageModel, reply: ModelReply) -> int:
        return self._prices.micros(model.name, reply.prompt_tokens, reply.answer_tokens)
