"""The parts of a page's text that no reader can ever see, and those that are in doubt.

What hides is what the page itself declares (style attributes, style sheets in the page, ``hidden``,
closed dialogs) or, where a browser rendered the page, what it computed. What a control opens is
seen. What only class names, or a rule for another state, say to open is in doubt.
"""

import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from specfactory.proof.text import EMPTY_OUTLINE, TURNED_MARK, UNSEEN_MARK, Element, Outline
from specfactory.proof.visibility import hiding
from specfactory.proof.visibility.openers import Openers
from specfactory.proof.visibility.page_styles import PageStyles, Won
from specfactory.proof.visibility.style_rules import holds_always
from specfactory.proof.visibility.style_sheet import StyleSheet, may_hide_inline, style_sheet

_ROUNDS = 3  # tabs inside tabs inside dialogs
_MOST = 0.6  # a box with more of the text may be the page itself
_LONG = 600  # characters
_MAX_TWIN = 200  # characters of words for screen readers that stand beside the visible ones
_OLD_STYLES = (("color", "color"), ("bgcolor", "background"), ("text", "color"))
_FRAMES = ("html", "body")
_MAYBE = "?"  # ends the mark of an element that another state of the page may show

Span = tuple[int, int]
Doubt = tuple[int, int, str]


class Hidden(NamedTuple):
    """An element that hides its words, or shows them again inside one that does."""

    element: Element
    way: str  # empty where they are shown again
    exact: bool = True
    boxed: bool = False  # nothing inside it can be shown again


class Unseen:
    """Spans of the text view that are hidden for good, in doubt, or turned around."""

    def __init__(
        self, never: Sequence[Span] = (), doubtful: Sequence[Doubt] = (),
        turned: Sequence[Span] = (),
    ) -> None:  # fmt: skip
        self.never = list(never)
        self.turned = list(turned)
        self._doubtful = list(doubtful)

    def hides(self, span: Span) -> bool:
        """True if a part of a span can never be seen."""
        return bool(self.never) and _overlap(self.never, span) is not None

    def turns(self, span: Span) -> bool:
        """True if the letters of a span are shown in another order than they are written."""
        return bool(self.turned) and _overlap(self.turned, span) is not None

    def doubt(self, span: Span) -> str:
        """The reason to doubt that a span can be seen; empty for none."""
        if not self._doubtful:
            return ""
        at = _overlap(self._spans, span)
        return self._doubtful[at][2] if at is not None else ""

    @cached_property
    def _spans(self) -> list[Span]:
        return [(start, end) for start, end, _ in self._doubtful]


EVERYTHING_SEEN = Unseen()


def find_unseen(tree: LexborHTMLParser | None, outline: Outline, rendered: bool) -> Unseen:
    """Find what of a page is not seen; ``rendered`` when a browser made the markup."""
    if tree is None or outline is EMPTY_OUTLINE:
        return EVERYTHING_SEEN
    root = tree.root
    computed = rendered and root is not None and UNSEEN_MARK in (root.attributes or {})
    finder = _Computed(outline) if computed else _Declared(outline, tree)
    hidden = finder.hidden()
    turned = sorted([*_lines(outline), *finder.turned()])
    if not hidden:
        return Unseen(turned=turned) if turned else EVERYTHING_SEEN
    return _judge(outline, hidden, finder, turned)


class _Computed:
    """What a browser found when it rendered the page."""

    is_ready = True  # a page that shows nothing yet is not marked

    def __init__(self, outline: Outline) -> None:
        self._outline = outline

    def hidden(self) -> list[Hidden]:
        found = []
        for one in self._outline.marked(UNSEEN_MARK):
            if one.has_words and one.parent:
                way = one.get(UNSEEN_MARK).removesuffix(_MAYBE)
                found.append(Hidden(one, way, boxed=way in hiding.BOXED))
        return found

    def turned(self) -> list[Span]:
        return [one.span for one in self._outline.marked(TURNED_MARK) if one.has_words]

    def may_show(self, element: Element) -> bool:
        """True if it moves, or stands beside something that a reader may press."""
        return element.get(UNSEEN_MARK).endswith(_MAYBE)


