"""Quotes: cut out of a view, found again, and used to prove a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from specfactory.contract.text import clean
from specfactory.contract.values import ITEM_MARK
from specfactory.errors import NotDerivable, QuoteNotFound
from specfactory.model import (
    Candidate,
    Encoding,
    Evidence,
    FieldType,
    Method,
    Snippet,
    Value,
    ViewName,
)
from specfactory.proof.property_fields import structured_names
from specfactory.proof.text import VIEW_VERSIONS, cut_quote, reading

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract
    from specfactory.proof.views import PageViews

_UNLABELLED = (
    Method.MODEL, Method.ARTICLE, Method.TEMPLATE, Method.SELECTOR, Method.VISIBLE,
)  # fmt: skip
_MACHINE_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def snippet(
    views: PageViews, view: ViewName, start: int, end: int, encoding: Encoding = Encoding.PLAIN
) -> Snippet:
    """Cut ``start:end`` out of a view of a page; the markup of a browser's page is its DOM."""
    if view is ViewName.SOURCE:
        view = views.markup_view
    return cut_quote(views.page.id, view, view_text(views, view), (start, end), encoding)


def view_text(views: PageViews, view: ViewName, version: int | None = None) -> str:
    """The characters of a view, in the version asked for; empty when there is no such view."""
    if version is not None and version > VIEW_VERSIONS[view]:
        return ""
    if view is views.markup_view:
        return views.source
    if view is ViewName.PDF:
        return views.pdf
    return views.text if view is ViewName.TEXT else ""


def verify(evidence: Evidence, views: PageViews) -> None:
    """Raise QuoteNotFound unless every quote stands character for character at its span."""
    for part in (*evidence.values, evidence.label, evidence.section):
        if part is None:
            continue
        text = view_text(views, part.view, part.view_version)
        is_inside = part.page_id == views.page.id and 0 <= part.start < part.end <= len(text)
        if not is_inside or text[part.start : part.end] != part.quote:
            raise QuoteNotFound(part.quote, part.page_id)


def derive(evidence: Evidence, field: str, compiled: CompiledContract, language: str) -> Value:
    """The value of a field by the contract's own rule: the only way from quotes to values.

    Bare numbers in structured data are written for machines, with a decimal point, whatever
    the language of the page; but what is counted has no decimals ("1.284" reviews).
    """
    asked = compiled.contract.fields.get(field)
    quoted = [reading(part) for part in evidence.values]
    if asked is None or asked.type is not FieldType.LIST or len(quoted) == 1:
        words = " ".join(quoted)
    else:  # the items of a list stay separate
        words = ITEM_MARK.join(item.replace(ITEM_MARK, " ") for item in quoted)
    # a phrase contains its value already; only a separate label may add a unit
    is_phrase = evidence.method is Method.PATTERN
    label = reading(evidence.label) if evidence.label and not is_phrase else ""
    if evidence.method is Method.STRUCTURED and _MACHINE_NUMBER.match(words):
        counted = asked is not None and asked.type is FieldType.INTEGER and asked.unit is None
        language = "" if counted else "en"
    return compiled.derive(field, words, label, language)


def prove(candidate: Candidate, compiled: CompiledContract, views: PageViews) -> str | None:
    """Prove a candidate from the stored page alone; None, or the problem in words."""
    evidence = candidate.evidence
    try:
        verify(evidence, views)
        value = derive(evidence, candidate.field, compiled, views.language)
    except QuoteNotFound as problem:
        return f"quote {problem.quote!r} does not stand at its place"
    except NotDerivable as problem:
        return f"value does not derive: {problem}"
    if not _is_value(value, candidate.value):
        return f"value does not derive: the quotes give {value!r}, not {candidate.value!r}"
    if not _names(evidence, candidate.field, compiled, views):
        words = reading(evidence.label) if evidence.label else ""
        return f"label {words!r} does not name {candidate.field}"
    return None


def _is_value(value: Value, said: Value) -> bool:
    """True if a value is the one that was taken, which may still hold what nobody reads."""
    if type(value) is not type(said):
        return False
    if isinstance(value, str) and isinstance(said, str) and not said.isprintable():
        return clean(value) == clean(said)
    if isinstance(value, tuple) and isinstance(said, tuple) and len(value) == len(said):
        return all(map(_is_value, value, said))
    return value == said


def _names(evidence: Evidence, field: str, compiled: CompiledContract, views: PageViews) -> bool:
    """True when what stands beside the value really names the field."""
    if evidence.method is Method.STRUCTURED:
        return field in structured_names(evidence, compiled, views.items)
    phrase = evidence.label
    if phrase is None:
        return evidence.method in _UNLABELLED
    if evidence.method is Method.PATTERN:
        value = evidence.values[0]
        return any(
            match.field == field
            and phrase.start + match.value_start == value.start
            and phrase.start + match.value_end == value.end
            for match in compiled.text_matches(phrase.quote)
        )
    section = reading(evidence.section) if evidence.section else ""
    match = compiled.match_label(reading(phrase), section)
    if match is None or match.field == field:
        return match is not None
    # A UPC is a GTIN, whatever code its label names.
    return field == compiled.barcode and compiled.may_be_gtin(
        match.field, reading(evidence.values[0])
    )
