"""spec demo: the factory at work on a small web of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import perform

if TYPE_CHECKING:
    from specfactory.demo import World
    from specfactory.model import Field, FieldResult, Product, Record
    from specfactory.orchestrate import AttemptResult, Workbench
    from specfactory.settings import Settings

app = typer.Typer()

Seed = Annotated[int, typer.Option(min=0, help="Draws layouts, wording, units and values.")]
Port = Annotated[int, typer.Option(min=0, max=65000, help="First of the ports; 0 takes free ones.")]
Folder = Annotated[Path, typer.Option(help="Where the demo keeps its settings and database.")]
EXAMPLE = "mouse-razer-viper-v3-pro-wireless"
QUOTES_PER_GROUP = 2  # fields shown with their quotes


@app.command()
def web(
    port: Port = 8600,
    faults: Annotated[bool, typer.Option("--faults", help="Let the sites misbehave.")] = False,
    seed: Seed = 7,
    folder: Folder = Path(".demo"),
    relaunch: Annotated[
        list[str] | None,
        typer.Option("--relaunch", metavar="SITE", help="Draw a site in other markup; repeatable."),
    ] = None,
) -> None:
    """Serve the demo web on loopback until Ctrl-C.

    Its settings file is written beside it, so that spec in another terminal finds its sites.

    Example: spec demo web --seed 3
    """
    perform(_web(port, faults, seed, folder, tuple(relaunch or ())))


@app.command("faults")
def list_faults(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List everything that can go wrong on the demo web.

    Those of a site are switched while it is up: POST /faults/SITE/FAULT at its index page.

    Example: spec demo faults --json
    """
    from specfactory.demo.faults import FAULTS
    from specfactory.entry.cli.terminal import print_json, print_table

    if as_json:
        print_json([fault.as_json() for fault in FAULTS])
        return
    print_table(
        ["fault", "strikes", "curable", "diagnosis", "what happens", "ends"],
        [
            [f.name, f.scope, "yes" if f.curable else "no", f.diagnosis, f.what, f.ends]
            for f in FAULTS
        ],
    )


@app.command("run")
def run_demo(
    products: Annotated[int, typer.Option(min=1, max=64, help="How many products.")] = 12,
    port: Port = 8600,
    seed: Seed = 7,
    folder: Folder = Path(".demo"),
) -> None:
    """Make records for some products of the demo web, show them, and audit them.

    Nothing beyond this machine is asked. Each demo starts anew.

    Example: spec demo run --products 3
    """
    raise typer.Exit(perform(_demo(products, port, seed, folder)))


async def _web(
    port: int, faults: bool, seed: int, folder: Path, relaunched: tuple[str, ...]
) -> None:
    import asyncio

    async with _serving(port, seed, folder, faults=faults, relaunched=relaunched) as (
        world,
        running,
    ):
        typer.echo(f"the demo web is up: {running.index_url}  (seed {seed}, Ctrl-C ends it)")
        for site in world.sites:
            typer.echo(f"  {site.tier or 'no source':<20} {site.origin}/  {site.title}")
        typer.echo("in another terminal:")
        typer.echo(
            f"  spec --config {folder / 'specfactory.yaml'} run --category mouse --brand Razer "
            '--model "Viper V3 Pro" --variant Wireless'
        )
        await asyncio.Event().wait()


def _serving(
    port: int, seed: int, folder: Path, *, faults: bool = False, relaunched: tuple[str, ...] = ()
) -> Any:
    """The running demo web, with its settings and truth written into the folder."""
    from contextlib import AsyncExitStack, asynccontextmanager

    from specfactory.demo import build_world, serve, write_truth
    from specfactory.errors import UsageError

    @asynccontextmanager
    async def serving() -> Any:
        world = build_world(seed, port, relaunched=relaunched)
        _require_sites(world, relaunched)
        async with AsyncExitStack() as stack:
            try:
                running = await stack.enter_async_context(serve(world, faults=faults))
            except OSError as taken:
                raise UsageError(_no_ports(world, taken)) from taken
            try:
                write_workspace(running.world, folder)
                write_truth(running.world, folder / "truth.json")
            except OSError as problem:
                raise UsageError(_no_folder(folder, problem)) from problem
            yield running.world, running

    return serving()


def _require_sites(world: World, names: tuple[str, ...]) -> None:
    from specfactory.errors import UnknownSubject

    known = [site.name for site in world.sites]
    for name in names:
        if name not in known:
            raise UnknownSubject("site", name, f"known: {', '.join(known)}")


def _no_ports(world: World, problem: OSError) -> str:
    ports = [site.port for site in world.sites]
    return (
        f"cannot listen on the ports {min(ports)} to {max(ports)}: "
        f"{(problem.strerror or str(problem)).lower()}; take others with --port, 0 for free ones"
    )


def _no_folder(folder: Path, problem: OSError) -> str:
    why = (problem.strerror or str(problem)).lower()
    return f"cannot write into {folder}: {why}; take another place with --folder"


def write_workspace(world: World, folder: Path) -> None:
    """Write the settings that make the factory use this demo web."""
    import yaml

    folder.mkdir(parents=True, exist_ok=True)
    settings = dict(world.settings())
    settings["contract_sources"] = False  # nothing beyond this machine is asked
    settings["database_url"] = f"sqlite:///{folder / 'factory.db'}"
    text = "# Written by `spec demo`: makes the factory use the demo web.\n"
    text += yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    (folder / "specfactory.yaml").write_text(text, encoding="utf-8")


