"""spec demo: the factory at work on a small web of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from specfactory.entry.cli.terminal import Reply, command, out
from specfactory.errors import UnknownSubject, UsageError
from specfactory.private_files import make_folder

if TYPE_CHECKING:
    from specfactory.demo import World
    from specfactory.model import Product
    from specfactory.orchestrate import AttemptResult, Workbench
    from specfactory.settings import Settings

app = typer.Typer()
T = TypeVar("T")

Seed = Annotated[int, "--seed", "Draws layouts, wording, units and values.", {"min": 0}]
Port = Annotated[int, "--port", "First of the ports; 0 takes free ones.", {"min": 0, "max": 65000}]
Folder = Annotated[Path, "--folder", "Where the demo keeps its settings and database."]
EXAMPLE = "mouse-razer-viper-v3-pro-wireless"
QUOTES_PER_GROUP = 2  # fields shown with their quotes
RESULTS = ("product", "coverage", "confidence", "unknown", "to review", "pages", "time", "right")
FAULT_COLUMNS = (
    ("fault", "name"),
    ("strikes", "scope"),
    "curable",
    "diagnosis",
    ("what happens", "what"),
    "ends",
)


@command(app, "web")
async def web(
    port: Port = 8600,
    faults: Annotated[bool, "--faults", "Let the sites misbehave."] = False,
    seed: Seed = 7,
    folder: Folder = Path(".demo"),
    relaunch: Annotated[
        list[str] | None, "--relaunch SITE", "Draw a site in other markup; repeatable."
    ] = None,
) -> None:
    """Serve the demo web on loopback until Ctrl-C.

    Its settings file is written beside it, so that spec in another terminal finds its sites.

    Example: spec demo web --seed 3
    """
    import asyncio

    relaunched = tuple(relaunch or ())
    async with _serving(port, seed, folder, faults=faults, relaunched=relaunched) as running:
        out.line(f"the demo web is up: {running.index_url}  (seed {seed}, Ctrl-C ends it)")
        for site in running.world.sites:
            out.line(f"  {site.tier or 'no source':<20} {site.origin}/  {site.title}")
        out.line("in another terminal:")
        out.line(
            f"  spec --config {folder / 'specfactory.yaml'} run --category mouse --brand Razer "
            '--model "Viper V3 Pro" --variant Wireless'
        )
        with suppress(asyncio.CancelledError):  # Ctrl-C is how it is meant to end
            await asyncio.Event().wait()


@command(app, "shops")
async def shops(
    port: Port = 8650,
    products: Annotated[int, "--products", "Products of the three shops.", {"min": 30}] = 10_000,
    sections: Annotated[
        int, "--sections", "Sections of the three shops.", {"min": 15, "max": 200}
    ] = 120,
    faults: Annotated[bool, "--faults", "Let the shops misbehave."] = False,
    seed: Seed = 7,
    folder: Folder = Path(".demo/shops"),
) -> None:
    """Serve three demo shops on loopback until Ctrl-C, to crawl whole sites.

    Settings that let the factory fetch them, and the truth, are written beside them.

    Example: spec demo shops --seed 3 --products 500 --sections 45
    """
    import asyncio

    from specfactory.demo.shops import build_shops, serve_shops, write_shops_truth

    mall = build_shops(seed, port, products, sections)
    ports = [site.port for site in mall.sites]
    async with _started(serve_shops(mall, faults=faults), ports) as running:
        with _writing(folder):
            _write_settings(running.mall.settings(), folder)
            write_shops_truth(running.mall, folder / "truth")
        index, *_ = running.mall.sites
        out.line(f"the demo shops are up: {index.origin}  (seed {seed}, Ctrl-C ends it)")
        for shop in running.mall.shops:
            counts = f"{len(shop.offers)} products, {len(shop.sections)} sections"
            out.line(f"  {shop.site.origin}/  {shop.platform}, {shop.site.language}, {counts}")
        out.line(f"settings (fetch.allow_loopback): {folder / 'specfactory.yaml'}")
        out.line(f"truth: {folder / 'truth'}")
        out.line("relaunch a shop after 500 more pages:")
        name = running.mall.shops[0].site.name
        out.line(f"  curl -X POST '{index.origin}/faults/{name}/layout_change?after=500'")
        with suppress(asyncio.CancelledError):  # Ctrl-C is how it is meant to end
            await asyncio.Event().wait()


@command(app, "faults")
def list_faults() -> Reply:
    """List everything that can go wrong on the demo web.

    Those of a site are switched while it is up: POST /faults/SITE/FAULT at its index page.

    Example: spec demo faults --json
    """
    from specfactory.demo.faults import FAULTS

    return Reply([fault.as_json() for fault in FAULTS], lambda _: out.table(FAULT_COLUMNS, FAULTS))


@command(app, "run")
async def run_demo(
    products: Annotated[int, "--products", "How many products.", {"min": 1, "max": 64}] = 12,
    port: Port = 8600,
    seed: Seed = 7,
    folder: Folder = Path(".demo"),
) -> None:
    """Make records for some products of the demo web, show them, and audit them.

    Nothing beyond this machine is asked. Each demo starts anew.

    Example: spec demo run --products 3
    """
    from random import Random

    from specfactory.settings import load

    async with _serving(port, seed, folder) as running:
        for old in folder.glob("factory.db*"):
            old.unlink()
        settings = load(folder / "specfactory.yaml", environment={})
        sites = len(running.world.sites)
        out.write(f"the demo web is up with {sites} sites: {running.index_url}\n\n")
        # The example first, then products from all over the catalogue.
        first = [p for p in running.world.products if p.id == EXAMPLE]
        rest = [p for p in running.world.products if p.id != EXAMPLE]
        rest = Random(seed).sample(rest, len(rest))  # noqa: S311 – repeatable, no secret
        chosen = (first + rest)[:products]
        raise typer.Exit(await _make_records(settings, running.world, chosen, folder))


@asynccontextmanager
async def _serving(
    port: int, seed: int, folder: Path, *, faults: bool = False, relaunched: tuple[str, ...] = ()
) -> AsyncIterator[Any]:
    """The running demo web, with its settings and truth written into the folder."""
    from specfactory.demo import build_world, serve, write_truth

    world = build_world(seed, port, relaunched=relaunched)
    known = [site.name for site in world.sites]
    for name in relaunched:
        if name not in known:
            raise UnknownSubject("site", name, f"known: {', '.join(known)}")
    ports = [site.port for site in world.sites]
    async with _started(serve(world, faults=faults), ports) as running:
        with _writing(folder):
            write_workspace(running.world, folder)
            write_truth(running.world, folder / "truth.json")
        yield running


@asynccontextmanager
async def _started(serving: AbstractAsyncContextManager[T], ports: list[int]) -> AsyncIterator[T]:
    """The servers, or what to do when a port is taken."""
    async with AsyncExitStack() as stack:
        try:
            running = await stack.enter_async_context(serving)
        except OSError as taken:
            why = taken.strerror or str(taken)
            raise UsageError(
                f"cannot listen on the ports {min(ports)} to {max(ports)}: {why.lower()}; "
                "take others with --port, 0 for free ones"
            ) from taken
        yield running


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Write into the folder, or say where to write instead."""
    try:
        yield
    except OSError as problem:
        why = (problem.strerror or str(problem)).lower()
        raise UsageError(
            f"cannot write into {folder}: {why}; take another place with --folder"
        ) from problem


