"""Hand-written selectors: candidates with evidence, or a reason for the drop.

Most values are in one piece in an element without inner markup. Such an element, serialised, is
searched for in the source and accepted where it occurs once; so the text view of the page need
not be made. Everything else is quoted from the text view.
"""

from collections.abc import Iterable, Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode

from specfactory.contract import CompiledContract
from specfactory.contract.files import split_selector
from specfactory.extract.page import CandidateMaker, PageCandidates, Proposal
from specfactory.model import Candidate, Encoding, FieldType, Method, Snippet, ViewName
from specfactory.proof import VIEW_VERSIONS, PageViews, reading, snippet

MAX_ITEMS = 500  # of a list
_LEVELS = 4  # of ancestors that may tell one element from others with the same source
_LONGEST = 20_000  # characters of an ancestor that is serialised
_SPACE = " \t\n\r\f"


def select(
    views: PageViews, compiled: CompiledContract, selectors: Mapping[str, str]
) -> PageCandidates:
    """Take the value of every field that has a selector."""
    maker = CandidateMaker(views, compiled)
    tree = views.tree
    for field, selector in selectors.items():
        if tree is not None and field in compiled.contract.fields:
            _take(field, selector, tree, maker)
    return maker.made


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
    if not attribute and (inner := nodes[0].first_child) is not None:
        from specfactory.extract.templates.template_candidates import label_before  # seldom needed

        proposal = proposal._replace(label=label_before(inner, field, maker))
    maker.take(field, proposal, shown=reading(quotes[0]))


def _quote(views: PageViews, node: LexborNode, attribute: str) -> Snippet | None:
    """Quote the words of an element or of its attribute; None when it has none."""
    written, inner = node.html or "", node.first_child
    if attribute:
        given = node.attributes.get(attribute) or ""
        words = given.replace("&", "&amp;").replace('"', "&quot;").replace("\u00a0", "&nbsp;")
        begins = f' {attribute}="'
        at = written.find(f'{begins}{words}"')
        if not given or at < 0:
            return None
        return _quote_source(views, node, written, words, at + len(begins))
    if inner is not None and inner.next is None and inner.is_text_node:
        words = node.inner_html or ""
        at = len(written) - len(words) - len(f"</{node.tag}>")
        if (found := _quote_source(views, node, written, words, at)) is not None:
            return found
    span = views.span(node)
    return snippet(views, ViewName.TEXT, *span) if span else None


def _quote_source(
    views: PageViews, node: LexborNode, written: str, words: str, at: int
) -> Snippet | None:
    """Quote words at an offset of an element as written; None when its place is not certain.

    The source must have the element as serialised, so that the words have the same offset in both.
    """
    place, bare = _place(views, node, written), words.strip(_SPACE)
    if place is None or not bare:
        return None
    start = place + at + words.find(bare)
    end = start + len(bare)
    if views.source[start:end] != bare:
        return None
    view = views.markup_view
    return Snippet(views.page.id, view, VIEW_VERSIONS[view], start, end, bare, Encoding.HTML)


def _place(views: PageViews, node: LexborNode, written: str) -> int | None:
    """Offset of an element in the source, if it is certain.

    Where several elements have the same source, an ancestor that occurs once decides.
    """
    source, outer, surroundings = views.source, node, written
    for _ in range(_LEVELS):
        at = source.find(surroundings) if surroundings else -1
        if at < 0:
            return None
        if source.find(surroundings, at + 1) < 0:
            if outer is node:
                return at
            inside = surroundings.find(written)
            return at + inside if surroundings.find(written, inside + 1) < 0 else None
        parent = outer.parent
        if parent is None:
            return None
        outer, surroundings = parent, parent.html or ""
        if len(surroundings) > _LONGEST:
            return None
    return None


def settled(others: Iterable[Candidate], selected: PageCandidates) -> list[Candidate]:
    """Combine with candidates of other methods; a field with a selector uses it alone."""
    fields = {candidate.field for candidate in selected.candidates}
    return [*selected.candidates, *(one for one in others if one.field not in fields)]
