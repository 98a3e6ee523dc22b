"""Asking before something is lost."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


def ask_first(what: str, yes: bool) -> None:
    """Go on only if the person says so; without a terminal only --yes says so."""
    from specfactory.entry.cli.terminal.output import clean
    from specfactory.errors import UsageError

    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(f"{what}? Nobody can be asked here; say --yes. Nothing was done")
    if not typer.confirm(clean(f"{what}?"), err=True):
        typer.echo("nothing was done", err=True)
        raise typer.Exit(1)
