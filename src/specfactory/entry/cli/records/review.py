"""``spec review``: what the factory asks a person, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.records.explain import DECISIONS
from specfactory.entry.cli.terminal import (
    LimitOrAll,
    ProductWords,
    Reply,
    RowStream,
    command,
    find_product,
    out,
)
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.model import Decision, Product
    from specfactory.orchestrate import Workbench
    from specfactory.review import ReviewDesk

app = typer.Typer(help="Answer what the factory could not settle.")

Target = Annotated[str, "QUESTION", "Number of a question, or a PRODUCT."]
FieldName = Annotated[str | None, "FIELD", "With a PRODUCT: the field; none is its identity."]
Reason = Annotated[str, "--reason", "Why; kept with the answer."]
Above = Annotated[
    float, "--above SHARE", "With --all-of: the least confidence.", {"min": 0, "max": 1}
]
Actor = Annotated[str, "--by WHO", "Who answers; your login name without it."]

SURE = 0.95  # the least confidence of what is accepted unseen
ACCEPTED_KINDS = ("field", "identity", "template")
LONGEST_NUMBER = 18  # digits; a database counts no further
CHOICES = (
    ("value", lambda c: out.shown(c.value)),
    "weight",
    "tier",
    ("sources", lambda c: ", ".join(map(out.host_of, c.sources))),
    ("quote", lambda c: out.shorten(c.quote, 60)),
)


def _proposed(review: shapes.records.ReviewShape) -> str:
    """The value in question; of a host, what was tried."""
    if review.kind == "host":
        return "tried: " + (", ".join(map(str, review.proposed.get("tried", ()))) or "nothing")
    if review.kind == "identity":
        return " | ".join(one["variant"] for one in review.proposed or ())
    return "" if review.proposed is None else out.shorten(out.shown(review.proposed), 30)


REVIEWS = (
    ("question", lambda r: str(r.review)),
    ("about", "product_id"),
    ("field", lambda r: r.field or f"({r.kind})"),
    ("proposed", _proposed),
    ("worth", lambda r: f"{r.worth:.3g}"),
    ("why", "reason"),
    ("since", lambda r: r.opened_at[:10]),
)


@command(app, "list")
async def list_reviews(
    factory: Workbench,
    product: Annotated[str | None, "PRODUCT", "Only questions about it."] = None,
    limit: LimitOrAll = None,
    after: Annotated[
        int, "--after N", "Only questions that come after this one.", {"min": 0, "max": 2**62}
    ] = 0,
) -> Reply:
    """List the open questions, those whose answers change most published values first.

    The number in front is what accept, override and reject take; worth is the number of
    published values that an answer can be expected to change. Page by page: --limit, and
    --after the last number.

    Example: spec review list --limit 20
    """
    subject = None if product is None else (await find_product(factory, product)).id
    if after:
        await factory.reviews.get(after)  # says so when there is no such question
    rows = (
        shapes.records.ReviewShape.of(one)
        async for one in factory.reviews.each_open(subject, after)
    )
    stream = RowStream(rows, limit, lambda row: row.review)
    return Reply(stream, REVIEWS, empty="nothing to review")


@command(app, "show")
async def show_review(factory: Workbench, target: Target, field: FieldName = None) -> Reply:
    """Show a question with every value that could be the answer, and its quotes.

    A PRODUCT without FIELD shows all its fields in question.

    Example: spec review show 17
    """
    from specfactory.model import ReviewKind

    desk, review = open_desk(factory), None
    if field is None and is_number(target):
        review = await desk.reviews.get(int(target))
        about_field = review.field is not None and review.kind is not ReviewKind.TEMPLATE
        rows = await desk.show(review.subject, review.field) if about_field else []
    else:
        product = await find_product(factory, target)
        about = await desk.reviews.list_open(product.id) if field is None else []
        review = next((one for one in about if one.kind is ReviewKind.IDENTITY), None)
        rows = await desk.show(product.id, field)
    return Reply(shapes.records.Question.of(question=review, fields=rows), _print)


def _print(found: shapes.records.Question) -> None:
    if review := found.question:
        state = "open" if review.closed_at is None else f"answered {review.closed_at}"
        out.text(f"question {review.review}, {review.product_id}, {state}: {review.reason}")
        for one in (review.proposed or ()) if review.kind == "identity" else ():
            out.table((f"pages about {one['variant']}",), [(url,) for url in one["urls"]])
    elif not found.fields:
        out.line("nothing to review")
    for row in found.fields:
        out.line()
        state = row.unknown_reason or f"confidence {row.confidence:.2f}"
        out.line(f"{row.field}: {out.shown(row.value)} ({state})")
        for question in row.questions:
            out.text(question, indent="  ", mark="why: ")
        if answer := row.decision:
            value = "" if answer.value is None else f" {out.shown(answer.value)}"
            out.line(f"  decided: {answer.action}{value} by {answer.by}, {answer.at}")
        out.table(CHOICES, row.choices, empty="no candidate")


@command(app, "history")
async def show_decisions(factory: Workbench, product: ProductWords) -> Reply:
    """Show every answer about a product, those taken back too.

    The number in front is what undo takes.

    Example: spec review history "viper v3 pro"
    """
    found = await factory.reviews.history((await find_product(factory, product)).id)
    return Reply(shapes.records.DecisionShape.all_of(found), DECISIONS, empty="no answers yet")


def is_number(target: str) -> bool:
    """Tell the number of a question or an answer from words for a product."""
    return target.isdecimal() and len(target) <= LONGEST_NUMBER


def open_desk(factory: Workbench, actor: str = "") -> ReviewDesk:
    """Open the desk at which this person answers questions."""
    from specfactory.review import ReviewDesk

    return ReviewDesk(factory.database, factory.clock, actor)


@command(app, "accept")
async def accept_value(
    factory: Workbench,
    target: Annotated[str | None, "QUESTION", "Number of a question, or a PRODUCT."] = None,
    field: FieldName = None,
    all_of: Annotated[
        str | None, "--all-of KIND", "All open questions: field, identity or template."
    ] = None,
    above: Above = SURE,
    reason: Reason = "",
    by: Actor = "",
) -> None:
    """Say that the proposed value is right.

    It is published from now on, whatever later pages say, until you undo it. With --all-of,
    every open question of that kind is accepted whose proposal is at least as sure as --above.

    Example: spec review accept --all-of field --above 0.95 --reason "looked through them"
    """
    if (target is None) == (all_of is None):
        raise UsageError("name one question, a PRODUCT, or --all-of KIND")
    if all_of is not None:
        await _accept_all(factory, all_of, above, reason, by)
    elif target is not None:
        product, name = await _in_question(factory, target, field)
        await _publish(factory, [await open_desk(factory, by).accept(product.id, name, reason)])


async def _accept_all(factory: Workbench, kind: str, above: float, reason: str, by: str) -> None:
    """Accept every open question of a kind that is sure enough; each record is settled once."""
    from specfactory.model import Decision, ReviewKind
    from specfactory.orchestrate.templates import TemplateDesk

    if kind not in ACCEPTED_KINDS:
        raise UsageError(f"--all-of is {kind!r}; allowed: {', '.join(ACCEPTED_KINDS)}")
    desk, templates = open_desk(factory, by), TemplateDesk(factory, by)
    answers, accepted, unsure = list[Decision](), 0, 0  # answers: about one subject
    async for review in factory.reviews.each_of_kind(ReviewKind(kind)):
        if answers and answers[0].subject != review.subject:
            await _publish(factory, answers, named=True)
            answers = []
        if review.confidence < above:
            unsure += 1
            continue
        accepted += 1
        if review.kind is ReviewKind.TEMPLATE and review.field:
            learned = await templates.approve_template(review.field, reason or "approved")
            out.line(f"{learned.name} ({learned.host}) is {learned.status}")
        else:
            answers.append(await desk.accept(review.subject, review.field, reason))
    await _publish(factory, answers, named=True)
    left = f"; {unsure} are less sure than {above:g}" if unsure else ""
    out.line(f"accepted {out.quantity(accepted, 'question')} of kind {kind}{left}")


@command(app, "override")
async def override_value(
    factory: Workbench,
    target: Target,
    value: Annotated[str, "--value", 'The right value: 54, "1.9 oz", yes.'],
    reason: Annotated[str, "--reason", "How you know; kept with the answer."],
    field: FieldName = None,
    by: Actor = "",
) -> None:
    """Give the right value yourself; it outranks every candidate.

    The contract's type, range and allowed values hold for you too; a bare number is in the
    field's own unit. Of an identity, the value is the variant that is meant: "Wireless".

    Example: spec review override "viper v3 pro" weight --value 54 --reason "weighed it"
    """
    product, name = await _in_question(factory, target, field)
    desk = open_desk(factory, by)
    if name is None:
        await _publish(factory, [await desk.choose_variant(product.id, value, reason)])
        return
    compiled = factory.contract(product.category)
    await _publish(factory, [await desk.override(product.id, name, value, reason, compiled)])


@command(app, "reject")
async def reject_value(
    factory: Workbench,
    target: Target,
    reason: Annotated[str, "--reason", "What is wrong; kept with the answer."],
    field: FieldName = None,
    by: Actor = "",
) -> None:
    """Say that the proposed value is wrong.

    This value is not published again; another one may be.

    Example: spec review reject 17 --reason "value of the Mini"
    """
    product, name = await _in_question(factory, target, field)
    await _publish(factory, [await open_desk(factory, by).reject(product.id, name, reason)])


@command(app, "undo")
async def undo_decision(
    factory: Workbench,
    target: Annotated[str, "DECISION", "Number from review history, or a PRODUCT."],
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
    await _publish(factory, [decision], undone=True)


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


async def _publish(
    factory: Workbench, answers: Sequence[Decision], *, undone: bool = False, named: bool = False
) -> None:
    """Say what was decided, then let it show in the records at once, ``named`` or not."""
    from specfactory.orchestrate.attempts import settle_again

    for answer in answers:
        value = "" if answer.value is None else f" {out.shown(answer.value)}"
        decided = f"{answer.action}{value} by {answer.actor}, {shapes.moment(answer.decided_at)}"
        about = f"{answer.subject} {answer.field or '(identity)'}, {decided}"
        out.line(f"{'undone: ' if undone else ''}decision {answer.id}: {about}")
    for subject in dict.fromkeys(answer.subject for answer in answers):
        record = await settle_again(factory, await find_product(factory, subject))
        which = f" of {subject}" if named else ""
        if record:
            out.line(f"published version {record.version}{which}")
        else:
            out.line(f"the record{which} stays as it is")