class _Declared:
    """What the page's own styles and attributes say."""

    is_ready = False

    def __init__(self, outline: Outline, tree: LexborHTMLParser) -> None:
        self._outline = outline
        sheet, self._has_others = _sheets(tree)
        self._sheet = PageStyles(sheet, outline.elements)
        # What a sheet elsewhere says of the page's own colours is not known.
        unknown = hiding.Look(text=None, behind=None)
        self._bare = unknown if self._has_others else hiding.Look()
        self._won: dict[int, Won] = {}
        self._looks: dict[int, hiding.Look] = {}
        self._loading = self._hide_page()

    def _hide_page(self) -> frozenset[int]:
        """Numbers of the rules that hide the whole page until it is loaded: "*{opacity:0}"."""
        rules: frozenset[int] = frozenset()
        for frame in self._outline.tagged(*_FRAMES):
            won = self._sheet.won(frame)
            if won.box or won.look(hiding.Look(text=None)).invisible:
                rules |= won.rules
        return rules

    def hidden(self) -> list[Hidden]:
        """Elements that begin or end what is hidden, in document order."""
        found: dict[int, Hidden] = {}
        for element in self._touched:
            won = self._styles(element)
            way = "for browsers without scripts" if element.tag == "noscript" else won.box
            if not way:
                way, above = self._look(element).way, element.parent
                if not way or (above is not None and self._look(above).way == way):
                    continue
                found.update({one.index: Hidden(one, "") for one in self._shown_inside(element)})
                # a sheet elsewhere may give what is inside another size or colour
                sure = won.exact and not (self._has_others and any(_worded(element)))
                found[element.index] = Hidden(element, way, sure)
            else:
                found[element.index] = Hidden(element, way, won.exact, boxed=True)
        return [found[at] for at in sorted(found)]

    def turned(self) -> list[Span]:
        """Spans whose letters styles run in another order."""
        turns = [one for one in self._touched if hiding.turns_letters(self._styles(one).styles)]
        return [one.span for one in (*turns, *self._outline.tagged("bdo")) if one.has_words]

    def may_show(self, element: Element) -> bool:
        """True if some rule of the page shows the element in another state."""
        return self._sheet.may_show(element, self._styles(element).styles)

    @cached_property
    def _touched(self) -> list[Element]:
        outline, found = self._outline, dict[int, Element]()
        for element in outline.marked("hidden", "style", "popover"):
            given = element.attributes
            style = given.get("style")
            if "hidden" in given or "popover" in given or (style and may_hide_inline(style)):
                found[element.index] = element
        named = outline.tagged("dialog", "noscript", "font")
        for element in (*named, *self._sheet.touched()):
            found[element.index] = element
        return sorted((one for one in found.values() if one.has_words), key=attrgetter("index"))

    def _styles(self, element: Element) -> Won:
        won = self._won.get(element.index)
        if won is None:
            won = self._sheet.won(element, self._loading)
            if own := _own_styles(element):  # they yield to all others
                won = Won({**own, **won.styles}, won.exact, won.rules)
            self._won[element.index] = won
        return won

    def _look(self, element: Element) -> hiding.Look:
        unknown: list[Element] = []
        at: Element | None = element
        while at is not None and at.index not in self._looks:
            unknown.append(at)
            at = at.parent
        look = self._looks[at.index] if at is not None else self._bare
        for inner in reversed(unknown):
            look = self._looks[inner.index] = self._styles(inner).look(look)
        return look

    def _shown_inside(self, root: Element) -> Iterator[Element]:
        """The outermost elements in one of hidden letters whose letters are seen again."""
        waiting = root.children[::-1]
        while waiting:
            element = waiting.pop()
            if element.has_words:
                if self._look(element).way:
                    waiting.extend(reversed(element.children))
                else:
                    yield element


def _worded(element: Element) -> Iterator[bool]:
    return (child.has_words for child in element.children)


def _own_styles(element: Element) -> dict[str, str]:
    """The styles that attributes give an element."""
    given = element.attributes
    own = {name: element.get(old).lower() for old, name in reversed(_OLD_STYLES) if given.get(old)}
    return {**own, "display": "none"} if _is_closed(element) else own


def _is_closed(element: Element) -> bool:
    given = element.attributes
    if "hidden" in given:
        return given["hidden"] != "until-found"
    return "popover" in given or (element.tag == "dialog" and "open" not in given)


def _sheets(tree: LexborHTMLParser) -> tuple[StyleSheet, bool]:
    """The style sheets in the page, and whether it has others elsewhere."""
    sheets = []
    for node in tree.css("style"):
        given, above = node.attributes, node.parent
        while above is not None and above.tag not in ("noscript", "template"):
            above = above.parent
        if above is None and holds_always(given.get("media") or "all"):
            sheets.append(node.text())
    linked = tree.css_first('link[rel~="stylesheet" i]') is not None
    return style_sheet(tuple(sheets)), linked or any("@import" in css for css in sheets)


