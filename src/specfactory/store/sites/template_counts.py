"""Counters of templates in use, and the pages that fit none."""

from specfactory.model import FieldConduct, Frozen, Instant, TemplateConduct, TemplateUse
from specfactory.ports import Database, Transaction
from specfactory.store.base import Store
from specfactory.store.sites.templates import template_number

STRETCH = 10  # pages counted together; the finest step in which the past is forgotten
KEPT = 20  # stretches


class Misfits(Frozen):
    """Good pages of a source that fit no template, since it was last learned."""

    pages: int
    fruitless: int  # consecutive learnings without a template


class TemplateWatch(Store):
    """Counts the fields that each template fills, page by page."""

    async def count(self, tx: Transaction, use: TemplateUse, fields: tuple[str, ...]) -> int:
        """Count one page for all fields of a template; return the pages it has read so far."""
        number = template_number(use.template_id)
        rows = await tx.fetch("count_template_page", id=number)
        if not rows:
            return 0
        pages = int(rows[0]["pages_read"])
        stretch = pages // STRETCH
        lists = {
            "filled": use.filled, "valid": use.valid,
            "agreed": use.agreed, "disagreed": use.disagreed,
        }  # fmt: skip
        counts = [
            {
                "template_id": number, "stretch": stretch, "field": name,
                **{what: int(name in names) for what, names in lists.items()},
            }
            for name in fields
        ]  # fmt: skip
        await tx.execute_many("count_template_field", counts)
        if pages % STRETCH == 0 and stretch > KEPT:
            before = stretch - KEPT
            await tx.execute("prune_template_counts", template_id=number, before=before)
        return pages

    async def conduct(
        self, tx: Transaction | Database, template_id: int, pages_read: int, pages: int
    ) -> TemplateConduct:
        """Counts of a template over its latest pages: at least ``pages``, where there are."""
        since = max(pages_read - pages, 0) // STRETCH
        rows = await tx.fetch("template_counts_since", template_id=template_id, since=since)
        counted = ("pages", "filled", "valid", "agreed", "disagreed")
        fields = tuple(
            FieldConduct(row["field"], *(int(row[name]) for name in counted)) for row in rows
        )
        return TemplateConduct(max((one.pages for one in fields), default=0), fields)

    async def drifted(self, tx: Transaction, template_id: int, at: Instant) -> bool:
        """Mark a template as drifted; False when it was marked before."""
        return bool(await tx.execute("note_drift", id=template_id, at=at))

    async def misfit(
        self, tx: Transaction, host: str, category: str, url: str, at: Instant
    ) -> Misfits:
        """Save a good page that no template fits; return their number."""
        source = {"host": host, "category": category}
        await tx.execute("note_misfit", **source, url=url, seen_at=at)
        row = (await tx.fetch("count_misfits", **source))[0]
        return Misfits(int(row["pages"]), int(row["fruitless"]))

    async def learned(
        self, tx: Transaction, host: str, category: str, at: Instant, *, fruitless: bool
    ) -> None:
        """Restart the counting after a source was learned."""
        source = {"host": host, "category": category}
        await tx.execute("clear_misfits", **source)
        await tx.execute("clear_learning_notes", **source)
        await tx.execute("note_learning", **source, learned_at=at, fruitless=int(fruitless))
