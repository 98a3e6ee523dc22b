"""Ask the language models for what a product's record left open, page by page, and settle again."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from msgspec import Struct, field

from specfactory.declared_events import event
from specfactory.errors import ModelFailed
from specfactory.extract.language_model import ShortList, make_request, short_list, take_answers
from specfactory.model import (
    Attempt,
    Event,
    Fault,
    Frozen,
    Json,
    Page,
    Product,
    Record,
    Tier,
    Verdict,
    failure_facts,
)
from specfactory.orchestrate.attempts.model_fields import ModelNotes, fields_to_ask
from specfactory.orchestrate.attempts.resettle import settle_again
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.stored_evidence import load_evidence
from specfactory.orchestrate.bench import Answered, BudgetSpent, ModelDesk, Payer, Workbench
from specfactory.orchestrate.pages import admit
from specfactory.ports import LanguageModel, Transaction
from specfactory.proof import PageViews
from specfactory.store import Reading

_TIERS = {tier: place for place, tier in enumerate(Tier)}


class Asked(Frozen):
    """Result of asking; ``record`` is the new version, None when nothing changed."""

    record: Record | None = None
    attempt: Attempt | None = None
    failure: ModelFailed | None = None
    exhausted: str | None = None


class _Sheet(Struct):
    """A page, ready to be asked about."""

    page: Page
    views: PageViews
    reading: Reading


async def ask_models(
    bench: Workbench,
    product: Product,
    within: Callable[[Transaction], Awaitable[None]] | None = None,
) -> Asked:
    """Fill open fields of the newest record with what a model can point at, and publish anew.

    The latest attempt at the product pays. ``within`` writes in the transaction that settles
    the record, unless asking failed.
    """
    record = await bench.records.latest(product.id)
    attempts = await bench.attempts.list(product.id) if bench.desk and record else []
    if bench.desk is None or record is None or not attempts:
        return Asked()
    work = _Asking(bench, bench.desk, product, attempts[0], record)
    await work.run()
    return await work.settle(within) if work.events else Asked()


class _Asking(Struct):
    """One product's questions, the cheap model first, until nothing is open."""

    bench: Workbench
    desk: ModelDesk
    product: Product
    attempt: Attempt
    record: Record
    tries: dict[str, int] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    exhausted: str | None = None
    failure: ModelFailed | None = None
    events: list[Event] = field(default_factory=list)

    async def run(self) -> None:
        """Ask every model about every page that may know what is still open."""
        compiled = self.bench.contract(self.product.category)
        self.open = list(fields_to_ask(self.record, compiled.contract))
        if not self.open:
            return
        tally = Tally(self.product, compiled, self.attempt, ())
        await load_evidence(self.bench, tally, refresh=False)
        same = [r for r in tally.readings.values() if r.identity.verdict is Verdict.SAME]
        pages = [(await self.bench.pages.get(reading.page_id), reading) for reading in same]
        pages.sort(key=lambda pair: (_TIERS[pair[0].tier], pair[0].url))  # the most trusted first
        sheets = [
            _Sheet(page, PageViews(page, await self.bench.pages.body(page)), reading)
            for page, reading in pages
        ]
        for model in self.desk.models:
            for sheet in sheets:
                if not self.open:
                    return
                await self._ask(tally, model, sheet)
                if self.exhausted or self.failure:
                    return

    async def settle(self, within: Callable[[Transaction], Awaitable[None]] | None) -> Asked:
        """Enter what was spent, merge again, and publish what is new."""
        bench, attempt = self.bench, self.attempt
        spent = await self.desk.calls.spent_by(attempt.id, attempt.spent)
        unasked = frozenset(self.open) if self.exhausted else frozenset()
        async with bench.database.transaction() as tx:
            await self.desk.calls.note_spent(tx, attempt.id, spent)
            await bench.outbox.append(tx, self.events)
        paid = replace(attempt, spent=spent)
        record = await settle_again(
            bench,
            self.product,
            ModelNotes(paid, self.tries, unasked),
            within if self.failure is None else None,
        )
        return Asked(record, paid, self.failure, self.exhausted)

    async def _ask(self, tally: Tally, model: LanguageModel, sheet: _Sheet) -> None:
        """Ask one model about one page."""
        listed = await asyncio.to_thread(
            short_list, sheet.views, tally.compiled, self.open,
            self.desk.settings.max_prompt_tokens,
        )  # fmt: skip
        if not listed.nodes or not listed.fields:
            return
        about = {"page_id": sheet.page.id, "host": sheet.page.host, "model": model.name}
        await self._emit("model.asked", **about, fields=list(listed.fields))
        try:
            request = make_request(
                listed, tally.compiled, self.product.name, self.desk.settings.max_answer_tokens
            )
            answered = await self.desk.ask(model, request, Payer(self.attempt, sheet.page.id))
        except BudgetSpent as spent:
            self.exhausted = spent.budget
            await self._emit("model.exhausted", budget=spent.budget, fields=list(self.open))
            return
        except ModelFailed as failed:
            await self._emit("model.failed", **about, cause=failed.cause, message=str(failed))
            of_page = failure_facts(failed.job_cause).fault is Fault.PAGE
            self.failure = None if of_page else failed
            return
        for name in listed.fields:
            self.tries[name] = self.tries.get(name, 0) + 1
        kept, dropped = await self._take(tally, model, sheet, listed, answered)
        await self._emit(
            "model.answered",
            **about,
            candidates=kept,
            dropped=dropped,
            cached=answered.cached,
            prompt_tokens=answered.prompt_tokens,
            answer_tokens=answered.answer_tokens,
            cost_usd=answered.cost_usd,
        )

    async def _take(
        self,
        tally: Tally,
        model: LanguageModel,
        sheet: _Sheet,
        listed: ShortList,
        answered: Answered,
    ) -> tuple[int, int]:
        """Keep what the model points at with the page's reading; counts of kept and dropped."""
        found = await asyncio.to_thread(
            take_answers, answered.pointed, listed, tally.compiled, model.name
        )
        kept, refused = admit(
            found.candidates, self.product, tally.compiled, tally.siblings,
            sheet.reading.identity, sheet.views,
        )  # fmt: skip
        reading = sheet.reading
        sheet.reading = replace(
            reading,
            candidates=(*reading.candidates, *kept),
            dropped=tuple(dict.fromkeys((*reading.dropped, *found.dropped, *refused))),
        )
        async with self.bench.database.transaction() as tx:
            await self.bench.readings.save(tx, sheet.reading)
        filled = {candidate.field for candidate in kept}
        self.open = [name for name in self.open if name not in filled]
        return len(kept), len(found.dropped) + len(refused)

    async def _emit(self, name: str, /, **fields: Json) -> None:
        ids = {"attempt_id": self.attempt.id, "product_id": self.product.id}
        happened = event(name, self.bench.clock.now(), **ids, **fields)
        self.events.append(happened)
        await self.bench.state.publish([happened])
