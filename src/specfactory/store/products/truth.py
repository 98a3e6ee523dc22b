"""Verified values of golden products, and the accuracy of each source."""

from collections.abc import Iterable, Mapping

from specfactory.model import Frozen, Instant, Json
from specfactory.ports import Transaction
from specfactory.store.base import Store, from_json, to_json


class SourceVerdict(Frozen):
    """Verdict on a source about one field of one golden product."""

    host: str
    field: str
    right: bool


class Goldens(Store):
    """Verified values by product; None is the truth that there is no value."""

    async def set(
        self,
        tx: Transaction,
        product_id: str,
        values: Mapping[str, Json],
        actor: str = "",
        at: Instant = 0,
    ) -> None:
        """Keep verified values; fields that are not named stay as they are."""
        common = {"product_id": product_id, "actor": actor, "set_at": at}
        rows = [{**common, "field": name, "value": to_json(v)} for name, v in values.items()]
        await tx.execute_many("set_golden", rows)

    async def clear(self, tx: Transaction, product_id: str) -> None:
        """Delete a product's verified values."""
        await tx.execute("clear_goldens", product_id=product_id)

    async def get(self, product_id: str) -> dict[str, Json]:
        """The verified values of a product, as JSON; empty when it is not golden."""
        rows = await self._db.fetch("get_golden", product_id=product_id)
        return {row["field"]: from_json(row["value"]) for row in rows}

    async def list(self) -> list[str]:
        """The ids of all golden products."""
        return [row["product_id"] for row in await self._db.fetch("golden_products")]

    async def judge(
        self, tx: Transaction, product_id: str, verdicts: Iterable[SourceVerdict]
    ) -> None:
        """Save verdicts on sources about a golden product; each source and field counts once."""
        rows = [
            {"product_id": product_id, "host": v.host, "field": v.field, "is_right": int(v.right)}
            for v in verdicts
        ]
        await tx.execute_many("save_verdict", rows)

    async def accuracies(self, category: str) -> dict[tuple[str, str], tuple[int, int]]:
        """Number of right and wrong values per host and field."""
        rows = await self._db.fetch("accuracies_of_category", category=category)
        return {
            (row["host"], row["field"]): (int(row["right_count"]), int(row["wrong_count"]))
            for row in rows
        }
