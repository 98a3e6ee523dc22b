"""``spec audit``."""

import typer

app = typer.Typer()
