"""Variants of a product that names none, as the catalogue knows them."""

from collections.abc import Sequence
from dataclasses import replace

from specfactory.errors import Unreadable
from specfactory.identify import judge_subject, key_of
from specfactory.model import Product, Verdict
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.variant_conflicts import variant_name
from specfactory.orchestrate.pages import read_page_for_product
from specfactory.store import Reading


def known_variants(tally: Tally) -> list[Product]:
    """The catalogue's variants of the same model, where the product leaves the variant open."""
    product = tally.product
    if product.variant:
        return []
    model = key_of(product.model)
    return [one for one in tally.siblings if one.variant and key_of(one.model) == model]


def names_variant(tally: Tally, words: str) -> Product | None:
    """The known variant that a text names."""
    rules = tally.compiled.contract.identity
    for variant in known_variants(tally):
        others = [one for one in tally.siblings if one.id != variant.id]
        if judge_subject(variant, rules, words, others).verdict is Verdict.SAME:
            return variant
    return None


async def take_variants(tally: Tally) -> None:
    """Take the pages about known variants, while no page is about the product alone.

    One variant is then the product; several are asked about like any pages told apart.
    """
    variants = known_variants(tally)
    usable = [r for r in tally.readings.values() if r.identity.verdict.usable]
    if any(not variant_name(reading) for reading in usable):
        tally.readings.update(tally.of_variants)
        tally.of_variants.clear()
        return
    for url, reading in list(tally.readings.items()) if variants else ():
        if reading.identity.verdict.usable or url in tally.of_variants:
            continue
        found = await _read_as_variant(tally, reading, variants)
        if found is not None:
            tally.of_variants[url], tally.readings[url] = reading, found


async def _read_as_variant(
    tally: Tally, reading: Reading, variants: Sequence[Product]
) -> Reading | None:
    bench = tally.bench
    page = await bench.pages.get(reading.page_id)
    body = await bench.pages.body(page)
    for variant in variants:
        others = tuple(one for one in tally.siblings if one.id != variant.id)
        try:
            read = await read_page_for_product(
                bench, tally.compiled, variant, page, body, siblings=others, accept_unsure=False
            )
        except Unreadable:
            return None
        found = read.reading
        if found.identity.verdict is Verdict.SAME:
            reasons = (f"is about the variant {variant.variant}", *found.identity.reasons)
            return replace(
                found, product_id=tally.product.id, variant=tuple(variant.variant.split()),
                identity=replace(found.identity, reasons=reasons),
            )  # fmt: skip
    return None
