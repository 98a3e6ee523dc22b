"""Templates by version, and people's labels of pages."""

from dataclasses import replace

from specfactory.errors import UnknownSubject
from specfactory.model import (
    Instant,
    LearnedTemplate,
    Page,
    PageLabel,
    Template,
    TemplateStatus,
    template_name,
)
from specfactory.ports import Row, Transaction
from specfactory.store.base import Store, as_row, fetch_all, from_row, pack, unpack
from specfactory.store.pages import Reading

_LONGEST_NUMBER = 18


class Templates(Store):
    """All templates ever learned; versions are only ever added."""

    async def add(
        self, tx: Transaction, learned: LearnedTemplate, template: Template
    ) -> LearnedTemplate:
        """Keep a template as the next version of its layout."""
        learned = replace(learned, digest=template.id)
        given = as_row(learned)
        for name in ("id", "version", "pages_read", "drifted_at"):
            del given[name]  # the database gives them
        figures, body = given.pop("fields"), pack(template)
        row = (await tx.fetch("add_template", **given, figures=figures, body=body))[0]
        return replace(learned, id=row["id"], version=row["version"])

    async def get(self, template_id: int, tx: Transaction | None = None) -> LearnedTemplate:
        """The template with this number; in a transaction, as that sees it."""
        rows = await (tx or self._db).fetch("get_template", id=template_id)
        if not rows:
            raise UnknownSubject("template", template_name(template_id), "see: spec templates list")
        return _learned(rows[0])

    async def rules(self, template_id: int) -> Template:
        """The rules of a template, under the name that people see."""
        rows = await self._db.fetch("get_template_body", id=template_id)
        if not rows:
            raise UnknownSubject("template", template_name(template_id))
        return replace(unpack(Template, rows[0]["body"]), id=template_name(template_id))

    async def at_work(
        self, host: str, category: str, tx: Transaction | None = None
    ) -> list[tuple[int, TemplateStatus, str]]:
        """Templates used or tried on the pages of a source: number, status and digest."""
        source = {"host": host, "category": category}
        rows = await (tx or self._db).fetch("templates_at_work", **source)
        return [(row["id"], TemplateStatus(row["status"]), row["digest"]) for row in rows]

    async def move(
        self,
        tx: Transaction,
        learned: LearnedTemplate,
        status: TemplateStatus,
        *,
        reason: str,
        actor: str | None,
        at: Instant,
        replaces: int | None = None,
    ) -> bool:
        """Change a template's status; False when it is no longer the expected one."""
        about = {"id": learned.id, "expected": learned.status, "status": status}
        why = {"reason": reason, "actor": actor, "at": at, "replaces": replaces}
        return bool(await tx.execute("move_template", **about, **why))

    async def set_label(self, tx: Transaction, label: PageLabel) -> None:
        """Save a person's label of a page."""
        row = as_row(label)
        await tx.execute("set_label", label_values=row.pop("values"), **row)

    async def labels(self, host: str) -> list[PageLabel]:
        """People's labels of the pages of a host."""
        rows = await self._db.fetch("labels_of_host", host=host)
        return [from_row(PageLabel, {**row, "values": row["label_values"]}) for row in rows]

    async def good_pages(self, host: str, limit: int) -> list[Page]:
        """The newest good page of each address of a host, the latest first."""
        return await fetch_all(self._db, Page, "good_pages_of_host", host=host, limit=limit)

    async def readings_of(self, page_id: str) -> dict[str, list[Reading]]:
        """Readings of a page for products, by their category."""
        found: dict[str, list[Reading]] = {}
        for row in await self._db.fetch("readings_of_page", page_id=page_id):
            found.setdefault(row["category"], []).append(unpack(Reading, row["body"]))
        return found

    async def categories(self, host: str) -> list[str]:
        """The categories in which pages of a host were read, the most frequent first."""
        return [row["category"] for row in await self._db.fetch("categories_of_host", host=host)]

    async def outcomes(self, host: str) -> dict[str, int]:
        """Number of fetches of a host by outcome."""
        rows = await self._db.fetch("outcomes_of_host", host=host)
        return {row["outcome"]: int(row["pages"]) for row in rows}

    async def list(
        self,
        host: str | None = None,
        status: TemplateStatus | None = None,
        limit: int = 1000,
        tx: Transaction | None = None,
    ) -> list[LearnedTemplate]:
        """Templates, the latest first."""
        wanted = {"host": host, "status": status, "limit": limit}
        rows = await (tx or self._db).fetch("list_templates", **wanted)
        return [_learned(row) for row in rows]


def template_number(words: str) -> int:
    """The number in ``t12`` or ``12``."""
    digits = words.strip().lower().removeprefix("t")
    if not digits.isdecimal() or len(digits) > _LONGEST_NUMBER:
        raise UnknownSubject("template", words, "see: spec templates list")
    return int(digits)


def _learned(row: Row) -> LearnedTemplate:
    return from_row(LearnedTemplate, {**row, "fields": row["figures"]})
