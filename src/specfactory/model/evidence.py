"""Snippets, evidence, candidates and identities."""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from urllib.parse import urlsplit

from specfactory.model.base import Explained, Frozen, Instant, field
from specfactory.model.contract import Tier, Value


class ViewName(Explained):
    """Views of a stored page."""

    SOURCE = "source", "The received bytes, decoded."
    TEXT = "text", "The page as a person reads it: blocks on lines, cells set apart."
    DOM = "dom", "The page as a browser renders it."
    PDF = "pdf", "The text of a PDF."


class Encoding(StrEnum):
    """Encoding of a snippet, undone to get the words that are read."""

    PLAIN = "plain"
    JSON = "json"  # the inside of a JSON string, with its escapes
    HTML = "html"  # an attribute or raw markup, with its entities


class Snippet(Frozen):
    """A verbatim span of one view of one page; ``quote`` stands exactly at start:end."""

    page_id: str
    view: ViewName
    view_version: int
    start: int
    end: int
    quote: str
    encoding: Encoding = Encoding.PLAIN


class Method(Explained):
    """Method that found a candidate."""

    STRUCTURED = "structured_data", "JSON-LD, microdata or OpenGraph in the page."
    TABLE = "spec_table_match", "A row of a specification table or definition list."
    PAIR = "label_value_match", "A label and its value side by side in any other markup."
    PATTERN = "text_pattern", "A phrase of the contract in running text."
    TEMPLATE = "template", "A template learned for the site's layout."
    SELECTOR = "css_selector", "A CSS selector that a person wrote for the source."
    VISIBLE = (
        "visible_value",
        "A value without a label, told by its form and its place on the page.",
    )
    ARTICLE = "article_body", "The body of an article."
    MODEL = "llm_extract", "A language model pointed at the quote."
    OVERRIDE = "override", "A person's value."


class Evidence(Frozen):
    """Proof of a value: the words of the value and, apart from them, of its label.

    ``values`` are usually one snippet; several when a value stands in several nodes.
    The value derives from the readings of ``values`` (joined with one space) together with
    the reading of ``label``, which names the field and may carry the unit. ``section`` is the
    heading without which the label would not name the field ("Cable" over "Length").
    """

    page_id: str
    url: str
    tier: Tier
    method: Method
    values: tuple[Snippet, ...]
    label: Snippet | None = None
    seen_at: Instant = 0
    section: Snippet | None = None
    passage: Snippet | None = None  # from label to value, to be shown, where they stand near
    model: str = ""  # the language model that pointed at it, where one did


class Candidate(Frozen):
    """One value for one field, with its evidence.

    ``subject`` holds the page's own words for whose value this is (the head of a comparison
    column, the name of a structured item, the heading of a section) when they are nearer
    than the page itself. A value in ``doubt`` counts less, and is never published by itself.
    """

    field: str
    value: Value
    evidence: Evidence
    subject: str | None = None
    likelihood: float | None = None  # that it is the page's value, where that was ranked
    doubt: str = ""  # the reason why a reader may not see it, or sees another value


class Answer(Frozen):
    """Answer of one page for a field: the chosen candidate, and the others in order.

    ``likelihood`` is calibrated: of the answers with 0.9, nine in ten are right.
    """

    field: str
    candidate: Candidate
    likelihood: float
    reasons: tuple[str, ...] = ()  # why this one, the weightiest first
    others: tuple[Candidate, ...] = ()


class Dropped(Frozen):
    """A candidate that did not pass, and why; ``spec explain`` shows it."""

    field: str
    reason: str  # a short code: "out_of_range", "other_product", "unit_missing" …
    detail: str
    quote: str
    page_id: str
    url: str = ""


class Verdict(Explained):
    """Relation of a page, or a part of one, to the product."""

    SAME = "same", "About this very product; its values count."
    FAMILY = "family", "About the family; values count only where they name this product."
    OTHER = "other", "About another product; its values are dropped."
    UNSURE = "unsure", "Not to be told; a person is asked."

    @property
    def usable(self) -> bool:
        """True if values of the page may count for the product."""
        return self is Verdict.SAME or self is Verdict.FAMILY


class Identity(Frozen):
    """A verdict with its reasons, in the order in which they counted."""

    verdict: Verdict
    confidence: float
    reasons: tuple[str, ...]
    hard_ids: Mapping[str, str] = field(default_factory=dict)  # proven on the page
    id_evidence: Mapping[str, Evidence] = field(default_factory=dict)  # of each hard id


@lru_cache(maxsize=4096)
def host_without_www(url: str) -> str:
    """The host of a URL as a person says it, with its port and without ``www.``."""
    return urlsplit(url).netloc.rpartition("@")[2].lower().removeprefix("www.")
