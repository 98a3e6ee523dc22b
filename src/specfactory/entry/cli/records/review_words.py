"""How questions and answers are named and shown, for the commands of ``spec review``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import moment, shown

if TYPE_CHECKING:
    from specfactory.model import Decision, Review
    from specfactory.orchestrate import Workbench
    from specfactory.review import GridRow, ReviewChoice, ReviewDesk

Target = Annotated[
    str, typer.Argument(metavar="QUESTION", help="Number of a question, or a PRODUCT.")
]
FieldName = Annotated[
    str | None,
    typer.Argument(metavar="FIELD", help="With a PRODUCT: the field; none is its identity."),
]

LONGEST_NUMBER = 18  # digits; a database counts no further


def is_number(target: str) -> bool:
    """Whether this is the number of a question or an answer, not words for a product."""
    return target.isdecimal() and len(target) <= LONGEST_NUMBER


def open_desk(factory: Workbench, actor: str = "") -> ReviewDesk:
    """Where questions are answered, by whom."""
    from specfactory.review import ReviewDesk

    return ReviewDesk(factory.database, factory.clock, actor)


def decided(decision: Decision) -> str:
    """An answer in words."""
    value = "" if decision.value is None else f" {shown(decision.value)}"
    return f"{decision.action.value}{value} by {decision.actor}, {moment(decision.decided_at)}"


def review_json(review: Review) -> dict[str, Any]:
    """A question for machines."""
    return {
        "review": review.id,
        "kind": review.kind,
        "product_id": review.subject,
        "field": review.field,
        "reason": review.reason,
        "proposed": review.proposed,
        "opened_at": moment(review.opened_at),
        "closed_at": moment(review.closed_at) if review.closed_at else None,
        "run_id": review.attempt_id,
    }


def row_json(row: GridRow) -> dict[str, Any]:
    """A field in question for machines, with all that could be its value."""
    from specfactory.contract import value_to_json
    from specfactory.entry.cli.records.explain import decision_json

    return {
        "field": row.field,
        "value": value_to_json(row.value),
        "confidence": row.confidence,
        "unknown_reason": row.unknown_reason,
        "questions": list(row.questions),
        "review": row.review_id,
        "decision": decision_json(row.decision) if row.decision else None,
        "choices": [_choice_json(choice) for choice in row.choices],
    }


def _choice_json(choice: ReviewChoice) -> dict[str, Any]:
    from specfactory.contract import value_to_json

    return {
        "value": value_to_json(choice.value),
        "weight": round(choice.weight, 4),
        "tier": choice.tier,
        "sources": list(choice.sources),
        "quote": choice.quote,
        "why": list(choice.reasons),
    }
