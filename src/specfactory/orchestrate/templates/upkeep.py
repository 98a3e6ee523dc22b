"""Upkeep of templates: counts of each page read, drift, trials, adoption and retirement.

Counts are written in the transaction of the reading. A template that finds less than it did, or
pages that fit no template, queue the learning of the host; a template on trial is adopted, or a
person is asked, once enough pages have been read.
"""

from collections.abc import Sequence

from msgspec import Struct, field

from specfactory.declared_events import event
from specfactory.model import (
    Event,
    Instant,
    Json,
    LearnedTemplate,
    NewJob,
    Outcome,
    Page,
    Priority,
    ReviewKind,
    TemplateStatus,
    TemplateUse,
    Verdict,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import JOBS_CHANNEL, Transaction
from specfactory.review import open_review
from specfactory.store import PageReading, Reading, template_number

FACTORY = "factory"
_SAYS_SOMETHING = 3  # fields of a page: fewer are on any page of a site
_MOST_PATIENCE = 6  # doublings: after fruitless learning, twice as many pages are awaited


class Watched(Struct):
    """The result of watching: events to publish, and whether a job was queued."""

    events: list[Event] = field(default_factory=list)
    queued: bool = False


async def watch_reading(
    bench: Workbench, tx: Transaction, page: Page, reading: Reading, category: str
) -> Watched:
    """Count what templates gave on a page that is about the product; only good pages teach."""
    if reading.identity.verdict is not Verdict.SAME:
        return Watched()
    return await _watch(bench, tx, page, reading.uses, category)


async def watch_alone(
    bench: Workbench, tx: Transaction, page: Page, reading: PageReading
) -> Watched:
    """Count what templates gave on a page read for its category, if it has enough fields."""
    asked = len(bench.contract(reading.category).contract.fields)
    if len({one.field for one in reading.candidates}) < min(_SAYS_SOMETHING, asked):
        return Watched()
    return await _watch(bench, tx, page, reading.uses, reading.category)


async def _watch(
    bench: Workbench, tx: Transaction, page: Page, uses: Sequence[TemplateUse], category: str
) -> Watched:
    watched = Watched()
    if page.outcome is not Outcome.OK or page.media_type != "text/html":
        return watched
    for use in uses:
        learned = await bench.templates.get(template_number(use.template_id), tx)
        names = tuple(figures.field for figures in learned.at_work)
        pages_read = await bench.template_watch.count(tx, use, names)
        if learned.status is TemplateStatus.TRIAL:
            await _end_trial(bench, tx, learned, pages_read, watched)
        elif learned.status is TemplateStatus.ADOPTED and learned.drifted_at is None:
            await _look_for_drift(bench, tx, learned, pages_read, watched)
    if not uses:
        await _misfit(bench, tx, page, category, watched)
    await bench.outbox.append(tx, watched.events)
    return watched


async def tell(bench: Workbench, watched: Watched) -> None:
    """After the transaction: publish the events and wake the workers."""
    if watched.events:
        await bench.state.publish(watched.events)
    if watched.queued:
        await bench.wakeup.notify(JOBS_CHANNEL)


async def queue_learning(
    bench: Workbench, tx: Transaction, host: str, category: str, reason: str
) -> bool:
    """Queue the learning of a host; False when it is queued already."""
    job = NewJob(
        "learn", host, {"host": host}, category, Priority.LOW, reason, FACTORY,
        max_attempts=bench.settings.queue.max_attempts,
    )  # fmt: skip
    added = await bench.jobs.add(tx, [job], bench.clock.now())
    return added[0].is_new


async def _misfit(
    bench: Workbench, tx: Transaction, page: Page, category: str, watched: Watched
) -> None:
    now = bench.clock.now()
    watch, host = bench.template_watch, page.host
    misfits = await watch.misfit(tx, host, category, page.url, now)
    patience = 2 ** min(misfits.fruitless, _MOST_PATIENCE)
    if misfits.pages < bench.settings.learn.after_pages * patience:
        return
    reason = f"{misfits.pages} good pages without a template"
    watched.queued |= await queue_learning(bench, tx, host, category, reason)
    has_one = bool(await bench.templates.at_work(host, category, tx))
    if watched.queued and has_one:
        watched.events.append(
            event(
                "template.drifted", now, host=host, category=category, template=None,
                field=None, expected=None, observed=None, pages=misfits.pages,
            )
        )  # fmt: skip


async def _look_for_drift(
    bench: Workbench, tx: Transaction, learned: LearnedTemplate, pages_read: int, watched: Watched
) -> None:
    from specfactory.learn import find_drift  # loaded only where templates are at work

    given = bench.settings.learn
    if pages_read < given.drift_pages:
        return
    conduct = await bench.template_watch.conduct(tx, learned.id, pages_read, given.drift_pages)
    drift = find_drift(
        learned.at_work, conduct, least_pages=given.drift_pages,
        certainty=given.drift_certainty, drop=given.drift_drop,
    )  # fmt: skip
    now = bench.clock.now()
    if drift is None or not await bench.template_watch.drifted(tx, learned.id, now):
        return
    watched.events.append(
        event(
            "template.drifted", now, host=learned.host, category=learned.category,
            template=learned.name, field=drift.field, expected=round(drift.expected, 4),
            observed=round(drift.observed, 4), pages=drift.pages,
        )
    )  # fmt: skip
    reason = f"{learned.name}: {drift.reason}"
    watched.queued |= await queue_learning(bench, tx, learned.host, learned.category, reason)


async def _end_trial(
    bench: Workbench, tx: Transaction, learned: LearnedTemplate, pages_read: int, watched: Watched
) -> None:
    from specfactory.learn import judge_trial

    given = bench.settings.learn
    conduct = await bench.template_watch.conduct(tx, learned.id, pages_read, pages_read)
    end = judge_trial(
        conduct, baseline=learned.at_work, least_pages=given.trial_pages, agree_at=given.adopt_at,
        certainty=given.drift_certainty, drop=given.drift_drop,
    )  # fmt: skip
    if end is None:
        return
    if end.passed:
        watched.events += await adopt(bench, tx, learned, FACTORY, end.reason)
    else:
        watched.events += await ask(bench, tx, learned, end.reason)


async def adopt(
    bench: Workbench, tx: Transaction, learned: LearnedTemplate, actor: str, reason: str
) -> list[Event]:
    """Put a template to work; the one at work for the same layout retires."""
    now, events, before = bench.clock.now(), list[Event](), None
    for other in await bench.templates.list(learned.host, tx=tx):
        same_layout = (other.category, other.layout) == (learned.category, learned.layout)
        if same_layout and other.id != learned.id and other.status is TemplateStatus.ADOPTED:
            events += await retire(bench, tx, other, actor, f"replaced by {learned.name}")
            before = before or other.id
    moved = await bench.templates.move(
        tx, learned, TemplateStatus.ADOPTED, reason=reason, actor=actor, at=now, replaces=before
    )
    if not moved:
        return []
    events.append(event("template.adopted", now, **about(learned), actor=actor, reason=reason))
    return events


async def retire(
    bench: Workbench, tx: Transaction, learned: LearnedTemplate, actor: str, reason: str
) -> list[Event]:
    """Take a template from work, or from trial."""
    now = bench.clock.now()
    moved = await bench.templates.move(
        tx, learned, TemplateStatus.RETIRED, reason=reason, actor=actor, at=now
    )
    told = event("template.retired", now, **about(learned), actor=actor, reason=reason)
    return [told] if moved else []


async def ask(
    bench: Workbench, tx: Transaction, learned: LearnedTemplate, reason: str
) -> list[Event]:
    """Ask for review of a template."""
    now = bench.clock.now()
    if learned.status is not TemplateStatus.PROPOSED:
        await bench.templates.move(
            tx, learned, TemplateStatus.PROPOSED, reason=reason, actor=None, at=now
        )
    opened = await open_review(
        bench.reviews, tx, kind=ReviewKind.TEMPLATE, subject=learned.host, field=learned.name,
        reason=reason, at=now,
    )  # fmt: skip
    return [learned_event("template.proposed", learned, reason, now), opened]


def learned_event(name: str, learned: LearnedTemplate, reason: str, now: Instant) -> Event:
    """The event of a new template, with its figures."""
    return event(
        name, now, **about(learned), accuracy=round(learned.accuracy, 4),
        lower_bound=round(learned.lower_bound, 4), samples=learned.sample_count, reason=reason,
    )  # fmt: skip


def about(learned: LearnedTemplate) -> dict[str, Json]:
    """Facts that every event about a template carries."""
    return {
        "template": learned.name,
        "host": learned.host,
        "category": learned.category,
        "layout": learned.layout,
        "version": learned.version,
    }
