"""Candidates from a template's answers, with evidence in the text view or a reason for the drop."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from selectolax.lexbor import LexborNode

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.page import CandidateMaker, Proposal
from specfactory.extract.templates.apply import Applied, TemplateAnswer
from specfactory.extract.templates.text_nodes import node_before, readable
from specfactory.model import Candidate, Dropped, FieldType, Method, Snippet, ViewName
from specfactory.proof import PageViews, snippet

_BETWEEN = r"[\s\u00ad\u200a-\u200f\u2060-\u2064\ufeff]*"
_MAX_TOKENS = 200
_MAX_ITEMS = 500  # of a list
_INCOMPLETE = frozenset(("currency_missing", "unit_missing"))
_LEVELS = 3
_MAX_BESIDE = 16  # characters beside a number that may be its unit
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

Span = tuple[int, int]


def apply_template(
    template: Applied, views: PageViews, compiled: CompiledContract
) -> tuple[list[Candidate], list[Dropped]]:
    """Apply a template to a page: whole lists, and the best value of other fields."""
    fields = compiled.contract.fields
    lists = frozenset(name for name, field in fields.items() if field.type is FieldType.LIST)
    answers = chain.from_iterable(template.every(views.tree, lists).values())
    return template_candidates(answers, views, compiled)


def template_candidates(
    answers: Iterable[TemplateAnswer], views: PageViews, compiled: CompiledContract
) -> tuple[list[Candidate], list[Dropped]]:
    """Make candidates from answers, one for all items of a list.

    The label before a value is cited where it names the field.
    """
    maker = CandidateMaker(views, compiled)
    by_field: dict[str, list[TemplateAnswer]] = {}
    for answer in answers:
        if answer.field in compiled.contract.fields:
            by_field.setdefault(answer.field, []).append(answer)
    for name, some in by_field.items():
        is_list = compiled.contract.fields[name].type is FieldType.LIST
        for together in [some] if is_list else [[one] for one in some]:
            _take(together[:_MAX_ITEMS], maker)
    return maker.candidates, maker.dropped


def text_span(views: PageViews, node: LexborNode, words: str) -> Span | None:
    """Span of a text node's words in the text view; None when they are not in it."""
    parent = node.parent
    element = views.outline.by_node.get(parent.mem_id) if parent is not None else None
    if parent is None or element is None or not element.has_words:
        return None
    at = element.start
    child = parent.first_child
    while child is not None:
        if child.mem_id == node.mem_id:
            raised = {"sup": _RAISED, "sub": _LOWERED}.get(element.tag)
            read = words.translate(raised) if raised else words
            return _seek(views.text, read, at, element.end)
        if child.tag == "-text":
            passed = _seek(views.text, readable(child.text_content), at, element.end)
            at = passed[1] if passed else at
        else:
            below = views.outline.by_node.get(child.mem_id)
            at = below.end if below is not None and below.has_words else at
        child = child.next
    return None


def _take(answers: Sequence[TemplateAnswer], maker: CandidateMaker) -> None:
    """Make one candidate out of one answer, or out of all items of a list."""
    first, views = answers[0], maker.views
    spans: list[Span] = []
    for answer in answers:
        whole = text_span(views, answer.node, answer.text)
        words = _without_label(answer, maker.compiled)
        if is_label(words, answer.field, maker.compiled) or answer.text.endswith(":"):
            maker.drop(first.field, "label", "it is a label, not a value", shown=answer.words)
        elif whole and (span := _seek(views.text, words, *whole)):
            spans.append(span)
        else:
            maker.drop(first.field, "not_read", "it is not in the text view", shown=answer.words)
    if not spans:
        return
    label = label_before(first.node, first.field, maker)
    proposal = _proposal(spans, label, views, first.likelihood)
    try:
        maker.candidates.append(maker.derive(first.field, proposal))
        return
    except NotDerivable as refusal:
        reason, detail = refusal.code, refusal.detail
    if reason in _INCOMPLETE and len(spans) == 1:
        # The unit or currency may be in an element of its own: try the small boxes around.
        parent = first.node.parent
        element = views.outline.by_node.get(parent.mem_id) if parent is not None else None
        longest = spans[0][1] - spans[0][0] + _MAX_BESIDE
        for _ in range(_LEVELS):
            if element is None or element.end - element.start > longest:
                break
            whole_box = _proposal([element.span], label, views, first.likelihood)
            made = maker.guess(first.field, whole_box)
            if made is not None:
                maker.candidates.append(made)
                return
            element = element.parent
    maker.drop(first.field, reason, detail, shown=first.words)


def _proposal(
    spans: Sequence[Span], label: Snippet | None, views: PageViews, likelihood: float | None
) -> Proposal:
    values = tuple(snippet(views, ViewName.TEXT, *span) for span in spans)
    return Proposal(values, likelihood, Method.TEMPLATE, label)


def is_label(words: str, field: str, compiled: CompiledContract) -> bool:
    """True if words are a label of the field itself, and so no value of it."""
    if compiled.contract.fields[field].type is not FieldType.TEXT:
        return False  # "wireless" may be both
    match = compiled.match_label(words)
    return match is not None and match.field == field and match.score >= 1


def _without_label(answer: TemplateAnswer, compiled: CompiledContract) -> str:
    """Words of a value without its label in the same text: "Publisher: Knopf"."""
    label, colon, rest = answer.words.partition(":")
    if colon and rest.strip():
        match = compiled.match_label(label)
        if match is not None and match.field == answer.field:
            return rest.strip()
    return answer.words


def label_before(node: LexborNode, field: str, maker: CandidateMaker) -> Snippet | None:
    """Quote the words before a text, where they name the field."""
    before = node_before(node)
    match = maker.compiled.match_label(before[1]) if before is not None else None
    if before is None or match is None or match.field != field:
        return None
    span = text_span(maker.views, *before)
    return snippet(maker.views, ViewName.TEXT, *span) if span else None


def _seek(text: str, words: str, start: int, end: int) -> Span | None:
    """Find words between two offsets of the text view; white space may differ."""
    tokens = words.split()[:_MAX_TOKENS]
    if not tokens:
        return None
    at = text.find(words, start, end)  # the usual case, without a pattern
    if at >= 0:
        return at, at + len(words)
    found = re.compile(_BETWEEN.join(map(re.escape, tokens))).search(text, start, end)
    return found.span() if found else None
