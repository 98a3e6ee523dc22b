"""Lists of recipes: which lines of a page look like ingredients or steps, and where they stand.

Every heading or label that names the field opens a region, so does a box whose class names it,
and any list may be one. The region whose lines look most like what is asked for wins.
"""

import math
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct

from specfactory.contract import CompiledContract
from specfactory.contract.text import clean, normal
from specfactory.contract.values import is_prose
from specfactory.extract.page import Layout, Span, hints_aside
from specfactory.model import Field
from specfactory.proof import Element
from specfactory.word_lists import read_lists, word_set

MAX_LINES = 8_000
_MAX_REGION = 150  # lines of one list
_MAX_HINTED = 60
_MAX_HEADING = 80
_NO_RANK = 7  # of a label that is no heading by its tag
_ASIDE = frozenset(("nav", "footer", "button", "select", "option", "form"))
_BOLD = frozenset(("b", "strong", "em", "u"))
_LISTS = frozenset(("ul", "ol", "tbody", "table", "dl"))
_EDGES = " \t\n:：.–-—*#•|»"
_FEW_PAIRS = 2
_MAX_PAIR_LINES = 6
_NUMBERED = re.compile(r"\s*(?:\d{1,2}\s?[.)]|[•·▢□☐*◦‣✓])\s+(?=\S)")
_WORDS = read_lists("extract/labelled/data/recipe_words.txt")
_STOPS = frozenset(_WORDS["stops"])  # headings where a recipe ends

# What a line of a recipe looks like, by general features alone.
_NUMBER = r"(?:\d+(?:[.,/⁄]\d+)?|[¼-¾⅐-⅞])(?:\s*[¼-¾⅐-⅞]|\s+\d/\d)?"
_AMOUNT = re.compile(
    rf"[\s•·*▢□☐✓◦‣–-]*(?:ca\.?|about|approx\.?|~|circa|etwa|environ|около)?\s*{_NUMBER}"
    rf"(?:\s*(?:[-–—x×/]|to|bis|à|a|или|or|oder|ou)\s*{_NUMBER})?",
    re.IGNORECASE,
)
_UNITS = word_set(*_WORDS["units"])
_JOINED_UNITS = word_set(*_WORDS["joined units"])  # what follows may be a letter
_UNIT = rf"(?:(?:{'|'.join(sorted(_UNITS))})(?![^\W\d_])|{'|'.join(sorted(_JOINED_UNITS))})"
_MEASURED = re.compile(rf"(?<![\d.,]){_NUMBER}\s?-?\s?{_UNIT}", re.IGNORECASE)
_SPOONS = re.compile(r"(?:大さじ|小さじ|适量|少许|適量|少々|q\.?\s?b\.?(?!\w))", re.IGNORECASE)
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯฀-๿]{1,2}|[^\W_]+")
_ENDED = re.compile(r"[.!。！…][\"'”»)]*$")
_MAX_INGREDIENT_WORDS = 30
_MAX_INGREDIENT = 240
_MAX_AMOUNT = 24
_TRAILING = re.compile(rf"\s{_NUMBER}\s?(?:[^\W\d_]{{1,5}}\.?)?$")
_SCALE = re.compile(r"(?:[\d.,/½¼]+\s*[x×]\s*)+", re.IGNORECASE)
# How many it is for, in the words of kitchens.
_FOR_MANY = re.compile(
    r"serv(?:ing|es)|porti|porz|porc|porsi|порци|person|personer|főre|raci[oó]n|comensal|annos|"
    r"人分|人份|인분|kişilik|μερίδ|makes\b|yield",
    re.IGNORECASE,
)
_LABEL_END = ("::", ":", "：")
_COUNT_ONLY = re.compile(r"[^\W\d]{0,12}[\s#.]*\d{1,2}\s*[.):/]?(?:\s*(?:/|of)\s*\d{1,2})?")

Likeness = Callable[[str], float]


def ingredient_likeness(line: str) -> float:
    """Rate how much a line looks like an ingredient: 1 with amount and unit, 0 for a sentence."""
    words = len(_WORD.findall(line))
    if not words or words > _MAX_INGREDIENT_WORDS or len(line) > _MAX_INGREDIENT:
        return 0.0
    # Lines about the list: how many it serves, how it is scaled, a bare number.
    if _SCALE.fullmatch(line) or not any(map(str.isalpha, line)):
        return 0.0
    if words <= 4 and _FOR_MANY.search(line):
        return 0.0
    if line.endswith(_LABEL_END) or (words > 8 and _ENDED.search(line) and is_prose(line)):
        return 0.0
    leads = _AMOUNT.match(line)
    if _MEASURED.search(line) or _SPOONS.search(line):
        return 1.0 if leads or words <= 10 else 0.6
    if (leads or _TRAILING.search(line)) and words > 1:
        return 0.8
    return 0.35 if words <= 6 else 0.2 if words <= 12 else 0.05


def is_amount(line: str) -> bool:
    """True when a line is an amount and hardly more ("½ cup"), its ingredient on another line."""
    found = _AMOUNT.match(line) if len(line) <= _MAX_AMOUNT else None
    return found is not None and len(_WORD.findall(line[found.end() :])) <= 1


