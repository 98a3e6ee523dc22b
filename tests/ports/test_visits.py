"""Visits, run against every database."""

from __future__ import annotations

from dataclasses import replace

from specfactory.model import Outcome, Rung, Visit
from specfactory.observe import CrawlProfiler
from specfactory.ports import Database
from specfactory.store import Visits
from specfactory.testing import ManualClock

FULL = Visit(
    "a.example",
    "https://a.example/x",
    1_000,
    Outcome.OK,
    "200",
    200,
    Rung.BROWSER_PROXY,
    "proxy.example:3128",
    50_000,
    0.75,
    {"dns": 1.5, "ttfb": 30.0},
    "page-1",
)


async def add(db: Database, *visits: Visit) -> None:
    async with db.transaction() as tx:
        for visit in visits:
            await Visits(db).add(tx, visit)


async def test_a_visit_comes_back_as_it_was(db: Database) -> None:
    await add(db, FULL)

    assert await Visits(db).recent("a.example", 5) == [FULL]


async def test_recent_visits_are_those_of_the_host_the_newest_first(db: Database) -> None:
    times = [30, 10, 20, 20]
    visits = [replace(FULL, at=at, page_id=f"p{n}") for n, at in enumerate(times)]
    await add(db, *visits, replace(FULL, host="b.example", at=99))

    recent = await Visits(db).recent("a.example", 3)
    assert [visit.page_id for visit in recent] == ["p0", "p3", "p2"]


async def test_timings_are_of_sampled_visits_since_an_instant(db: Database) -> None:
    unsampled = replace(FULL, at=30, timings_ms={})
    elsewhere = replace(FULL, at=25, host="b.example")
    await add(db, replace(FULL, at=10), replace(FULL, at=20), unsampled, elsewhere)

    assert [visit.at for visit in await Visits(db).timings("a.example", 15)] == [20]
    assert [visit.host for visit in await Visits(db).timings(None, 15)] == [
        "b.example",
        "a.example",
    ]


async def test_an_unread_visit_has_no_confidence(db: Database) -> None:
    await add(db, replace(FULL, confidence=None), replace(FULL, confidence=0.0, at=2_000))

    assert [visit.confidence for visit in await Visits(db).recent("a.example", 5)] == [0.0, None]


async def test_old_visits_are_forgotten(db: Database) -> None:
    await add(db, *(replace(FULL, at=at) for at in (1, 2, 3)))

    async with db.transaction() as tx:
        assert await Visits(db).prune(tx, 3) == 2
    assert [visit.at for visit in await Visits(db).recent("a.example", 5)] == [3]


async def test_endless_evidence_is_cut(db: Database) -> None:
    await add(db, replace(FULL, evidence="x" * 5_000))

    [visit] = await Visits(db).recent("a.example", 1)
    assert len(visit.evidence) == 300


async def test_the_profiler_aggregates_what_was_fetched(db: Database) -> None:
    for number in range(10):
        slow = replace(FULL, at=number, timings_ms={"ttfb": 10.0 * number, "parse": 5.0})
        await add(db, slow, replace(FULL, at=number, host="b.example"))

    profiler = CrawlProfiler(ManualClock(), Visits(db))
    stats = await profiler.get_aggregate_stats(host="a.example", since=5)
    assert (stats["pages"], stats["avg_total"], stats["p50"]) == (5, 75.0, 75.0)
    assert stats["bottlenecks"] == {"ttfb": 1.0}
    assert (await profiler.get_aggregate_stats())["pages"] == 20
