"""Items while they are read, before it is known which one is the page's own."""

from typing import NamedTuple

from msgspec import Struct, field

from specfactory.model import Encoding, Frozen, Snippet, ViewName
from specfactory.proof.structured.items import Item, Property
from specfactory.proof.text import reading

# A sum's path -> the property that would state it, and its parts.
_SUMS = {"prepTime+cookTime": ("totalTime", "prepTime", "cookTime")}


class PropertyDraft(NamedTuple):
    """A property with its proofs."""

    path: str
    value: Snippet
    label: Snippet | None
    more: tuple[Snippet, ...] = ()
    subject: str | None = None


class ItemDraft(Struct):
    """An item as read; ``apart`` when it is only mentioned beside another one."""

    type: str
    name: str
    syntax: str
    apart: bool = False
    entity: bool = False  # the page names it as its main entity
    properties: list[PropertyDraft] = field(default_factory=list)

    def finished(self, main: bool) -> Item:
        """The item, now that it is known whether the page is about it."""
        drafts = list(self.properties)
        for path, (total, *parts) in _SUMS.items():  # where the item does not state the sum itself
            found = [next((p for p in self.properties if p.path == part), None) for part in parts]
            if all(found) and not self.first(total).strip("PTHMSDptmhsd0: "):
                first, *others = [part for part in found if part]
                more = tuple(part.value for part in others)
                drafts.append(first._replace(path=path, more=more))
        properties = tuple(
            Property(
                draft.path, draft.value, draft.label, draft.more, reading(draft.value),
                reading(draft.label) if draft.label else "", draft.subject,
            )
            for draft in drafts
        )  # fmt: skip
        return Item(self.type, self.name, properties, main, self.syntax)

    def first(self, path: str) -> str:
        """The words of the first property of that path."""
        for draft in self.properties:
            if draft.path == path:
                return reading(draft.value)
        return ""


class SourceCut(Frozen):
    """Cuts snippets out of the markup and the text of one page."""

    page_id: str
    source_text: str
    text: str
    markup_view: ViewName = ViewName.SOURCE

    def source(self, start: int, end: int, encoding: Encoding) -> Snippet:
        """A snippet of the markup."""
        quote = self.source_text[start:end]
        return Snippet(self.page_id, self.markup_view, 1, start, end, quote, encoding)

    def read(self, start: int, end: int) -> Snippet:
        """A snippet of the text view."""
        return Snippet(self.page_id, ViewName.TEXT, 1, start, end, self.text[start:end])
