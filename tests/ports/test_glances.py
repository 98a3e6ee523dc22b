"""Looking at the queue, run against every database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from specfactory.errors import UnknownSubject
from specfactory.model import Action, Job, JobError, JobStatus, NewJob, Outcome, Visit, WorkerReport
from specfactory.observe import Watch
from specfactory.ports import Database
from specfactory.settings import Settings
from specfactory.store import Jobs, Runs, Visits, Workers
from specfactory.store.queue.quick_looks import CauseCount, EndedCount, Glances

NOW = 1_000_000_000
MINUTE = 60_000
HOUR = 60 * MINUTE
KINDS = ("product",)


async def start(db: Database, count: int, run: bool = False, now: int = NOW) -> list[Job]:
    """So many jobs in progress."""
    async with db.transaction() as tx:
        run_id = (await Runs(db).join(tx, {"site": "a"}, now))[0].id if run else None
        known = (await Jobs(db).stats()).total
        wanted = [NewJob("product", f"k{known + i}", run_id=run_id) for i in range(count)]
        await Jobs(db).add(tx, wanted, now)
        return await Jobs(db).claim(tx, "w1", count, KINDS, 300, now)


async def fail(db: Database, job: Job, cause: str, at: int) -> None:
    async with db.transaction() as tx:
        error = JobError(job.id, 1, at, "w1", "fetch", cause, "!", "a.example")
        await Jobs(db).fail(tx, job.lease, error, at)


async def finish(db: Database, jobs: list[Job], at: int) -> None:
    async with db.transaction() as tx:
        await Jobs(db).finish(tx, [job.lease for job in jobs], at)


async def test_what_ended_is_counted_by_stretches_of_time(db: Database) -> None:
    first, second, third, other = await start(db, 4)
    await finish(db, [first, second], NOW - MINUTE)
    await finish(db, [third], NOW)
    await fail(db, other, "timeout", NOW + 1)

    ended = await Glances(db).ended(NOW - MINUTE, MINUTE)

    assert [(each.done, each.failed) for each in ended] == [(2, 0), (1, 1)]
    assert await Glances(db).ended(NOW + 1, 1000) == [EndedCount(NOW, 0, 1)]


async def test_failures_are_counted_by_cause_and_by_whom_they_ended(db: Database) -> None:
    one, two, three = await start(db, 3)
    await fail(db, one, "timeout", NOW)
    await fail(db, two, "blocked", NOW - 2 * MINUTE)
    async with db.transaction() as tx:
        again = JobError(three.id, 1, NOW, "w1", "fetch", "timeout", "!")
        await Jobs(db).retry(tx, three.lease, again, NOW + MINUTE)

    assert await Glances(db).causes(NOW - MINUTE) == [
        CauseCount("timeout", "fetch", 2, 1),
        CauseCount("blocked", "fetch", 0, 1),
    ]


async def test_dead_letters_come_the_latest_first_and_by_run(db: Database) -> None:
    (old, new), (of_run,) = await start(db, 2), await start(db, 1, run=True)
    for job, at in ((old, NOW), (new, NOW + 2), (of_run, NOW + 1)):
        await fail(db, job, "timeout", at)

    assert [job.id for job in await Glances(db).dead_letters()] == [new.id, of_run.id, old.id]
    assert [job.id for job in await Glances(db).dead_letters(1, passed=2)] == [old.id]
    assert [job.id for job in await Glances(db).dead_letters(run_id=of_run.run_id)] == [of_run.id]


async def test_what_is_being_worked_on_is_seen_with_leases_that_ran_out(db: Database) -> None:
    jobs = await start(db, 2)

    assert {job.id for job in await Glances(db).at_work()} == {job.id for job in jobs}
    assert await Glances(db).overdue(NOW + 299_000) == 0
    assert await Glances(db).overdue(NOW + 301_000) == 2


async def test_a_job_tells_its_story_and_not_that_of_others(db: Database) -> None:
    first, *others = await start(db, 12)
    await fail(db, first, "timeout", NOW + 5)
    await finish(db, others, NOW + 6)

    told = [(event.name, event.at) for event in await Glances(db).story(first.id)]

    assert told == [("job.added", NOW), ("job.claimed", NOW), ("job.failed", NOW + 5)]


async def test_a_watch_measures_the_pace_from_look_to_look(db: Database) -> None:
    jobs = await start(db, 30)
    watch = Watch(db, Settings(), KINDS)
    worker = WorkerReport("w1", "h", 1, KINDS, NOW, NOW)
    async with db.transaction() as tx:
        await Workers(db).beat(tx, worker)

    first = await watch.look(NOW)
    await finish(db, jobs[:20], NOW + 30_000)
    async with db.transaction() as tx:
        await Workers(db).beat(tx, replace(worker, seen_at=NOW + 30_000, done=20))
    second = await watch.look(NOW + MINUTE)

    assert (first.throughput.ended, first.completion_at) == (0, None)
    assert second.throughput.per_minute == pytest.approx(20)
    assert second.completion_at == NOW + MINUTE + 30_000
    assert second.workers[0].per_minute == 40
    assert {job.id for job in second.workers[0].jobs} == {job.id for job in jobs[20:]}


async def test_a_watch_tells_how_visits_of_each_host_ended_lately(db: Database) -> None:
    outcomes = {
        "good.example": [Outcome.OK, Outcome.NOT_MODIFIED, Outcome.OK],
        "bad.example": [Outcome.OK, Outcome.BLOCKED, Outcome.TIMEOUT, Outcome.TIMEOUT],
        "quiet.example": [Outcome.OK],
    }
    async with db.transaction() as tx:
        for host, ends in outcomes.items():
            for end in ends:
                await Visits(db).add(tx, Visit(host, f"https://{host}/", NOW, end))
        await Visits(db).add(
            tx, Visit("old.example", "https://old.example/", NOW - 4 * HOUR, Outcome.BLOCKED)
        )

    hosts = (await Watch(db, Settings(), KINDS).look(NOW + MINUTE)).hosts

    assert [(each.host, each.visits, each.success) for each in hosts] == [
        ("bad.example", 4, 0.25), ("good.example", 3, 1.0), ("quiet.example", 1, 1.0),
    ]  # fmt: skip


async def test_a_first_look_knows_the_pace_although_older_jobs_are_only_counts(
    db: Database,
) -> None:
    jobs = await start(db, 40)
    for minute, job in enumerate(jobs):
        await finish(db, [job], NOW + minute * 10_000)
    later = NOW + len(jobs) * 10_000
    async with db.transaction() as tx:
        await Jobs(db).prune(tx, 12, 5, later)

    health = await Watch(db, Settings(), KINDS).look(later)

    assert health.throughput.seconds < 140
    assert health.throughput.per_minute == pytest.approx(6, rel=0.1)


async def test_pruned_jobs_do_not_look_like_work_undone(db: Database) -> None:
    jobs = await start(db, 20)
    watch = Watch(db, Settings(), KINDS)
    await watch.look(NOW)
    await finish(db, jobs, NOW + 1000)
    async with db.transaction() as tx:
        await Jobs(db).prune(tx, 3, 3, NOW + 2000)

    assert (await watch.look(NOW + MINUTE)).throughput.done == 20


async def test_one_run_is_watched_by_itself(db: Database) -> None:
    await start(db, 5)
    mine = await start(db, 3, run=True)
    await finish(db, mine[:1], NOW)
    assert mine[0].run_id is not None

    health = await Watch(db, Settings(), KINDS, mine[0].run_id).look(NOW + 1000)

    assert health.depth.total == 3
    assert health.depth.by_status[JobStatus.IN_PROGRESS] == 2
    assert (health.throughput.done, health.depth.left) == (1, 2)
    with pytest.raises(UnknownSubject):
        await Watch(db, Settings(), KINDS, 77).look(NOW)


async def test_the_monitor_names_what_everything_waits_for(db: Database) -> None:
    new = [NewJob("page", f"p{n}") for n in range(7)] + [NewJob("page", "later", due_at=NOW + 9)]
    async with db.transaction() as tx:
        await Jobs(db).add(tx, new, NOW)
        jobs = await Jobs(db).claim(tx, "w1", 6, ["page"], 300.0, NOW)
        for job in jobs[:3]:
            await Jobs(db).defer(tx, job.lease, NOW + 5000, "paused", "shop.example", NOW)
        error = JobError(jobs[3].id, 1, NOW, "w1", "fetch", "timeout", "slow")
        await Jobs(db).retry(tx, jobs[3].lease, error, NOW + 2000)
        await Jobs(db).ask(tx, jobs[4].lease, NOW)
        await Jobs(db).act(tx, jobs[5].id, Action.PAUSE, NOW)

    health = await Watch(db, Settings(), ["page"]).look(NOW)

    assert {(wait.cause, wait.jobs, wait.until) for wait in health.waiting} == {
        ("host", 3, NOW + 5000), ("retry", 1, NOW + 2000), ("schedule", 1, NOW + 9),
        ("worker", 1, None), ("review", 1, None), ("paused", 1, None),
    }  # fmt: skip
    assert "shop.example" in health.waiting[0].words


async def test_a_host_that_was_waited_for_is_not_named_after_another_try(db: Database) -> None:
    async with db.transaction() as tx:
        await Jobs(db).add(tx, [NewJob("page", "p")], NOW)
        (job,) = await Jobs(db).claim(tx, "w1", 1, ["page"], 300.0, NOW)
        await Jobs(db).defer(tx, job.lease, NOW + 1, "paused", "shop.example", NOW)
        (job,) = await Jobs(db).claim(tx, "w1", 1, ["page"], 300.0, NOW + 1)
        error = JobError(job.id, 1, NOW, "w1", "fetch", "timeout", "slow")
        await Jobs(db).retry(tx, job.lease, error, NOW + 2000)

    (wait,) = (await Watch(db, Settings(), ["page"]).look(NOW + 2)).waiting
    assert (wait.cause, wait.words) == ("retry", "another try after timeout")
