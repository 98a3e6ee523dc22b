"""Notes of a learning that has not ended: what was found out about its pages so far."""

from specfactory.model import Answer, Contract, Dropped, Frozen
from specfactory.ports import Transaction
from specfactory.store.base import Store, pack, unpack

_PAGE = "page "


class PageNote(Frozen):
    """What a page says without a template."""

    answers: tuple[Answer, ...]
    dropped: tuple[Dropped, ...]


class LearningNotes(Store):
    """Kept step by step, so that a learning that was stopped does not begin anew."""

    async def of(self, host: str, contract: Contract) -> dict[str, bytes]:
        """Notes about a host by their steps; those of an earlier contract are void."""
        source = {"host": host, "category": contract.category}
        rows = await self._db.fetch("learning_notes", **source, contract_digest=contract.digest)
        return {row["step"]: row["body"] for row in rows}

    async def save(
        self, tx: Transaction, host: str, contract: Contract, step: str, body: bytes
    ) -> None:
        """Keep the result of a step until its host has been learned."""
        source = {"host": host, "category": contract.category, "contract_digest": contract.digest}
        await tx.execute("save_learning_note", **source, step=step, body=body)

    async def pages(self, host: str, contract: Contract) -> dict[str, PageNote]:
        """Notes about the pages of a host by their ids."""
        notes = (await self.of(host, contract)).items()
        found = {step: body for step, body in notes if step.startswith(_PAGE)}
        return {step.removeprefix(_PAGE): unpack(PageNote, body) for step, body in found.items()}

    async def save_page(
        self, tx: Transaction, host: str, contract: Contract, page_id: str, note: PageNote
    ) -> None:
        """Keep the note about a page."""
        await self.save(tx, host, contract, _PAGE + page_id, pack(note))
