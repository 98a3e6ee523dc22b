"""Candidates out of what labels, properties and sentences name."""

import re

from specfactory.extract import page
from specfactory.extract.labelled.label_lookup import Labels
from specfactory.extract.labelled.sentences import Phrase
from specfactory.extract.labelled.structured_data import FoundProperty
from specfactory.extract.labelled.value_ends import without_call, without_parcel
from specfactory.extract.page import CandidateMaker, Layout, Pair, Proposal, Regions, Span
from specfactory.model import FieldType, Method, Snippet, ViewName
from specfactory.proof import reading, snippet

MAX_CANDIDATES = 3_000
_MAX_WORD = 24
_LAST_WORD = re.compile(r"[^\W\d_]+(?=[ \u00a0]?\Z)")
_WORDED = (FieldType.TEXT, FieldType.LIST)


class LabelledValues:
    """Collects the labelled values of one page; a place gives a field at most one value."""

    def __init__(
        self, maker: CandidateMaker, labels: Labels, layout: Layout, regions: Regions
    ) -> None:
        self._maker = maker
        self._views = maker.views
        self._labels = labels
        self._layout = layout
        self._regions = regions
        self._taken: dict[tuple[str, ViewName], list[Span]] = {}

    @property
    def is_full(self) -> bool:
        """True when a page has given more than any page should."""
        return len(self._maker.candidates) >= MAX_CANDIDATES

    def take_property(self, finding: FoundProperty) -> None:
        """Take a property of structured data; with its unit or currency when that gives a value."""
        *fuller, barest = finding.proposals
        if not finding.ours:
            values = finding.proposals[0].values
            self._maker.drop(finding.field, "other_region", "it belongs to another item", values)
            return
        for proposal in fuller:
            if self.is_full or self._is_taken(finding.field, proposal.values[0]):
                return
            candidate = self._maker.guess(finding.field, proposal)
            if candidate is not None:
                self._maker.candidates.append(candidate)
                self._mark(finding.field, proposal.values[0])
                return
        self._take(finding.field, barest)

    def take_pair(self, pair: Pair) -> None:
        """Take a label and its value."""
        maker, view = self._maker, pair.view
        text = self._views.pdf if view is ViewName.PDF else self._views.text
        headings = [pair.section] if pair.section else []
        if pair.place is not None:
            above = self._layout.headings_above(pair.place)
            headings += [heading.span for heading in reversed(above) if heading.tag != "h1"]
        headings = headings[:4]  # the nearest first; the page's own title is none
        words = [text[start:end] for start, end in headings]
        match, needed = self._labels.match(text[pair.label[0] : pair.label[1]].strip(), words)
        if match is None:
            return
        values = tuple(self._cut(span, view) for span in self._own_spans(match.field, pair, text))
        if not values:
            return
        if reading(values[0]).rstrip().endswith((":", "：")):
            maker.drop(match.field, "not_a_value", "it is a label itself", values)
            return
        try:
            subject, tier = self._regions.owner(pair.place, pair.subject, values[0].start)
        except page.OtherRegion as why:
            maker.drop(match.field, "other_region", str(why), values)
            return
        section = self._cut(headings[needed], view) if needed is not None else None
        label = self._cut(pair.label, view)
        proposal = Proposal(
            values, method=pair.method, label=label, section=section, subject=subject, tier=tier
        )
        if maker.compiled.may_be_gtin(match.field, reading(values[0])):
            self._take(maker.compiled.barcode, proposal)
        if pair.more:
            below = pair.more
            if view is ViewName.TEXT:
                below = self._without_calls(match.field, pair.more)
            more = tuple(self._cut(span, view) for span in below)
            fuller = proposal._replace(values=(*values, *more))
            if maker.guess(match.field, fuller) is not None:
                proposal = fuller
        self._take(match.field, proposal)

    def _own_spans(self, field: str, pair: Pair, text: str) -> tuple[Span, ...]:
        """The spans of a pair's value that are the product's; where none is, it is dropped."""
        spans, reason, detail = pair.values, "other_region", "it is struck out"
        if pair.view is ViewName.TEXT:
            if self._views.unseen.hides(pair.values[0]):
                detail = "it is hidden"
            spans = tuple(part for span in pair.values for part in self._layout.unstruck(span))
            if spans and not (spans := self._without_calls(field, spans)):
                reason, detail = "not_a_value", "it is a call to look or buy"
        # "Shipping <b>Weight</b>": the word before may be part of the label.
        before = text[max(0, pair.label[0] - _MAX_WORD) : pair.label[0]]
        head = f"{pair.subject or ''} {''.join(_LAST_WORD.findall(before))}"
        if spans and not (spans := self._own_sizes(field, text, spans, head)):
            detail = "it is the parcel's"
        if not spans:
            self._maker.drop(field, reason, detail, (self._cut(pair.values[0], pair.view),))
        return spans

    def _without_calls(self, field: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        """Value spans of a text without the calls in them; "Add to cart" may mean "in stock"."""
        if self._maker.compiled.contract.fields[field].type not in _WORDED:
            return spans
        ends = (without_call(self._layout, span) for span in spans)
        return tuple(span for span in ends if span is not None)

    def _own_sizes(
        self, field: str, text: str, spans: tuple[Span, ...], head: str
    ) -> tuple[Span, ...]:
        """Value spans without what their words, or those at their head, give the parcel."""

        def is_parcels(words: str) -> bool:
            return self._maker.compiled.is_parcels(field, words)

        if is_parcels(head):
            return ()
        return tuple(own for span in spans for own in without_parcel(text, span, is_parcels))

    def take_phrase(self, phrase: Phrase, view: ViewName) -> None:
        """Take a value stated in a sentence."""
        value = self._cut(phrase.value, view)
        if self._is_taken(phrase.field, value):
            return
        place = self._layout.leaf_at(phrase.span[0]) if view is ViewName.TEXT else None
        try:
            subject, tier = self._regions.owner(place, phrase.subject, value.start)
        except page.OtherRegion as why:
            self._maker.drop(phrase.field, "other_region", str(why), (value,))
            return
        if phrase.doubt:
            self._maker.drop(phrase.field, "other_product", phrase.doubt, (value,))
            return
        if self._maker.compiled.is_parcels(phrase.field, phrase.clause):
            self._maker.drop(phrase.field, "other_region", "it is the parcel's", (value,))
            return
        label = self._cut(phrase.span, view)
        proposal = Proposal(
            (value,), method=Method.PATTERN, label=label, subject=subject, tier=tier
        )
        # Inside its own sentence alone a phrase may read otherwise than in its line.
        self._take(phrase.field, proposal, unproven="not_proven")

    def _take(self, field: str, proposal: Proposal, unproven: str = "") -> None:
        first = proposal.values[0]
        is_open = not self.is_full and not self._is_taken(field, first)
        if is_open and self._maker.take(field, proposal, unproven):
            self._mark(field, first)

    def _is_taken(self, field: str, value: Snippet) -> bool:
        taken = self._taken.get((field, value.view), ())
        return any(start < value.end and value.start < end for start, end in taken)

    def _mark(self, field: str, value: Snippet) -> None:
        self._taken.setdefault((field, value.view), []).append((value.start, value.end))

    def _cut(self, span: Span, view: ViewName) -> Snippet:
        return snippet(self._views, view, *span)