def step_likeness(line: str) -> float:
    """Rate how much a line looks like a step: a sentence of some length, 0 for a bare number."""
    words = len(_WORD.findall(line))
    if words <= 2 and _COUNT_ONLY.fullmatch(line.strip()):
        return 0.0
    ended = bool(_ENDED.search(line))
    if words >= 6 and ended:
        return 1.0
    if words >= 8:
        return 0.4 if _AMOUNT.match(line) and words < 12 else 0.7
    return 0.5 if ended and words >= 3 else 0.2 if words >= 4 else 0.05


class ListKind(NamedTuple):
    """A kind of list: how its items look, and how many of them make a list."""

    likeness: Likeness
    hints: re.Pattern[str]
    fewest: int
    enough: float  # the least sum of likeness of a list
    dense: float  # the least mean likeness of a list that structured data gives whole
    pairs: bool = False  # an item may stand in two lines, amount and name


KINDS = {  # by the role of a list field
    "ingredients": ListKind(
        ingredient_likeness, re.compile(r"ingredi|zutat|skladnik|sastojc|malzeme", re.I),
        fewest=2, enough=1.0, dense=0.45, pairs=True,
    ),
    "steps": ListKind(
        step_likeness,
        re.compile(r"instruct|direction|preparation|method|procedure|steps?\b|bereit|bereid", re.I),
        fewest=1, enough=1.0, dense=0.1,
    ),
}  # fmt: skip


class ListRegion(Struct):
    """Lines that may be the list, and how much each looks like one of its items."""

    lines: list[Span]
    likeness: list[float]
    heading: Span | None = None
    bonus: float = 1.0

    @property
    def worth(self) -> float:
        """Higher with more lines that look right, lower with lines that do not."""
        total = sum(self.likeness)
        return math.sqrt(min(total, 30.0)) * (total / len(self.likeness)) * self.bonus


