"""Upkeep of templates: counts of each page read, drift, trials, adoption and retirement.

Counts are written in the transaction of the reading. A template that finds less than it did, or
pages that fit no template, queue the learning of the host; a template on trial is adopted, or a
person is asked, once enough pages have been read.
"""

from msgspec import Struct, field

from specfactory.declared_events import event
from specfactory.model import (
    Event,
    JobKind,
    Json,
    LearnedTemplate,
    NewJob,
    Outcome,
    Page,
    Priority,
    ReviewKind,
    TemplateStatus,
    Verdict,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Transaction
from specfactory.review import open_review
from specfactory.store import PageReading, Reading, template_number

FACTORY = "factory"
_SAYS_SOMETHING = 3  # fields of a page: fewer are on any page of a site
_MOST_PATIENCE = 6  # doublings: after fruitless learning, twice as many pages are awaited


class Upkeep(Struct):
    """Changes of templates in one transaction, and the events that tell of them."""

    bench: Workbench
    tx: Transaction
    events: list[Event] = field(default_factory=list)
    queued: bool = False  # a job was queued

    async def publish(self) -> None:
        """After the transaction: publish the events and wake the workers."""
        if self.events:
            await self.bench.state.publish(self.events)
        if self.queued:
            await self.bench.wake_workers()

    async def queue_learning(self, host: str, category: str, reason: str) -> None:
        """Queue the learning of a host, unless it is queued already."""
        job = NewJob(
            "learn", host, {"host": host}, category, Priority.LOW, reason, FACTORY,
            max_attempts=self.bench.settings.queue.max_attempts,
        )  # fmt: skip
        added = await self.bench.jobs.add(self.tx, [job], self.bench.clock.now())
        self.queued |= added[0].is_new

    async def adopt(self, learned: LearnedTemplate, actor: str, reason: str) -> None:
        """Put a template to work; the one at work for the same layout retires."""
        before, told = None, len(self.events)
        for other in await self.bench.templates.list(learned.host, tx=self.tx):
            same_layout = (other.category, other.layout) == (learned.category, learned.layout)
            if same_layout and other.id != learned.id and other.status is TemplateStatus.ADOPTED:
                await self.retire(other, actor, f"replaced by {learned.name}")
                before = before or other.id
        if await self.move(learned, TemplateStatus.ADOPTED, actor, reason, before):
            await self.tell_adoption(learned, actor, reason)
        else:
            del self.events[told:]

    async def tell_adoption(self, learned: LearnedTemplate, actor: str, reason: str) -> None:
        """Add the event, and have stored pages read by the template."""
        self.tell("template.adopted", learned, actor=actor, reason=reason)
        await self.queue_rereading(learned, f"{learned.name} is at work")

    async def queue_rereading(self, learned: LearnedTemplate, reason: str) -> None:
        """Queue the reading of stored pages; each change has its own job and is never skipped."""
        if not await self.bench.readings.of_host(learned.host, learned.category, tx=self.tx):
            return
        job = NewJob(
            JobKind.REREAD, f"{learned.host} {reason}", {"host": learned.host}, learned.category,
            Priority.BACKGROUND, reason, FACTORY,
            max_attempts=self.bench.settings.queue.max_attempts,
        )  # fmt: skip
        added = await self.bench.jobs.add(self.tx, [job], self.bench.clock.now())
        self.queued |= added[0].is_new

    async def retire(self, learned: LearnedTemplate, actor: str, reason: str) -> None:
        """Take a template from work, or from trial."""
        if await self.move(learned, TemplateStatus.RETIRED, actor, reason):
            self.tell("template.retired", learned, actor=actor, reason=reason)

    async def ask(self, learned: LearnedTemplate, reason: str) -> None:
        """Ask for review of a template."""
        if learned.status is not TemplateStatus.PROPOSED:
            await self.move(learned, TemplateStatus.PROPOSED, None, reason)
        opened = await open_review(
            self.bench.reviews, self.tx, kind=ReviewKind.TEMPLATE, subject=learned.host,
            field=learned.name, reason=reason, at=self.bench.clock.now(),
            worth=sum(figures.filled for figures in learned.at_work),
            confidence=learned.lower_bound,
        )  # fmt: skip
        self.tell_figures("template.proposed", learned, reason)
        self.events += opened

    async def move(
        self,
        learned: LearnedTemplate,
        status: TemplateStatus,
        actor: str | None,
        reason: str,
        replaces: int | None = None,
    ) -> bool:
        """Change the status of a template; False when somebody else just did."""
        return await self.bench.templates.move(
            self.tx, learned, status, reason=reason, actor=actor, at=self.bench.clock.now(),
            replaces=replaces,
        )  # fmt: skip

    def tell(self, name: str, learned: LearnedTemplate, **more: Json) -> None:
        """Add an event about a template."""
        about = {
            "template": learned.name, "host": learned.host, "category": learned.category,
            "layout": learned.layout, "version": learned.version,
        }  # fmt: skip
        self.events.append(event(name, self.bench.clock.now(), **about, **more))

    def tell_figures(self, name: str, learned: LearnedTemplate, reason: str) -> None:
        """Add an event about a new template, with its figures."""
        self.tell(
            name, learned, accuracy=round(learned.accuracy, 4),
            lower_bound=round(learned.lower_bound, 4), samples=learned.sample_count, reason=reason,
        )  # fmt: skip

    async def misfit(self, page: Page, category: str) -> None:
        """Count a page that fits no template; enough of them are reason to learn the host."""
        bench, tx, host, now = self.bench, self.tx, page.host, self.bench.clock.now()
        misfits = await bench.template_watch.misfit(tx, host, category, page.url, now)
        patience = 2 ** min(misfits.fruitless, _MOST_PATIENCE)
        if misfits.pages < bench.settings.learn.after_pages * patience:
            return
        await self.queue_learning(host, category, f"{misfits.pages} good pages without a template")
        if self.queued and await bench.templates.at_work(host, category, tx):
            drifted = event(
                "template.drifted", now, host=host, category=category, template=None,
                field=None, expected=None, observed=None, pages=misfits.pages,
            )  # fmt: skip
            self.events.append(drifted)

    async def look_for_drift(self, learned: LearnedTemplate, pages_read: int) -> None:
        """Learn the host of a template again that finds much less than it did."""
        from specfactory.learn import find_drift  # loaded only where templates are at work

        watch, given = self.bench.template_watch, self.bench.settings.learn
        if pages_read < given.drift_pages:
            return
        conduct = await watch.conduct(self.tx, learned.id, pages_read, given.drift_pages)
        drift = find_drift(
            learned.at_work, conduct, least_pages=given.drift_pages,
            certainty=given.drift_certainty, drop=given.drift_drop,
        )  # fmt: skip
        now = self.bench.clock.now()
        if drift is None or not await watch.drifted(self.tx, learned.id, now):
            return
        drifted = event(
            "template.drifted", now, host=learned.host, category=learned.category,
            template=learned.name, field=drift.field, expected=round(drift.expected, 4),
            observed=round(drift.observed, 4), pages=drift.pages,
        )  # fmt: skip
        self.events.append(drifted)
        reason = f"{learned.name}: {drift.reason}"
        await self.queue_learning(learned.host, learned.category, reason)

    async def end_trial(self, learned: LearnedTemplate, pages_read: int) -> None:
        """Adopt a template on trial, or ask about it, once enough pages were read."""
        from specfactory.learn import judge_trial

        watch, given = self.bench.template_watch, self.bench.settings.learn
        conduct = await watch.conduct(self.tx, learned.id, pages_read, pages_read)
        end = judge_trial(
            conduct, baseline=learned.at_work, least_pages=given.trial_pages,
            agree_at=given.adopt_at, certainty=given.drift_certainty, drop=given.drift_drop,
        )  # fmt: skip
        if end is not None and end.passed:
            await self.adopt(learned, FACTORY, end.reason)
        elif end is not None:
            await self.ask(learned, end.reason)


async def watch_reading(
    bench: Workbench, tx: Transaction, page: Page, reading: Reading | PageReading, category: str
) -> Upkeep:
    """Count what templates gave on a page; only good pages teach.

    A page counts that is about the product or, read for its category, has enough fields.
    """
    upkeep = Upkeep(bench, tx)
    if isinstance(reading, Reading):
        counts = reading.identity.verdict is Verdict.SAME
    else:
        asked = len(bench.contract(category).contract.fields)
        found = {one.field for one in reading.candidates}
        counts = len(found) >= min(_SAYS_SOMETHING, asked)
    if not counts or page.outcome is not Outcome.OK or page.media_type != "text/html":
        return upkeep
    for use in reading.uses:
        learned = await bench.templates.get(template_number(use.template_id), tx)
        names = tuple(figures.field for figures in learned.at_work)
        pages_read = await bench.template_watch.count(tx, use, names)
        if learned.status is TemplateStatus.TRIAL:
            await upkeep.end_trial(learned, pages_read)
        elif learned.status is TemplateStatus.ADOPTED and learned.drifted_at is None:
            await upkeep.look_for_drift(learned, pages_read)
    if not reading.uses:
        await upkeep.misfit(page, category)
    await bench.outbox.append(tx, upkeep.events)
    return upkeep
