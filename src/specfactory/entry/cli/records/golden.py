"""``spec golden``: products whose values a person has verified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import (
    ProductWords,
    Reply,
    command,
    find_product,
    no_such_field,
    out,
)
from specfactory.errors import UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract
    from specfactory.model import Json
    from specfactory.orchestrate import Workbench
    from specfactory.publish import Accuracy

app = typer.Typer(help="Keep verified values, and measure records against them.")


def _percent(share: float | None) -> str:
    return "no record" if share is None else f"{share:.1%}"


GOLDENS = (("product", "product_id"), "fields", ("accuracy", lambda row: _percent(row.accuracy)))

BINS = (
    ("confidence", lambda b: f"{b.low:.2f}–{b.high:.2f}"),
    "answers",
    ("said", "confidence"),
    ("right", "accuracy"),
)


@command(app, "set")
async def set_golden(
    factory: Workbench,
    product: ProductWords,
    file: Annotated[Path, "--file FILE", "JSON or YAML: field and true value."],
    by: Annotated[str, "--by WHO", "Who verified; your login name without it."] = "",
) -> None:
    """Keep the verified values of a product.

    Fields that the file does not name stay as they were; null says that there truly is no value,
    {"any": [1.2, 1.5]} that each of several is right, as where two labs measured.

    Example: spec golden set "viper v3 pro" --file truth.json
    """
    import yaml

    from specfactory.review import os_user

    try:
        truth = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(f"cannot read {file}: {problem.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise UsageError(f"{file} is neither JSON nor YAML: {problem}") from None
    if not isinstance(truth, dict) or not truth:
        raise UsageError(f'{file} holds no fields; write {{"weight": 54}}')
    found = await find_product(factory, product)
    compiled = factory.contract(found.category)
    values = {str(name): _verified(compiled, str(name), value) for name, value in truth.items()}
    async with factory.database.transaction() as tx:
        await factory.goldens.set(tx, found.id, values, by or os_user(), factory.clock.now())
    out.line(f"{len(values)} verified values kept; the next spec run measures against them")


def _verified(compiled: CompiledContract, field: str, value: Any) -> Json:
    """A true value in the contract's own form; words are read by the contract."""
    from specfactory.contract import value_from_json, value_to_json
    from specfactory.review import value_from_words

    if field not in compiled.contract.fields:
        raise no_such_field(field, compiled.contract.fields)
    if value is None:
        return None
    if isinstance(value, dict) and value.keys() == {"any"} and isinstance(value["any"], list):
        return {"any": [_verified(compiled, field, each) for each in value["any"]]}
    if isinstance(value, str):
        return value_to_json(value_from_words(compiled, field, value))
    try:
        return value_to_json(value_from_json(compiled.contract.fields[field], value))
    except (TypeError, ValueError, KeyError):
        raise UsageError(f"{value!r} is no value of {field}") from None


@command(app, "list")
async def list_goldens(factory: Workbench) -> Reply:
    """List the golden products, with the accuracy of their records.

    Accuracy counts published values only; a field without a verified value does not count.

    Example: spec golden list
    """
    rows = []
    for product_id in await factory.goldens.list():
        truth = await factory.goldens.get(product_id)
        measured = await _measure(factory, product_id, truth)
        accuracy = None if measured is None else round(measured.share, 4)
        rows.append(
            shapes.records.GoldenRow(product_id=product_id, fields=len(truth), accuracy=accuracy)
        )
    return Reply(rows, GOLDENS, empty="no golden products yet; see: spec golden set --help")


async def _measure(factory: Workbench, product_id: str, truth: dict[str, Json]) -> Accuracy | None:
    from specfactory.publish import accuracy

    record = await factory.records.latest(product_id)
    if record is None:
        return None
    return accuracy(record, truth, factory.contract(record.product.category))


@command(app, "show")
async def show_golden(factory: Workbench, product: ProductWords) -> Reply:
    """Show the verified values of a product, and where its record differs.

    Wrong is a published value that is not the truth; missing one that was not published.

    Example: spec golden show "viper v3 pro"
    """
    found = await find_product(factory, product)
    truth = await factory.goldens.get(found.id)
    if not truth:
        raise UnknownSubject("golden product", found.id, "see: spec golden set --help")
    measured = await _measure(factory, found.id, truth)
    golden = shapes.records.GoldenShape.of(
        product_id=found.id,
        values=truth,
        accuracy=None if measured is None else round(measured.share, 4),
        wrong=measured.wrong if measured else (),
        missing=measured.missing if measured else (),
    )
    return Reply(golden, _print)


def _print(golden: shapes.records.GoldenShape) -> None:
    from specfactory.publish import verified_values

    accuracy = _percent(golden.accuracy)
    out.line(f"{golden.product_id}: {len(golden.values)} verified values, accuracy {accuracy}")
    standing = dict.fromkeys(golden.missing, "missing")
    standing |= {each.field: f"wrong: {out.shown(each.published)}" for each in golden.wrong}
    out.table(
        ("field", "truth", "record"),
        (
            (
                name,
                " or ".join(map(out.shown, verified_values(value))) or "none",
                standing.get(name, ""),
            )
            for name, value in golden.values.items()
        ),
    )


@command(app, "reliability")
async def show_reliability(
    factory: Workbench, category: Annotated[str, "CATEGORY", "Name of a contract."]
) -> Reply:
    """Show how far the confidence of records can be believed, by golden values and reviews.

    Confidence is calibrated on them as they come in. From the threshold shown on, 99% are
    right; it is the least that is published, once it is known.

    Example: spec golden reliability mouse
    """
    from specfactory.orchestrate.attempts import known_truth
    from specfactory.store.products import Lessons

    contract = factory.contract(category).contract
    knowledge = await known_truth(factory, contract)
    # Each verified value with the confidence that it would have as it is calibrated by now.
    pairs = [
        (knowledge.calibration.at(contract.fields[name].type, confidence), right)
        for name, confidence, right in await Lessons(factory.database).of_category(category)
        if name in contract.fields
    ]

    def show(found: shapes.records.Reliability) -> None:
        out.line(f"{found.verified} verified values of {found.category}")
        print_reliability(found)

    shape = shapes.records.Reliability.of(
        category=category, verified=len(pairs), **shapes.records.reliability_of(pairs)
    )
    return Reply(shape, show)


def print_reliability(found: shapes.records.Reliability | shapes.records.EvaluationShape) -> None:
    """Print how sure answers were and how many of them were right."""
    out.section("Reliability", BINS, found.reliability, empty="no answers")
    out.line(f"calibration error {found.calibration_error:.3f}")
    if (threshold := found.threshold) is None:
        out.line("no threshold reaches 99% with its bound: too few answers, or too many wrong ones")
    else:
        out.line(
            f"publishing from {threshold.at:.3f} on: {threshold.accuracy:.1%} right "
            f"(at least {threshold.lower_bound:.1%}), coverage {threshold.coverage:.1%}"
        )
