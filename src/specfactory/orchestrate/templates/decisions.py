"""Where a person decides about templates: approve, reject, label, roll back."""

import asyncio
import difflib
import re
from collections.abc import Sequence

from specfactory.declared_events import event
from specfactory.errors import LabelNotFound, UnknownSubject, UsageError
from specfactory.extract.templates import read_texts
from specfactory.model import (
    DecisionAction,
    Event,
    Frozen,
    LearnedTemplate,
    Outcome,
    PageLabel,
    ReviewKind,
    TemplateStatus,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.templates.upkeep import Upkeep
from specfactory.ports import Transaction
from specfactory.proof import PageViews
from specfactory.review import decided, os_user
from specfactory.store import template_number

_NEAREST = 3
_MAX_NEAR = 200


class RolledBack(Frozen):
    """The template taken from work, and the one that came back in its place."""

    taken: LearnedTemplate
    restored: LearnedTemplate | None


class TemplateDesk:
    """A person's decisions; each lands together with the event that tells of it."""

    def __init__(self, bench: Workbench, actor: str = "") -> None:
        self._bench = bench
        self._actor = actor.strip() or os_user()

    async def get_review_queue(self, limit: int = 10) -> list[LearnedTemplate]:
        """Templates that wait for a person, the latest first."""
        return await self._bench.templates.list(status=TemplateStatus.PROPOSED, limit=limit)

    async def approve_template(
        self, template_id: int | str, reason: str = "approved"
    ) -> LearnedTemplate:
        """Put a template to work, whatever its figures are."""
        learned = await self._undecided(template_id, "approved")
        async with self._bench.announcing() as (tx, events):
            await Upkeep(self._bench, tx, events).adopt(learned, self._actor, reason)
            events.append(await self._decide(tx, learned, DecisionAction.ACCEPT, reason))
        return await self._bench.templates.get(learned.id)

    async def reject_template(
        self, template_id: int | str, reason: str, fields: Sequence[str] = ()
    ) -> LearnedTemplate:
        """Say that a template is wrong; of fields that are named only labels count from now on."""
        if not reason.strip():
            raise UsageError("a rejection needs a reason: say what is wrong")
        learned = await self._undecided(template_id, "rejected")
        known = [figures.field for figures in learned.fields]
        for name in fields:
            if name not in known:
                raise UnknownSubject("field", name, f"{learned.name} has {', '.join(known)}")
        words = f"{', '.join(fields)}: {reason}" if fields else reason
        async with self._bench.announcing() as (tx, events):
            await self._reject(Upkeep(self._bench, tx, events), learned, words)
            events.append(await self._decide(tx, learned, DecisionAction.REJECT, words))
        return await self._bench.templates.get(learned.id)

    async def label_page(
        self, place: str, field: str, values: Sequence[str], category: str | None = None
    ) -> PageLabel:
        """Say what stands on a stored page; no values: the page does not say."""
        bench = self._bench
        is_url = "://" in place
        page = await bench.pages.latest(place) if is_url else await bench.pages.get(place)
        if page is None:
            raise UnknownSubject("good page of", place, "fetch it first: spec extract URL")
        if page.outcome is not Outcome.OK:
            raise UsageError(f"page {page.id} is {page.outcome}; only good pages teach")
        known = [category] if category else await bench.templates.categories(page.host)
        if not known:
            raise UsageError(f"no page of {page.host} was read for a category; give --category")
        if not any(field in bench.contract(name).contract.fields for name in known):
            raise UnknownSubject("field", field, f"see: spec contract show {known[0]}")
        views = PageViews(page, await bench.pages.body(page))
        for value in values:
            await asyncio.to_thread(_require_on_page, views, value)
        now = bench.clock.now()
        label = PageLabel(page.id, page.host, field, tuple(values), self._actor, now)
        about = {"host": page.host, "page_id": page.id, "field": field, "actor": self._actor}
        async with bench.announcing() as (tx, events):
            await bench.templates.set_label(tx, label)
            events.append(event("template.labelled", now, **about))
        return label

    async def roll_back(self, host: str, reason: str = "") -> RolledBack:
        """Undo the latest adoption of a host: what it replaced is at work again."""
        bench = self._bench
        known = await bench.templates.list(host)
        adopted = [one for one in known if one.status is TemplateStatus.ADOPTED]
        if not adopted:
            raise UsageError(f"no template of {host} is at work; there is nothing to roll back")
        taken = max(adopted, key=lambda one: (one.reviewed_at or 0, one.id))
        before = next((one for one in known if one.id == taken.replaces), None)
        words = "rolled back" + (f": {reason}" if reason else "")
        async with bench.announcing() as (tx, events):
            upkeep = Upkeep(bench, tx, events)
            await self._reject(upkeep, taken, words)
            if before is not None and before.status is TemplateStatus.RETIRED:
                restored = f"{taken.name} was rolled back"
                await upkeep.adopt(before, self._actor, restored)
            for one in known:
                if one.status is TemplateStatus.TRIAL and one.layout == taken.layout:
                    await upkeep.retire(one, self._actor, words)
        again = await bench.templates.get(before.id) if before is not None else None
        return RolledBack(await bench.templates.get(taken.id), again)

    async def _undecided(self, template_id: int | str, what: str) -> LearnedTemplate:
        learned = await self._bench.templates.get(template_number(str(template_id)))
        decided = TemplateStatus.RETIRED if what == "approved" else TemplateStatus.ADOPTED
        if learned.status not in (TemplateStatus.PROPOSED, TemplateStatus.TRIAL, decided):
            raise UsageError(f"{learned.name} is {learned.status} and cannot be {what} now")
        return learned

    async def _reject(self, upkeep: Upkeep, learned: LearnedTemplate, reason: str) -> None:
        if not await upkeep.move(learned, TemplateStatus.REJECTED, self._actor, reason):
            raise UsageError(f"{learned.name} was decided about by somebody else just now")
        upkeep.tell("template.rejected", learned, actor=self._actor, reason=reason)
        if learned.status is TemplateStatus.ADOPTED:
            await upkeep.queue_rereading(learned, f"{learned.name} was rejected")

    async def _decide(
        self, tx: Transaction, learned: LearnedTemplate, action: DecisionAction, reason: str
    ) -> Event:
        decision = await self._bench.reviews.decide(
            tx, kind=ReviewKind.TEMPLATE, subject=learned.host, field=learned.name, action=action,
            value=None, reason=reason, actor=self._actor, at=self._bench.clock.now(),
        )  # fmt: skip
        return decided(decision)


def distrust(templates: Sequence[LearnedTemplate], category: str) -> frozenset[str]:
    """The fields named in rejections since the last adoption: only labels count for them."""
    found: set[str] = set()
    for learned in templates:  # the latest first
        if learned.category != category:
            continue
        if learned.status is TemplateStatus.ADOPTED:
            break
        if learned.status is TemplateStatus.REJECTED:
            words = set(re.findall(r"\w+", learned.reason))
            found |= {figures.field for figures in learned.fields if figures.field in words}
    return frozenset(found)


def _require_on_page(views: PageViews, value: str) -> None:
    """Raise LabelNotFound, with the nearest words, unless the page says the value verbatim."""
    wanted = " ".join(value.split())
    said = " ".join(views.text.split())
    if wanted and wanted in said:
        return
    texts = list(dict.fromkeys(t.words[:_MAX_NEAR] for t in read_texts(views.tree).texts))
    near = difflib.get_close_matches(wanted, texts, _NEAREST, 0.3)
    digits = [text for text in texts if wanted.casefold() in text.casefold()]
    raise LabelNotFound(value, views.page.id, tuple(dict.fromkeys([*digits, *near]))[:_NEAREST])
