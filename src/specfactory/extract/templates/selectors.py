"""Hand-written selectors: what they select → candidates with evidence, or the reason why not.

Most values stand in one piece in an element without markup of its own. Such an element is found
in the source as it is written out again, and only where it stands there once; so the page need
not be read as a whole. Everything else is quoted from the text view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.contract import CompiledContract
from specfactory.contract.files import split_selector
from specfactory.extract.page import CandidateMaker, Proposal
from specfactory.model import (
    Candidate,
    Dropped,
    Encoding,
    FieldType,
    Frozen,
    Method,
    Snippet,
    ViewName,
)
from specfactory.proof import VIEW_VERSIONS, PageViews, reading, snippet

NO_SELECTORS: Mapping[str, str] = {}
MAX_ITEMS = 500  # of a list
_LEVELS = 4  # of surroundings that tell one element from others that are written alike
_LONGEST = 20_000  # characters of an element's surroundings that are written out again
_SPACE = " \t\n\r\f"


class Selected(Frozen):
    """What the selectors of a source gave on one page."""

    candidates: tuple[Candidate, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def select(views: PageViews, compiled: CompiledContract, selectors: Mapping[str, str]) -> Selected:
    """Take the value of every field that has a selector."""
    maker = CandidateMaker(views, compiled)
    tree = views.tree
    for field, selector in selectors.items():
        if tree is not None and field in compiled.contract.fields:
            _take(field, selector, tree, maker)
    return Selected(tuple(maker.candidates), tuple(maker.dropped))


def _take(field: str, selector: str, tree: LexborHTMLParser, maker: CandidateMaker) -> None:
    """Take the value that a selector gives; of a list all elements, else the first."""
    css, attribute = split_selector(selector)
    if maker.compiled.contract.fields[field].type is FieldType.LIST:
        nodes = tree.css(css)[:MAX_ITEMS]
    else:
        nodes = [first] if (first := tree.css_first(css)) is not None else []
    quotes = tuple(quote for node in nodes if (quote := _quote(maker.views, node, attribute)))
    if not quotes:
        if nodes:
            maker.drop(field, "not_read", f"nothing can be read at {selector}")
        return
    proposal = Proposal(quotes, method=Method.SELECTOR)
    candidate = maker.guess(field, proposal)
    if candidate is not None:
        maker.candidates.append(candidate)
        return
    # The label may carry the unit: "Weight (g)".
    label = _label(field, nodes[0], maker) if not attribute else None
    maker.take(field, proposal._replace(label=label), shown=reading(quotes[0]))


def _label(field: str, node: LexborNode, maker: CandidateMaker) -> Snippet | None:
    """The words before the value, where they name the field."""
    from specfactory.extract.templates.quick_paths import node_before  # seldom needed
    from specfactory.extract.templates.template_candidates import text_span

    inner = node.first_child
    before = node_before(inner) if inner is not None else None
    match = maker.compiled.match_label(before[1]) if before is not None else None
    if before is None or match is None or match.field != field:
        return None
    span = text_span(maker.views, *before)
    return snippet(maker.views, ViewName.TEXT, *span) if span else None


def _quote(views: PageViews, node: LexborNode, attribute: str) -> Snippet | None:
    """The words of an element or of its attribute, where they stand; None when it has none."""
    if attribute:
        return _quote_attribute(views, node, attribute)
    found = _quote_source(views, node)
    if found is not None:
        return found
    span = views.span(node)
    return snippet(views, ViewName.TEXT, *span) if span else None


def _quote_source(views: PageViews, node: LexborNode) -> Snippet | None:
    """An element of one text, in the source; None when it is not surely there."""
    inner = node.first_child
    if inner is None or inner.next is not None or not inner.is_text_node:
        return None
    written, words = node.html or "", node.inner_html or ""
    place, bare = _place(views, node, written), words.strip(_SPACE)
    if place is None or not bare:
        return None
    # It stands there as it is written, so its words stand where they do in what is written.
    start = place + len(written) - len(words) - len(f"</{node.tag}>") + words.find(bare)
    return _cut(views, start, bare)


def _quote_attribute(views: PageViews, node: LexborNode, attribute: str) -> Snippet | None:
    given, written = node.attributes.get(attribute), node.html or ""
    place = _place(views, node, written) if given else None
    if place is None or given is None:
        return None
    escaped = given.replace("&", "&amp;").replace('"', "&quot;").replace("\u00a0", "&nbsp;")
    begins = f' {attribute}="'
    at = written.find(f'{begins}{escaped}"')
    if at < 0:
        return None
    bare = escaped.strip(_SPACE)
    if not bare:
        return None
    return _cut(views, place + at + len(begins) + escaped.find(bare), bare)


def _cut(views: PageViews, start: int, words: str) -> Snippet | None:
    """The words as they stand in the source at a place; None when others stand there."""
    end = start + len(words)
    if views.source[start:end] != words:
        return None
    view = views.markup_view
    return Snippet(views.page.id, view, VIEW_VERSIONS[view], start, end, words, Encoding.HTML)


def _place(views: PageViews, node: LexborNode, written: str) -> int | None:
    """Where an element stands in the source, when that is sure."""
    source = views.source
    at = source.find(written) if written else -1
    if at < 0:
        return None
    return _place_among(source, node, written) if source.find(written, at + 1) >= 0 else at


def _place_among(source: str, node: LexborNode, written: str) -> int | None:
    """Where it stands among others that are written alike: what surrounds it stands there once."""
    outer, surroundings = node, written
    for _ in range(_LEVELS):
        at = source.find(surroundings) if surroundings else -1
        if at < 0:
            return None
        if source.find(surroundings, at + 1) < 0:
            inside = surroundings.find(written)
            return at + inside if surroundings.find(written, inside + 1) < 0 else None
        parent = outer.parent
        if parent is None:
            return None
        outer, surroundings = parent, parent.html or ""
        if len(surroundings) > _LONGEST:
            return None
    return None


def settled(others: Iterable[Candidate], selected: Selected) -> list[Candidate]:
    """Candidates of all methods: where a person said where a value stands, it stands there."""
    fields = {candidate.field for candidate in selected.candidates}
    return [*selected.candidates, *(one for one in others if one.field not in fields)]


def covers(selectors: Mapping[str, str], fields: Set[str]) -> bool:
    """Whether every field has a selector, so that nothing else need be tried."""
    return selectors.keys() >= fields
