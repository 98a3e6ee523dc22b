"""What a template found → candidates with evidence in the text view, or the reason why not."""

from __future__ import annotations

import re
from collections.abc import Iterable

from selectolax.lexbor import LexborNode

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.template_nodes import readable
from specfactory.extract.template_probe import node_before
from specfactory.extract.templates import Answer
from specfactory.model import Candidate, Dropped, Evidence, Method, Snippet, ViewName
from specfactory.proof import PageViews, derive, snippet

_BETWEEN = r"[\s\u00ad\u200a-\u200f\u2060-\u2064\ufeff]*"
_MAX_TOKENS = 200
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

Span = tuple[int, int]


def template_candidates(
    answers: Iterable[Answer], views: PageViews, compiled: CompiledContract
) -> tuple[list[Candidate], list[Dropped]]:
    """Candidates out of answers; the label before a value is cited where it names the field."""
    candidates: list[Candidate] = []
    dropped: list[Dropped] = []
    for answer in answers:
        made = _candidate(answer, views, compiled)
        if isinstance(made, Candidate):
            candidates.append(made)
        elif made is not None:
            dropped.append(made)
    return candidates, dropped


def text_span(views: PageViews, node: LexborNode, words: str) -> Span | None:
    """Where the words of a text node stand in the text view; None when they are not read."""
    parent = node.parent
    element = views.outline.by_node.get(parent.mem_id) if parent is not None else None
    if parent is None or element is None or not element.has_words:
        return None
    at = element.start
    child = parent.first_child
    while child is not None:
        if child.mem_id == node.mem_id:
            return _seek(views.text, _as_read(words, element.tag), at, element.end)
        if child.tag == "-text":
            passed = _seek(views.text, readable(child.text_content), at, element.end)
            at = passed[1] if passed else at
        else:
            below = views.outline.by_node.get(child.mem_id)
            at = below.end if below is not None and below.has_words else at
        child = child.next
    return None


def _candidate(
    answer: Answer, views: PageViews, compiled: CompiledContract
) -> Candidate | Dropped | None:
    if answer.field not in compiled.contract.fields:
        return None
    value = text_span(views, answer.node, answer.text)
    span = _seek(views.text, answer.words, *value) if value else None
    if span is None:
        return _drop(answer, views, "not_read", "it is not in the text view")
    page = views.page
    url = page.final_url or page.url
    quotes = (snippet(views, ViewName.TEXT, *span),)
    label = _label(answer, views, compiled)
    evidence = Evidence(page.id, url, page.tier, Method.TEMPLATE, quotes, label, page.fetched_at)
    try:
        found = derive(evidence, answer.field, compiled, views.language)
    except NotDerivable as refusal:
        return _drop(answer, views, refusal.code, refusal.detail)
    return Candidate(answer.field, found, evidence)


def _label(answer: Answer, views: PageViews, compiled: CompiledContract) -> Snippet | None:
    before = node_before(answer.node)
    if before is None:
        return None
    match = compiled.match_label(before[1])
    if match is None or match.field != answer.field:
        return None
    span = text_span(views, *before)
    return snippet(views, ViewName.TEXT, *span) if span else None


def _drop(answer: Answer, views: PageViews, reason: str, detail: str) -> Dropped:
    page = views.page
    url = page.final_url or page.url
    return Dropped(answer.field, reason, detail[:200], answer.words[:200], page.id, url)


def _seek(text: str, words: str, start: int, end: int) -> Span | None:
    """Words between two places of the text view, whatever space stands between them."""
    tokens = words.split()[:_MAX_TOKENS]
    if not tokens:
        return None
    at = text.find(words, start, end)  # mostly they stand there as they are
    if at >= 0:
        return at, at + len(words)
    found = re.compile(_BETWEEN.join(map(re.escape, tokens))).search(text, start, end)
    return found.span() if found else None


def _as_read(words: str, tag: str) -> str:
    raised = {"sup": _RAISED, "sub": _LOWERED}.get(tag)
    return words.translate(raised) if raised else words
