"""The views of one stored page, each made when it is first asked for.

So is the code that makes it: most pages are read in one or two ways.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.contract.text import clean
from specfactory.model import Page, ViewName
from specfactory.proof.structured import (
    Item,
    SourceTag,
    declared_language,
    guess_language,
    language_code,
    source_tags,
)
from specfactory.proof.text import EMPTY_OUTLINE, Outline, Parsed, is_pdf, parse_page

if TYPE_CHECKING:
    from specfactory.proof.structured import Crumb, Markup
    from specfactory.proof.text import PdfText
    from specfactory.proof.visibility import Unseen

_MAX_TITLE = 500
_ITEM_MARKS = ("itemprop", "itemscope", "itemtype", "typeof")  # of microdata and RDFa


class PageViews:
    """A stored page, seen in several ways; a pure function of page and body.

    Nothing here raises on garbage: what cannot be read is empty.
    """

    def __init__(self, page: Page, body: bytes) -> None:
        self.page = page
        self._body = body
        self._is_pdf = is_pdf(body, page.media_type)
        self.markup_view = ViewName.DOM if page.response_hash else ViewName.SOURCE

    def forget(self) -> None:
        """Drop all that was read but the parsed page; what is asked for again is read again."""
        kept = ("page", "_body", "_is_pdf", "markup_view", "_parsed", "tree")
        self.__dict__ = {name: self.__dict__[name] for name in kept if name in self.__dict__}

    @cached_property
    def source(self) -> str:
        """The stored bytes, decoded; empty for PDFs and other binary pages.

        They are what the server sent, or what a browser made of it: ``markup_view`` says which.
        """
        return self._parsed.decoded[0]

    @cached_property
    def tree(self) -> LexborHTMLParser | None:
        """The parsed page, None when there is no markup. Never change it."""
        return self._parsed.tree

    @cached_property
    def _parsed(self) -> Parsed:
        header = self.page.headers.get("content-type", "")
        return parse_page(b"" if self._is_pdf else self._body, header, self.page.charset)

    @cached_property
    def outline(self) -> Outline:
        """The elements of the page over the text view."""
        from specfactory.proof.text import read_text

        return read_text(self.tree) if self.tree is not None else EMPTY_OUTLINE

    @property
    def text(self) -> str:
        """The page as a person reads it; empty for PDFs."""
        return self.outline.text

    @cached_property
    def unseen(self) -> Unseen:
        """The parts of the text view that a reader cannot see."""
        from specfactory.proof.visibility import find_unseen

        # Anybody can write the marks of a browser into an archive.
        rendered = self.markup_view is ViewName.DOM and not self.page.is_archived
        return find_unseen(self.tree, self.outline, rendered)

    @property
    def pdf(self) -> str:
        """The text of a PDF, line by line; empty for other pages."""
        return self.pdf_text.text if self._is_pdf else ""

    @cached_property
    def pdf_text(self) -> PdfText:
        """The text of a PDF with the left edges of the cells of its lines."""
        from specfactory.proof.text import PdfText, read_pdf

        return read_pdf(self._body) if self._is_pdf else PdfText()

    @cached_property
    def unread(self) -> str:
        """The reason why nothing of a page can be read; empty when something can."""
        if not self._is_pdf:
            return "its bytes are no text" if self._body.strip() and not self.source else ""
        from specfactory.proof.text import why_empty

        return why_empty(self._body) if not self.pdf else ""

    def span(self, node: LexborNode) -> tuple[int, int] | None:
        """Span of an element's words in the text view; None when it has none."""
        element = self.outline.by_node.get(node.mem_id)
        return element.span if element is not None and element.has_words else None

    @cached_property
    def language(self) -> str:
        """The page's language ("de"), as declared or, failing that, by its commonest words."""
        header = self.page.headers.get("content-language", "")
        root = self.tree.root if self.tree is not None else None
        if root is not None and (code := language_code(root.attributes.get("lang") or "")):
            return code  # most pages declare it in their first tag
        declared = declared_language(self.outline, self._tags, header)
        return declared or guess_language(self.text or self.pdf)

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """Structured data: JSON-LD, microdata, OpenGraph and other meta tags."""
        if not self._tags:
            return ()
        from specfactory.proof.structured import read_items

        urls = frozenset((self.canonical_url, self.page.url, self.page.final_url)) - {""}
        return read_items(self._markup, self.title, self.h1, urls)

    @cached_property
    def title(self) -> str:
        """The title of the page; of a PDF, its first line."""
        if self._is_pdf:
            return clean(self.pdf.lstrip().partition("\n")[0])[:_MAX_TITLE]
        node = self.tree.css_first("head > title, title") if self.tree is not None else None
        return clean(node.text())[:_MAX_TITLE] if node is not None else ""

    @cached_property
    def h1(self) -> str:
        """The first heading of the first rank that can be read."""
        for element in self.outline.tagged("h1"):
            if element.has_words and not element.hidden:
                return clean(self.outline.words(element))[:_MAX_TITLE]
        return self.title if self._is_pdf else ""

    @cached_property
    def canonical_url(self) -> str:
        """The URL that the page gives itself, empty when it gives none."""
        for tag in self._tags:
            is_link = tag.name == "link" and tag.mentions("canonical")
            if is_link and tag.value("rel").lower() == "canonical":
                return self._absolute(tag.value("href"))
        for tag in self._tags:
            if tag.name == "meta" and tag.value("property").lower() == "og:url":
                return self._absolute(tag.value("content"))
        return ""

    @property
    def breadcrumbs(self) -> tuple[str, ...]:
        """The names of the sections that the page says it belongs to, the widest first."""
        return tuple(dict.fromkeys(crumb.name for crumb in self.trail if crumb.name))

    @cached_property
    def trail(self) -> tuple[Crumb, ...]:
        """The sections that the page says it belongs to, with their links and proofs."""
        from specfactory.proof.structured import trail_of

        return trail_of(self.items, self._markup, self.page.final_url or self.page.url)

    @property
    def _markup(self) -> Markup:
        from specfactory.proof.structured import Markup

        return Markup(self.page.id, self.source, self._tags, self.outline, self.markup_view)

    @cached_property
    def _tags(self) -> list[SourceTag]:
        return source_tags(self.source, with_marked=bool(self.outline.marked(*_ITEM_MARKS)))

    def _absolute(self, url: str) -> str:
        try:
            return urljoin(self.page.final_url or self.page.url, url.strip())
        except ValueError:
            return ""
