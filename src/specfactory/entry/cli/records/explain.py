"""``spec explain``: how one field came to its value."""

from __future__ import annotations

from functools import partial
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    ProductWords,
    Reply,
    command,
    find_record,
    no_such_field,
    out,
    spec_command,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from specfactory.model import Decision, Dropped, FieldResult, Product, Record
    from specfactory.orchestrate import Workbench
    from specfactory.store import Reading

app = typer.Typer()

QUOTE_WIDTH = 60
DECISIONS = (
    ("decision", lambda d: str(d.decision)),
    ("when", "at"),
    ("who", "by"),
    ("field", lambda d: d.field or "(identity)"),
    "action",
    ("value", lambda d: "" if d.value is None else out.shown(d.value)),
    "reason",
    ("undone", lambda d: d.undone_by or ""),
)


@command(app, "explain")
async def explain_field(
    factory: Workbench,
    product: ProductWords,
    field: Annotated[str, "FIELD", "A field of its contract."],
) -> Reply:
    """Explain a field: every candidate, the dropped ones and why, and how sure we are.

    Candidates come from the stored pages; nothing is fetched.

    Example: spec explain "viper v3 pro" weight
    """
    record = await find_record(factory, product)
    if field not in record.fields:
        raise no_such_field(field, record.fields)
    result = record.fields[field]
    readings = await factory.readings.for_product(record.product.id)
    declared = (await factory.contract_of(record)).fields.get(field)
    dropped = [one for reading in readings for one in reading.dropped if one.field == field]
    left_out = [
        shapes.records.PageLeftOut(
            url=(await factory.pages.get(reading.page_id)).url,
            verdict=reading.identity.verdict,
            why="; ".join(reading.identity.reasons),
        )
        for reading in readings
        if not reading.identity.verdict.usable
    ]
    decisions = await factory.reviews.history(record.product.id)
    standing = [one for one in decisions if one.field == field and one.undone_at is None]
    roles = factory.contract(record.product.category).roles
    is_name = field in roles and roles[field].is_name
    is_asked = result.value is None and declared is not None
    explained = shapes.records.Explanation.of(
        result,
        product_id=record.product.id,
        version=record.version,
        unit=declared.unit if declared else None,
        candidates=[
            shapes.records.WeighedCandidate.of(each, weight=weighed.weight, why=weighed.reasons)
            for weighed in result.weighed
            for each in weighed.candidates
        ],
        dropped=[*dropped, *not_weighed(readings, result, standing, is_name)],
        near_miss=await _near_miss(factory, record, field, readings) if is_asked else None,
        pages_left_out=left_out,
        decisions=[one for one in decisions if one.field == field],
    )
    return Reply(explained, partial(_print, record.product, result))


async def _near_miss(
    factory: Workbench, record: Record, field: str, readings: Sequence[Reading]
) -> shapes.records.NearLabel | None:
    """The label nearest to a field that no page gave a value for."""
    from specfactory.extract.answers import near_misses
    from specfactory.proof import PageViews

    compiled = factory.contract(record.product.category)
    for reading in readings:
        if not reading.identity.verdict.usable or field not in compiled.contract.fields:
            continue
        page = await factory.pages.get(reading.page_id)
        views = PageViews(page, await factory.pages.body(page))
        if miss := near_misses(views, compiled, [field]).get(field):
            return shapes.records.NearLabel(label=miss.label, value=miss.value, url=page.url)
    return None


def not_weighed(
    readings: Sequence[Reading], result: FieldResult, decisions: Sequence[Decision], is_name: bool
) -> Iterator[Dropped]:
    """Candidates of good pages that were not weighed: of another variant, rejected, or newer."""
    from specfactory.model import Dropped
    from specfactory.orchestrate.attempts import tell_apart

    weighed = {candidate.evidence for candidate in result.candidates}
    apart = tell_apart(readings)
    for reading in readings:
        if not reading.identity.verdict.usable:
            continue
        for each in reading.candidates:
            evidence = each.evidence
            if each.field != result.field or evidence in weighed:
                continue
            # Of names a decision is about one, and the others stay.
            decided = any(not is_name or one.value == each.value for one in decisions)
            if reading.page_id in apart:
                why = f"the page {apart[reading.page_id].reasons[0]}"
            elif each.value != result.value and decided:
                why = f"a person's decision stands against {each.value!r}"
            elif each.value != result.value and is_name:
                why = "it does not name the product"
            else:  # a new version may say the same
                why = f"the page was read again ({evidence.method}) after this version was made"
            quote = shapes.records.quote_of(evidence)
            yield Dropped(each.field, "not_weighed", why, quote, evidence.page_id, evidence.url)


def _print(product: Product, result: FieldResult, found: shapes.records.Explanation) -> None:
    out.line(f"{product.name}: {found.field} = {out.shown(result.value, found.unit)}")
    if result.value is None:
        reason = found.unknown_reason or "no reason given"
        tried = ", ".join(result.trace.sources_checked) or "nothing"
        out.line(f"unknown: {reason}; tried: {tried}")
        if miss := found.near_miss:
            said = f"{out.host_of(miss.url)} says `{miss.label}: {out.shorten(miss.value, 40)}`"
            advice = f"contract label {product.category} {found.field} {quote(miss.label)}"
            out.line(f"{said}; add the label? {spec_command()} {advice}")
    else:
        out.line(f"confidence {found.confidence:.2f}, {found.agreement or ''}")
    for reason in found.reasons:
        out.line(f"  {reason}")
    for flag in found.flags:
        out.line(f"  to review: {flag}")
    out.section(
        "Candidates",
        (
            ("value", lambda c: out.shown(c.value, found.unit)),
            "weight",
            ("source", lambda c: out.host_of(c.url)),
            "tier",
            ("method", lambda c: f"{c.method} ({c.model})" if c.model else c.method),
            ("quote", lambda c: out.shorten(c.quote, QUOTE_WIDTH)),
        ),
        found.candidates,
        empty="none",
    )
    for weighed in result.weighed[1:]:
        for reason in weighed.reasons:
            out.line(f"  for {out.shown(weighed.value, found.unit)}: {reason}")
    out.section(
        "Dropped",
        (
            ("quote", lambda d: out.shorten(d.quote, QUOTE_WIDTH)),
            "reason",
            "detail",
            ("source", lambda d: out.host_of(d.url)),
        ),
        found.dropped,
        empty="none",
    )
    out.section("Pages left out", (("page", "url"), "verdict", "why"), found.pages_left_out)
    out.section("Decisions", DECISIONS, found.decisions)
