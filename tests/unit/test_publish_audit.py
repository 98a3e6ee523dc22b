"""Published values are proven again, from the stored pages alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from specfactory.adapters.sqlite.database import SqliteDatabase
from specfactory.model import (
    Agreement,
    Decision,
    DecisionAction,
    FieldResult,
    ReviewKind,
    UnknownReason,
    Weighed,
)
from specfactory.proof import PageViews
from specfactory.publish import audit, load_cited_pages, with_passage
from specfactory.store import Pages
from specfactory.store.base.codec import compress
from tests.sample import (
    CONTRACT,
    FACTORY,
    LAB,
    candidate,
    factory_page,
    known,
    lab_page,
    sample_fields,
    sample_record,
    unknown,
)

Shelved = dict[str, PageViews]


def shelf(factory: bytes = FACTORY, lab: bytes = LAB) -> Shelved:
    return {"page_factory": factory_page(factory), "page_lab": lab_page(lab)}


def decision(value: object, at: int = 1_770_892_400_000, undone: int | None = None) -> Decision:
    return Decision(
        1, ReviewKind.FIELD, "mouse-razer-viper", "weight", DecisionAction.OVERRIDE, value,
        "weighed it", "eve", at, undone,
    )  # fmt: skip


OVERRIDE = FieldResult("weight", 55, 1.0, Agreement.OVERRIDE)


def test_what_stands_on_its_pages_is_proven() -> None:
    assert audit(sample_record(), CONTRACT, shelf().get) == []


def test_one_corrupted_digit_names_the_value() -> None:
    damaged = FACTORY.replace(b"54 g", b"64 g")

    [failure] = audit(sample_record(), CONTRACT, shelf(damaged).get)

    assert str(failure) == (
        "mouse-razer-viper 1.0.3: weight = 54 "
        "[page_factory https://www.razer.com/viper-v3-pro]: "
        "quote '54 g' does not stand at its place"
    )


def test_a_hard_id_is_proven_like_any_value() -> None:
    record, proof = (
        sample_record(),
        candidate(factory_page(), "weight", 54, "Weight", "54 g").evidence,
    )
    ids = {"hard_ids": {"mpn": "54 g"}, "id_evidence": {"mpn": proof}}
    proven = replace(record, identity=replace(record.identity, **ids))
    wrong = replace(proven.identity, hard_ids={"mpn": "RZ01"})

    assert audit(proven, CONTRACT, shelf().get) == []
    [failure] = audit(replace(proven, identity=wrong), CONTRACT, shelf().get)
    assert failure.field == "hard_ids.mpn"


def test_a_value_listed_beside_the_chosen_one_is_proven_too() -> None:
    damaged = LAB.replace(b"0.3 ms", b"0.4 ms")

    [failure] = audit(sample_record(), CONTRACT, shelf(lab=damaged).get)

    assert (failure.field, failure.value, failure.page_id) == ("click_latency", 0.3, "page_lab")


def test_a_value_that_its_quote_does_not_give_is_named() -> None:
    wrong = candidate(factory_page(), "weight", 64, "Weight", "54 g")
    record = sample_record({"weight": known((64, (wrong,)), agreement=Agreement.SINGLE)})

    [failure] = audit(record, CONTRACT, shelf().get)

    assert "does not derive" in failure.problem


def test_a_value_published_beside_its_proof_is_named() -> None:
    changed = replace(sample_fields()["weight"], value=60)

    [failure] = audit(sample_record({"weight": changed}), CONTRACT, shelf().get)

    assert (failure.value, failure.problem) == (60, "the cited quote stands for 54")


def test_a_label_of_another_field_proves_nothing() -> None:
    views = factory_page(FACTORY.replace(b"Weight", b"Cord"))
    misnamed = candidate(views, "weight", 54, "Cord", "54 g")
    record = sample_record({"weight": known((54, (misnamed,)), agreement=Agreement.SINGLE)})

    [failure] = audit(record, CONTRACT, {"page_factory": views}.get)

    assert failure.problem == "label 'Cord' does not name weight"


def test_a_page_that_is_not_stored_proves_nothing() -> None:
    failures = audit(sample_record(), CONTRACT, lambda _: None)

    assert {f.field for f in failures} == {"weight", "sensor", "click_latency"}
    assert {f.problem for f in failures} == {"its page is not in the store"}


def test_a_proposed_value_is_proven_too() -> None:
    weight = candidate(factory_page(), "weight", 54, "Weight", "54 g")
    waiting = unknown(
        "weight", UnknownReason.AWAITING_REVIEW, weighed=(Weighed(54, 1.0, (weight,)),)
    )

    [failure] = audit(
        sample_record({"weight": waiting}), CONTRACT, shelf(FACTORY.replace(b"54", b"55")).get
    )

    assert failure.field == "weight"


def test_the_words_between_label_and_value_must_stand_as_shown() -> None:
    views = factory_page()
    weight = with_passage(candidate(views, "weight", 54, "Weight", "54 g"), views)
    assert weight.evidence.passage is not None
    forged = replace(weight.evidence.passage, quote="Weight\t54 g!")
    weight = replace(weight, evidence=replace(weight.evidence, passage=forged))
    record = sample_record({"weight": known((54, (weight,)), agreement=Agreement.SINGLE)})

    [failure] = audit(record, CONTRACT, shelf().get)

    assert "54 g!" in failure.problem


@pytest.mark.parametrize(
    ("decisions", "proven"),
    [
        ([decision(55)], True),
        ({"weight": decision(55)}, True),
        ([decision(55, undone=1_770_999_999_999)], True),  # undone after it was published
        ([decision(55, undone=1_770_892_450_000)], False),
        ([decision(55, at=1_770_999_999_999)], False),
        ([decision(56)], False),
        ([replace(decision(55), action=DecisionAction.REJECT)], False),
        ([replace(decision(55), field="sensor")], False),
        ([], False),
    ],
)
def test_an_override_is_proven_by_the_decision_that_held(decisions: object, proven: bool) -> None:
    failures = audit(sample_record({"weight": OVERRIDE}), CONTRACT, shelf().get, decisions)  # type: ignore[arg-type]

    assert [f.problem for f in failures] == (
        [] if proven else ["no page is cited and no decision signs it"]
    )


# --- out of the store ----------------------------------------------------------------


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    database = SqliteDatabase("sqlite:///:memory:")
    await database.migrate()
    stored = Pages(database)
    async with database.transaction() as tx:
        await stored.save(tx, factory_page().page, FACTORY)
        await stored.save(tx, lab_page().page, LAB)
    yield stored
    await database.close()


async def overwrite(pages: Pages, old: bytes, new: bytes) -> None:
    packed, page = compress(FACTORY.replace(old, new)), factory_page().page

    def change(raw: object) -> None:
        raw.execute(  # type: ignore[attr-defined]
            "UPDATE bodies SET body = ? WHERE content_hash = ?", (packed, page.content_hash)
        )

    await pages._db._writer.run(change, "damage")  # type: ignore[attr-defined]


async def test_stored_pages_prove_their_record(pages: Pages) -> None:
    shelf = await load_cited_pages(pages, sample_record())

    assert shelf.problems == {}
    assert audit(sample_record(), CONTRACT, shelf.views_of, (), shelf.problems) == []


async def test_a_damaged_page_fails_by_its_hash_and_names_only_the_value_it_touched(
    pages: Pages,
) -> None:
    await overwrite(pages, b"54 g", b"64 g")

    shelf = await load_cited_pages(pages, sample_record())
    page, value = audit(sample_record(), CONTRACT, shelf.views_of, (), shelf.problems)

    assert (page.field, page.page_id) == ("", "page_factory")
    assert "the stored bytes have the hash" in str(page)
    assert (value.field, value.value) == ("weight", 54)


async def test_damage_that_touches_no_value_is_found_by_the_hash(pages: Pages) -> None:
    await overwrite(pages, b"<title>Viper", b"<title>Wiper")

    shelf = await load_cited_pages(pages, sample_record())
    [page] = audit(sample_record(), CONTRACT, shelf.views_of, (), shelf.problems)

    assert page.page_id == "page_factory"


async def test_a_page_that_was_never_stored_is_named(pages: Pages) -> None:
    views = factory_page()
    stray = candidate(views, "weight", 54, "Weight", "54 g")
    stray = replace(stray, evidence=replace(stray.evidence, page_id="page_stray"))
    record = sample_record({"weight": known((54, (stray,)), agreement=Agreement.SINGLE)})

    shelf = await load_cited_pages(pages, record)

    assert shelf.problems == {"page_stray": "no page 'page_stray'"}
