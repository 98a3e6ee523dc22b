"""What a template found → candidates with evidence in the text view, or the reason why not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from selectolax.lexbor import LexborNode

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.page import CandidateMaker, Proposal
from specfactory.extract.templates.apply import Answer, Applied
from specfactory.extract.templates.quick_paths import node_before
from specfactory.extract.templates.text_nodes import readable
from specfactory.model import Candidate, Dropped, FieldType, Method, Snippet, ViewName
from specfactory.proof import PageViews, snippet

_BETWEEN = r"[\s\u00ad\u200a-\u200f\u2060-\u2064\ufeff]*"
_MAX_TOKENS = 200
_MAX_ITEMS = 500  # of a list
_INCOMPLETE = frozenset(("currency_missing", "unit_missing"))
_LEVELS = 3
_MAX_BESIDE = 16  # characters beside a number in which its unit may stand
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

Span = tuple[int, int]


def apply_template(
    template: Applied, views: PageViews, compiled: CompiledContract
) -> tuple[list[Candidate], list[Dropped]]:
    """What a template finds on a page: lists whole, of other fields the best value."""
    fields = compiled.contract.fields
    lists = frozenset(name for name, field in fields.items() if field.type is FieldType.LIST)
    return template_candidates(template.all(views.tree, lists), views, compiled)


def template_candidates(
    answers: Iterable[Answer], views: PageViews, compiled: CompiledContract
) -> tuple[list[Candidate], list[Dropped]]:
    """Candidates out of answers, one for all items of a list.

    The label before a value is cited where it names the field.
    """
    maker = CandidateMaker(views, compiled)
    by_field: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.field in compiled.contract.fields:
            by_field.setdefault(answer.field, []).append(answer)
    for name, some in by_field.items():
        is_list = compiled.contract.fields[name].type is FieldType.LIST
        for together in [some] if is_list else [[one] for one in some]:
            _take(together[:_MAX_ITEMS], maker)
    return maker.candidates, maker.dropped


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


def _take(answers: Sequence[Answer], maker: CandidateMaker) -> None:
    """Make one candidate out of one answer, or out of all items of a list."""
    first, views = answers[0], maker.views
    spans = [span for answer in answers if (span := _span(answer, views))]
    if not spans:
        maker.drop(first.field, "not_read", "it is not in the text view", shown=first.words)
        return
    label = _label(first, views, maker.compiled)
    proposal = _proposal(spans, label, views)
    try:
        maker.candidates.append(maker.derive(first.field, proposal))
    except NotDerivable as refusal:
        if refusal.code in _INCOMPLETE and len(spans) == 1:
            for wider in _around(first, spans[0], views):
                made = maker.guess(first.field, _proposal([wider], label, views))
                if made is not None:
                    maker.candidates.append(made)
                    return
        maker.drop(first.field, refusal.code, refusal.detail, shown=first.words)


def _proposal(spans: Sequence[Span], label: Snippet | None, views: PageViews) -> Proposal:
    values = tuple(snippet(views, ViewName.TEXT, *span) for span in spans)
    return Proposal(values, method=Method.TEMPLATE, label=label)


def _around(answer: Answer, span: Span, views: PageViews) -> Iterator[Span]:
    """The small boxes around a number whose unit or currency stands in an element of its own."""
    parent = answer.node.parent
    element = views.outline.by_node.get(parent.mem_id) if parent is not None else None
    for _ in range(_LEVELS):
        if element is None or element.end - element.start > span[1] - span[0] + _MAX_BESIDE:
            return
        yield element.span
        element = element.parent


def _span(answer: Answer, views: PageViews) -> Span | None:
    """Where the value of an answer is read."""
    whole = text_span(views, answer.node, answer.text)
    return _seek(views.text, answer.words, *whole) if whole else None


def _label(answer: Answer, views: PageViews, compiled: CompiledContract) -> Snippet | None:
    before = node_before(answer.node)
    if before is None:
        return None
    match = compiled.match_label(before[1])
    if match is None or match.field != answer.field:
        return None
    span = text_span(views, *before)
    return snippet(views, ViewName.TEXT, *span) if span else None


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
