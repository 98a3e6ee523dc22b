"""``spec review``: what the factory asks a person, and the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.records import review_answers
from specfactory.entry.cli.records.explain import DECISIONS
from specfactory.entry.cli.records.review_answers import FieldName, Target, is_number, open_desk
from specfactory.entry.cli.terminal import (
    ProductWords,
    Reply,
    command,
    find_product,
    host_of,
    print_line,
    print_table,
    print_text,
    shorten,
    shown,
)

if TYPE_CHECKING:
    from specfactory.entry.shapes import Question, ReviewShape
    from specfactory.orchestrate import Workbench

app = typer.Typer(help="Answer what the factory could not settle.")
app.add_typer(review_answers.app)

CHOICES = (
    ("value", lambda c: shown(c.value)),
    "weight",
    "tier",
    ("sources", lambda c: ", ".join(map(host_of, c.sources))),
    ("quote", lambda c: shorten(c.quote, 60)),
)


def _proposed(review: ReviewShape) -> str:
    """The value in question; of a host, what was tried."""
    if review.kind == "host":
        return "tried: " + (", ".join(map(str, review.proposed.get("tried", ()))) or "nothing")
    return "" if review.proposed is None else shorten(shown(review.proposed), 30)


REVIEWS = (
    ("question", lambda r: str(r.review)),
    ("about", "product_id"),
    ("field", lambda r: r.field or f"({r.kind})"),
    ("proposed", _proposed),
    ("why", "reason"),
    ("since", lambda r: r.opened_at[:10]),
)


@command(app, "list")
async def list_reviews(
    factory: Workbench,
    product: Annotated[
        str | None, typer.Argument(metavar="PRODUCT", help="Only questions about it.")
    ] = None,
) -> Reply:
    """List the open questions, the oldest first.

    The number in front is what accept, override and reject take.

    Example: spec review list
    """
    from specfactory.entry.shapes import ReviewShape

    subject = None if product is None else (await find_product(factory, product)).id
    found = await factory.reviews.list_open(subject)
    return Reply(ReviewShape.all_of(found), REVIEWS, empty="nothing to review")


@command(app, "show")
async def show_review(factory: Workbench, target: Target, field: FieldName = None) -> Reply:
    """Show a question with every value that could be the answer, and its quotes.

    A PRODUCT without FIELD shows all its fields in question.

    Example: spec review show 17
    """
    from specfactory.entry.shapes import GridRowShape, Question, ReviewShape
    from specfactory.model import ReviewKind

    desk = open_desk(factory)
    if field is None and is_number(target):
        review = await desk.review(int(target))
        about_field = review.field is not None and review.kind is not ReviewKind.TEMPLATE
        rows = await desk.show(review.subject, review.field) if about_field else []
        question = ReviewShape.of(review)
    else:
        rows = await desk.show((await find_product(factory, target)).id, field)
        question = None
    return Reply(Question(question=question, fields=GridRowShape.all_of(rows)), _print)


def _print(found: Question) -> None:
    if review := found.question:
        state = "open" if review.closed_at is None else f"answered {review.closed_at}"
        print_text(f"question {review.review}, {review.product_id}, {state}: {review.reason}")
    elif not found.fields:
        print_line("nothing to review")
    for row in found.fields:
        print_line()
        state = row.unknown_reason or f"confidence {row.confidence:.2f}"
        print_line(f"{row.field}: {shown(row.value)} ({state})")
        for question in row.questions:
            print_text(question, indent="  ", mark="why: ")
        if answer := row.decision:
            value = "" if answer.value is None else f" {shown(answer.value)}"
            print_line(f"  decided: {answer.action}{value} by {answer.by}, {answer.at}")
        print_table(CHOICES, row.choices, empty="no candidate")


@command(app, "history")
async def show_decisions(factory: Workbench, product: ProductWords) -> Reply:
    """Show every answer about a product, those taken back too.

    The number in front is what undo takes.

    Example: spec review history "viper v3 pro"
    """
    from specfactory.entry.shapes import DecisionShape

    found = await factory.reviews.history((await find_product(factory, product)).id)
    return Reply(DecisionShape.all_of(found), DECISIONS, empty="no answers yet")
