"""Contracts as they were when a record was made by them."""

from specfactory.model import Contract
from specfactory.ports import Transaction
from specfactory.store.base import Store, pack, unpack


class Contracts(Store):
    """Every contract that made a record, by its digest."""

    async def save(self, tx: Transaction, contract: Contract) -> None:
        """Keep a contract; one that is there already stays."""
        await tx.execute(
            "save_contract", digest=contract.digest, category=contract.category, body=pack(contract)
        )

    async def get(self, digest: str) -> Contract | None:
        """The contract with this digest."""
        rows = await self._db.fetch("get_contract", digest=digest)
        return unpack(Contract, rows[0]["body"]) if rows else None
