"""The live board: which product, which round, which source, how much is filled, at what cost.

On a terminal one table that changes in place; elsewhere one plain line per step.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from specfactory.entry.cli.terminal.output import clean, on_terminal
from specfactory.entry.event_loop import cancelled

if TYPE_CHECKING:
    from rich.table import Table

    from specfactory.model import Event
    from specfactory.orchestrate import Workbench

FRAMES_PER_SECOND = 8
BAR_WIDTH = 6


class Row(Struct):
    """One product on the board."""

    name: str
    doing: str = "waiting"
    round: str = ""
    sources: dict[str, str] = field(default_factory=dict)
    filled: int = 0
    total: int = 0
    pages: int = 0
    cost_usd: float = 0.0
    done: bool = False


class Board:
    """Follows the events of some attempts."""

    def __init__(self, names: dict[str, str], *, quiet: bool = False) -> None:
        self._rows = {product_id: Row(name) for product_id, name in names.items()}
        self._live = on_terminal() and not quiet
        self._quiet = quiet

    def follow(self, happened: Event) -> None:
        """Take one event into account, and print it where the table is not seen."""
        row = self._rows.get(str(happened.fields.get("product_id", "")))
        if row is None:
            return
        line = _take(row, happened.name, happened.fields)
        if line and not self._live and not self._quiet:
            print(clean(f"{row.name}: {line}"), flush=True)

    def table(self) -> Table:
        """The board as it is now."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, expand=True)
        table.add_column("product", no_wrap=True, overflow="ellipsis", max_width=34, ratio=3)
        table.add_column("round", no_wrap=True, overflow="ellipsis", min_width=12)
        table.add_column("source", no_wrap=True, overflow="ellipsis", ratio=3)
        table.add_column("fields", no_wrap=True, min_width=BAR_WIDTH)
        table.add_column("", no_wrap=True, justify="right", min_width=7)
        table.add_column("pages", no_wrap=True, justify="right", min_width=5)
        table.add_column("cost", no_wrap=True, justify="right", min_width=6)
        for row in self._rows.values():
            table.add_row(
                Text(clean(row.name), style="dim" if row.doing == "waiting" else ""),
                Text(clean(row.round or row.doing), style="green" if row.done else ""),
                Text(clean(", ".join(row.sources) if not row.done else "")),
                ProgressBar(total=max(row.total, 1), completed=row.filled, width=BAR_WIDTH),
                f"{row.filled}/{row.total}" if row.total else "",
                str(row.pages),
                f"${row.cost_usd:.3f}",
            )
        return table

    @asynccontextmanager
    async def showing(self, bench: Workbench) -> AsyncIterator[None]:
        """Follow the factory's live events while the block runs."""
        events = bench.state.subscribe()

        async def listen() -> None:
            async for happened in events:
                self.follow(happened)

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)  # the listener must be there before anything happens
        drawing = asyncio.create_task(self._draw()) if self._live else None
        try:
            yield
        finally:
            await asyncio.sleep(0)
            for task in filter(None, (listening, drawing)):
                await cancelled(task)

    async def _draw(self) -> None:
        from rich.live import Live

        with Live(self.table(), refresh_per_second=FRAMES_PER_SECOND, transient=False) as live:
            try:
                while True:
                    await asyncio.sleep(1 / FRAMES_PER_SECOND)
                    live.update(self.table())
            finally:
                live.update(self.table())


def _take(row: Row, name: str, fields: Any) -> str:
    """Change the row of a product by one of its events; gives the line for a log, if any."""
    match name:
        case "attempt.started":
            row.doing = "started"
        case "round.started":
            row.round = f"{fields['round']} {fields['name']}"
            row.sources = dict.fromkeys(fields["sources"], "asked")
            return f"round {row.round}: {', '.join(fields['sources'])}"
        case "page.fetched":
            row.pages += 1
            row.sources.setdefault(fields["host"], "asked")
            return "" if fields["outcome"] == "ok" else f"{fields['url']}: {fields['outcome']}"
        case "page.read":
            row.sources.pop(fields["host"], None)
        case "round.finished":
            row.filled, row.total = fields["filled"], fields["total"]
            row.cost_usd, row.sources = fields["cost_usd"], {}
            return f"{row.filled} of {row.total} fields filled after round {fields['round']}"
        case "attempt.finished":
            row.done, row.round, row.sources = True, fields["status"], {}
            row.cost_usd = fields["cost_usd"]
            return f"{fields['status']} in {fields['seconds']:.1f} s, {fields['pages']} pages"
        case "model.asked":
            row.done, row.round = False, f"asking {fields['model']}"
            row.sources = {fields["host"]: "asked"}
            some, more = ", ".join(fields["fields"][:5]), len(fields["fields"]) - 5
            line = f"asking {fields['model']} about {fields['host']}: {some}"
            return line + (f" and {more} more" if more > 0 else "")
        case "model.answered":
            row.done, row.sources = True, {}
            row.filled += fields["candidates"]
            row.cost_usd += fields["cost_usd"]
            paid = "from before" if fields["cached"] else f"${fields['cost_usd']:.4f}"
            proven, dropped = fields["candidates"], fields["dropped"]
            return f"{fields['model']}: {proven} proven, {dropped} not ({paid})"
        case "model.exhausted":
            row.done, row.sources = True, {}
            return f"no further question: {fields['budget']} is spent"
    return ""