def write_workspace(world: World, folder: Path) -> None:
    """Write the settings that make the factory use this demo web."""
    _write_settings(world.settings(), folder)


def _write_settings(settings: dict[str, Any], folder: Path) -> None:
    import yaml

    make_folder(folder)
    settings = settings | {
        "contract_sources": False,  # nothing beyond this machine is asked
        "database_url": f"sqlite:///{folder / 'factory.db'}",
    }
    text = "# Written by `spec demo`: makes the factory use the demo web.\n"
    text += yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    (folder / "specfactory.yaml").write_text(text, encoding="utf-8")


async def _make_records(
    settings: Settings, world: World, products: list[Product], folder: Path
) -> int:
    import asyncio
    import time

    from specfactory.assembly import open_factory
    from specfactory.entry.cli.records import audit_records
    from specfactory.entry.cli.terminal import Board
    from specfactory.orchestrate import run_attempt

    async with open_factory(settings) as bench:
        # The demo's truth makes its products golden: accuracy is measured after every attempt.
        truth = world.golden()
        async with bench.database.transaction() as tx:
            for product in world.products:
                await bench.products.save(tx, product)
                values = truth[product.id]
                await bench.goldens.set(tx, product.id, values, "demo", bench.clock.now())
        began, slots = time.monotonic(), asyncio.Semaphore(settings.products_at_once)

        async def make(product: Product) -> AttemptResult:
            async with slots:
                return await run_attempt(bench, product)

        async with Board({p.id: p.name for p in products}).showing(bench):
            results = list(await asyncio.gather(*map(make, products)))
        out.write(f"\n{len(results)} records in {time.monotonic() - began:.1f} s\n\n")
        out.table(RESULTS, [_figures(*pair) for pair in zip(products, results, strict=True)])
        _print_quotes(bench, products[0], results[0])
        failures, proven = await audit_records(bench, [r.record for r in results if r.record])
    out.write(f"\naudit: {proven} published values proven again from the stored pages\n")
    for failure in failures:
        out.line(f"  NOT PROVEN {failure}")
    config, example = folder / "specfactory.yaml", products[0].id
    out.write(
        "\nWhat to try next (spec is .venv/bin/spec):\n"
        f"  spec --config {config} record show {example}\n"
        f"  spec --config {config} explain {example} weight\n"
        f"  spec --config {config} review list\n"
        f"  spec --config {config} export --format csv --output mice.csv\n"
        "  spec demo web        keeps the demo web up, so that `spec run` can be tried on it\n"
        "  spec init            writes a settings file for your own sites\n"
    )
    return 1 if failures or any(r.record is None for r in results) else 0


