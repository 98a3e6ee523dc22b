"""Yields of each source per category, for choosing the next one."""

from collections.abc import Iterable

from specfactory.model import SourceYield
from specfactory.ports import Transaction
from specfactory.store.base import Store


class Yields(Store):
    """Pages, failures, seconds and filled fields of every source."""

    async def add(
        self,
        tx: Transaction,
        host: str,
        category: str,
        *,
        fields: Iterable[str] = (),
        seconds: float = 0.0,
        failed: bool = False,
    ) -> None:
        """Count one page of a source and the fields that it gave."""
        place = {"host": host, "category": category}
        await tx.execute("add_yield", **place, failures=int(failed), seconds=seconds)
        await tx.execute_many("add_yield_field", [{**place, "field": f} for f in fields])

    async def for_category(self, category: str) -> dict[str, SourceYield]:
        """Yields of each host so far."""
        fields: dict[str, dict[str, int]] = {}
        for row in await self._db.fetch("yield_fields_of_category", category=category):
            fields.setdefault(row["host"], {})[row["field"]] = row["pages"]
        return {
            row["host"]: SourceYield(fields=fields.get(row["host"], {}), **row)
            for row in await self._db.fetch("yields_of_category", category=category)
        }
