"""The stores, run against every database."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from specfactory.errors import StoreError, UnknownSubject, UsageError
from specfactory.model import (
    Agreement,
    Attempt,
    AttemptStatus,
    AttemptTrace,
    Budget,
    Candidate,
    Check,
    CheckResult,
    Contract,
    DecisionAction,
    Dropped,
    Encoding,
    Event,
    Evidence,
    Field,
    FieldResult,
    FieldType,
    Identity,
    Level,
    Method,
    Money,
    Outcome,
    Page,
    Product,
    Record,
    ReviewKind,
    Snippet,
    Source,
    SourceYield,
    Spent,
    Tier,
    Tolerance,
    UnknownReason,
    Value,
    Verdict,
    ViewName,
    Weighed,
)
from specfactory.ports import Database
from specfactory.review import open_review
from specfactory.store import (
    Attempts,
    Contracts,
    Goldens,
    Outbox,
    Pages,
    Products,
    Reading,
    Readings,
    Records,
    Reviews,
    SourceVerdict,
    Yields,
)
from specfactory.store.base.codec import compress, pack, unpack
from specfactory.store.products.lessons import GOLDEN, REVIEW, FieldLesson, Lessons

MOUSE = Product("mouse", "Razer", "Viper V3 Pro", "Wireless", {"gtin": "1"}, "mouse-razer-viper")
OTHER = Product("mouse", "Razer", "Cobra", "", {}, "mouse-razer-cobra")
BODY = b"<p>Weight: 54 g</p>" * 50
SAME = Identity(Verdict.SAME, 0.9, ("model tokens agree",), {"mpn": "RZ01"})


@pytest.fixture
async def db(db: Database) -> Database:
    async with db.transaction() as tx:
        await Products(db).save(tx, MOUSE)
    return db


def page(name: str = "p1", url: str = "https://a.example/x", at: int = 10, **more: Any) -> Page:
    return Page(
        name, url, url, "a.example", Tier.LAB, at, more.pop("outcome", Outcome.OK), "200",
        status=200, headers={"etag": '"1"'}, content_hash=hashlib.sha256(BODY).hexdigest(),
        media_type="text/html", size_bytes=len(BODY), timings_ms={"dns": 1.5}, **more,
    )  # fmt: skip


def candidate(field: str, value: Value, page_id: str = "p1") -> Candidate:
    snippet = Snippet(page_id, ViewName.TEXT, 1, 8, 12, "54 g")
    label = Snippet(page_id, ViewName.SOURCE, 1, 0, 6, "Weight", Encoding.JSON)
    evidence = Evidence(
        page_id, "https://a.example/x", Tier.LAB, Method.TABLE, (snippet,), label, 10
    )
    return Candidate(field, value, evidence, "Viper V3 Pro")


def attempt(name: str = "run_1", at: int = 100) -> Attempt:
    return Attempt(name, MOUSE.id, Budget(max_pages=3), at)


def record(attempt_id: str = "run_1", value: Value = 54) -> Record:
    chosen = candidate("weight", value)
    check = CheckResult("plausible", True, ("weight",), "")
    fields = {
        "weight": FieldResult(
            "weight", value, 0.9, Agreement.UNANIMOUS, chosen,
            (Weighed(value, 1.0, (chosen,), ("tier2_lab",)),), (check,), reasons=("two agree",),
        ),
        "encoder": FieldResult(
            "encoder", None, unknown_reason=UnknownReason.BUDGET_EXHAUSTED,
            trace=AttemptTrace(2, ("a.example",), 1, 0), flags=("look",),
        ),
    }  # fmt: skip
    spent = Spent(2, 5, {"m": 1}, {"m": (10, 2)}, 0.01, 1.5, 2)
    return Record(MOUSE, 0, attempt_id, 200, "1.0.0", "d1", SAME, fields, spent, 1, 0.99)


async def save_page(db: Database, stored: Page, body: bytes = BODY) -> None:
    async with db.transaction() as tx:
        await Pages(db).save(tx, stored, body)


async def start(db: Database, started: Attempt) -> None:
    async with db.transaction() as tx:
        await Attempts(db).start(tx, started)


async def finish(db: Database, finished: Attempt, trace: Any = None) -> None:
    async with db.transaction() as tx:
        await Attempts(db).finish(tx, finished, trace)


async def publish(db: Database, published: Record) -> Record:
    async with db.transaction() as tx:
        return await Records(db).publish(tx, published)


# --- products ------------------------------------------------------------------------


async def test_a_product_is_found_by_id_words_in_any_order_and_brand(db: Database) -> None:
    products = Products(db)
    async with db.transaction() as tx:
        await products.save(tx, OTHER)

    assert await products.get(MOUSE.id) == MOUSE
    assert await products.find("v3  viper RAZER") == [MOUSE]
    assert await products.find("razer") == [OTHER, MOUSE]
    assert await products.of_brand("mouse", "RAZER") == [OTHER, MOUSE]
    assert await products.list("monitor") == []
    assert await products.list() == [OTHER, MOUSE]


@pytest.mark.parametrize("words", ["100%", "vip_r", "!", "viper v2", "  "])
async def test_words_are_no_patterns(db: Database, words: str) -> None:
    assert await Products(db).find(words) == []


async def test_saving_a_product_again_refreshes_it(db: Database) -> None:
    products = Products(db)
    better = replace(MOUSE, hard_ids={"gtin": "2"})
    async with db.transaction() as tx:
        await products.save(tx, better)

    assert await products.list() == [better]


# --- attempts ------------------------------------------------------------------------


async def test_an_attempt_ends_with_what_it_spent_and_tried(db: Database) -> None:
    done = replace(
        attempt(), status=AttemptStatus.COMPLETE, finished_at=150, accuracy=0.98,
        spent=Spent(2, 4, {"m": 1}, {"m": (5, 6)}, 0.02, 3.5, 1),
    )  # fmt: skip
    await start(db, attempt())
    await finish(db, done, {"a.example": "ok"})

    assert await Attempts(db).get("run_1") == done
    assert await Attempts(db).trace("run_1") == {"a.example": "ok"}


async def test_what_a_crash_left_running_is_interrupted_by_the_next_start(db: Database) -> None:
    await start(db, attempt())
    async with db.transaction() as tx:
        await Attempts(db).note(tx, replace(attempt(), spent=Spent(pages=1)), {"a.example": "ok"})
    await start(db, attempt("run_2", 300))

    latest, crashed = await Attempts(db).list(MOUSE.id)
    assert (latest.id, latest.status) == ("run_2", AttemptStatus.RUNNING)
    assert (crashed.status, crashed.finished_at, crashed.spent.pages) == ("interrupted", 300, 1)
    assert crashed.error == "never finished; run_2 took its place"
    assert await Attempts(db).traces(MOUSE.id) == [("run_1", {"a.example": "ok"}), ("run_2", {})]
    assert await Attempts(db).traces(MOUSE.id, since=200) == [("run_2", {})]


async def test_a_result_that_comes_too_late_is_discarded_with_its_record(db: Database) -> None:
    await start(db, attempt())
    await start(db, attempt("run_2", 300))

    async def late() -> None:
        async with db.transaction() as tx:
            await Records(db).publish(tx, record("run_1"))
            await Attempts(db).finish(tx, replace(attempt(), status=AttemptStatus.COMPLETE))

    with pytest.raises(StoreError, match="its result is discarded"):
        await late()
    assert await Records(db).latest(MOUSE.id) is None


async def test_giving_up_late_is_harmless(db: Database) -> None:
    await start(db, attempt())
    await start(db, attempt("run_2", 300))

    await finish(db, replace(attempt(), status=AttemptStatus.FAILED, error="late"))

    crashed = await Attempts(db).get("run_1")
    assert crashed is not None
    assert crashed.status is AttemptStatus.INTERRUPTED


# --- pages ---------------------------------------------------------------------------


async def test_a_page_comes_back_as_it_was(db: Database) -> None:
    await save_page(db, page())

    stored = await Pages(db).get("p1")
    assert stored == page()
    assert await Pages(db).body(stored) == BODY


async def test_the_same_body_is_stored_once_and_small(db: Database) -> None:
    await save_page(db, page())
    await save_page(db, page("p2", "https://b.example/y"))

    [row] = await db.fetch("get_body", content_hash=page().content_hash)
    assert len(row["body"]) < len(BODY) / 5
    assert await Pages(db).body(await Pages(db).get("p2")) == BODY


async def test_a_later_failure_does_not_hide_the_newest_good_page(db: Database) -> None:
    await save_page(db, page("p1", at=10))
    await save_page(db, page("p2", at=20))
    await save_page(db, page("p3", at=30, outcome=Outcome.TIMEOUT), b"")

    latest = await Pages(db).latest("https://a.example/x")
    assert latest is not None
    assert latest.id == "p2"
    assert await Pages(db).latest("https://a.example/none") is None
    assert await Pages(db).body(await Pages(db).get("p3")) == b""


async def test_a_confirmed_page_says_when(db: Database) -> None:
    await save_page(db, page())
    async with db.transaction() as tx:
        await Pages(db).confirm(tx, "p1", 77)

    assert (await Pages(db).get("p1")).confirmed_at == 77


async def test_a_body_that_is_not_its_hash_is_refused(db: Database) -> None:
    with pytest.raises(StoreError, match="p1 says"):
        await save_page(db, page(), b"something else")


async def test_a_missing_body_and_a_missing_page_are_named(db: Database) -> None:
    with pytest.raises(StoreError, match="the body of page p1"):
        await Pages(db).body(page())
    with pytest.raises(UnknownSubject, match="p9"):
        await Pages(db).get("p9")


async def test_a_damaged_body_is_named(db: Database) -> None:
    packed = bytearray(compress(BODY))
    packed[-1] ^= 1
    async with db.transaction() as tx:
        await tx.execute(
            "save_body", content_hash=page().content_hash, size_bytes=1, body=bytes(packed)
        )

    with pytest.raises(StoreError, match="damaged"):
        await Pages(db).body(page())


# --- readings and records ------------------------------------------------------------


async def test_a_reading_comes_back_as_it_was_and_is_replaced_by_a_second_one(db: Database) -> None:
    dropped = Dropped("dpi", "unit_missing", "no unit", "26000", "p1", "https://a.example/x")
    first = Reading(MOUSE.id, "p1", "d1", SAME, (candidate("weight", 54),), (dropped,))
    second = replace(first, contract_digest="d2", candidates=(candidate("size", (1.5, 2, 3)),))
    await save_page(db, page())
    for reading in (first, second):
        async with db.transaction() as tx:
            await Readings(db).save(tx, reading)
        assert await Readings(db).for_product(MOUSE.id) == [reading]


async def test_only_the_newest_page_of_a_url_speaks(db: Database) -> None:
    urls = {"p1": "https://a.example/x", "p2": "https://a.example/x", "p3": "https://a.example/y"}
    for at, (name, url) in enumerate(urls.items()):
        await save_page(db, page(name, url, at))
        async with db.transaction() as tx:
            await Readings(db).save(tx, Reading(MOUSE.id, name, "d1", SAME))

    assert [r.page_id for r in await Readings(db).for_product(MOUSE.id)] == ["p2", "p3"]


async def test_what_other_hosts_say_of_a_category_comes_once_for_each_address(db: Database) -> None:
    urls = {"p1": "https://a.example/x", "p2": "https://b.example/y", "p3": "https://b.example/y"}
    for at, (name, url) in enumerate(urls.items()):
        await save_page(db, replace(page(name, url, at), host=url.split("/")[2]))
        async with db.transaction() as tx:
            await Readings(db).save(tx, Reading(MOUSE.id, name, "d1", SAME))

    async def elsewhere(host: str, category: str) -> list[tuple[str, str]]:
        found = Readings(db).elsewhere(host, category, limit=9)
        return [(source, reading.page_id) async for source, reading in found]

    assert await elsewhere("a.example", "mouse") == [("b.example", "p3")]
    assert await elsewhere("c.example", "mouse") == [("b.example", "p3"), ("a.example", "p1")]
    assert await elsewhere("c.example", "monitor") == []


async def test_records_are_numbered_and_never_overwritten(db: Database) -> None:
    records = Records(db)
    await start(db, attempt())
    first = await publish(db, record())
    second = await publish(db, record(value=55))

    assert (first.version, second.version) == (1, 2)
    assert await records.latest(MOUSE.id) == second
    assert await records.get(MOUSE.id, 1) == first
    assert await records.get(MOUSE.id, 3) is None
    assert await records.history(MOUSE.id) == [first, second]


async def test_records_are_listed_by_category_and_age(db: Database) -> None:
    await start(db, attempt())
    await publish(db, record())
    await publish(db, record())

    [listed] = [one async for one in Records(db).list()]
    assert (listed.version, listed.filled, listed.total, listed.confidence) == (2, 1, 2, 0.9)
    assert [one async for one in Records(db).list("mouse")] == [listed]
    assert [one async for one in Records(db).list("monitor")] == []
    assert [one.version async for one in Records(db).newest("mouse", since=200)] == [2]
    assert [one async for one in Records(db).newest(since=201)] == []


async def test_records_come_in_pages_and_in_order(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("specfactory.store.products.records._ROWS_AT_ONCE", 2)
    monkeypatch.setattr("specfactory.store.products.records._BODIES_AT_ONCE", 2)
    await start(db, attempt())
    ids = [f"mouse-{number}" for number in range(5)]
    for product_id in reversed(ids):
        product = replace(MOUSE, id=product_id)
        async with db.transaction() as tx:
            await Products(db).save(tx, product)
        await publish(db, replace(record(), product=product))
    records = Records(db)

    assert [one.product_id async for one in records.list()] == ids
    assert [one.product.id async for one in records.newest()] == ids
    assert [one.product_id async for one in records.list(after=ids[1], limit=3)] == ids[2:]
    assert [one.product.id async for one in records.newest(after=ids[0], limit=1)] == ids[1:2]
    assert (await records.count(), await records.count(after=ids[3])) == (5, 1)
    assert await records.count("monitor") == 0


async def test_two_at_once_get_two_versions(db: Database) -> None:
    await start(db, attempt())

    both = await asyncio.gather(publish(db, record()), publish(db, record()))

    assert sorted(r.version for r in both) == [1, 2]


async def test_a_rolled_back_record_leaves_its_number_free(db: Database) -> None:
    await start(db, attempt())

    async def fail() -> None:
        async with db.transaction() as tx:
            await Records(db).publish(tx, record())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    assert (await publish(db, record())).version == 1


async def test_a_record_of_an_unknown_product_is_refused(db: Database) -> None:
    with pytest.raises(StoreError, match="mouse-razer-cobra is not stored"):
        await publish(db, replace(record(), product=OTHER))


async def test_a_contract_comes_back_as_it_was(db: Database) -> None:
    field = Field("weight", FieldType.NUMBER, "body", "g", ("g", "oz"), "oz", {"en": ("Weight",)},
                  Level.REQUIRED, 20, 250.0, {"a": ("b",)}, Tolerance(1.0), (Tier.LAB,),
                  True, "sensor", ("weight",), ("weighs {value}",), "hint")  # fmt: skip
    contract = Contract(
        "mouse", "1.0.0", "Mouse", {"weight": field},
        sources=(Source("a.example", Tier.LAB, groups=("body",)),),
        components={"sensor": {"3950": ("PAW3950",)}},
        checks=(Check("c", "weight > 1", "m"),), digest="d1",
    )  # fmt: skip
    for _ in range(2):
        async with db.transaction() as tx:
            await Contracts(db).save(tx, contract)

    assert await Contracts(db).get("d1") == contract
    assert await Contracts(db).get("d2") is None


# --- reviews -------------------------------------------------------------------------


async def ask(db: Database, reason: str = "low confidence", at: int = 10) -> int:
    async with db.transaction() as tx:
        review = await Reviews(db).open(
            tx, kind=ReviewKind.FIELD, subject=MOUSE.id, field="weight", reason=reason,
            at=at, attempt_id="run_1", proposed=54,
        )  # fmt: skip
    return review.id


async def answer(db: Database, value: Any, at: int = 20, field: str | None = "weight") -> int:
    kind = ReviewKind.FIELD if field else ReviewKind.IDENTITY
    async with db.transaction() as tx:
        decision = await Reviews(db).decide(
            tx, kind=kind, subject=MOUSE.id, field=field, action=DecisionAction.OVERRIDE,
            value=value, reason="weighed it", actor="eve", at=at,
        )  # fmt: skip
    return decision.id


async def undo(db: Database, decision_id: int) -> None:
    async with db.transaction() as tx:
        await Reviews(db).undo(tx, decision_id, actor="adam", at=30)


async def test_asking_again_refreshes_the_open_question(db: Database) -> None:
    assert await ask(db) == await ask(db, "sources differ", at=15)

    [review] = await Reviews(db).list_open()
    assert (review.reason, review.opened_at, review.proposed) == ("sources differ", 10, 54)
    assert await Reviews(db).list_open("another") == []
    assert await Reviews(db).get(review.id) == review


async def test_a_question_is_told_once_however_often_it_is_asked(db: Database) -> None:
    told = []
    for at in (10, 15):
        async with db.transaction() as tx:
            told += await open_review(
                Reviews(db), tx, kind=ReviewKind.FIELD, subject=MOUSE.id, field="weight",
                reason="low confidence", at=at,
            )  # fmt: skip

    assert [(event.name, event.at) for event in told] == [("review.opened", 10)]


async def test_questions_that_change_most_come_first(db: Database) -> None:
    async with db.transaction() as tx:
        for field, worth in (("weight", 0.2), ("length", 1.0), (None, 9.0)):
            kind = ReviewKind.FIELD if field else ReviewKind.IDENTITY
            await Reviews(db).open(
                tx, kind=kind, subject=MOUSE.id, field=field, reason="r", at=10, worth=worth
            )

    assert [r.worth for r in await Reviews(db).list_open()] == [9.0, 1.0, 0.2]


async def test_questions_come_in_pages_by_worth_and_number(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("specfactory.store.products.reviews._ROWS_AT_ONCE", 2)
    async with db.transaction() as tx:
        for number, worth in enumerate((0.2, 1.0, 9.0, 1.0, 0.2)):
            await Reviews(db).open(
                tx, kind=ReviewKind.FIELD, subject=MOUSE.id, field=f"f{number}", reason="r", at=10,
                worth=worth,
            )  # fmt: skip
    whole = await Reviews(db).list_open()

    assert [one async for one in Reviews(db).each_open()] == whole
    for place, question in enumerate(whole, start=1):
        later = [one async for one in Reviews(db).each_open(MOUSE.id, question.id)]
        assert later == whole[place:]
    assert [one async for one in Reviews(db).each_open("another")] == []


async def test_questions_of_a_kind_come_subject_by_subject_while_they_are_answered(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("specfactory.store.products.reviews._ROWS_AT_ONCE", 2)
    reviews, seen = Reviews(db), []
    async with db.transaction() as tx:
        for subject, field in (("b", "x"), ("a", "y"), ("b", "w"), ("a", "x"), ("c", None)):
            kind = ReviewKind.FIELD if field else ReviewKind.IDENTITY
            await reviews.open(tx, kind=kind, subject=subject, field=field, reason="r", at=10)

    async for one in reviews.each_of_kind(ReviewKind.FIELD):
        seen.append((one.subject, one.field))
        async with db.transaction() as tx:
            await reviews.close(tx, one.kind, one.subject, one.field, 20)

    assert seen == [("a", "x"), ("a", "y"), ("b", "w"), ("b", "x")]
    assert [one.kind for one in await reviews.list_open()] == [ReviewKind.IDENTITY]


async def test_an_answer_closes_its_question_and_the_next_one_is_new(db: Database) -> None:
    first = await ask(db)
    await answer(db, 55)

    assert await Reviews(db).list_open() == []
    assert (await Reviews(db).get(first)).closed_at == 20
    assert await ask(db) != first


async def test_the_latest_answer_that_was_not_undone_holds(db: Database) -> None:
    reviews = Reviews(db)
    await answer(db, {"amount": 1.5, "currency": "EUR"})
    second = await answer(db, 56)
    await answer(db, None, field=None)

    assert [d.value for d in await reviews.decisions(MOUSE.id)] == [56, None]
    await undo(db, second)
    assert [d.value for d in await reviews.decisions(MOUSE.id)] == [
        {"amount": 1.5, "currency": "EUR"}, None,
    ]  # fmt: skip
    undone = (await reviews.history(MOUSE.id))[1]
    assert (undone.value, undone.undone_by, undone.undone_at) == (56, "adam", 30)


async def test_undoing_asks_again_unless_an_earlier_answer_stands(db: Database) -> None:
    first = await ask(db)
    earlier, later = await answer(db, 55), await answer(db, 56)

    await undo(db, later)
    assert await Reviews(db).list_open() == []
    await undo(db, earlier)
    assert [review.id for review in await Reviews(db).list_open()] == [first]


async def test_undoing_does_not_double_a_question_that_was_asked_since(db: Database) -> None:
    await ask(db)
    decision = await answer(db, 55)
    newer = await ask(db)

    await undo(db, decision)

    assert [review.id for review in await Reviews(db).list_open()] == [newer]


async def test_undoing_twice_and_unknown_reviews_are_refused(db: Database) -> None:
    decision = await answer(db, 55)
    await undo(db, decision)

    with pytest.raises(UsageError, match="undone before"):
        await undo(db, decision)
    with pytest.raises(UnknownSubject, match="review '9'"):
        await Reviews(db).get(9)


# --- knowledge and events ------------------------------------------------------------


async def test_yields_add_up_per_source(db: Database) -> None:
    yields = Yields(db)
    async with db.transaction() as tx:
        await yields.add(tx, "a.example", "mouse", fields=("weight", "dpi"), seconds=1.5)
        await yields.add(tx, "a.example", "mouse", fields=("weight",), seconds=0.5)
        await yields.add(tx, "b.example", "mouse", failed=True)
        await yields.add(tx, "a.example", "monitor", fields=("size",))

    assert await yields.for_category("mouse") == {
        "a.example": SourceYield("a.example", "mouse", 2, {"weight": 2, "dpi": 1}, 2.0, 0),
        "b.example": SourceYield("b.example", "mouse", 1, {}, 0.0, 1),
    }


async def test_goldens_keep_the_truth_and_who_told_it(db: Database) -> None:
    goldens = Goldens(db)
    async with db.transaction() as tx:
        await goldens.set(tx, MOUSE.id, {"weight": 55, "cable": None}, "eve", 5)
        await goldens.set(tx, MOUSE.id, {"weight": 54}, "eve", 6)
        for _ in range(2):
            await goldens.judge(tx, MOUSE.id, [SourceVerdict("a.example", "weight", False)])

    assert await goldens.get(MOUSE.id) == {"weight": 54, "cable": None}
    assert await goldens.get("another") == {}
    assert await goldens.list() == [MOUSE.id]
    assert await goldens.accuracies("mouse") == {("a.example", "weight"): (0, 1)}
    async with db.transaction() as tx:
        await goldens.clear(tx, MOUSE.id)
    assert await goldens.list() == []


async def test_lessons_count_once_and_can_be_forgotten(db: Database) -> None:
    lessons = Lessons(db)
    shop = (Tier.RETAILER, Method.TABLE)
    async with db.transaction() as tx:
        await lessons.learn(
            tx, MOUSE.id, REVIEW, [FieldLesson("weight", 0.9, False, {shop: (0, 3)})]
        )
        for _ in range(2):
            taught = [
                FieldLesson("weight", 0.8, True, {shop: (2, 1)}),
                FieldLesson("dpi", 0.7, False),
            ]
            await lessons.learn(tx, MOUSE.id, GOLDEN, taught)

    assert await lessons.of_category("mouse") == [("dpi", 0.7, False), ("weight", 0.8, True)]
    assert await lessons.voices("mouse") == {shop: (2, 1)}
    assert await lessons.of_category("monitor") == []
    async with db.transaction() as tx:
        await lessons.forget(tx, MOUSE.id, "weight", GOLDEN)
    assert ("weight", 0.9, False) in await lessons.of_category("mouse")
    assert await lessons.voices("mouse") == {shop: (0, 3)}


async def test_events_wait_until_they_are_delivered(db: Database) -> None:
    outbox = Outbox(db)
    events = [Event("page.read", n, {"host": "a.example", "n": n}) for n in range(5)]
    async with db.transaction() as tx:
        await outbox.append(tx, events[:2])
        await outbox.append(tx, events[2:])
        await outbox.append(tx, [])

    first, second = await outbox.undelivered("a")
    assert (first.events, second.events) == (tuple(events[:2]), tuple(events[2:]))
    async with db.transaction() as tx:
        await outbox.delivered(tx, "a", [first.id], 7)
    assert await outbox.undelivered("a") == [second]
    assert await outbox.undelivered("b") == [first, second]
    assert await outbox.readers() == {"a": 7}
    assert await outbox.recent(4) == events[1:]
    assert await outbox.recent(0) == []


async def test_events_stay_until_every_log_has_received_them(db: Database) -> None:
    outbox, month = Outbox(db), 31 * 86_400_000
    async with db.transaction() as tx:
        await outbox.append(tx, [Event("page.read", 1, {})])
        await outbox.append(tx, [Event("page.read", 2, {})])
        await outbox.join(tx, "b", 1)
    first, second = await outbox.undelivered("a")

    async with db.transaction() as tx:
        await outbox.delivered(tx, "a", [first.id, second.id], 1)
        assert await outbox.prune(tx, 1, 1) == 0
        await outbox.delivered(tx, "b", [first.id], 1)
        assert await outbox.prune(tx, 1, 1) == 1
        assert await outbox.prune(tx, 0, 1) == 0
        assert await outbox.prune(tx, 0, 1 + month) == 1  # "b" is not written any more


async def test_a_log_from_before_logs_had_names_goes_on_where_it_was(db: Database) -> None:
    outbox = Outbox(db)
    async with db.transaction() as tx:
        await outbox.append(tx, [Event("page.read", 1, {})])
    (first,) = await outbox.undelivered("a")
    async with db.transaction() as tx:
        await outbox.delivered(tx, "a", [first.id], 1)
        await outbox.join(tx, "new", 1)
        await outbox.join(tx, "old", 1, continues=True)

    assert await outbox.undelivered("new") == [first]
    assert await outbox.undelivered("old") == []


# --- the coded form ------------------------------------------------------------------

texts = st.text(st.characters(blacklist_categories=()))  # half surrogate pairs too
plain_values = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), texts,
    st.builds(Money, st.floats(allow_nan=False, allow_infinity=False), texts),
)  # fmt: skip
values = st.recursive(plain_values, lambda inner: st.lists(inner, max_size=4).map(tuple))


@given(value=values)
@example(value="half a pair: \ud800")
@example(value=(1, 1.0, True, 2**70))
@settings(max_examples=150, deadline=None)
def test_every_value_comes_back_as_it_was(value: Value) -> None:
    back = unpack(Candidate, pack(candidate("f", value)))

    assert back == candidate("f", value)
    assert repr(back.value) == repr(value)  # 1, 1.0 and True are three values


def test_what_an_older_model_wrote_can_be_read() -> None:
    from specfactory.store.base.codec import build

    older = {"id": "r", "product_id": "p", "budget": {"max_pages": 7}, "started_at": 1, "was": 2}

    assert build(Attempt, older) == Attempt("r", "p", Budget(max_pages=7), 1)
    with pytest.raises(StoreError, match="stored Attempt cannot be read"):
        build(Attempt, {"id": "r"})