def _judge(
    outline: Outline, hidden: list[Hidden], finder: "_Computed | _Declared", turned: list[Span]
) -> Unseen:
    """Tell what can be opened, what perhaps can, and what never."""
    opened: set[int] = set()
    openers = Openers(outline, [one.element for one in hidden if one.way])
    for _ in range(_ROUNDS):
        closed = [one.element for one in hidden if one.way and one.element.index not in opened]
        openers = Openers(outline, closed, openers)
        more = {one.index for one in closed if openers.opens(one)}
        if not more:
            break
        opened |= more
    verdicts = [
        ""
        if not one.way or one.element.index in opened
        else _verdict(outline, one, finder, openers)
        for one in hidden
    ]
    never, doubtful = _flatten(hidden, verdicts)
    return Unseen(never, doubtful, turned)


def _verdict(
    outline: Outline, one: Hidden, finder: "_Computed | _Declared", openers: Openers
) -> str | None:
    """Empty for what is seen after all, the reason of a doubt, or None for never."""
    element, way, exact, boxed = one
    size, whole = element.end - element.start, len(outline.text)
    is_page = element.tag in _FRAMES and (boxed or way == "invisible")  # shown when it is ready
    is_waiting = not finder.is_ready and (is_page or (boxed and size == whole))
    if is_waiting or _has_twin(outline, element, way):
        return ""
    if size > _MOST * whole:
        return f"most of the page is {way}"
    if element.tag == "noscript" or (way in hiding.CLOSED and size >= _LONG):
        return f"it is {way}"  # a long text may be the page's own, shown by a script
    if not exact:
        return f"a style may make it {way}"
    if openers.hints(element) or element.tag == "dialog":
        return f"it is {way}, and only its name says that it opens"
    if finder.may_show(element):
        return f"it is {way}, and shown in another state of the page"
    return None


def _has_twin(outline: Outline, element: Element, way: str) -> bool:
    """True for words for screen readers that say what is seen beside them ("$12.99")."""
    if way not in hiding.SPOKEN or element.end - element.start > _MAX_TWIN:
        return False
    said, above = _letters(outline.words(element)), element.parent
    for _ in range(2):
        if above is None or above.end - above.start > 3 * _MAX_TWIN:
            return False
        text = outline.text
        beside = text[above.start : element.start], text[element.end : above.end]
        if any(said in _letters(words) for words in beside):
            return True
        above = above.parent
    return False


def _letters(words: str) -> str:
    """Digits as they are, raised ones too; where there are none, letters."""
    plain = unicodedata.normalize("NFKC", words)
    return "".join(filter(str.isdigit, plain)) or "".join(filter(str.isalnum, plain)).casefold()


class _Open(NamedTuple):
    """An element whose words are being painted."""

    end: int
    verdict: str | None
    around: str | None  # the verdict outside it, which holds again where letters are seen again


def _flatten(
    hidden: Sequence[Hidden], verdicts: Sequence[str | None]
) -> tuple[list[Span], list[Doubt]]:
    """Spans apart from each other: what is inside something unseen is no better seen."""
    never: list[Span] = []
    doubtful: list[Doubt] = []
    stack = [_Open(sys.maxsize, "", "")]
    at = 0

    def paint(upto: int) -> None:
        nonlocal at
        verdict = stack[-1].verdict
        if upto > at and verdict is None:
            never.append((at, upto))
        elif upto > at and verdict:
            doubtful.append((at, upto, verdict))
        at = max(at, upto)

    for (element, way, _, boxed), own in zip(hidden, verdicts, strict=True):
        while stack[-1].end <= element.start:
            paint(stack[-1].end)
            stack.pop()
        paint(element.start)
        outer = stack[-1].verdict if way else stack[-1].around
        verdict = None if outer is None or own is None else own or outer
        stack.append(_Open(element.end, verdict, verdict if boxed else outer))
    while len(stack) > 1:
        paint(stack[-1].end)
        stack.pop()
    return never, doubtful


def _lines(outline: Outline) -> Iterator[Span]:
    """The lines in which characters turn the order of letters."""
    text = outline.text
    for before in outline.turned:
        place = before + (text[before : before + 1] == "\n")  # the words may begin a new line
        end = text.find("\n", place)
        yield text.rfind("\n", 0, place) + 1, end if end >= 0 else len(text)


def _overlap(spans: list[Span], span: Span) -> int | None:
    """The place of the first of some spans, in order, that has a part of another."""
    at = max(bisect_right(spans, (span[0], span[1])) - 1, 0)
    for place in range(at, min(at + 2, len(spans))):
        if spans[place][0] < span[1] and span[0] < spans[place][1]:
            return place
    return None
