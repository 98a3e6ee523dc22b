"""Regions of a page that may be a list: below a heading, in a box, in a list of its own.

Every heading or label that names the field opens a region, so does a box whose class names it,
and any list may be one. The region whose lines look most like what is asked for wins.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.contract.text import clean, normal, word_set
from specfactory.extract.labelled.line_kinds import (
    Likeness,
    ingredient_likeness,
    is_amount,
    is_measured,
    step_likeness,
)
from specfactory.extract.page import Layout, Span
from specfactory.model import Field
from specfactory.proof import Element

MAX_LINES = 8_000
_MAX_REGION = 150  # lines of one list
_MAX_HINTED = 60
_MAX_HEADING = 80
_NO_RANK = 7  # of a label that is no heading by its tag
_ASIDE = frozenset(("nav", "footer", "button", "select", "option", "form"))
_BOLD = frozenset(("b", "strong", "em", "u"))
_LISTS = frozenset(("ul", "ol", "tbody", "table", "dl"))
_EDGES = " \t\n:：.–-—*#•|»"
_FRAME = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|respond|replies|related|sidebar|share|sharing|social|"
    r"newsletter|breadcrumbs?|menu|nav|navigation|footer|cookies?|reviews?|popup|modal)(?:$|[\s_-])",
    re.IGNORECASE,
)
_FEW_PAIRS = 2
_MAX_PAIR_LINES = 6
_NUMBERED = re.compile(r"\s*(?:\d{1,2}\s?[.)]|[•·▢□☐*◦‣✓])\s+(?=\S)")
# Where a recipe ends, in the words of headings.
_STOPS = word_set(
    "notes|note|tips|tip|nutrition|nutrition facts|nutritional information|comments|reviews|"
    "related recipes|you may also like|more recipes|share|print|video|leave a comment|"
    "leave a reply|equipment|storage|faq|about the author|did you make this recipe|"
    "nährwerte|tipp|tipps|kommentare|anmerkungen|hinweise|nährwertangaben|"
    "notes et astuces|astuces|conseils|commentaires|valeurs nutritionnelles|"
    "notas|consejos|comentarios|información nutricional|trucos|"
    "note e consigli|consigli|commenti|valori nutrizionali|conservazione|"
    "voedingswaarden|reacties|tips & tricks|noter|kommentarer|näringsvärde|"
    "wartości odżywcze|komentarze|wskazówki|dicas|comentários|примечания|комментарии|"
    "советы|tápérték|megjegyzések|tipy|komentáře|小贴士|ポイント|コメント|팁",
    "|",
)


class Kind(NamedTuple):
    """What a list field asks for, by its role."""

    likeness: Likeness
    hints: re.Pattern[str]
    fewest: int
    enough: float  # the least sum of likeness of a list
    dense: float  # the least mean likeness of a list that structured data gives whole
    pairs: bool = False  # an item may stand in two lines, amount and name


KINDS = {  # by the role of a list field
    "ingredients": Kind(
        ingredient_likeness, re.compile(r"ingredi|zutat|skladnik|sastojc|malzeme", re.I),
        fewest=2, enough=1.0, dense=0.45, pairs=True,
    ),
    "steps": Kind(
        step_likeness,
        re.compile(r"instruct|direction|preparation|method|procedure|steps?\b|bereit|bereid", re.I),
        fewest=1, enough=1.0, dense=0.1,
    ),
}  # fmt: skip


@dataclass(slots=True)
class Region:
    """Lines that may be the list, and what speaks for them."""

    lines: list[Span]
    likeness: list[float]
    heading: Span | None = None
    bonus: float = 1.0

    @property
    def worth(self) -> float:
        """Much that looks right, and little that does not."""
        total = sum(self.likeness)
        return math.sqrt(min(total, 30.0)) * (total / len(self.likeness)) * self.bonus


class Sections:
    """The regions of one page."""

    def __init__(self, layout: Layout, compiled: CompiledContract) -> None:
        self._layout = layout
        self._compiled = compiled
        self._lines = list(_lines(layout.text))
        self._ranks = {heading.start: level for heading, level, _ in layout.headings}
        self._labels = _labels(compiled)
        self._named = self._headings()
        self._frames: dict[int, bool] = {}
        self._items: dict[tuple[Span, bool], Span | None] = {}
        self._likenesses: dict[tuple[Span, Likeness], float] = {}

    def best(self, field: Field, kind: Kind) -> Region | None:
        """The region that looks most like the field."""
        regions = [
            *self._below_headings(field.name, kind),
            *self._hinted(kind),
            *self._listed(kind),
        ]
        fit = [
            region
            for region in regions
            if len(region.lines) >= kind.fewest and sum(region.likeness) >= kind.enough
        ]
        return max(fit, key=lambda region: region.worth, default=None)

    def _headings(self) -> dict[int, tuple[str, int]]:
        """Line number → the list field that its words name, and its rank as a heading."""
        found: dict[int, tuple[str, int]] = {}
        for number, (start, end) in enumerate(self._lines):
            if end - start <= _MAX_HEADING and (name := self._names(start, end)):
                found[number] = (name, self._ranks.get(start, _NO_RANK))
        return found

    def _names(self, start: int, end: int) -> str | None:
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

    def _below_headings(self, field: str, kind: Kind) -> Iterator[Region]:
        for number, (name, rank) in self._named.items():
            if name == field:
                heading = self._lines[number]
                below = self._below(number, rank)
                yield self._narrowed(heading, below, kind)

    def _below(self, number: int, rank: int) -> list[Span]:
        """The lines below a heading until the next of its rank, or one that ends the matter."""
        below: list[Span] = []
        field = self._named[number][0]
        for at in range(number + 1, min(len(self._lines), number + _MAX_REGION)):
            start, end = self._lines[at]
            level = self._ranks.get(start)
            other = self._named.get(at)
            if (level is not None and level <= rank) or (other and other[0] != field):
                break
            if end - start <= _MAX_HEADING and self._stops(start, end):
                break
            below.append((start, end))
        return below

    def _stops(self, start: int, end: int) -> bool:
        words = normal(self._layout.text[start:end].strip(_EDGES + "!?…"))
        return words in _STOPS and self._is_heading(start, end)

    def _narrowed(self, heading: Span, lines: list[Span], kind: Kind) -> Region:
        """Of the lines below a heading, those in the smallest box that holds a list."""
        place = self._layout.leaf_at(heading[0])
        region = Region([], [])
        for box in place.ancestors() if place is not None else ():
            inside = [line for line in lines if line[1] <= box.end]
            region = self._region(inside, kind, headed=True)
            if sum(region.likeness) >= 2 * kind.enough or len(inside) == len(lines):
                break
        region.heading, region.bonus = heading, 1.6
        return region

    def _hinted(self, kind: Kind) -> Iterator[Region]:
        """Boxes whose class or id names what is asked for."""
        outer_end, count = -1, 0
        for element in self._layout.elements:
            if element.start < outer_end or element.start < 0 or not element.attributes:
                continue
            if kind.hints.search(element.hints) and element.tag not in ("body", "html", "main"):
                box = _family(element, kind.hints)
                outer_end, count = box.end, count + 1
                region = self._region(self._within(box), kind)
                region.bonus = 1.3
                yield region
            if count >= _MAX_HINTED:
                return

    def _listed(self, kind: Kind) -> Iterator[Region]:
        """Lists and tables as they stand."""
        for element in self._layout.elements:
            if element.tag in _LISTS and element.start >= 0 and len(element.children) > 1:
                yield self._region(self._within(element), kind)

    def _within(self, box: Element) -> list[Span]:
        return list(_lines(self._layout.text, box.start, box.end))

    def _region(self, lines: list[Span], kind: Kind, headed: bool = False) -> Region:
        """The lines that could be items, each item whole, with their likeness."""
        region = Region([], [])
        taken = -1
        for line in lines[:_MAX_REGION]:
            item = self._item_of(line, headed) if line[0] >= taken else None
            if item is None:
                continue
            taken = item[1]
            likeness = self._likeness_of(item, kind)
            if likeness > 0:
                region.lines.append(item)
                region.likeness.append(likeness)
        return self._paired(region, kind) if kind.pairs else region

    def _paired(self, region: Region, kind: Kind) -> Region:
        """The region with amounts and names that stand in lines of their own put together."""
        items: dict[Span, None] = {}
        joined = 0
        for line in region.lines:
            if items and line[0] < next(reversed(items))[1]:
                continue
            whole = self._with_name(line) if is_amount(self._read(line)) else None
            joined += whole is not None
            while items and whole and next(reversed(items))[0] >= whole[0]:
                items.popitem()  # the name came first
            items[whole or line] = None
        if joined < _FEW_PAIRS or joined * 2 < len(items):
            return region
        return Region(list(items), [kind.likeness(clean(self._read(item))) for item in items])

    def _with_name(self, amount: Span) -> Span | None:
        """The box around an amount that holds a name too, and no second amount."""
        place = self._layout.leaf_at(amount[0])
        for box in (place, *place.ancestors()) if place is not None else ():
            if box.span != amount and box.end - box.start > amount[1] - amount[0]:
                lines = self._within(box)
                amounts = sum(is_amount(self._read(line)) for line in lines[:_MAX_PAIR_LINES])
                return box.span if len(lines) < _MAX_PAIR_LINES and amounts == 1 else None
        return None

    def _read(self, span: Span) -> str:
        return self._layout.text[span[0] : span[1]]

    def _is_frame(self, element: Element) -> bool:
        """Whether an element speaks to the reader beside the matter: comments, menus, sharing."""
        if element.index not in self._frames:
            hints = element.hints
            small = (element.end - element.start) * 2 < len(self._layout.text)
            self._frames[element.index] = bool(hints and small and _FRAME.search(hints))
        return self._frames[element.index]

    def _is_link(self, place: Element, line: Span) -> bool:
        if is_measured(self._read(line)):
            return False
        return place.tag == "a" or any(
            inner.tag == "a" and inner.start <= line[0] and inner.end >= line[1]
            for inner in place.descendants()
        )

    def _item_of(self, line: Span, headed: bool) -> Span | None:
        """As ``_item``, looked up: regions overlap."""
        if (line, headed) not in self._items:
            self._items[line, headed] = self._item(line, headed)
        return self._items[line, headed]

    def _likeness_of(self, item: Span, kind: Kind) -> float:
        if (item, kind.likeness) not in self._likenesses:
            self._likenesses[item, kind.likeness] = kind.likeness(self._read(item))
        return self._likenesses[item, kind.likeness]

    def _item(self, line: Span, headed: bool) -> Span | None:
        """The item that a line belongs to: its list item or row, else the line itself."""
        place = self._layout.leaf_at(line[0])
        if place is None or line[0] in self._ranks or self._is_link(place, line):
            return None
        span = line
        for element in (place, *place.ancestors()):
            if element.tag in _ASIDE or (not headed and self._is_frame(element)):
                return None
            if element.tag in ("li", "tr") and span == line and not _nests(element):
                span = element.span
        start = span[0]
        if (mark := _NUMBERED.match(self._layout.text, start, span[1])) is not None:
            start = mark.end()
        return (start, span[1]) if start < span[1] else None


def _labels(compiled: CompiledContract) -> Mapping[str, str]:
    """The labels of all list fields, in their normal form."""
    return {
        normal(label): field.name
        for field in compiled.contract.fields.values()
        if compiled.roles[field.name].recipe_list
        for labels in field.labels.values()
        for label in labels
    }


def _lines(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The lines of a text that say something, as spans."""
    at = start
    for count, line in enumerate(text[start:end].split("\n")):
        if count >= MAX_LINES:
            return
        if words := line.strip():
            left = at + line.index(words[0])
            yield left, left + len(words)
        at += len(line) + 1


def _family(element: Element, hints: re.Pattern[str]) -> Element:
    """The box of an element: its parent, when brothers and sisters are named alike."""
    parent = element.parent
    if parent is None:
        return element
    alike = sum(1 for child in parent.children[:40] if hints.search(child.hints))
    return parent if alike > 1 else element


def _nests(item: Element) -> bool:
    """Whether an item holds a list itself."""
    return any(inner.tag in ("li", "tr") for inner in item.descendants())
