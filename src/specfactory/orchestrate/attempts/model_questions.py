"""Ask the language models for what a product's record left open, page by page, and settle again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace

from msgspec import Struct, field

from specfactory.errors import ModelFailed
from specfactory.events import event
from specfactory.extract.language_model import (
    ModelFindings,
    ShortList,
    make_request,
    short_list,
    take_answers,
)
from specfactory.model import (
    Attempt,
    Dropped,
    Event,
    Frozen,
    Json,
    Page,
    Product,
    Record,
    Tier,
    Verdict,
)
from specfactory.orchestrate.attempts.model_fields import ModelNotes, fields_to_ask
from specfactory.orchestrate.attempts.resettle import settle_again
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.stored_evidence import load_evidence
from specfactory.orchestrate.bench import Answered, BudgetSpent, ModelDesk, Purpose, Workbench
from specfactory.orchestrate.pages import admit
from specfactory.ports import LanguageModel, Transaction
from specfactory.proof import PageViews
from specfactory.store import Reading

PAGE_BY_PAGE = frozenset({"unreadable", "malformed", "too_large"})
"""Failures of one question that say nothing about the next."""
_TIERS = {tier: place for place, tier in enumerate(Tier)}


class Asked(Frozen):
    """What asking came to; ``record`` is the new version, None when nothing changed."""

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
    return await work.settle(within) if work.told else Asked()


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
    told: list[Event] = field(default_factory=list)

    async def run(self) -> None:
        """Ask every model about every page that may know what is still open."""
        compiled = self.bench.contract(self.product.category)
        self.open = list(fields_to_ask(self.record, compiled.contract))
        if not self.open:
            return
        tally = Tally(self.product, compiled, self.attempt, ())
        await load_evidence(self.bench, tally, refresh=False)
        sheets = [sheet async for sheet in self._sheets(tally)]
        for model, sheet in self._rounds(sheets):
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
            await bench.outbox.append(tx, self.told)
        paid = replace(attempt, spent=spent)
        record = await settle_again(
            bench,
            self.product,
            ModelNotes(paid, self.tries, unasked),
            within if self.failure is None else None,
        )
        return Asked(record, paid, self.failure, self.exhausted)

    async def _sheets(self, tally: Tally) -> AsyncIterator[_Sheet]:
        """Pages that are surely about this product, the most trusted first."""
        bench = self.bench
        same = [r for r in tally.readings.values() if r.identity.verdict is Verdict.SAME]
        pages = [(await bench.pages.get(reading.page_id), reading) for reading in same]
        for page, reading in sorted(pages, key=lambda pair: (_TIERS[pair[0].tier], pair[0].url)):
            yield _Sheet(page, PageViews(page, await bench.pages.body(page)), reading)

    def _rounds(self, sheets: list[_Sheet]) -> Iterator[tuple[LanguageModel, _Sheet]]:
        for model in self.desk.models:
            for sheet in sheets:
                if not self.open:
                    return
                yield model, sheet

    async def _ask(self, tally: Tally, model: LanguageModel, sheet: _Sheet) -> None:
        """One model about one page: what it points at is kept with the page's reading."""
        listed = await asyncio.to_thread(
            short_list, sheet.views, tally.compiled, self.open,
            self.desk.settings.max_prompt_tokens,
        )  # fmt: skip
        if not listed.nodes or not listed.fields:
            return
        about = {"page_id": sheet.page.id, "host": sheet.page.host, "model": model.name}
        await self._tell("model.asked", **about, fields=list(listed.fields))
        try:
            answered = await self._answer(tally, model, sheet, listed)
        except BudgetSpent as spent:
            self.exhausted = spent.budget
            await self._tell("model.exhausted", budget=spent.budget, fields=list(self.open))
            return
        except ModelFailed as failed:
            await self._tell("model.failed", **about, cause=failed.cause, message=str(failed))
            self.failure = None if failed.cause in PAGE_BY_PAGE else failed
            return
        await self._take(tally, model, sheet, listed, answered)

    async def _answer(
        self, tally: Tally, model: LanguageModel, sheet: _Sheet, listed: ShortList
    ) -> Answered:
        request = make_request(
            listed, tally.compiled, self.product.name, self.desk.settings.max_answer_tokens
        )
        answered = await self.desk.ask(model, request, Purpose(self.attempt, sheet.page.id))
        for name in listed.fields:
            self.tries[name] = self.tries.get(name, 0) + 1
        return answered

    async def _take(
        self,
        tally: Tally,
        model: LanguageModel,
        sheet: _Sheet,
        listed: ShortList,
        answered: Answered,
    ) -> None:
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
        await self._tell_answer(model, sheet, answered, len(kept), _dropped(found, refused))

    async def _tell_answer(
        self, model: LanguageModel, sheet: _Sheet, answered: Answered, kept: int, dropped: int
    ) -> None:
        await self._tell(
            "model.answered",
            page_id=sheet.page.id,
            host=sheet.page.host,
            model=model.name,
            candidates=kept,
            dropped=dropped,
            cached=answered.cached,
            prompt_tokens=answered.prompt_tokens,
            answer_tokens=answered.answer_tokens,
            cost_usd=answered.cost_usd,
        )

    async def _tell(self, name: str, /, **fields: Json) -> None:
        ids = {"attempt_id": self.attempt.id, "product_id": self.product.id}
        happened = event(name, self.bench.clock.now(), **ids, **fields)
        self.told.append(happened)
        await self.bench.state.publish([happened])


def _dropped(found: ModelFindings, refused: list[Dropped]) -> int:
    return len(found.dropped) + len(refused)
