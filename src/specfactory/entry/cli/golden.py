"""``spec golden``."""

import typer

app = typer.Typer()
