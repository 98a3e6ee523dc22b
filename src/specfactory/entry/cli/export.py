"""``spec export``."""

import typer

app = typer.Typer()
