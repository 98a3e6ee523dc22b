"""``spec golden``: products whose values a person has verified."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    ProductWords,
    find_product,
    open_factory,
    perform,
    print_json,
    print_line,
    print_table,
    settings_from,
    shown,
)

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract
    from specfactory.model import Json
    from specfactory.orchestrate import Workbench
    from specfactory.publish import Accuracy
    from specfactory.settings import Settings

app = typer.Typer(help="Keep verified values, and measure records against them.")


@app.command("set")
def set_golden(
    context: typer.Context,
    product: ProductWords,
    file: Annotated[
        Path, typer.Option("--file", metavar="FILE", help="JSON or YAML: field and true value.")
    ],
    by: Annotated[
        str, typer.Option("--by", metavar="WHO", help="Who verified; your login name without it.")
    ] = "",
) -> None:
    """Keep the verified values of a product.

    Fields that the file does not name stay as they were; null says that there truly is no value,
    {"any": [1.2, 1.5]} that each of several is right, as where two labs measured.

    Example: spec golden set "viper v3 pro" --file truth.json
    """
    count = perform(_set(settings_from(context), product, _truth(file), by))
    print_line(f"{count} verified values kept; the next spec run measures against them")


def _truth(file: Path) -> dict[str, Any]:
    import yaml

    from specfactory.errors import UsageError

    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(f"cannot read {file}: {problem.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise UsageError(f"{file} is neither JSON nor YAML: {problem}") from None
    if not isinstance(content, dict) or not content:
        raise UsageError(f'{file} holds no fields; write {{"weight": 54}}')
    return {str(name): value for name, value in content.items()}


async def _set(settings: Settings, words: str, truth: dict[str, Any], by: str) -> int:
    from specfactory.review import os_user

    async with open_factory(settings) as factory:
        product = await find_product(factory, words)
        compiled = factory.contract(product.category)
        values = {name: _verified(compiled, name, value) for name, value in truth.items()}
        async with factory.database.transaction() as tx:
            await factory.goldens.set(tx, product.id, values, by or os_user(), factory.clock.now())
        return len(values)


def _verified(compiled: CompiledContract, field: str, value: Any) -> Json:
    """A true value in the contract's own form; words are read by the contract."""
    from specfactory.contract import value_from_json, value_to_json
    from specfactory.entry.cli.records.explain import no_such_field
    from specfactory.errors import UsageError
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


@app.command("list")
def list_goldens(context: typer.Context, as_json: AsJson = False) -> None:
    """List the golden products, with the accuracy of their records.

    Accuracy counts published values only; a field without a verified value does not count.

    Example: spec golden list
    """
    rows = perform(_list(settings_from(context)))
    if as_json:
        print_json(rows)
        return
    print_table(
        ("product", "fields", "accuracy"),
        ((row["product_id"], row["fields"], _percent(row["accuracy"])) for row in rows),
        empty="no golden products yet; see: spec golden set --help",
    )


def _percent(share: float | None) -> str:
    return "no record" if share is None else f"{share:.1%}"


async def _list(settings: Settings) -> list[dict[str, Any]]:
    async with open_factory(settings) as factory:
        return [await _summary(factory, each) for each in await factory.goldens.list()]


async def _summary(factory: Workbench, product_id: str) -> dict[str, Any]:
    truth = await factory.goldens.get(product_id)
    measured = await _measure(factory, product_id, truth)
    return {
        "product_id": product_id,
        "fields": len(truth),
        "accuracy": None if measured is None else round(measured.share, 4),
    }


async def _measure(factory: Workbench, product_id: str, truth: dict[str, Json]) -> Accuracy | None:
    from specfactory.publish import accuracy

    record = await factory.records.latest(product_id)
    if record is None:
        return None
    return accuracy(record, truth, factory.contract(record.product.category))


@app.command("show")
def show_golden(context: typer.Context, product: ProductWords, as_json: AsJson = False) -> None:
    """Show the verified values of a product, and where its record differs.

    Wrong is a published value that is not the truth; missing one that was not published.

    Example: spec golden show "viper v3 pro"
    """
    product_id, truth, measured = perform(_show(settings_from(context), product))
    if as_json:
        print_json(_golden_json(product_id, truth, measured))
    else:
        _print_golden(product_id, truth, measured)


async def _show(settings: Settings, words: str) -> tuple[str, dict[str, Json], Accuracy | None]:
    from specfactory.errors import UnknownSubject

    async with open_factory(settings) as factory:
        found = await find_product(factory, words)
        truth = await factory.goldens.get(found.id)
        if not truth:
            raise UnknownSubject("golden product", found.id, "see: spec golden set --help")
        return found.id, truth, await _measure(factory, found.id, truth)


def _print_golden(product_id: str, truth: dict[str, Json], measured: Accuracy | None) -> None:
    from specfactory.publish import verified_values

    wrong = {} if measured is None else {w.field: shown(w.published) for w in measured.wrong}
    missing = set() if measured is None else set(measured.missing)
    share = None if measured is None else measured.share
    print_line(f"{product_id}: {len(truth)} verified values, accuracy {_percent(share)}")
    print_table(
        ("field", "truth", "record"),
        (
            (
                name,
                " or ".join(map(shown, verified_values(value))) or "none",
                f"wrong: {wrong[name]}" if name in wrong else "missing" * (name in missing),
            )
            for name, value in truth.items()
        ),
    )


def _golden_json(
    product_id: str, truth: dict[str, Json], measured: Accuracy | None
) -> dict[str, Any]:
    from specfactory.contract import value_to_json

    return {
        "product_id": product_id,
        "values": truth,
        "accuracy": None if measured is None else round(measured.share, 4),
        "wrong": []
        if measured is None
        else [{"field": w.field, "published": value_to_json(w.published)} for w in measured.wrong],
        "missing": [] if measured is None else list(measured.missing),
    }


@app.command("reliability")
def show_reliability(
    context: typer.Context,
    category: Annotated[str, typer.Argument(metavar="CATEGORY", help="Name of a contract.")],
    as_json: AsJson = False,
) -> None:
    """Show how far the confidence of records can be believed, by golden values and reviews.

    Confidence is calibrated on them as they come in. From the threshold shown on, 99% are
    right; it is the least that is published, once it is known.

    Example: spec golden reliability mouse
    """
    from specfactory.entry.cli.records.reliability import print_reliability, reliability_json

    pairs = perform(_taught(settings_from(context), category))
    if as_json:
        print_json({"category": category, "verified": len(pairs), **reliability_json(pairs)})
        return
    print_line(f"{len(pairs)} verified values of {category}")
    print_reliability(pairs)


async def _taught(settings: Settings, category: str) -> list[tuple[float, bool]]:
    """How sure we were of each verified value, as confidence is calibrated by now."""
    from specfactory.orchestrate.attempts import known_truth
    from specfactory.store.products import Lessons

    async with open_factory(settings) as factory:
        contract = factory.contract(category).contract
        knowledge = await known_truth(factory, contract)
        return [
            (knowledge.calibration.at(contract.fields[name].type, confidence), right)
            for name, confidence, right in await Lessons(factory.database).of_category(category)
            if name in contract.fields
        ]
