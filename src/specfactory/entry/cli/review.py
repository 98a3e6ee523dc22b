"""``spec review``: what the factory asks a person, and the answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.output import (
    host_of,
    moment,
    print_json,
    print_line,
    print_table,
    shorten,
    shown,
)
from specfactory.entry.cli.session import (
    AsJson,
    find_product,
    open_factory,
    perform,
    settings_from,
)

if TYPE_CHECKING:
    from specfactory.model import Decision, Product, Review
    from specfactory.orchestrate import Workbench
    from specfactory.review import Choice, GridRow, ReviewDesk
    from specfactory.settings import Settings

app = typer.Typer(help="Answer what the factory could not settle.")

Target = Annotated[
    str, typer.Argument(metavar="QUESTION", help="Number of a question, or a PRODUCT.")
]
FieldName = Annotated[
    str | None,
    typer.Argument(metavar="FIELD", help="With a PRODUCT: the field; none is its identity."),
]
Reason = Annotated[str, typer.Option("--reason", help="Why; kept with the answer.")]
Actor = Annotated[
    str, typer.Option("--by", metavar="WHO", help="Who answers; your login name without it.")
]

LONGEST_NUMBER = 18  # digits; a database counts no further

Answer = Callable[["ReviewDesk", "Product", "str | None"], Awaitable["Decision"]]


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
        print_json([_review_json(review) for review in reviews])
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
                "question": _review_json(review) if review else None,
                "fields": [_row_json(row) for row in rows],
            }
        )
        return
    if review is not None:
        state = "open" if review.closed_at is None else f"answered {moment(review.closed_at)}"
        print_line(f"question {review.id}, {review.subject}, {state}: {review.reason}")
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
        desk = _desk(factory)
        if field is None and is_number(target):
            review = await desk.review(int(target))
            if review.field is None or review.kind is ReviewKind.TEMPLATE:
                return review, []
            return review, await desk.show(review.subject, review.field)
        product = await find_product(factory, target)
        return None, await desk.show(product.id, field)


def is_number(target: str) -> bool:
    """Whether this is the number of a question or an answer, not words for a product."""
    return target.isdecimal() and len(target) <= LONGEST_NUMBER


def _desk(factory: Workbench, actor: str = "") -> ReviewDesk:
    from specfactory.review import ReviewDesk

    return ReviewDesk(factory.database, factory.clock, actor)


def _print_row(row: GridRow) -> None:
    print_line()
    state = row.unknown_reason.value if row.unknown_reason else f"confidence {row.confidence:.2f}"
    print_line(f"{row.field}: {shown(row.value)} ({state})")
    for question in row.questions:
        print_line(f"  why: {question}")
    if row.decision is not None:
        print_line(f"  decided: {_told(row.decision)}")
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


def _told(decision: Decision) -> str:
    value = "" if decision.value is None else f" {shown(decision.value)}"
    return f"{decision.action.value}{value} by {decision.actor}, {moment(decision.decided_at)}"


@app.command("accept")
def accept_value(
    context: typer.Context,
    target: Target,
    field: FieldName = None,
    reason: Reason = "",
    by: Actor = "",
) -> None:
    """Say that the proposed value is right.

    It is published from now on, whatever later pages say, until you undo it.

    Example: spec review accept 17
    """

    async def accept(desk: ReviewDesk, product: Product, name: str | None) -> Decision:
        return await desk.accept(product.id, name, reason)

    _answer(context, target, field, by, accept)


@app.command("override")
def override_value(
    context: typer.Context,
    target: Target,
    value: Annotated[str, typer.Option("--value", help='The right value: 54, "1.9 oz", yes.')],
    reason: Annotated[str, typer.Option("--reason", help="How you know; kept with the answer.")],
    field: FieldName = None,
    by: Actor = "",
) -> None:
    """Give the right value yourself; it outranks every candidate.

    The contract's type, range and allowed values hold for you too; a bare number is in the
    field's own unit.

    Example: spec review override "viper v3 pro" weight --value 54 --reason "weighed it"
    """
    from specfactory.errors import UsageError

    settings = settings_from(context)

    async def override(desk: ReviewDesk, product: Product, name: str | None) -> Decision:
        if name is None:
            raise UsageError("an identity is accepted or rejected; to override give a FIELD")
        return await desk.override(product.id, name, value, reason, _compiled(settings, product))

    _answer(context, target, field, by, override)


def _compiled(settings: Settings, product: Product) -> Any:
    from pathlib import Path

    from specfactory.contract import compile_contract, find_contract

    return compile_contract(find_contract(product.category, Path(settings.contracts_dir)))


@app.command("reject")
def reject_value(
    context: typer.Context,
    target: Target,
    reason: Annotated[str, typer.Option("--reason", help="What is wrong; kept with the answer.")],
    field: FieldName = None,
    by: Actor = "",
) -> None:
    """Say that the proposed value is wrong.

    This value is not published again; another one may be.

    Example: spec review reject 17 --reason "value of the Mini"
    """

    async def reject(desk: ReviewDesk, product: Product, name: str | None) -> Decision:
        return await desk.reject(product.id, name, reason)

    _answer(context, target, field, by, reject)


@app.command("undo")
def undo_decision(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(metavar="DECISION", help="Number from review history, or a PRODUCT."),
    ],
    field: FieldName = None,
    by: Actor = "",
) -> None:
    """Take an answer back.

    It stays in the history, marked; an earlier answer holds again, else the question is open.

    Example: spec review undo "viper v3 pro" weight
    """
    perform(_undo(settings_from(context), target, field, by))


async def _undo(settings: Settings, target: str, field: str | None, by: str) -> None:
    async with open_factory(settings) as factory:
        desk = _desk(factory, by)
        if field is None and is_number(target):
            decision = await desk.undo_decision(int(target))
        else:
            decision = await desk.undo((await find_product(factory, target)).id, field)
        print_line(f"undone: decision {decision.id}, {_about(decision)}, {_told(decision)}")
        await _publish_again(factory, decision.subject)


def _answer(
    context: typer.Context, target: str, field: str | None, by: str, answer: Answer
) -> None:
    perform(_decide(settings_from(context), target, field, by, answer))


async def _decide(
    settings: Settings, target: str, field: str | None, by: str, answer: Answer
) -> None:
    """Keep the answer, then let it show in the record at once."""
    async with open_factory(settings) as factory:
        product, name = await _in_question(factory, target, field)
        decision = await answer(_desk(factory, by), product, name)
        print_line(f"decision {decision.id}: {_about(decision)}, {_told(decision)}")
        await _publish_again(factory, product.id)


def _about(decision: Decision) -> str:
    return f"{decision.subject} {decision.field or '(identity)'}"


async def _in_question(
    factory: Workbench, target: str, field: str | None
) -> tuple[Product, str | None]:
    if field is None and is_number(target):
        review = await factory.reviews.get(int(target))
        _require_no_template(review)
        return await find_product(factory, review.subject), review.field
    return await find_product(factory, target), field


def _require_no_template(review: Review) -> None:
    from specfactory.errors import UsageError
    from specfactory.model import ReviewKind

    if review.kind is ReviewKind.HOST:
        raise UsageError(
            f"question {review.id} is about host {review.subject}; when its cause is mended, "
            f"see: spec heal history --host {review.subject}, and take the pause back with: "
            "spec heal undo ID"
        )
    if review.kind is ReviewKind.TEMPLATE:
        raise UsageError(
            f"question {review.id} is about template {review.field}; answer it with: "
            f"spec templates approve {review.field}, or reject {review.field} --reason WHY"
        )


async def _publish_again(factory: Workbench, product_id: str) -> None:
    from specfactory.orchestrate.settle import settle_again

    product = await find_product(factory, product_id)
    record = await settle_again(factory, product)
    print_line(f"published version {record.version}" if record else "the record stays as it is")


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
    from specfactory.entry.cli.explain import decision_json, print_decisions

    decisions = perform(_decisions(settings_from(context), product))
    if as_json:
        print_json([decision_json(decision) for decision in decisions])
    else:
        print_decisions(decisions)


async def _decisions(settings: Settings, words: str) -> list[Decision]:
    async with open_factory(settings) as factory:
        return await factory.reviews.history((await find_product(factory, words)).id)


def _review_json(review: Review) -> dict[str, Any]:
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


def _row_json(row: GridRow) -> dict[str, Any]:
    from specfactory.contract import value_to_json
    from specfactory.entry.cli.explain import decision_json

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


def _choice_json(choice: Choice) -> dict[str, Any]:
    from specfactory.contract import value_to_json

    return {
        "value": value_to_json(choice.value),
        "weight": round(choice.weight, 4),
        "tier": choice.tier,
        "sources": list(choice.sources),
        "quote": choice.quote,
        "why": list(choice.reasons),
    }
