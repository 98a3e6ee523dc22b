"""The command tree: one module per group, and the options that come before all of them."""

from pathlib import Path
from typing import Annotated

import typer

from specfactory.entry.cli.jobs import coordinator, daemon, deadletter, monitor, queue, runs, worker
from specfactory.entry.cli.pages import evaluate, extract, profile
from specfactory.entry.cli.pages import stored_pages as page_store
from specfactory.entry.cli.records import audit, explain, export, golden, record, review, run
from specfactory.entry.cli.setup import contract, demo, doctor, init
from specfactory.entry.cli.sites import heal, learn, proxies, templates
from specfactory.entry.cli.terminal import Given, note_config, skip_conversion

skip_conversion()
app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,  # rich would double the time of --help
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 done, 1 failed, 2 misuse. Start with: spec demo run",
)
for module in (
    run, extract, evaluate, explain, audit, export, learn, init, doctor, monitor, worker,
    coordinator, profile,
):  # fmt: skip
    app.add_typer(module.app)
for name, group in {
    "record": record,
    "review": review,
    "golden": golden,
    "contract": contract,
    "pages": page_store,
    "templates": templates,
    "queue": queue,
    "runs": runs,
    "deadletter": deadletter,
    "proxies": proxies,
    "heal": heal,
    "daemon": daemon,
}.items():
    app.add_typer(group.app, name=name, no_args_is_help=True)
app.add_typer(
    demo.app, name="demo", no_args_is_help=True, help="Try the factory on a small web of its own."
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from specfactory import __version__

        typer.echo(f"spec {__version__}")
        raise typer.Exit


@app.callback()
def before(
    context: typer.Context,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings file [specfactory.yaml here].")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="PATH=VALUE",
            help="Change one setting for this command: fetch.timeout_seconds=5; repeatable.",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and leave."
        ),
    ] = False,
) -> None:
    """Turn web pages into records that can be trusted, every value with the words that prove it.

    Settings come from defaults, then specfactory.yaml, then SPEC_ variables, then --set.

    Example: spec run --category mouse --brand Razer --model "Viper V3 Pro"
    """
    note_config(config)
    context.obj = Given(config, tuple(changes or ()))
