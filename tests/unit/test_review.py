"""A person answers: kept with who and when, taken back, told to the outbox."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from specfactory.adapters.sqlite.database import SqliteDatabase
from specfactory.contract import compile_contract
from specfactory.errors import UnknownSubject, UsageError
from specfactory.model import (
    Attempt,
    Budget,
    DecisionAction,
    Method,
    Money,
    ReviewKind,
    Tier,
    UnknownReason,
    Value,
    Weighed,
)
from specfactory.ports import Database
from specfactory.review import ReviewDesk, os_user, value_from_words
from specfactory.store import Attempts, Outbox, Products, Records, Reviews
from specfactory.store.products.lessons import Lessons
from specfactory.testing import ManualClock
from tests.sample import (
    CONTRACT,
    PRODUCT,
    candidate,
    factory_page,
    sample_fields,
    sample_record,
    unknown,
)

COMPILED = compile_contract(CONTRACT)
PRICE = candidate(factory_page(), "price", Money(159.99, "USD"), "Price", "$159.99")


@pytest.fixture
async def db() -> AsyncIterator[Database]:
    database = SqliteDatabase("sqlite:///:memory:")
    await database.migrate()
    record = sample_record()
    waiting = unknown(
        "price", UnknownReason.AWAITING_REVIEW, confidence=0.4, flags=("low confidence",),
        weighed=(Weighed(PRICE.value, 1.0, (PRICE,), ("tier1_manufacturer",)),),
    )  # fmt: skip
    record = replace(record, fields={**sample_fields(), "price": waiting})
    async with database.transaction() as tx:
        await Products(database).save(tx, PRODUCT)
        await Attempts(database).start(tx, Attempt(record.attempt_id, PRODUCT.id, Budget(), 1))
        await Records(database).publish(tx, record)
        await Reviews(database).open(
            tx, kind=ReviewKind.FIELD, subject=PRODUCT.id, field="price",
            reason="low confidence", at=5,
        )  # fmt: skip
    yield database
    await database.close()


@pytest.fixture
def desk(db: Database) -> ReviewDesk:
    return ReviewDesk(db, ManualClock(1000), "eve")


async def told(db: Database) -> list[tuple[str, object, object]]:
    return [(e.name, e.fields["field"], e.fields["actor"]) for e in await Outbox(db).recent(99)]


async def test_the_grid_shows_the_fields_in_question_with_their_choices(desk: ReviewDesk) -> None:
    (price,) = await desk.show(PRODUCT.id)
    (latency,) = await desk.show(PRODUCT.id, "click_latency")

    assert (latency.field, [c.value for c in latency.choices]) == ("click_latency", [0.2, 0.3])
    assert latency.questions == ()  # the labs may differ
    assert (price.value, price.unknown_reason) == (None, "awaiting_review")
    assert (price.choices[0].value, price.choices[0].quote) == (Money(159.99, "USD"), "$159.99")
    assert price.review_id == (await desk.reviews.list_open())[0].id


async def test_one_field_can_be_shown_though_nobody_asked(desk: ReviewDesk) -> None:
    [weight] = await desk.show(PRODUCT.id, "weight")

    assert (weight.field, weight.value, weight.review_id) == ("weight", 54, None)
    assert len(weight.choices[0].sources) == 2


async def test_accepting_takes_the_proposed_value_and_closes_the_question(
    db: Database, desk: ReviewDesk
) -> None:
    decision = await desk.accept(PRODUCT.id, "price", "seen in the shop")

    assert decision.value == {"amount": 159.99, "currency": "USD"}
    assert (decision.action, decision.actor, decision.decided_at) == ("accept", "eve", 1000)
    assert await desk.reviews.list_open(PRODUCT.id) == []
    assert await told(db) == [("review.decided", "price", "eve")]


async def test_an_override_is_read_by_the_contract(db: Database, desk: ReviewDesk) -> None:
    decision = await desk.override(PRODUCT.id, "weight", "1.9 oz", "my scales", COMPILED)

    assert (decision.action, decision.value) == (DecisionAction.OVERRIDE, 54)
    [row] = await desk.show(PRODUCT.id, "weight")
    assert row.decision == decision


async def test_rejecting_keeps_what_was_rejected(desk: ReviewDesk) -> None:
    decision = await desk.reject(PRODUCT.id, "weight", "that is the wired one")

    assert (decision.action, decision.value) == (DecisionAction.REJECT, 54)


async def test_undoing_gives_the_earlier_answer_its_force_back(
    db: Database, desk: ReviewDesk
) -> None:
    earlier = await desk.override(PRODUCT.id, "weight", "55 g", "scales", COMPILED)
    await desk.override(PRODUCT.id, "weight", "56 g", "better scales", COMPILED)

    undone = await ReviewDesk(db, ManualClock(2000), "adam").undo(PRODUCT.id, "weight")

    assert (undone.value, undone.undone_by, undone.undone_at) == (56, "adam", 2000)
    [row] = await desk.show(PRODUCT.id, "weight")
    assert row.decision == earlier
    assert (await told(db))[-1] == ("review.undone", "weight", "adam")
    assert [d.value for d in await desk.reviews.history(PRODUCT.id)] == [55, 56]


async def test_the_identity_is_accepted_without_a_field(desk: ReviewDesk) -> None:
    decision = await desk.accept(PRODUCT.id, None)

    assert (decision.kind, decision.field, decision.value) == (ReviewKind.IDENTITY, None, None)
    assert (await desk.undo(PRODUCT.id, None)).id == decision.id


async def test_what_cannot_be_done_is_refused_and_leaves_no_trace(
    db: Database, desk: ReviewDesk
) -> None:
    with pytest.raises(UsageError, match="no value of encoder_brand to accept"):
        await desk.accept(PRODUCT.id, "encoder_brand")
    with pytest.raises(UsageError, match="no value of encoder_brand to reject"):
        await desk.reject(PRODUCT.id, "encoder_brand")
    with pytest.raises(UsageError, match="needs a reason"):
        await desk.override(PRODUCT.id, "weight", "55 g", " ", COMPILED)
    with pytest.raises(UnknownSubject, match="no field 'wieght'"):
        await desk.override(PRODUCT.id, "wieght", "55 g", "typo", COMPILED)
    with pytest.raises(UnknownSubject, match="no field 'wieght'"):
        await desk.show(PRODUCT.id, "wieght")
    with pytest.raises(UnknownSubject, match="mouse-none"):
        await desk.show("mouse-none")
    with pytest.raises(UsageError, match=f"no decision about weight of {PRODUCT.id}"):
        await desk.undo(PRODUCT.id, "weight")
    assert await desk.reviews.history(PRODUCT.id) == []
    assert await told(db) == []


async def test_a_failed_event_takes_the_decision_back(
    db: Database, desk: ReviewDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(Outbox, "append", fail)

    with pytest.raises(RuntimeError):
        await desk.accept(PRODUCT.id, "price")
    assert await desk.reviews.history(PRODUCT.id) == []
    assert len(await desk.reviews.list_open()) == 1


async def test_without_a_name_the_user_of_the_machine_answers(db: Database) -> None:
    decision = await ReviewDesk(db, ManualClock(1), " ").accept(PRODUCT.id, "price")

    assert decision.actor == os_user() != ""


@pytest.mark.parametrize(
    ("field", "words", "value"),
    [
        ("weight", "54 g", 54),
        ("weight", "54", 54),  # a bare number is in the field's own unit
        ("weight", "0.054 kg", 54),
        ("sensor", " Hero 2 ", "Hero 2"),
        ("cable", "yes", True),
        ("cable", "false", False),
        ("price", "$159.99", Money(159.99, "USD")),
        ("price", '{"amount": 5, "currency": "EUR"}', Money(5, "EUR")),
    ],
)
def test_what_is_typed_becomes_a_value(field: str, words: str, value: Value) -> None:
    assert value_from_words(COMPILED, field, words) == value


@pytest.mark.parametrize(
    ("field", "words", "said"),
    [
        ("weight", "heavy", "'heavy' is no weight"),
        ("weight", "540 g", "outside the range of weight"),
        ("weight", "54 bananas", "'54 bananas' is no weight"),
        ("cable", "perhaps", "'perhaps' is no cable"),
        ("price", "cheap", "'cheap' is no price"),
    ],
)
def test_what_is_no_value_is_refused(field: str, words: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        value_from_words(COMPILED, field, words)


async def test_an_accepted_value_teaches_that_its_voices_were_right(
    db: Database, desk: ReviewDesk
) -> None:
    await desk.accept(PRODUCT.id, "weight")

    assert await Lessons(db).of_category("mouse") == [("weight", 0.9, True)]
    assert await Lessons(db).voices("mouse") == {
        (Tier.MANUFACTURER, Method.TABLE): (1, 0),
        (Tier.LAB, Method.TABLE): (1, 0),
    }


async def test_an_override_teaches_that_we_were_wrong_until_it_is_taken_back(
    db: Database, desk: ReviewDesk
) -> None:
    await desk.override(PRODUCT.id, "weight", "60 g", "my scales", COMPILED)

    assert await Lessons(db).of_category("mouse") == [("weight", 0.9, False)]
    assert await Lessons(db).voices("mouse") == {
        (Tier.MANUFACTURER, Method.TABLE): (0, 1),
        (Tier.LAB, Method.TABLE): (0, 1),
    }
    await desk.undo(PRODUCT.id, "weight")
    assert await Lessons(db).of_category("mouse") == []


async def test_where_sources_may_differ_another_value_is_not_wrong(
    db: Database, desk: ReviewDesk
) -> None:
    await desk.accept(PRODUCT.id, "click_latency")

    assert await Lessons(db).voices("mouse") == {(Tier.MANUFACTURER, Method.TABLE): (1, 0)}


async def test_a_rejected_value_teaches_who_was_wrong_but_not_who_was_right(
    db: Database, desk: ReviewDesk
) -> None:
    await desk.reject(PRODUCT.id, "sensor")

    assert await Lessons(db).of_category("mouse") == [("sensor", 0.9, False)]
    assert await Lessons(db).voices("mouse") == {(Tier.MANUFACTURER, Method.TABLE): (0, 1)}
