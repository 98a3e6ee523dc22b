"""``spec record``."""

import typer

app = typer.Typer()
