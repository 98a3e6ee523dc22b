"""``spec review accept``, ``override``, ``reject`` and ``undo``: a person's answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.records.review_words import (
    FieldName,
    Target,
    decided,
    is_number,
    open_desk,
)
from specfactory.entry.cli.terminal import (
    find_product,
    open_factory,
    perform,
    print_line,
    settings_from,
)

if TYPE_CHECKING:
    from specfactory.model import Decision, Product, Review
    from specfactory.orchestrate import Workbench
    from specfactory.review import ReviewDesk
    from specfactory.settings import Settings

app = typer.Typer()

Reason = Annotated[str, typer.Option("--reason", help="Why; kept with the answer.")]
Actor = Annotated[
    str, typer.Option("--by", metavar="WHO", help="Who answers; your login name without it.")
]

Answer = Callable[["ReviewDesk", "Product", "str | None"], Awaitable["Decision"]]


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
        desk = open_desk(factory, by)
        if field is None and is_number(target):
            decision = await desk.undo_decision(int(target))
        else:
            decision = await desk.undo((await find_product(factory, target)).id, field)
        print_line(f"undone: decision {decision.id}, {_about(decision)}, {decided(decision)}")
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
        decision = await answer(open_desk(factory, by), product, name)
        print_line(f"decision {decision.id}: {_about(decision)}, {decided(decision)}")
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
    from specfactory.orchestrate.attempts import settle_again

    product = await find_product(factory, product_id)
    record = await settle_again(factory, product)
    print_line(f"published version {record.version}" if record else "the record stays as it is")