class Sections:
    """The regions of one page."""

    def __init__(self, layout: Layout, compiled: CompiledContract) -> None:
        self._layout = layout
        self._lines = list(_lines(layout.text))
        self._ranks = {heading.start: level for heading, level, _ in layout.headings}
        self._labels = {
            normal(label): field.name
            for field in compiled.contract.fields.values()
            if compiled.roles[field.name].recipe_list
            for labels in field.labels.values()
            for label in labels
        }
        # Line number -> the list field that its words name, and its rank as a heading.
        self._named: dict[int, tuple[str, int]] = {}
        for number, (start, end) in enumerate(self._lines):
            if end - start <= _MAX_HEADING and (name := self._field_named(start, end)):
                self._named[number] = (name, self._ranks.get(start, _NO_RANK))
        # Regions overlap, so what was found out about a line or a box is kept.
        self._asides: dict[int, bool] = {}
        self._items: dict[tuple[Span, bool], Span | None] = {}
        self._likenesses: dict[tuple[Span, Likeness], float] = {}

    def best(self, field: Field, kind: ListKind) -> ListRegion | None:
        """The region that looks most like the field."""
        regions = [
            self._below(number, kind)
            for number, (name, _) in self._named.items()
            if name == field.name
        ]
        regions += self._hinted(kind)
        for element in self._layout.elements:
            if element.tag in _LISTS and element.start >= 0 and len(element.children) > 1:
                regions.append(self._region(self._within(element), kind))
        fit = [
            region
            for region in regions
            if len(region.lines) >= kind.fewest and sum(region.likeness) >= kind.enough
        ]
        return max(fit, key=lambda region: region.worth, default=None)

    def _field_named(self, start: int, end: int) -> str | None:
        """The list field that a line names, alone or at the edge of a heading."""
        words = normal(self._layout.text[start:end].strip(_EDGES))
        if words in self._labels:
            return self._labels[words]
        parts = words.partition("(")[0].partition(":")[0].split()
        if not 1 <= len(parts) <= 8 or not self._is_heading(start, end):
            return None
        for size in range(min(4, len(parts)), 0, -1):
            for some in (parts[:size], parts[-size:]):
                if (name := self._labels.get(" ".join(some).strip(_EDGES))) is not None:
                    return name
        return None

    def _is_heading(self, start: int, end: int) -> bool:
        if start in self._ranks or self._layout.text[end - 1 : end] in ":：":
            return True
        leaf = self._layout.leaf_at(start)
        return leaf is not None and any(
            child.tag in _BOLD and child.end >= end for child in leaf.children
        )

    def _below(self, number: int, kind: ListKind) -> ListRegion:
        """The region below a heading, up to the next of its rank or one that ends the recipe."""
        below: list[Span] = []
        field, rank = self._named[number]
        for at in range(number + 1, min(len(self._lines), number + _MAX_REGION)):
            start, end = self._lines[at]
            level = self._ranks.get(start)
            other = self._named.get(at)
            if (level is not None and level <= rank) or (other and other[0] != field):
                break
            if end - start <= _MAX_HEADING:
                words = normal(self._layout.text[start:end].strip(_EDGES + "!?…"))
                if words in _STOPS and self._is_heading(start, end):
                    break
            below.append((start, end))
        # Of those lines, the smallest box around the heading that holds a list.
        heading = self._lines[number]
        place = self._layout.leaf_at(heading[0])
        region = ListRegion([], [])
        for box in place.ancestors() if place is not None else ():
            inside = [line for line in below if line[1] <= box.end]
            region = self._region(inside, kind, headed=True)
            if sum(region.likeness) >= 2 * kind.enough or len(inside) == len(below):
                break
        region.heading, region.bonus = heading, 1.6
        return region

    def _hinted(self, kind: ListKind) -> Iterator[ListRegion]:
        """Boxes whose class or id names what is asked for."""
        outer_end, count = -1, 0
        for element in self._layout.elements:
            if element.start < outer_end or element.start < 0 or not element.attributes:
                continue
            if kind.hints.search(element.hints) and element.tag not in ("body", "html", "main"):
                box, parent = element, element.parent
                if parent is not None:
                    # Where siblings are named alike, each is an item and the parent the list.
                    alike = sum(1 for c in parent.children[:40] if kind.hints.search(c.hints))
                    box = parent if alike > 1 else element
                outer_end, count = box.end, count + 1
                region = self._region(self._within(box), kind)
                region.bonus = 1.3
                yield region
            if count >= _MAX_HINTED:
                return

    def _within(self, box: Element) -> list[Span]:
        return list(_lines(self._layout.text, box.start, box.end))

    def _region(self, lines: list[Span], kind: ListKind, headed: bool = False) -> ListRegion:
        """The lines that could be items, each item whole, with their likeness."""
        region = ListRegion([], [])
        taken = -1
        for line in lines[:_MAX_REGION]:
            if line[0] < taken:
                continue
            if (line, headed) not in self._items:
                self._items[line, headed] = self._item(line, headed)
            item = self._items[line, headed]
            if item is None:
                continue
            taken = item[1]
            if (item, kind.likeness) not in self._likenesses:
                self._likenesses[item, kind.likeness] = kind.likeness(self._layout.read(item))
            likeness = self._likenesses[item, kind.likeness]
            if likeness > 0:
                region.lines.append(item)
                region.likeness.append(likeness)
        return self._paired(region, kind) if kind.pairs else region

    def _paired(self, region: ListRegion, kind: ListKind) -> ListRegion:
        """Join amounts and names that stand on lines of their own."""
        items: dict[Span, None] = {}
        joined = 0
        for line in region.lines:
            if items and line[0] < next(reversed(items))[1]:
                continue
            whole = self._with_name(line) if is_amount(self._layout.read(line)) else None
            joined += whole is not None
            while items and whole and next(reversed(items))[0] >= whole[0]:
                items.popitem()  # the name came first
            items[whole or line] = None
        if joined < _FEW_PAIRS or joined * 2 < len(items):
            return region
        likeness = [kind.likeness(clean(self._layout.read(item))) for item in items]
        return ListRegion(list(items), likeness)

    def _with_name(self, amount: Span) -> Span | None:
        """The box around an amount that holds a name too, and no second amount."""
        read = self._layout.read
        place = self._layout.leaf_at(amount[0])
        for box in (place, *place.ancestors()) if place is not None else ():
            if box.span != amount and box.end - box.start > amount[1] - amount[0]:
                lines = self._within(box)
                amounts = sum(is_amount(read(line)) for line in lines[:_MAX_PAIR_LINES])
                return box.span if len(lines) < _MAX_PAIR_LINES and amounts == 1 else None
        return None

    def _item(self, line: Span, headed: bool) -> Span | None:
        """The item that a line belongs to: its list item or row, else the line itself."""
        place = self._layout.leaf_at(line[0])
        if place is None or line[0] in self._ranks:
            return None
        # A line that is a link leads to another recipe, unless it is measured.
        if not _MEASURED.search(self._layout.read(line)) and (
            place.tag == "a"
            or any(
                inner.tag == "a" and inner.start <= line[0] and inner.end >= line[1]
                for inner in place.descendants()
            )
        ):
            return None
        span = line
        for element in (place, *place.ancestors()):
            if element.tag in _ASIDE or (not headed and self._is_aside(element)):
                return None
            if (
                span == line
                and element.tag in ("li", "tr")
                and not any(inner.tag in ("li", "tr") for inner in element.descendants())
            ):
                span = element.span
        start = span[0]
        if (mark := _NUMBERED.match(self._layout.text, start, span[1])) is not None:
            start = mark.end()
        return (start, span[1]) if start < span[1] else None

    def _is_aside(self, element: Element) -> bool:
        """True when a small box stands beside the recipe: comments, menus, sharing."""
        if element.index not in self._asides:
            hints = element.hints
            small = (element.end - element.start) * 2 < len(self._layout.text)
            self._asides[element.index] = bool(hints) and small and hints_aside(hints)
        return self._asides[element.index]


def _lines(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The spans of the lines of a text that are not blank."""
    at = start
    for count, line in enumerate(text[start:end].split("\n")):
        if count >= MAX_LINES:
            return
        if words := line.strip():
            left = at + line.index(words[0])
            yield left, left + len(words)
        at += len(line) + 1
