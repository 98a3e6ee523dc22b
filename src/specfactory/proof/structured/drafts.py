"""A page's markup, and the items read from it before it is known which one is the page's own."""

from msgspec import Struct, field

from specfactory.model import Encoding, Frozen, Snippet, ViewName
from specfactory.proof.structured.items import Item, Property
from specfactory.proof.structured.tags import SourceTag, Span
from specfactory.proof.structured.tolerant_json import JsonScalar
from specfactory.proof.text import Outline, cut_quote

# A sum's path -> the property that would state it, and its parts.
_SUMS = {"prepTime+cookTime": ("totalTime", "prepTime", "cookTime")}


class ItemDraft(Struct):
    """An item as read; ``apart`` when it is only mentioned beside another one."""

    type: str
    name: str
    syntax: str
    apart: bool = False
    entity: bool = False  # the page names it as its main entity
    properties: list[Property] = field(default_factory=list)

    def finished(self, main: bool) -> Item:
        """The item, now that it is known whether the page is about it."""
        properties = list(self.properties)
        for path, (total, *parts) in _SUMS.items():  # where the item does not state the sum itself
            found = [next((p for p in self.properties if p.path == part), None) for part in parts]
            if all(found) and not self.first(total).strip("PTHMSDptmhsd0: "):
                first, *others = [part for part in found if part]
                more = tuple(part.snippet for part in others)
                properties.append(first._replace(path=path, more=more))
        return Item(self.type, self.name, tuple(properties), main, self.syntax)

    def first(self, path: str) -> str:
        """The words of the first property of that path."""
        return next((named.words for named in self.properties if named.path == path), "")


class Markup(Frozen):
    """The markup of one page, from which snippets are cut."""

    page_id: str
    source: str
    tags: list[SourceTag]
    outline: Outline
    view: ViewName = ViewName.SOURCE

    def cut(self, span: Span, encoding: Encoding = Encoding.HTML) -> Snippet:
        """A snippet of the source."""
        return cut_quote(self.page_id, self.view, self.source, span, encoding)

    def cut_json(self, scalar: JsonScalar) -> Snippet:
        """A snippet of JSON in the source."""
        start, end, is_string = scalar
        return self.cut((start, end), Encoding.JSON if is_string else Encoding.PLAIN)

    def cut_text(self, span: Span) -> Snippet:
        """A snippet of the text view."""
        return cut_quote(self.page_id, ViewName.TEXT, self.outline.text, span, Encoding.PLAIN)
