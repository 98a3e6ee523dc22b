"""``spec explain``."""

import typer

app = typer.Typer()
