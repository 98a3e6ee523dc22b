"""``spec review``."""

import typer

app = typer.Typer()
