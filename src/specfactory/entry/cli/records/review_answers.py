"""``spec review accept``, ``override``, ``reject`` and ``undo``: a person's answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.terminal import command, find_product, print_line, shown
from specfactory.entry.shapes import moment
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.model import Decision, Product
    from specfactory.orchestrate import Workbench
    from specfactory.review import ReviewDesk

app = typer.Typer()

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


def is_number(target: str) -> bool:
    """Tell the number of a question or an answer from words for a product."""
    return target.isdecimal() and len(target) <= LONGEST_NUMBER


def open_desk(factory: Workbench, actor: str = "") -> ReviewDesk:
    """Open the desk at which this person answers questions."""
    from specfactory.review import ReviewDesk

    return ReviewDesk(factory.database, factory.clock, actor)


@command(app, "accept")
async def accept_value(
    factory: Workbench, target: Target, field: FieldName = None, reason: Reason = "", by: Actor = ""
) -> None:
    """Say that the proposed value is right.

    It is published from now on, whatever later pages say, until you undo it.

    Example: spec review accept 17
    """
    product, name = await _in_question(factory, target, field)
    await _publish(factory, await open_desk(factory, by).accept(product.id, name, reason))


@command(app, "override")
async def override_value(
    factory: Workbench,
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
    product, name = await _in_question(factory, target, field)
    if name is None:
        raise UsageError("an identity is accepted or rejected; to override give a FIELD")
    compiled = factory.contract(product.category)
    desk = open_desk(factory, by)
    await _publish(factory, await desk.override(product.id, name, value, reason, compiled))


@command(app, "reject")
async def reject_value(
    factory: Workbench,
    target: Target,
    reason: Annotated[str, typer.Option("--reason", help="What is wrong; kept with the answer.")],
    field: FieldName = None,
    by: Actor = "",
) -> None:
    """Say that the proposed value is wrong.

    This value is not published again; another one may be.

    Example: spec review reject 17 --reason "value of the Mini"
    """
    product, name = await _in_question(factory, target, field)
    await _publish(factory, await open_desk(factory, by).reject(product.id, name, reason))


@command(app, "undo")
async def undo_decision(
    factory: Workbench,
    target: Annotated[
        str, typer.Argument(metavar="DECISION", help="Number from review history, or a PRODUCT.")
    ],
    field: FieldName = None,
    by: Actor = "",
) -> None:
    """Take an answer back.

    It stays in the history, marked; an earlier answer holds again, else the question is open.

    Example: spec review undo "viper v3 pro" weight
    """
    desk = open_desk(factory, by)
    if field is None and is_number(target):
        decision = await desk.undo_decision(int(target))
    else:
        decision = await desk.undo((await find_product(factory, target)).id, field)
    await _publish(factory, decision, undone=True)


async def _in_question(
    factory: Workbench, target: str, field: str | None
) -> tuple[Product, str | None]:
    """The product and field that an answer is about; None is the product's identity."""
    from specfactory.model import ReviewKind

    if field is not None or not is_number(target):
        return await find_product(factory, target), field
    review = await factory.reviews.get(int(target))
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
    return await find_product(factory, review.subject), review.field


async def _publish(factory: Workbench, answer: Decision, *, undone: bool = False) -> None:
    """Say what was decided, then let it show in the record at once."""
    from specfactory.orchestrate.attempts import settle_again

    value = "" if answer.value is None else f" {shown(answer.value)}"
    decided = f"{answer.action}{value} by {answer.actor}, {moment(answer.decided_at)}"
    about = f"{answer.subject} {answer.field or '(identity)'}, {decided}"
    if undone:
        print_line(f"undone: decision {answer.id}, {about}")
    else:
        print_line(f"decision {answer.id}: {about}")
    record = await settle_again(factory, await find_product(factory, answer.subject))
    print_line(f"published version {record.version}" if record else "the record stays as it is")
