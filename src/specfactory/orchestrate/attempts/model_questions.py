"""Ask the language models for what a product's record left open, page by page, and settle again."""

import asyncio
from dataclasses import replace

from msgspec import Struct, field

from specfactory.errors import ModelFailed
from specfactory.extract.language_model import ShortList, make_request, short_list, take_answers
from specfactory.model import (
    Attempt,
    Fault,
    Frozen,
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
from specfactory.orchestrate.attempts.stored_evidence import open_tally
from specfactory.orchestrate.bench import Answered, BudgetSpent, ModelDesk, Payer, Workbench
from specfactory.orchestrate.pages import admit
from specfactory.ports import LanguageModel, Write
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


async def ask_models(bench: Workbench, product: Product, within: Write | None = None) -> Asked:
    """Fill open fields of the newest record with what a model can point at, and publish anew.

    The latest attempt at the product pays. ``within`` writes in the transaction that settles
    the record, unless asking failed.
    """
    record = await bench.records.latest(product.id)
    attempts = await bench.attempts.list(product.id) if bench.desk and record else []
    if bench.desk is None or record is None or not attempts:
        return Asked()
    left = fields_to_ask(record, bench.contract(product.category).contract)
    if not left:
        return Asked()
    work = _Asking(bench, bench.desk, await open_tally(bench, product, attempts[0]), list(left))
    await work.run()
    return await work.settle(within) if work.tally.events else Asked()


class _Asking(Struct):
    """One product's questions, the cheap model first, until nothing is open."""

    bench: Workbench
    desk: ModelDesk
    tally: Tally
    open: list[str]
    tries: dict[str, int] = field(default_factory=dict)
    exhausted: str | None = None
    failure: ModelFailed | None = None

    async def run(self) -> None:
        """Ask every model about every page that may know what is still open."""
        same = [r for r in self.tally.readings.values() if r.identity.verdict is Verdict.SAME]
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
                await self._ask(model, sheet)
                if self.exhausted or self.failure:
                    return

    async def settle(self, within: Write | None) -> Asked:
        """Enter what was spent, merge again, and publish what is new."""
        bench, attempt = self.bench, self.tally.attempt
        spent = await self.desk.calls.spent_by(attempt.id, attempt.spent)
        unasked = frozenset(self.open) if self.exhausted else frozenset()
        async with bench.database.transaction() as tx:
            await self.desk.calls.note_spent(tx, attempt.id, spent)
            await bench.outbox.append(tx, self.tally.events)
        paid = replace(attempt, spent=spent)
        notes = ModelNotes(paid, self.tries, unasked)
        product, write = self.tally.product, within if self.failure is None else None
        record = await settle_again(bench, product, notes, write)
        return Asked(record, paid, self.failure, self.exhausted)

    async def _ask(self, model: LanguageModel, sheet: _Sheet) -> None:
        """Ask one model about one page."""
        tally, settings = self.tally, self.desk.settings
        listed = await asyncio.to_thread(
            short_list, sheet.views, tally.compiled, self.open, settings.max_prompt_tokens
        )
        if not listed.nodes or not listed.fields:
            return
        about = {"page_id": sheet.page.id, "host": sheet.page.host, "model": model.name}
        await tally.emit("model.asked", **about, fields=list(listed.fields))
        try:
            request = make_request(
                listed, tally.compiled, tally.product.name, settings.max_answer_tokens
            )
            answered = await self.desk.ask(model, request, Payer(tally.attempt, sheet.page.id))
        except BudgetSpent as spent:
            self.exhausted = spent.budget
            await tally.emit("model.exhausted", budget=spent.budget, fields=list(self.open))
            return
        except ModelFailed as failed:
            await tally.emit("model.failed", **about, cause=failed.cause, message=str(failed))
            of_page = failure_facts(failed.job_cause).fault is Fault.PAGE
            self.failure = None if of_page else failed
            return
        for name in listed.fields:
            self.tries[name] = self.tries.get(name, 0) + 1
        kept, dropped = await self._take(model, sheet, listed, answered)
        await tally.emit(
            "model.answered", **about, candidates=kept, dropped=dropped,
            cached=answered.cached, prompt_tokens=answered.prompt_tokens,
            answer_tokens=answered.answer_tokens, cost_usd=answered.cost_usd,
        )  # fmt: skip

    async def _take(
        self, model: LanguageModel, sheet: _Sheet, listed: ShortList, answered: Answered
    ) -> tuple[int, int]:
        """Keep what the model points at with the page's reading; counts of kept and dropped."""
        tally = self.tally
        found = await asyncio.to_thread(
            take_answers, answered.pointed, listed, tally.compiled, model.name
        )
        kept, refused = admit(
            found.candidates, tally.product, tally.compiled, tally.siblings,
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
