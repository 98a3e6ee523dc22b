"""Notes of a learning that has not ended: what was found out about its pages so far."""

from specfactory.model import Answer, Contract, Dropped, Frozen
from specfactory.ports import Transaction
from specfactory.store.base import Store, pack, unpack


class PageNote(Frozen):
    """What a page says without a template."""

    answers: tuple[Answer, ...]
    dropped: tuple[Dropped, ...]


class LearningNotes(Store):
    """Kept from page to page, so that a learning that was stopped does not begin anew."""

    async def of(self, host: str, contract: Contract) -> dict[str, PageNote]:
        """Notes about the pages of a host by their ids; those of an earlier contract are void."""
        source = {"host": host, "category": contract.category}
        rows = await self._db.fetch("learning_notes", **source, contract_digest=contract.digest)
        return {row["page_id"]: unpack(PageNote, row["body"]) for row in rows}

    async def save(
        self, tx: Transaction, host: str, contract: Contract, page_id: str, note: PageNote
    ) -> None:
        """Keep the note about a page until its host has been learned."""
        source = {"host": host, "category": contract.category, "contract_digest": contract.digest}
        await tx.execute("save_learning_note", **source, page_id=page_id, body=pack(note))