def _figures(product: Product, result: AttemptResult) -> list[object]:
    fields = list(result.record.fields.values()) if result.record else []
    filled = [r for r in fields if r.value is not None]
    mean = sum(r.confidence for r in filled) / max(len(filled), 1)
    accuracy = result.attempt.accuracy
    return [
        product.name,
        f"{len(filled) / max(len(fields), 1):.0%}",
        f"{mean:.2f}",
        len(fields) - len(filled),
        sum(bool(r.flags) for r in fields),
        result.attempt.spent.pages,
        f"{result.attempt.spent.seconds:.1f} s",
        f"{accuracy:.1%}" if accuracy is not None else "",
    ]


def _print_quotes(bench: Workbench, product: Product, result: AttemptResult) -> None:
    """Print some fields of each group with the words that prove them."""
    from specfactory.publish import shown as quoted

    if result.record is None:
        return
    fields = bench.contract(product.category).contract.fields
    groups: dict[str, list[Any]] = {}
    for name, found in result.record.fields.items():
        if found.chosen is not None:
            groups.setdefault(fields[name].group, []).append(found)
    out.line()
    out.line(f"{product.name}, some of its fields with the words that prove them:")
    out.table(
        (
            "field",
            ("value", lambda r: out.shorten(out.shown(r.value, fields[r.field].unit), 26)),
            ("confidence", lambda r: f"{r.confidence:.2f}"),
            ("quote", lambda r: out.shorten(quoted(r.chosen.evidence).quote, 46)),
            ("source", lambda r: out.host_of(r.chosen.evidence.url)),
        ),
        [result for proven in groups.values() for result in proven[:QUOTES_PER_GROUP]],
    )
