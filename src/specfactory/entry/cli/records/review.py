"""``spec review``: what the factory asks a person, and the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.records import review_answers
from specfactory.entry.cli.records.review_words import (
    FieldName,
    Target,
    decided,
    is_number,
    open_desk,
    review_json,
    row_json,
)
from specfactory.entry.cli.terminal import (
    AsJson,
    find_product,
    host_of,
    moment,
    open_factory,
    perform,
    print_json,
    print_line,
    print_table,
    print_text,
    settings_from,
    shorten,
    shown,
)

if TYPE_CHECKING:
    from specfactory.model import Decision, Review
    from specfactory.review import GridRow
    from specfactory.settings import Settings

app = typer.Typer(help="Answer what the factory could not settle.")
app.add_typer(review_answers.app)


@app.command("list")
def list_reviews(
    context: typer.Context,
    product: Annotated[
        str | None, typer.Argument(metavar="PRODUCT", help="Only questions about it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the open questions, the oldest first.

    The number in front is what accept, override and reject take.

    Example: spec review list
    """
    reviews = perform(_open_reviews(settings_from(context), product))
    if as_json:
        print_json([review_json(review) for review in reviews])
        return
    print_table(
        ("question", "about", "field", "proposed", "why", "since"),
        (
            (
                str(review.id),
                review.subject,
                review.field or f"({review.kind})",
                _proposed(review),
                review.reason,
                moment(review.opened_at)[:10],
            )
            for review in reviews
        ),
        empty="nothing to review",
    )


async def _open_reviews(settings: Settings, words: str | None) -> list[Review]:
    async with open_factory(settings) as factory:
        subject = None if words is None else (await find_product(factory, words)).id
        return await factory.reviews.list_open(subject)


@app.command("show")
def show_review(
    context: typer.Context, target: Target, field: FieldName = None, as_json: AsJson = False
) -> None:
    """Show a question with every value that could be the answer, and its quotes.

    A PRODUCT without FIELD shows all its fields in question.

    Example: spec review show 17
    """
    review, rows = perform(_show(settings_from(context), target, field))
    if as_json:
        print_json(
            {
                "question": review_json(review) if review else None,
                "fields": [row_json(row) for row in rows],
            }
        )
        return
    if review is not None:
        state = "open" if review.closed_at is None else f"answered {moment(review.closed_at)}"
        print_text(f"question {review.id}, {review.subject}, {state}: {review.reason}")
    for row in rows:
        _print_row(row)
    if not rows and review is None:
        print_line("nothing to review")


def _proposed(review: Review) -> str:
    """The value in question; of a host, what was tried."""
    from specfactory.model import ReviewKind

    if review.kind is ReviewKind.HOST:
        return "tried: " + (", ".join(map(str, review.proposed.get("tried", ()))) or "nothing")
    return "" if review.proposed is None else shorten(shown(review.proposed), 30)


async def _show(
    settings: Settings, target: str, field: str | None
) -> tuple[Review | None, list[GridRow]]:
    from specfactory.model import ReviewKind

    async with open_factory(settings) as factory:
        desk = open_desk(factory)
        if field is None and is_number(target):
            review = await desk.review(int(target))
            if review.field is None or review.kind is ReviewKind.TEMPLATE:
                return review, []
            return review, await desk.show(review.subject, review.field)
        product = await find_product(factory, target)
        return None, await desk.show(product.id, field)


def _print_row(row: GridRow) -> None:
    print_line()
    state = row.unknown_reason.value if row.unknown_reason else f"confidence {row.confidence:.2f}"
    print_line(f"{row.field}: {shown(row.value)} ({state})")
    for question in row.questions:
        print_text(question, indent="  ", mark="why: ")
    if row.decision is not None:
        print_line(f"  decided: {decided(row.decision)}")
    print_table(
        ("value", "weight", "tier", "sources", "quote"),
        (
            (
                shown(choice.value),
                choice.weight,
                choice.tier.value,
                ", ".join(host_of(url) for url in choice.sources),
                shorten(choice.quote, 60),
            )
            for choice in row.choices
        ),
        empty="no candidate",
    )


@app.command("history")
def show_decisions(
    context: typer.Context,
    product: Annotated[
        str, typer.Argument(metavar="PRODUCT", help="Its id, or words that name only it.")
    ],
    as_json: AsJson = False,
) -> None:
    """Show every answer about a product, those taken back too.

    The number in front is what undo takes.

    Example: spec review history "viper v3 pro"
    """
    from specfactory.entry.cli.records.explain import decision_json, print_decisions

    decisions = perform(_decisions(settings_from(context), product))
    if as_json:
        print_json([decision_json(decision) for decision in decisions])
    else:
        print_decisions(decisions)


async def _decisions(settings: Settings, words: str) -> list[Decision]:
    async with open_factory(settings) as factory:
        return await factory.reviews.history((await find_product(factory, words)).id)
