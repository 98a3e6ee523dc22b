"""Runs and workers, run against every database."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from specfactory.errors import RunClosed, UnknownSubject, UsageError
from specfactory.model import Job, JobStatus, Run, RunStatus, WorkerReport
from specfactory.model.transitions import Action
from specfactory.ports import Database
from specfactory.store import Jobs, Outbox, Runs, Workers, config_hash
from tests.ports.test_jobs import EXPIRED, NOW, act, add, claim, error, fail, finish, new, rescue

CONFIG = {"site": "a.example", "depth": 2}


async def join(db: Database, config: Mapping[str, Any] = CONFIG) -> Run:
    async with db.transaction() as tx:
        return (await Runs(db).join(tx, config, NOW))[0]


async def run_job(db: Database) -> Job:
    [job] = await claim(db, kinds=("run",))
    return job


async def status(db: Database, run: Run) -> RunStatus:
    found = await Runs(db).get(run.id)
    assert found is not None
    return found.status


async def complete(db: Database, job: Job, summary: Any = None) -> bool:
    async with db.transaction() as tx:
        return await Runs(db).complete(tx, job.lease, summary, NOW + 9)


async def names(db: Database) -> list[str]:
    return [event.name for event in await Outbox(db).recent(1000)]


async def test_identical_configurations_join_the_same_run(db: Database) -> None:
    async with db.transaction() as tx:
        first, is_new = await Runs(db).join(tx, CONFIG, NOW)
        again, again_new = await Runs(db).join(tx, {"depth": 2, "site": "a.example"}, NOW + 5)
        other, other_new = await Runs(db).join(tx, {"depth": 3, "site": "a.example"}, NOW)

    assert (is_new, again_new, other_new) == (True, False, True)
    assert first == again
    assert first.id != other.id
    assert (first.config, first.config_hash) == (CONFIG, config_hash(CONFIG))
    assert await names(db) == ["run.opened", "run.opened"]


async def test_workers_that_start_at_once_open_one_run(db: Database) -> None:
    runs = await asyncio.gather(*(join(db) for _ in range(6)))

    assert len({run.id for run in runs}) == 1


async def test_a_configuration_whose_run_is_over_begins_a_new_one(db: Database) -> None:
    run = await join(db)
    async with db.transaction() as tx:
        await Runs(db).cancel(tx, run.id, NOW)

    assert (await join(db)).id != run.id


async def test_a_run_never_does_the_same_thing_twice(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id), new("b", run_id=run.id), new("a"))
    for job in await claim(db):
        if job.key == "a" and job.run_id:
            await finish(db, job.lease)

    again, free = await add(db, new("a", run_id=run.id), new("a", kind="page", run_id=run.id))

    assert not again.is_new
    assert free.is_new


async def test_the_last_one_standing_moves_the_run_on(db: Database) -> None:
    run = await join(db)
    await add(db, *(new(key, run_id=run.id) for key in "abcd"))
    one, two, three, four = await claim(db)

    await finish(db, one.lease)
    await fail(db, two)
    async with db.transaction() as tx:
        await Jobs(db).ask(tx, three.lease, NOW)
    assert await status(db, run) is RunStatus.OPEN
    await finish(db, four.lease)

    assert await status(db, run) is RunStatus.POST_PROCESSING
    job = await run_job(db)
    assert (job.key, job.payload, job.run_id) == (str(run.id), {"run_id": run.id}, None)


@pytest.mark.parametrize("count", [2, 12])
async def test_workers_that_finish_at_once_post_process_once(db: Database, count: int) -> None:
    run = await join(db)
    await add(db, *(new(f"k{n}", run_id=run.id) for n in range(count)))
    jobs = await claim(db)

    await asyncio.gather(*(finish(db, job.lease) for job in jobs))

    assert await status(db, run) is RunStatus.POST_PROCESSING
    assert len(await claim(db, kinds=("run",))) == 1
    assert (await names(db)).count("run.post_processing") == 1


async def test_a_job_that_finds_links_adds_them_before_it_ends(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id))
    [job] = await claim(db)

    async with db.transaction() as tx:
        await Jobs(db).add(tx, [new("b", run_id=run.id)], NOW)
        await Jobs(db).finish(tx, [job.lease], NOW)

    assert await status(db, run) is RunStatus.OPEN
    assert (await Runs(db).progress(run.id))[JobStatus.QUEUED] == 1


async def test_the_run_ends_with_its_post_processing_in_one_step(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id))
    [job] = await claim(db)
    await finish(db, job.lease)
    last = await run_job(db)

    assert await complete(db, last, {"done": 1})
    assert not await complete(db, last, {"done": 2})

    found = await Runs(db).get(run.id)
    assert found is not None
    assert (found.status, found.finished_at, found.summary) == (
        RunStatus.COMPLETE, NOW + 9, {"done": 1},
    )  # fmt: skip
    assert (await names(db))[-2:] == ["job.finished", "run.finished"]


async def test_whoever_dies_at_post_processing_it_is_done_once(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id))
    [job] = await claim(db)
    await finish(db, job.lease)
    dead = await run_job(db)
    await rescue(db, EXPIRED)
    [heir] = await claim(db, kinds=("run",), now=EXPIRED)

    assert not await complete(db, dead, "late")
    assert await complete(db, heir, "right")

    assert (await Runs(db).list())[0].summary == "right"
    assert (await names(db)).count("run.finished") == 1
    assert await status(db, run) is RunStatus.COMPLETE


async def test_post_processing_that_fails_for_good_fails_the_run_until_it_is_retried(
    db: Database,
) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id))
    [job] = await claim(db)
    await finish(db, job.lease)
    last = await run_job(db)

    await fail(db, last)
    assert await status(db, run) is RunStatus.FAILED
    await act(db, last.id, Action.REQUEUE)

    assert await status(db, run) is RunStatus.POST_PROCESSING
    assert await complete(db, await run_job(db), "done")


async def test_poisonous_jobs_do_not_keep_a_run_open(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id, max_attempts=1))
    await claim(db)

    await rescue(db, EXPIRED)

    assert await status(db, run) is RunStatus.POST_PROCESSING


async def test_skipping_the_last_job_moves_the_run_on_and_pausing_holds_it(db: Database) -> None:
    run = await join(db)
    one, two = await add(db, new("a", run_id=run.id), new("b", run_id=run.id))

    await act(db, one.job_id, Action.PAUSE)
    await act(db, two.job_id, Action.SKIP)
    assert await status(db, run) is RunStatus.OPEN
    await act(db, one.job_id, Action.SKIP)

    assert await status(db, run) is RunStatus.POST_PROCESSING


async def test_a_dead_letter_that_is_retried_takes_its_run_up_again(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id))
    [job] = await claim(db)
    await fail(db, job)
    early = await run_job(db)

    await act(db, job.id, Action.REQUEUE)

    assert await status(db, run) is RunStatus.OPEN
    assert not await complete(db, early, "too early")
    [again] = await claim(db)
    await finish(db, again.lease)
    assert await complete(db, await run_job(db), "right")
    assert (await names(db)).count("run.finished") == 1


async def test_post_processing_is_not_queued_by_hand_while_the_run_goes_on(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id))
    [job] = await claim(db)
    await finish(db, job.lease)
    early = await run_job(db)
    await add(db, new("b", run_id=run.id))

    with pytest.raises(UsageError, match="goes on"):
        await act(db, early.id, Action.REQUEUE)

    assert await status(db, run) is RunStatus.OPEN


async def test_a_job_added_during_post_processing_takes_the_run_up_again(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id))
    [job] = await claim(db)
    await finish(db, job.lease)
    early = await run_job(db)

    await add(db, new("a", run_id=run.id))
    assert await status(db, run) is RunStatus.POST_PROCESSING
    await add(db, new("b", run_id=run.id))

    assert await status(db, run) is RunStatus.OPEN
    assert not await complete(db, early)


async def test_a_run_that_is_over_takes_no_more_jobs(db: Database) -> None:
    run = await join(db)
    async with db.transaction() as tx:
        await Runs(db).cancel(tx, run.id, NOW)

    with pytest.raises(RunClosed, match="cancelled"):
        await add(db, new("a", run_id=run.id))


async def test_a_run_is_not_taken_up_beside_a_later_one(db: Database) -> None:
    run = await join(db)
    [added] = await add(db, new("a", run_id=run.id))
    async with db.transaction() as tx:
        await Runs(db).cancel(tx, run.id, NOW)
    await join(db)

    with pytest.raises(RunClosed, match="later one"):
        await act(db, added.job_id, Action.REQUEUE)


async def test_a_cancelled_run_leaves_nothing_to_do(db: Database) -> None:
    run = await join(db)
    await add(db, *(new(key, run_id=run.id) for key in "abc"), new("other"))
    working = (await claim(db, count=1))[0]
    await act(db, working.id + 1, Action.PAUSE)

    async with db.transaction() as tx:
        assert await Runs(db).cancel(tx, run.id, NOW)
        assert not await Runs(db).cancel(tx, run.id, NOW)
        with pytest.raises(UnknownSubject):
            await Runs(db).cancel(tx, 77, NOW)

    assert await finish(db, working.lease) == []
    progress = await Runs(db).progress(run.id)
    assert {state: n for state, n in progress.items() if n} == {JobStatus.SKIPPED: 3}
    assert [job.key for job in await claim(db)] == ["other"]
    assert await claim(db, kinds=("run",)) == []


async def test_a_cancelled_run_is_taken_up_where_it_was_cancelled(db: Database) -> None:
    run = await join(db)
    await add(db, *(new(key, run_id=run.id) for key in "abcd"))
    done, at_work, skipped, _ = await claim(db)
    await finish(db, done.lease)
    await act(db, skipped.id, Action.SKIP)

    async with db.transaction() as tx:
        assert await Runs(db).resume(tx, run.id, NOW) == 0  # nobody has cancelled it
        assert await Runs(db).cancel(tx, run.id, NOW + 1)
        assert await Runs(db).resume(tx, run.id, NOW + 2) == 2
        assert await Runs(db).resume(tx, run.id, NOW + 2) == 0
        with pytest.raises(UnknownSubject):
            await Runs(db).resume(tx, 77, NOW)

    assert await finish(db, at_work.lease) == []  # its lease ended with the cancellation
    assert {job.key for job in await claim(db, now=NOW + 2)} == {"b", "d"}
    resumed = await Runs(db).get(run.id)
    assert resumed is not None
    assert (resumed.status, resumed.finished_at) == (RunStatus.OPEN, None)
    progress = await Runs(db).progress(run.id)
    assert (progress[JobStatus.SKIPPED], progress[JobStatus.COMPLETE]) == (1, 1)


async def test_the_sweeper_finds_a_run_that_was_left_behind(db: Database) -> None:
    run, empty = await join(db), await join(db, {"nothing": "yet"})
    await add(db, new("a", run_id=run.id))
    async with db.transaction() as tx:  # as if the closing had been missed
        [job] = await Jobs(db).claim(tx, "w1", 1, ["product"], 300, NOW)
        await tx.fetch("ask_job", id=job.id, token=job.lease_token)

    async with db.transaction() as tx:
        assert await Runs(db).sweep(tx, NOW) == [run.id]
        assert await Runs(db).sweep(tx, NOW) == []

    assert await status(db, run) is RunStatus.POST_PROCESSING
    assert await status(db, empty) is RunStatus.OPEN
    await run_job(db)


async def test_the_sweeper_brings_back_a_lost_post_processing(db: Database) -> None:
    run = await join(db)
    await add(db, new("a", run_id=run.id))
    [job] = await claim(db)
    await finish(db, job.lease)
    async with db.transaction() as tx:
        assert await Jobs(db).clear(tx, JobStatus.QUEUED, NOW) == 1

    async with db.transaction() as tx:
        assert await Runs(db).sweep(tx, NOW) == [run.id]

    assert await complete(db, await run_job(db))


async def test_a_run_with_nothing_to_do_can_be_closed(db: Database) -> None:
    run = await join(db)

    async with db.transaction() as tx:
        assert await Runs(db).close_if_done(tx, run.id, NOW)
        assert not await Runs(db).close_if_done(tx, run.id, NOW)

    assert await complete(db, await run_job(db))


async def test_a_run_knows_what_went_wrong(db: Database) -> None:
    run = await join(db)
    await add(db, *(new(key, run_id=run.id) for key in "abc"), new("other"))
    for job, cause in zip(await claim(db), ("timeout", "blocked", "timeout", "x"), strict=True):
        async with db.transaction() as tx:
            await Jobs(db).fail(tx, job.lease, error(job, cause), NOW)

    assert list((await Runs(db).causes(run.id)).items()) == [("timeout", 2), ("blocked", 1)]
    assert len(await Jobs(db).dead_errors(run.id)) == 3
    assert len(await Jobs(db).dead_errors()) == 4


async def test_runs_are_listed_by_status_the_latest_first(db: Database) -> None:
    one, two = await join(db), await join(db, {"other": 1})
    async with db.transaction() as tx:
        await Runs(db).cancel(tx, one.id, NOW)

    assert [run.id for run in await Runs(db).list()] == [two.id, one.id]
    assert [run.id for run in await Runs(db).list(RunStatus.OPEN)] == [two.id]
    assert await Runs(db).get(77) is None


async def test_workers_are_seen_lost_and_gone(db: Database) -> None:
    workers = Workers(db)
    alive = WorkerReport("w1", "host", 7, ("product", "page"), NOW, NOW + 60_000, 5, 1)
    silent = WorkerReport("w2", "host", 8, (), NOW + 1, NOW + 1)
    async with db.transaction() as tx:
        await workers.beat(tx, WorkerReport("w1", "host", 7, ("product",), NOW, NOW))
        await workers.beat(tx, alive)
        await workers.beat(tx, silent)
        await workers.beat(tx, WorkerReport("w3", "host", 9, (), NOW + 2, NOW))
        await workers.gone(tx, "w3", NOW + 3)

    seen = await workers.list(NOW + 100_000, 90.0)

    assert seen[0] == alive
    assert [(worker.id, worker.status) for worker in seen[1:]] == [("w2", "lost"), ("w3", "gone")]
    async with db.transaction() as tx:
        assert await workers.forget(tx, NOW + 10) == 2
    assert [worker.id for worker in await workers.list(NOW, 90.0)] == ["w1"]
