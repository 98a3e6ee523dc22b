"""Learning a host: samples, layouts, a template per layout, trial, adoption or review.

learner = DomainLearner(bench, actor="ann")
result = await learner.learn_domain("shop.example", sample_count=20)
for template in await learner.get_review_queue():
    await learner.approve_template(template.id)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from specfactory.contract import CompiledContract
from specfactory.declared_events import event
from specfactory.errors import TooFewPages, UsageError
from specfactory.extract import PageAnswers, answer_page
from specfactory.extract.templates import FITS, share_of
from specfactory.learn import (
    Conflict,
    Labelled,
    Learning,
    Lesson,
    TemplateProposal,
    keeping,
    label_page,
    propose_templates,
)
from specfactory.model import Frozen, LearnedTemplate, ReviewKind, TemplateStatus
from specfactory.orchestrate.bench import LearningTime, Workbench
from specfactory.orchestrate.learning.kept_steps import kept_steps
from specfactory.orchestrate.learning.known_records import gather_knowledge
from specfactory.orchestrate.learning.pace import Pace
from specfactory.orchestrate.learning.rivals import find_rivals
from specfactory.orchestrate.learning.sample_collection import collect, read_folder
from specfactory.orchestrate.templates import FACTORY, TemplateDesk, Upkeep, distrust
from specfactory.store.sites import LearningNotes, PageNote

OnStep = Callable[[str], None]
Given = ParamSpec("Given")
Result = TypeVar("Result")


class LearnResult(Frozen):
    """The result of learning a host."""

    host: str
    category: str
    pages: int
    left_out: Mapping[str, int]
    templates: tuple[LearnedTemplate, ...]
    conflicts: tuple[Conflict, ...] = ()
    ignored: tuple[str, ...] = ()  # labels of fields that the contract does not have

    @property
    def best(self) -> LearnedTemplate | None:
        """The template of the largest layout."""
        return max(self.templates, key=lambda one: one.sample_count, default=None)

    @property
    def accuracy(self) -> float:
        """Accuracy of the template of the largest layout on pages left out."""
        return self.best.accuracy if self.best else 0.0

    @property
    def status(self) -> str:
        """In one word: adopted, on_trial, queued_for_review or nothing_learned."""
        words = {
            TemplateStatus.ADOPTED: "adopted",
            TemplateStatus.TRIAL: "on_trial",
            TemplateStatus.PROPOSED: "queued_for_review",
        }
        return words.get(self.best.status, "") if self.best else "nothing_learned"

    @property
    def template_id(self) -> int | None:
        """The number of that template."""
        return self.best.id if self.best else None


class DomainLearner(TemplateDesk):
    """Learns hosts, and is where a person decides about what was learned."""

    def __init__(
        self,
        bench: Workbench,
        actor: str = "",
        on_step: OnStep = lambda _: None,
        pace: Pace | None = None,  # None: a person waits for it
    ) -> None:
        super().__init__(bench, actor)
        self._on_step, self._pace = on_step, pace or Pace(1.0, LearningTime())

    async def learn_domain(
        self,
        host: str,
        *,
        category: str | None = None,
        sample_count: int | None = None,
        folder: Path | None = None,
    ) -> LearnResult:
        """Learn a host from its stored pages and, where they are few, from more of them."""
        bench = self._bench
        given = bench.settings.learn
        if not category:
            found = await bench.templates.categories(host)
            if not found:
                raise UsageError(
                    f"no page of {host} was read for a product yet; say what is on its pages "
                    "with --category"
                )
            category = found[0]
        compiled = bench.contract(category)
        count = sample_count or given.samples
        if folder is not None:
            collected = await asyncio.to_thread(read_folder, folder, host, count)
        else:
            collected = await collect(bench, host, category, count, self._on_step)
        lessons = collected.lessons
        distrusted = distrust(await bench.templates.list(host), category)
        fields = compiled.contract.fields
        self._on_step(f"labelling {len(lessons)} pages")
        if folder is None:
            lessons = [one async for one in self._answered(host, compiled, lessons)]
        pages = [
            # Truth may be about more fields than the contract has.
            await self._think(
                label_page,
                replace(one, truth={n: v for n, v in one.truth.items() if n in fields}),
                compiled,
                distrusted,
            )
            for one in lessons
        ]
        named = dict.fromkeys(name for lesson in lessons for name in lesson.truth)
        ignored = tuple(name for name in named if name not in fields)
        knowledge = await gather_knowledge(bench, host, compiled, distrusted)
        async with kept_steps(bench.database, host, compiled.contract, lessons) as steps:
            with keeping(steps):
                learning = await self._think(
                    propose_templates, host, pages, compiled, knowledge=knowledge,
                    adopt_at=given.adopt_at, least_pages=given.least_pages, on_step=self._on_step,
                )  # fmt: skip
        left_out = {**collected.left_out, **learning.left_out}
        templates = await self._keep(host, compiled, learning, pages, left_out)
        if not templates:
            raise TooFewPages(host, len(pages), given.least_pages, left_out, learning.refused)
        return LearnResult(
            host, category, len(pages), left_out, templates, learning.conflicts, ignored
        )

    async def _answered(
        self, host: str, compiled: CompiledContract, lessons: Sequence[Lesson]
    ) -> AsyncIterator[Lesson]:
        """Read what each page says, and note it for a learning that goes on after a stop."""
        notes, contract = LearningNotes(self._bench.database), compiled.contract
        noted = await notes.pages(host, contract)
        for lesson in lessons:
            page_id = lesson.views.page.id
            if (note := noted.get(page_id)) is not None:
                said = PageAnswers({one.field: one for one in note.answers}, note.dropped)
            else:
                said = await self._think(answer_page, lesson.views, compiled)
                note = PageNote(tuple(said.values()), said.dropped)
                async with self._bench.database.transaction() as tx:
                    await notes.save_page(tx, host, contract, page_id, note)
            yield replace(lesson, answers=said)

    async def _think(
        self, work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
    ) -> Result:
        """Do a piece of learning in a thread, at the pace that is allowed."""
        try:
            return await asyncio.to_thread(self._pace.run, partial(work, *args, **kwargs))
        except asyncio.CancelledError:
            self._pace.stop()  # a thread cannot be cancelled
            raise

    async def _keep(
        self,
        host: str,
        compiled: CompiledContract,
        learning: Learning,
        pages: Sequence[Labelled],
        left_out: Mapping[str, int],
    ) -> tuple[LearnedTemplate, ...]:
        """Store the proposals together with their events."""
        bench, now, category = self._bench, self._bench.clock.now(), compiled.contract.category
        own = [one for one in await bench.templates.list(host) if one.category == category]
        rules = {one.name: await bench.templates.rules(one.id) for one in own}
        at_work = [rules[one.name] for one in own if one.status is TemplateStatus.ADOPTED]
        rivals = [
            await self._think(find_rivals, one.template, at_work, pages, compiled)
            for one in learning.proposals
        ]
        kept: list[LearnedTemplate] = []
        async with bench.announcing() as (tx, events):
            upkeep = Upkeep(bench, tx, events)
            for proposal, beside in zip(learning.proposals, rivals, strict=True):
                shape = frozenset(proposal.template.shape)
                alike = [one for one in own if share_of(rules[one.name].shape, shape) >= FITS]
                # A layout whose template does well need not be learned again by the factory.
                does_well = any(one.name in beside and one.drifted_at is None for one in alike)
                if self._actor != FACTORY or not does_well:
                    place = (host, category)
                    kept.append(await self._store(upkeep, place, proposal, alike, beside))
            useful = any(one.status is not TemplateStatus.PROPOSED for one in kept)
            await bench.template_watch.learned(tx, host, category, now, fruitless=not useful)
            learned_host = event(
                "host.learned", now, host=host, category=category, pages=len(pages),
                left_out=dict(left_out), templates=[one.name for one in kept],
            )  # fmt: skip
            events.append(learned_host)
        return tuple(kept)

    async def _store(
        self,
        upkeep: Upkeep,
        place: tuple[str, str],  # host and category
        proposal: TemplateProposal,
        alike: Sequence[LearnedTemplate],
        beside: Collection[str],
    ) -> LearnedTemplate:
        bench, tx, now = self._bench, upkeep.tx, self._bench.clock.now()
        layout = alike[0].layout if alike else proposal.template.id[:6]
        status, reason = self._standing(proposal, alike, beside)
        adopted = status is TemplateStatus.ADOPTED
        dead = [one for one in alike if adopted and one.status is TemplateStatus.ADOPTED]
        draft = LearnedTemplate(
            *place, layout, status, proposal.accuracy, proposal.lower_bound,
            proposal.sample_count, now, self._actor, proposal.figures, reason,
            reviewed_at=now if adopted else None, reviewed_by=FACTORY if adopted else None,
            replaces=dead[0].id if dead else None,
        )  # fmt: skip
        for one in alike:  # whatever waited for this layout is overtaken
            if one.status in (TemplateStatus.PROPOSED, TemplateStatus.TRIAL):
                await upkeep.retire(one, self._actor, "overtaken by a later one")
                await bench.reviews.close(tx, ReviewKind.TEMPLATE, one.host, one.name, now)
        for one in dead:
            await upkeep.retire(one, FACTORY, "it finds nothing on its layout any more")
        learned = await bench.templates.add(tx, draft, proposal.template)
        if adopted:
            await upkeep.tell_adoption(learned, FACTORY, reason)
        elif status is TemplateStatus.TRIAL:
            upkeep.tell_figures("template.tried", learned, reason)
        else:
            await upkeep.ask(learned, reason)
        return learned

    def _standing(
        self, proposal: TemplateProposal, alike: Sequence[LearnedTemplate], beside: Collection[str]
    ) -> tuple[TemplateStatus, str]:
        """Decide to adopt, to try ``beside`` what works on these pages, or to ask."""
        bound, least = proposal.lower_bound, self._bench.settings.learn.adopt_at
        decided = (TemplateStatus.ADOPTED, TemplateStatus.REJECTED)
        last = next((one for one in alike if one.status in decided), None)
        if last is not None and last.status is TemplateStatus.REJECTED:
            reason = f"{last.name} was rejected by {last.reviewed_by}: {last.reason}"
            return TemplateStatus.PROPOSED, reason
        if proposal.doubts:
            return TemplateStatus.PROPOSED, "; ".join(proposal.doubts)
        if bound < least:
            return TemplateStatus.PROPOSED, f"lower bound {bound:.3f} is below {least:.2f}"
        if beside:
            return TemplateStatus.TRIAL, f"lower bound {bound:.3f}; tried beside what is at work"
        return TemplateStatus.ADOPTED, f"lower bound {bound:.3f} is at least {least:.2f}"
