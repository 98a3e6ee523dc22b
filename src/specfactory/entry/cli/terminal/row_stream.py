"""Rows that are printed as they come, so that a list of any length needs little memory."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import typer

from specfactory.entry.cli.terminal import output as out

AT_ONCE = 1000  # rows whose columns are made equally wide


class RowStream:
    """Rows for a list, at most ``limit`` of them; ``place`` is what ``--after`` takes of a row."""

    def __init__(
        self, rows: AsyncIterator[Any], limit: int | None, place: Callable[[Any], object]
    ) -> None:
        self._rows, self._limit, self._place = rows, limit, place
        self._next: object = None  # where the next page begins

    async def _page(self) -> AsyncIterator[Any]:
        count, last = 0, None
        async for row in self._rows:
            if count == self._limit:
                self._next = self._place(last)
                return
            count, last = count + 1, row
            yield row

    async def print_json(self) -> None:
        """Print an array, an item a line."""
        begin = "["
        async for row in self._page():
            typer.echo(f"{begin}\n  {out.json_text(row)}", nl=False)
            begin = ","
        typer.echo("[]" if begin == "[" else "\n]")

    async def print_table(self, columns: out.Columns, empty: str) -> None:
        """Print a table, and how to go on where there is more."""
        rows: list[Any] = []
        has_head = False
        async for row in self._page():
            rows.append(row)
            if len(rows) == AT_ONCE:
                out.table(columns, rows, head=not has_head)
                has_head = True
                rows.clear()
        if rows or not has_head:
            out.table(columns, rows, empty=empty, head=not has_head)
        if self._next is not None:
            out.line(f"and more; go on with --after {self._next}")