async def _demo(count: int, port: int, seed: int, folder: Path) -> int:
    from specfactory.settings import load

    async with _serving(port, seed, folder) as (world, running):
        _start_anew(folder)
        settings = load(folder / "specfactory.yaml", environment={})
        typer.echo(f"the demo web is up with {len(world.sites)} sites: {running.index_url}\n")
        return await _make_records(settings, world, _choose(world, count), folder)


def _start_anew(folder: Path) -> None:
    for old in folder.glob("factory.db*"):
        old.unlink()


def _choose(world: World, count: int) -> list[Product]:
    """The example first, then products from all over the catalogue."""
    from random import Random

    first = [p for p in world.products if p.id == EXAMPLE]
    rest = [p for p in world.products if p.id != EXAMPLE]
    shuffled = Random(world.seed).sample(rest, len(rest))  # noqa: S311 – repeatable, no secret
    return (first + shuffled)[:count]


async def _make_records(
    settings: Settings, world: World, products: list[Product], folder: Path
) -> int:
    import time

    from specfactory.assembly import open_factory
    from specfactory.entry.cli.records import audit_records
    from specfactory.entry.cli.terminal import Board

    async with open_factory(settings) as bench:
        await _take_truth(bench, world)
        began = time.monotonic()
        board = Board({p.id: p.name for p in products})
        async with board.showing(bench):
            results = await _run_all(bench, products, settings.products_at_once)
        typer.echo(f"\n{len(results)} records in {time.monotonic() - began:.1f} s\n")
        _show_table(products, results)
        _show_quotes(bench, products[0], results[0])
        failures, proven = await audit_records(bench, [r.record for r in results if r.record])
    typer.echo(f"\naudit: {proven} published values proven again from the stored pages")
    for failure in failures:
        typer.echo(f"  NOT PROVEN {failure}")
    _show_next(products[0], folder)
    return 1 if failures or any(r.record is None for r in results) else 0


async def _take_truth(bench: Workbench, world: World) -> None:
    """The demo's truth makes its products golden: accuracy is measured after every attempt."""
    truth = world.golden()
    async with bench.database.transaction() as tx:
        for product in world.products:
            await bench.products.save(tx, product)
            await bench.goldens.set(tx, product.id, truth[product.id], "demo", bench.clock.now())


async def _run_all(bench: Workbench, products: list[Product], at_once: int) -> list[AttemptResult]:
    import asyncio

    from specfactory.orchestrate import run_attempt

    slots = asyncio.Semaphore(at_once)

    async def one(product: Product) -> AttemptResult:
        async with slots:
            return await run_attempt(bench, product)

    return list(await asyncio.gather(*(one(product) for product in products)))


def _show_table(products: list[Product], results: list[AttemptResult]) -> None:
    from specfactory.entry.cli.terminal import print_table

    rows = []
    for product, result in zip(products, results, strict=True):
        fields = list(result.record.fields.values()) if result.record else []
        filled = [r for r in fields if r.value is not None]
        mean = sum(r.confidence for r in filled) / max(len(filled), 1)
        accuracy = result.attempt.accuracy
        rows.append(
            [
                product.name,
                f"{len(filled) / max(len(fields), 1):.0%}",
                f"{mean:.2f}",
                len(fields) - len(filled),
                sum(1 for r in fields if r.flags),
                result.attempt.spent.pages,
                f"{result.attempt.spent.seconds:.1f} s",
                f"{accuracy:.1%}" if accuracy is not None else "",
            ]
        )
    print_table(
        ["product", "coverage", "confidence", "unknown", "to review", "pages", "time", "right"],
        rows,
    )


def _show_quotes(bench: Workbench, product: Product, result: AttemptResult) -> None:
    from specfactory.entry.cli.terminal import (
        host_of,
        print_line,
        print_table,
        shorten,
        shown,
    )
    from specfactory.publish import shown as quoted

    if result.record is None:
        return
    fields = bench.contract(product.category).contract.fields
    print_line()
    print_line(f"{product.name}, some of its fields with the words that prove them:")
    print_table(
        ["field", "value", "confidence", "quote", "source"],
        [
            [
                r.field,
                shorten(shown(r.value, fields[r.field].unit), 26),
                f"{r.confidence:.2f}",
                shorten(quoted(r.chosen.evidence).quote, 46),
                host_of(r.chosen.evidence.url),
            ]
            for r in _some_of_each_group(result.record, fields)
            if r.chosen is not None
        ],
    )


def _some_of_each_group(record: Record, fields: Mapping[str, Field]) -> list[FieldResult]:
    groups: dict[str, list[FieldResult]] = {}
    for name, result in record.fields.items():
        if result.chosen is not None:
            groups.setdefault(fields[name].group, []).append(result)
    return [result for proven in groups.values() for result in proven[:QUOTES_PER_GROUP]]


def _show_next(product: Product, folder: Path) -> None:
    config = folder / "specfactory.yaml"
    typer.echo(
        "\nWhat to try next (spec is .venv/bin/spec):\n"
        f"  spec --config {config} record show {product.id}\n"
        f"  spec --config {config} explain {product.id} weight\n"
        f"  spec --config {config} review list\n"
        f"  spec --config {config} export --format csv --output mice.csv\n"
        "  spec demo web        keeps the demo web up, so that `spec run` can be tried on it\n"
        "  spec init            writes a settings file for your own sites"
    )
