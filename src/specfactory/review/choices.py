"""A record for review: the fields in question, with every value found for them."""

from collections.abc import Iterable, Mapping

from specfactory.model import (
    Decision,
    FieldResult,
    Frozen,
    Record,
    Review,
    ReviewKind,
    Tier,
    UnknownReason,
    Value,
)


class ReviewChoice(Frozen):
    """One value that could be accepted, with the best proof for it."""

    value: Value
    weight: float
    sources: tuple[str, ...]  # URLs that say so
    tier: Tier
    quote: str
    reasons: tuple[str, ...]


class GridRow(Frozen):
    """One field in question."""

    field: str
    value: Value | None  # as published; None for an unknown
    confidence: float
    unknown_reason: UnknownReason | None
    questions: tuple[str, ...]  # why a person should look at it
    choices: tuple[ReviewChoice, ...]  # the heaviest first
    review_id: int | None = None
    decision: Decision | None = None  # the answer that holds, if there is one


def grid(
    record: Record,
    reviews: Iterable[Review] = (),
    decisions: Iterable[Decision] = (),
    fields: Iterable[str] | None = None,
) -> list[GridRow]:
    """The fields that a person should look at or has decided; or exactly those asked for."""
    asked = {r.field: r for r in reviews if r.kind is ReviewKind.FIELD and r.field}
    answered = {d.field: d for d in decisions if d.kind is ReviewKind.FIELD and d.field}
    if fields is None:
        questioned = {
            name
            for name, result in record.fields.items()
            if result.flags or result.unknown_reason is UnknownReason.AWAITING_REVIEW
        }
        fields = questioned | asked.keys() | answered.keys()
    wanted = set(fields)
    return [_row(r, asked, answered) for name, r in record.fields.items() if name in wanted]


def _row(
    result: FieldResult, asked: Mapping[str, Review], answered: Mapping[str, Decision]
) -> GridRow:
    review = asked.get(result.field)
    questions = result.flags or ((review.reason,) if review is not None else ())
    choices = []
    for group in result.weighed:
        if group.candidates:
            best = group.candidates[0].evidence
            parts = (best.passage,) if best.passage else best.values
            quote = " … ".join(part.quote for part in parts)
            urls = tuple(dict.fromkeys(one.evidence.url for one in group.candidates))
            choices.append(
                ReviewChoice(group.value, group.weight, urls, best.tier, quote, group.reasons)
            )
    review_id = review.id if review is not None else None
    return GridRow(
        result.field, result.value, result.confidence, result.unknown_reason, questions,
        tuple(choices), review_id, answered.get(result.field),
    )  # fmt: skip
