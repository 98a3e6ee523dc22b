"""Lists of recipes: where they stand on a page, and how likely each is the one asked for.

Every heading or label that names the field opens a region, so does a box whose class names it,
and any list may be one. The region whose lines look most like what is asked for wins.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

from msgspec import Struct

from specfactory.contract import CompiledContract
from specfactory.contract.text import clean, normal
from specfactory.extract import page
from specfactory.extract.labelled.recipe_lines import KINDS, MEASURED, STOPS, ListKind, is_amount
from specfactory.extract.page import FIXED, CandidateMaker, Layout, Proposal, Span
from specfactory.model import Candidate, Field, FieldType, Method, ViewName
from specfactory.proof import Element, snippet

_MAX_LINES = 8_000
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
_WHOLE = 0.96  # of a list that structured data gives whole
_HARDLY = 0.1
_LONG_TEXT = 400


def weigh_lists(maker: CandidateMaker, layout: Layout) -> None:
    """Rate the lists of a page by their items, and add lists found in sections.

    A list that structured data gives whole is believed; for the others the page is searched.
    """
    compiled = maker.compiled
    wanted = {
        field.name: (field, KINDS[listed])
        for field in compiled.contract.fields.values()
        if field.type is FieldType.LIST and (listed := compiled.roles[field.name].recipe_list)
    }
    if not wanted:
        return
    maker.candidates = [
        _weighed(one, wanted[one.field][1]) if one.field in wanted else one
        for one in maker.candidates
    ]
    for one in maker.candidates:
        if one.field in wanted and one.likelihood == _WHOLE:
            del wanted[one.field]
    if not wanted or not layout.text:
        return
    sections = Sections(layout, compiled)
    for field, kind in wanted.values():
        region = sections.best(field, kind)
        if region is None:
            continue
        views = layout.views
        values = tuple(snippet(views, ViewName.TEXT, *line) for line in region.lines)
        section = snippet(views, ViewName.TEXT, *region.heading) if region.heading else None
        density = sum(region.likeness) / len(region.likeness)
        likelihood = min(0.95, 0.25 + 0.55 * density + (0.15 if region.bonus > 1 else 0.0))
        candidate = maker.guess(field.name, Proposal(values, likelihood, section=section))
        if candidate is not None:
            maker.candidates.append(candidate)


def _weighed(candidate: Candidate, kind: ListKind) -> Candidate:
    """Rate a list that another method found by how its items look."""
    method = candidate.evidence.method
    if method in FIXED:
        return candidate
    items = candidate.value if isinstance(candidate.value, tuple) else ()
    likeness = [kind.likeness(str(item)) for item in items]
    density = sum(likeness) / max(1, len(likeness))
    is_long = len(items) > 1 or sum(len(str(item)) for item in items) > _LONG_TEXT
    if method is Method.STRUCTURED and not is_long:
        return replace(candidate, likelihood=0.35 + 0.25 * density)
    if method is Method.STRUCTURED and density >= kind.dense:
        return replace(candidate, likelihood=_WHOLE)
    if method is Method.STRUCTURED or (len(items) >= kind.fewest and sum(likeness) >= kind.enough):
        return replace(candidate, likelihood=0.35 + 0.45 * density)
    return replace(candidate, likelihood=_HARDLY)


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
        self._lines = list(islice(page.line_spans(layout.text), _MAX_LINES))
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
        self._is_aside = cache(self._find_aside)
        self._item = cache(self._find_item)
        self._likeness = cache(lambda item, likeness: likeness(layout.read(item)))

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
                if words in STOPS and self._is_heading(start, end):
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
        return list(islice(page.line_spans(self._layout.text, box.start, box.end), _MAX_LINES))

    def _region(self, lines: list[Span], kind: ListKind, headed: bool = False) -> ListRegion:
        """The lines that could be items, each item whole, with their likeness."""
        region = ListRegion([], [])
        taken = -1
        for line in lines[:_MAX_REGION]:
            if line[0] < taken:
                continue
            item = self._item(line, headed)
            if item is None:
                continue
            taken = item[1]
            likeness: float = self._likeness(item, kind.likeness)
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

    def _find_item(self, line: Span, headed: bool) -> Span | None:
        """The item that a line belongs to: its list item or row, else the line itself."""
        place = self._layout.leaf_at(line[0])
        if place is None or line[0] in self._ranks:
            return None
        # A line that is a link leads to another recipe, unless it is measured.
        if not MEASURED.search(self._layout.read(line)) and (
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

    def _find_aside(self, element: Element) -> bool:
        """True when a small box stands beside the recipe: comments, menus, sharing."""
        small = (element.end - element.start) * 2 < len(self._layout.text)
        return small and page.hints_aside(element.hints)
