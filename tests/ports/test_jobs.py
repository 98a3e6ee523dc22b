"""The queue's jobs, run against every database."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from specfactory.errors import RunClosed, SubjectBusy, TransitionRefused, UnknownSubject, UsageError
from specfactory.model import Event, Job, JobError, JobKind, JobStatus, Lease, NewJob
from specfactory.model.transitions import Action
from specfactory.ports import Database
from specfactory.store import Added, Jobs, Outbox, Runs

NOW = 1_000_000
LEASE = 300.0
EXPIRED = NOW + 300_000
PRODUCT = ("product",)


def new(key: str = "a", **more: Any) -> NewJob:
    return NewJob(more.pop("kind", "product"), key, **more)


def error(job: Job, cause: str = "timeout", at: int = NOW) -> JobError:
    return JobError(job.id, job.attempts, at, "w1", "fetch", cause, f"{cause}!", "a.example")


async def add(db: Database, *jobs: NewJob, now: int = NOW) -> list[Added]:
    async with db.transaction() as tx:
        return await Jobs(db).add(tx, jobs, now)


async def claim(
    db: Database, count: int = 100, owner: str = "w1", now: int = NOW, kinds: Any = PRODUCT
) -> list[Job]:
    async with db.transaction() as tx:
        return await Jobs(db).claim(tx, owner, count, kinds, LEASE, now)


async def finish(db: Database, *leases: Lease, now: int = NOW) -> list[int]:
    async with db.transaction() as tx:
        return await Jobs(db).finish(tx, leases, now)


async def fail(db: Database, job: Job, now: int = NOW) -> bool:
    async with db.transaction() as tx:
        return await Jobs(db).fail(tx, job.lease, error(job), now)


async def rescue(db: Database, now: int, limit: int = 100) -> list[Job]:
    async with db.transaction() as tx:
        return await Jobs(db).rescue(tx, now, limit)


async def act(db: Database, job_id: int, action: Action, now: int = NOW, **more: Any) -> Job:
    async with db.transaction() as tx:
        return await Jobs(db).act(tx, job_id, action, now, **more)


async def get(db: Database, job_id: int) -> Job:
    job = await Jobs(db).get(job_id)
    assert job is not None
    return job


async def told(db: Database) -> list[Event]:
    return await Outbox(db).recent(1000)


async def test_a_job_comes_back_as_it_was_added(db: Database) -> None:
    wanted = new(
        "mouse-razer-viper", payload={"brand": "Razer", "urls": ["https://a.example"]},
        category="mouse", priority=2, priority_reason="new_product", added_by="csv",
        due_at=NOW + 5, max_attempts=5, tags=("flagship", "ü"), overrides={"max_pages": 3},
    )  # fmt: skip

    [added] = await add(db, wanted)

    job = await get(db, added.job_id)
    assert added == Added("mouse-razer-viper", job.id, True)
    assert (job.kind, job.key, job.status) == ("product", "mouse-razer-viper", JobStatus.QUEUED)
    assert (job.payload, job.category) == (wanted.payload, "mouse")
    assert (job.priority, job.priority_reason, job.added_by) == (2, "new_product", "csv")
    assert (job.added_at, job.due_at, job.attempts, job.max_attempts) == (NOW, NOW + 5, 0, 5)
    assert (job.tags, job.overrides) == (("flagship", "ü"), {"max_pages": 3})
    assert job.name == f"q_{job.id:06d}"


async def test_a_subject_is_active_only_once(db: Database) -> None:
    [first] = await add(db, new("a"))

    again, other, twice = await add(db, new("a"), new("b"), new("b"))

    assert again == Added("a", first.job_id, False)
    assert other.is_new
    assert twice == Added("b", other.job_id, False)
    assert (await Jobs(db).stats()).total == 2


@pytest.mark.parametrize("action", [Action.PAUSE, None])
async def test_a_subject_stays_active_while_it_is_paused_or_at_work(
    db: Database, action: Action | None
) -> None:
    [first] = await add(db, new("a"))
    if action:
        await act(db, first.job_id, action)
    else:
        await claim(db)

    assert await add(db, new("a")) == [Added("a", first.job_id, False)]


async def test_a_subject_that_was_done_can_be_added_again(db: Database) -> None:
    await add(db, new("a"))
    [job] = await claim(db)
    await finish(db, job.lease)

    [again] = await add(db, new("a"))

    assert again.is_new
    assert again.job_id != job.id


async def test_the_same_key_of_another_kind_is_another_subject(db: Database) -> None:
    assert all(added.is_new for added in await add(db, new("a"), new("a", kind="page")))


async def test_many_jobs_are_added_in_their_order(db: Database) -> None:
    jobs = [new(f"k{place}") for place in range(2500)]

    added = await add(db, *jobs[:1500])
    again = await add(db, *jobs)

    assert [one.key for one in again] == [job.key for job in jobs]
    assert [one.job_id for one in again] == sorted({one.job_id for one in again})
    assert again[:1500] == [Added(one.key, one.job_id, False) for one in added]
    assert all(one.is_new for one in again[1500:])


async def test_text_that_no_database_takes_is_replaced_not_refused(db: Database) -> None:
    [added] = await add(db, new("a\x00b\ud800", payload={"name": "x\x00y", "half": "\udc00"}))

    job = await get(db, added.job_id)
    assert job.key == "a\ufffdb?"
    assert job.payload["name"] == "x\x00y"
    assert await add(db, new("a\x00b\ud800")) == [Added(job.key, job.id, False)]


@pytest.mark.parametrize("priority", [0, 6, -1])
async def test_a_priority_that_nobody_would_claim_is_refused(db: Database, priority: int) -> None:
    with pytest.raises(UsageError, match="1 to 5"):
        await add(db, new("a", priority=priority))


async def test_jobs_are_claimed_by_priority_then_due_time_then_id(db: Database) -> None:
    await add(
        db, new("late", due_at=NOW - 1), new("early", due_at=NOW - 2), new("low", priority=4),
        new("urgent", priority=1), new("late2", due_at=NOW - 1), new("future", due_at=NOW + 1),
        new("high", kind="page", priority=2),
    )  # fmt: skip

    claimed = await claim(db, kinds=("product", "page"))

    assert [job.key for job in claimed] == ["urgent", "high", "early", "late", "late2", "low"]
    assert await claim(db) == []
    assert [job.key for job in await claim(db, now=NOW + 1)] == ["future"]


async def test_a_small_claim_takes_the_most_urgent(db: Database) -> None:
    await add(db, *(new(f"k{place}", priority=5 - place % 5) for place in range(20)))

    assert [job.priority for job in await claim(db, count=6)] == [1, 1, 1, 1, 2, 2]


async def test_a_claim_leases_the_job_and_counts_the_attempt(db: Database) -> None:
    [added] = await add(db, new("a"))

    [job] = await claim(db, owner="w7", now=NOW + 5)

    assert job == await get(db, added.job_id)
    assert (job.status, job.attempts, job.lease_token) == (JobStatus.IN_PROGRESS, 1, 1)
    assert (job.lease_owner, job.lease_until) == ("w7", NOW + 5 + 300_000)
    assert job.last_attempt_at == NOW + 5


async def test_a_kind_without_a_handler_is_never_claimed_but_seen(db: Database) -> None:
    await add(db, new("a", kind="hologram"), new("b"))

    assert [job.key for job in await claim(db)] == ["b"]
    assert (await Jobs(db).stats()).by_kind() == {"hologram": 1}
    assert await claim(db, kinds=()) == []


async def test_claims_at_the_same_time_never_share_a_job(db: Database) -> None:
    await add(db, *(new(f"k{place}") for place in range(60)))

    claims = await asyncio.gather(*(claim(db, count=10, owner=f"w{n}") for n in range(8)))

    taken = Counter(job.id for jobs in claims for job in jobs)
    assert set(taken.values()) == {1}
    assert len(taken) == 60


async def test_results_are_accepted_once(db: Database) -> None:
    await add(db, new("a"), new("b"))
    one, two = await claim(db)

    assert await finish(db, one.lease, two.lease, now=NOW + 9) == [one.id, two.id]
    assert await finish(db, one.lease) == []
    done = await get(db, one.id)
    assert (done.status, done.finished_at, done.lease_until) == (
        JobStatus.COMPLETE, NOW + 9, None,
    )  # fmt: skip


async def test_an_expired_lease_goes_to_another_worker(db: Database) -> None:
    await add(db, new("a"))
    [first] = await claim(db)

    assert await rescue(db, EXPIRED - 1) == []
    [rescued] = await rescue(db, EXPIRED)
    [second] = await claim(db, owner="w2", now=EXPIRED)

    assert (rescued.id, rescued.status) == (first.id, JobStatus.QUEUED)
    assert (second.id, second.lease_owner) == (first.id, "w2")
    assert (second.attempts, second.lease_token) == (2, 2)


async def test_a_worker_that_wakes_up_late_can_do_no_harm(db: Database) -> None:
    await add(db, new("a"))
    [late] = await claim(db)
    await rescue(db, EXPIRED)
    [other] = await claim(db, owner="w2", now=EXPIRED)

    jobs = Jobs(db)
    async with db.transaction() as tx:
        assert await jobs.renew(tx, [late.lease], EXPIRED + 1) == set()
        assert await jobs.finish(tx, [late.lease], EXPIRED) == []
        assert not await jobs.retry(tx, late.lease, error(late), EXPIRED)
        assert not await jobs.fail(tx, late.lease, error(late), EXPIRED)
        assert not await jobs.ask(tx, late.lease, EXPIRED)
        assert not await jobs.note_round(tx, late.lease, 2)
        assert await jobs.release(tx, [late.lease], EXPIRED) == 0
    assert await get(db, other.id) == other
    assert [each.cause for each in await jobs.errors(other.id)] == ["lease_expired"]
    assert await finish(db, other.lease, late.lease) == [other.id]


async def test_a_lease_that_was_not_rescued_yet_still_holds(db: Database) -> None:
    await add(db, new("a"))
    [job] = await claim(db)

    assert await finish(db, job.lease, now=EXPIRED + 1) == [job.id]


async def test_a_renewed_lease_is_not_rescued(db: Database) -> None:
    await add(db, new("a"), new("b"))
    kept, lost = await claim(db)

    async with db.transaction() as tx:
        assert await Jobs(db).renew(tx, [kept.lease], EXPIRED + 1) == {kept.id}

    assert [job.id for job in await rescue(db, EXPIRED)] == [lost.id]


async def test_a_poisonous_job_ends_among_the_dead_letters(db: Database) -> None:
    [added] = await add(db, new("poison", max_attempts=2))
    for attempt in (1, 2):
        at = NOW + attempt * 300_000
        await claim(db, now=at - 300_000)
        [job] = await rescue(db, at)

    assert (job.status, job.attempts) == (JobStatus.FAILED, 2)
    errors = await Jobs(db).errors(added.job_id)
    assert [(one.attempt, one.cause, one.worker) for one in errors] == [
        (1, "lease_expired", "w1"), (2, "lease_expired", "w1"),
    ]  # fmt: skip
    assert await claim(db, now=EXPIRED * 3) == []
    assert [one.name for one in await told(db)][-2:] == ["lease.expired", "job.failed"]


async def test_a_rescue_takes_no_more_than_asked_the_longest_silent_first(db: Database) -> None:
    await add(db, new("a"), new("b"))
    [first] = await claim(db, count=1)
    await claim(db, count=1, now=NOW + 1)

    assert [job.id for job in await rescue(db, EXPIRED * 2, limit=1)] == [first.id]


async def test_a_retried_job_waits_and_keeps_its_error(db: Database) -> None:
    await add(db, new("a"))
    [job] = await claim(db)

    async with db.transaction() as tx:
        assert await Jobs(db).retry(tx, job.lease, error(job), NOW + 2000)

    assert await claim(db, now=NOW + 1999) == []
    [again] = await claim(db, now=NOW + 2000)
    assert (again.id, again.attempts, again.last_error) == (job.id, 2, "timeout!")
    assert await Jobs(db).errors(job.id) == [error(job)]


async def test_a_failed_job_is_a_dead_letter_with_its_error(db: Database) -> None:
    await add(db, new("a"), new("b"))
    one, two = await claim(db)

    assert await fail(db, one, now=NOW + 3)
    assert not await fail(db, one)
    await fail(db, two)

    dead = await get(db, one.id)
    assert (dead.status, dead.finished_at) == (JobStatus.FAILED, NOW + 3)
    assert [each.job_id for each in await Jobs(db).dead_errors()] == [two.id, one.id]


async def test_an_unstarted_claim_is_given_back_without_an_attempt(db: Database) -> None:
    await add(db, new("a"))
    [job] = await claim(db)

    async with db.transaction() as tx:
        assert await Jobs(db).release(tx, [job.lease], NOW) == 1

    assert (await get(db, job.id)).attempts == 0
    [again] = await claim(db)
    assert (again.attempts, again.lease_token) == (1, 2)
    assert await finish(db, job.lease) == []


async def test_the_round_is_shown_while_the_job_is_at_work(db: Database) -> None:
    await add(db, new("a"))
    [job] = await claim(db)

    async with db.transaction() as tx:
        assert await Jobs(db).note_round(tx, job.lease, 2)

    assert (await get(db, job.id)).round == 2


async def test_a_job_that_asks_a_person_is_finished_by_the_answer(db: Database) -> None:
    await add(db, new("a"))
    [job] = await claim(db)

    async with db.transaction() as tx:
        assert await Jobs(db).ask(tx, job.lease, NOW)

    assert (await get(db, job.id)).status is JobStatus.AWAITING_REVIEW
    assert await rescue(db, EXPIRED * 2) == []
    assert (await act(db, job.id, Action.FINISH, NOW + 1)).finished_at == NOW + 1


async def test_a_paused_job_waits_until_it_is_resumed(db: Database) -> None:
    [added] = await add(db, new("a"))
    await act(db, added.job_id, Action.PAUSE)

    assert await claim(db) == []
    await act(db, added.job_id, Action.RESUME)
    assert [job.id for job in await claim(db)] == [added.job_id]


@pytest.mark.parametrize("action", [Action.PAUSE, Action.SKIP])
async def test_a_job_taken_from_its_worker_accepts_nothing_of_it(
    db: Database, action: Action
) -> None:
    await add(db, new("a"))
    [job] = await claim(db)

    await act(db, job.id, action)

    assert await finish(db, job.lease) == []
    await act(db, job.id, Action.RESUME)
    assert await finish(db, job.lease) == []


async def test_a_job_that_is_queued_again_starts_anew(db: Database) -> None:
    await add(db, new("a", max_attempts=1))
    [job] = await claim(db)
    await fail(db, job)

    again = await act(db, job.id, Action.REQUEUE, NOW + 7, priority=1, reason="asked for")

    assert (again.status, again.attempts, again.due_at) == (JobStatus.QUEUED, 0, NOW + 7)
    assert (again.priority, again.priority_reason, again.finished_at) == (1, "asked for", None)
    assert len(await Jobs(db).errors(job.id)) == 1


async def test_a_job_is_not_queued_again_beside_another_of_its_subject(db: Database) -> None:
    await add(db, new("a"))
    [job] = await claim(db)
    await finish(db, job.lease)
    [twin] = await add(db, new("a"))

    with pytest.raises(SubjectBusy, match=f"q_{twin.job_id:06d}"):
        await act(db, job.id, Action.REQUEUE)

    assert (await get(db, job.id)).status is JobStatus.COMPLETE


async def test_what_is_not_possible_is_refused_in_words(db: Database) -> None:
    [added] = await add(db, new("a"))

    with pytest.raises(TransitionRefused, match="queued cannot resume; possible: claim, pause"):
        await act(db, added.job_id, Action.RESUME)
    with pytest.raises(UsageError, match="lease"):
        await act(db, added.job_id, Action.CLAIM)
    with pytest.raises(UnknownSubject, match="q_000999"):
        await act(db, 999, Action.PAUSE)
    await claim(db)
    with pytest.raises(UsageError, match="lease"):
        await act(db, added.job_id, Action.FINISH)


async def test_a_job_can_be_given_another_priority(db: Database) -> None:
    first, second = await add(db, new("a"), new("b"))

    async with db.transaction() as tx:
        job = await Jobs(db).prioritize(tx, second.job_id, 1, "boss", NOW)

    assert (job.priority, job.priority_reason) == (1, "boss")
    assert [job.id for job in await claim(db)] == [second.job_id, first.job_id]
    async with db.transaction() as tx:
        with pytest.raises(UsageError):
            await Jobs(db).prioritize(tx, first.job_id, 9, "", NOW)
        with pytest.raises(UnknownSubject):
            await Jobs(db).prioritize(tx, 999, 1, "", NOW)


async def test_only_the_latest_job_of_a_subject_becomes_stale(db: Database) -> None:
    for at in (NOW, NOW + 10):
        await add(db, new("a"), now=at)
        [job] = await claim(db, now=at)
        await finish(db, job.lease, now=at)

    async with db.transaction() as tx:
        assert await Jobs(db).age(tx, NOW + 10, NOW + 99) == 0
        assert await Jobs(db).age(tx, NOW + 11, NOW + 99) == 1

    assert (await get(db, job.id)).status is JobStatus.STALE
    assert (await act(db, job.id, Action.REQUEUE, NOW + 99)).status is JobStatus.QUEUED


async def test_old_jobs_become_counts(db: Database) -> None:
    await add(db, *(new(f"k{n}", category="mouse") for n in range(10)))
    for place, job in enumerate(await claim(db)):
        if place < 6:
            await finish(db, job.lease, now=NOW + place)
        else:
            await fail(db, job, now=NOW + place)

    async with db.transaction() as tx:
        removed = await Jobs(db).prune(tx, 2, 1, NOW)
        assert await Jobs(db).prune(tx, 2, 1, NOW) == []

    left = await Jobs(db).list()
    assert [job.key for job in left] == ["k4", "k5", "k9"]
    assert [dict(each.fields) for each in removed] == [
        {"status": "complete", "jobs": 4, "reason": "queue.keep_complete is 2"},
        {"status": "failed", "jobs": 3, "reason": "queue.keep_failed is 1"},
    ]
    assert (await Outbox(db).recent())[-2:] == removed
    assert sorted((one.status, one.jobs) for one in await Jobs(db).summaries()) == [
        (JobStatus.COMPLETE, 4), (JobStatus.FAILED, 3),
    ]  # fmt: skip
    assert [len(await Jobs(db).errors(number)) for number in (7, 8, 9, 10)] == [0, 0, 0, 1]


async def test_jobs_of_a_run_that_is_under_way_are_not_forgotten(db: Database) -> None:
    async with db.transaction() as tx:
        run, _ = await Runs(db).join(tx, {"site": "a"}, NOW)
    await add(db, new("a", run_id=run.id), new("b", run_id=run.id))
    one, _ = await claim(db)
    await finish(db, one.lease)

    async with db.transaction() as tx:
        assert await Jobs(db).prune(tx, 0, 0, NOW) == []
        assert await Jobs(db).clear(tx, JobStatus.COMPLETE, NOW) == 0

    assert await add(db, new("a", run_id=run.id)) == [Added("a", one.id, False)]


async def test_jobs_can_be_cleared_but_not_those_at_work(db: Database) -> None:
    await add(db, *(new(f"k{n}") for n in range(4)))
    one, two = await claim(db, count=2)
    await fail(db, one, now=NOW + 5)

    async with db.transaction() as tx:
        with pytest.raises(UsageError, match="pause or skip"):
            await Jobs(db).clear(tx, JobStatus.IN_PROGRESS, NOW)
        assert await Jobs(db).clear(tx, JobStatus.FAILED, NOW, before=NOW + 5) == 0
        assert await Jobs(db).clear(tx, JobStatus.FAILED, NOW, before=NOW + 6) == 1
        assert await Jobs(db).clear(tx, JobStatus.QUEUED, NOW) == 2

    assert [job.id for job in await Jobs(db).list()] == [two.id]


async def test_a_job_is_found_by_number_key_and_words(db: Database) -> None:
    one, other = await add(db, new("mouse-razer-viper-v3"), new("mouse-razer-cobra"))
    jobs = Jobs(db)

    async def found(words: str) -> list[int]:
        return [job.id for job in await jobs.find(words)]

    assert await found(f"q_{one.job_id:06d}") == [one.job_id]
    assert await found(str(one.job_id)) == [one.job_id]
    assert await found("mouse-razer-cobra") == [other.job_id]
    assert await found("Viper RAZER") == [one.job_id]
    assert await found("razer") == [other.job_id, one.job_id]
    assert await found("q_999999") == await found("nothing") == await found(" ") == []
    assert await found("9" * 30) == await found("50%") == await found("_") == []


async def test_jobs_are_listed_by_what_is_asked_for(db: Database) -> None:
    async with db.transaction() as tx:
        run, _ = await Runs(db).join(tx, {"site": "a"}, NOW)
    await add(
        db, new("a", category="mouse", tags=("flagship", "x")), new("b", category="monitor"),
        new("c", tags=("Flag",)), new("d", run_id=run.id), new("e", kind="page"),
    )  # fmt: skip
    await claim(db, count=1)
    jobs = Jobs(db)

    assert [job.key for job in await jobs.list()] == ["a", "b", "c", "d", "e"]
    assert [job.key for job in await jobs.list(status=JobStatus.IN_PROGRESS)] == ["a"]
    assert [job.key for job in await jobs.list(category="monitor")] == ["b"]
    assert [job.key for job in await jobs.list(tag="flagship")] == ["a"]
    assert [job.key for job in await jobs.list(tag="flag")] == []
    assert [job.key for job in await jobs.list(run_id=run.id)] == ["d"]
    assert [job.key for job in await jobs.list(kind="page")] == ["e"]
    first = await jobs.list(limit=2)
    assert [job.key for job in await jobs.list(limit=2, after=first[-1].id)] == ["c", "d"]


async def test_stats_count_every_state(db: Database) -> None:
    await add(db, *(new(f"k{n}", priority=1 + n % 2) for n in range(8)))
    one, two, _ = await claim(db, count=3)
    await finish(db, one.lease)
    await fail(db, two)
    await act(db, 8, Action.PAUSE)

    stats = await Jobs(db).stats()

    assert {status: n for status, n in stats.by_status().items() if n} == {
        JobStatus.QUEUED: 4, JobStatus.IN_PROGRESS: 1, JobStatus.COMPLETE: 1,
        JobStatus.FAILED: 1, JobStatus.PAUSED: 1,
    }  # fmt: skip
    assert stats.by_priority() == {1: 1, 2: 3, 3: 0, 4: 0, 5: 0}
    assert stats.total == 8


async def test_the_next_due_job_is_known(db: Database) -> None:
    jobs = Jobs(db)
    assert await jobs.next_due(PRODUCT) is None

    await add(db, new("a", due_at=NOW + 50, priority=1), new("b", due_at=NOW + 20))
    await add(db, new("c", kind="page", due_at=NOW + 1))

    assert await jobs.next_due(PRODUCT) == NOW + 20
    assert await jobs.due(NOW + 20, PRODUCT) == 1
    assert await jobs.due(NOW + 20, ("product", "page")) == 2


async def test_every_transition_is_told_in_one_row_per_call(db: Database) -> None:
    await add(db, new("a"), new("b"), new("c"))
    one, two, three = await claim(db)
    await finish(db, one.lease, two.lease)
    async with db.transaction() as tx:
        await Jobs(db).retry(tx, three.lease, error(three), NOW)

    batches = await Outbox(db).undelivered("log")

    assert [[one.name for one in batch.events] for batch in batches] == [
        ["job.added"], ["job.claimed"], ["job.finished"], ["job.retried"],
    ]  # fmt: skip
    assert batches[0].events[0].fields["job_ids"] == [one.id, two.id, three.id]
    assert batches[1].events[0].fields["worker"] == "w1"
    assert batches[2].events[0].fields["job_ids"] == [one.id, two.id]


async def test_nothing_is_told_of_what_did_not_happen(db: Database) -> None:
    await claim(db)
    await finish(db, Lease(1, 1))
    await rescue(db, EXPIRED)
    with pytest.raises(UsageError):
        await add(db, *(new(f"k{n}") for n in range(1500)), new("wrong", priority=9))

    assert await told(db) == []
    assert (await Jobs(db).stats()).total == 0


async def test_exported_jobs_come_back_as_they_were_and_only_once(db: Database) -> None:
    await add(db, new("a", tags=("x",)), new("b"), new("c"))
    one, two, _ = await claim(db)
    await finish(db, one.lease)
    await fail(db, two)
    exported = await Jobs(db).list()
    async with db.transaction() as tx:
        for status in (JobStatus.COMPLETE, JobStatus.FAILED):
            await Jobs(db).clear(tx, status, NOW)

    async with db.transaction() as tx:
        first = await Jobs(db).restore(tx, exported, NOW + 5)
        again = await Jobs(db).restore(tx, exported, NOW + 9)

    assert [added.is_new for added in first] == [True, True, False]
    assert [added.is_new for added in again] == [False] * 3
    assert [added.job_id for added in again] == [added.job_id for added in first]
    back = await get(db, first[0].job_id)
    assert (back.status, back.tags, back.finished_at) == (JobStatus.COMPLETE, ("x",), NOW)
    assert (await get(db, first[1].job_id)).last_error == "timeout!"


async def test_a_run_that_is_not_there_takes_no_jobs(db: Database) -> None:
    with pytest.raises(RunClosed, match="run 77"):
        await add(db, new("a", run_id=77))


async def test_one_waiting_job_is_brought_forward(db: Database) -> None:
    later = NOW + 60_000
    await add(
        db, new(kind="proxies", due_at=later), new("b", kind="proxies", due_at=later), new("a")
    )

    async with db.transaction() as tx:
        hastened = await Jobs(db).hasten_one(tx, JobKind.PROXIES, "a", NOW)
        again = await Jobs(db).hasten_one(tx, JobKind.PROXIES, "a", NOW)

    jobs = await Jobs(db).list(kind="proxies")
    assert (hastened, again) == (True, False)
    assert {job.key: job.due_at for job in jobs} == {"a": NOW, "b": later}


async def test_counts_are_those_of_the_jobs_whatever_became_of_them(db: Database) -> None:
    jobs = Jobs(db)
    added = await add(db, *(new(f"k{n}", priority=1 + n % 5, tags=("t",)) for n in range(12)))
    first, second, third, *rest = await claim(db, 6)
    await finish(db, first.lease, *(job.lease for job in rest))
    await fail(db, second)
    await act(db, third.id, "pause")
    async with db.transaction() as tx:
        await jobs.prioritize(tx, added[11].job_id, 1, "now", NOW)
        await jobs.prune(tx, 2, 0, NOW + 1)
    for _ in range(130):  # more changes than are kept apart
        [waiting] = await claim(db, 1)
        async with db.transaction() as tx:
            await jobs.release(tx, [waiting.lease], NOW)
    async with db.transaction() as tx:
        await jobs.sum_counts(tx)

    kept = await jobs.list(limit=1000)
    counted = {(c.status, c.kind, c.priority): c.jobs for c in (await jobs.stats()).counts}
    assert counted == Counter((job.status, job.kind, job.priority) for job in kept)
    assert [job.id for job in await jobs.list(tag="t", limit=1000)] == [job.id for job in kept]
    assert len(await db.fetch("count_jobs")) <= len(kept)


async def test_jobs_of_a_key_are_found_in_and_out_of_runs(db: Database) -> None:
    async with db.transaction() as tx:
        run, _ = await Runs(db).join(tx, {"site": "a"}, NOW)
    await add(db, new("k"), new("k", kind="page"), new("k", run_id=run.id), new("other"))
    [done, *_] = await claim(db, 1)
    await finish(db, done.lease)
    await add(db, new("k"))

    found = await Jobs(db).find("k")

    assert [job.key for job in found] == ["k"] * 4
    assert sorted({job.status for job in found}) == ["complete", "queued"]
