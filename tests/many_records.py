"""A database with as many small records, questions and read pages as a test wants."""

from __future__ import annotations

from dataclasses import replace

from specfactory.model import Attempt, Budget, Candidate, FieldResult, Money, ReviewKind
from specfactory.ports import Database, Transaction
from specfactory.store import (
    Attempts,
    Contracts,
    PageReading,
    Pages,
    Products,
    Readings,
    Records,
    Reviews,
)
from tests.sample import CONTRACT, FACTORY, LAB, factory_page, lab_page, sample_record

AT_ONCE = 500  # in a transaction


def product_id(number: int) -> str:
    """The id of one of the products; they are in the order of their numbers."""
    return f"mouse-{number:07}"


async def fill(db: Database, count: int) -> None:
    """Add records whose values are proven by stored pages, a question and a read page each."""
    record, attempt = sample_record(), Attempt("run_20260212_001", product_id(0), Budget(), 1)
    async with db.transaction() as tx:
        await Contracts(db).save(tx, CONTRACT)
        await Products(db).save(tx, replace(record.product, id=product_id(0)))
        await Attempts(db).start(tx, attempt)
        for views, body in ((factory_page(), FACTORY), (lab_page(), LAB)):
            await Pages(db).save(tx, views.page, body)
    for first in range(0, count, AT_ONCE):
        async with db.transaction() as tx:
            for number in range(first, min(first + AT_ONCE, count)):
                await _add(db, tx, number)


async def _add(db: Database, tx: Transaction, number: int) -> None:
    record = sample_record()
    product = replace(record.product, id=product_id(number), model=f"Viper {number}")
    await Products(db).save(tx, product)
    await Records(db).publish(tx, replace(record, product=product))
    await Reviews(db).open(
        tx, kind=ReviewKind.FIELD, subject=product.id, field="click_latency", reason="they differ",
        at=number, worth=1.0 + number % 3,
    )  # fmt: skip
    page = factory_page().page
    page = replace(page, id=f"page_{number:07}", url=f"https://shop.example/{number}")
    await Pages(db).save(tx, page, FACTORY)
    values = tuple(_on(page.id, one) for one in record.fields.values() if one.chosen)
    price = replace(values[0], field="price", value=Money(159.99, "USD"))
    reading = PageReading(page.id, "mouse", CONTRACT.digest, (*values, price))
    await Readings(db).save(tx, reading)


def _on(page_id: str, result: FieldResult) -> Candidate:
    assert result.chosen is not None
    evidence = replace(result.chosen.evidence, page_id=page_id)
    return replace(result.chosen, evidence=evidence, likelihood=0.9)
