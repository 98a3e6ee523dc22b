"""What was found → candidates with evidence, or dropped with a reason."""

from __future__ import annotations

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.labelled.label_lookup import Labels
from specfactory.extract.labelled.sentences import Phrase
from specfactory.extract.labelled.structured_data import Finding
from specfactory.extract.page import Headed, Kind, Layout, Pair, Region, Regions, Span, last_name
from specfactory.model import Candidate, Dropped, Evidence, Method, Snippet, Tier, Value, ViewName
from specfactory.proof import Element, PageViews, derive, prove, reading, snippet

MAX_CANDIDATES = 3_000
MAX_DROPPED = 500
_MAX_QUOTE = 200


class OtherRegion(Exception):
    """A pair stands where the page speaks of something else, and no name says of what."""


class Maker:
    """Collects one page's candidates; a place gives a field at most one value."""

    def __init__(
        self, views: PageViews, compiled: CompiledContract, labels: Labels, layout: Layout
    ) -> None:
        self.candidates: list[Candidate] = []
        self.dropped: list[Dropped] = []
        self._views = views
        self._compiled = compiled
        self._labels = labels
        self._layout = layout
        self.regions = Regions(layout, labels.may_name)
        self._headed = Headed(views, layout)
        self._taken: dict[tuple[str, ViewName], list[Span]] = {}
        self._refused: set[tuple[str, int]] = set()

    @property
    def is_full(self) -> bool:
        """Whether a page has given more than any page should."""
        return len(self.candidates) >= MAX_CANDIDATES

    def take_property(self, finding: Finding) -> None:
        """A property of structured data; with its unit or currency when that gives a value."""
        if not finding.ours:
            self._drop(finding.field, "other_region", "it belongs to another item", finding.ways[0])
            return
        for at, values in enumerate(finding.ways):
            evidence = self._evidence(Method.STRUCTURED, values, finding.label)
            last = at == len(finding.ways) - 1
            if self._make(finding.field, evidence, finding.subject, keep_refusal=last):
                return

    def take_pair(self, pair: Pair) -> None:
        """A label and its value."""
        text = self._views.pdf if pair.view is ViewName.PDF else self._views.text
        headings = self._sections(pair)
        words = [text[start:end] for start, end in headings]
        match, needed = self._labels.match(text[pair.label[0] : pair.label[1]].strip(), words)
        if match is None:
            return
        values = self._cut_all(pair)
        if not values:
            self._drop(
                match.field, "other_region", "it is struck out", (self._cut(pair.values[0]),)
            )
            return
        if reading(values[0]).rstrip().endswith((":", "：")):
            self._drop(match.field, "not_a_value", "it is a label itself", values)
            return
        try:
            subject, tier = self._whose(pair.place, pair.subject, values[0])
        except OtherRegion as why:
            self._drop(match.field, "other_region", str(why), values)
            return
        section = self._cut(headings[needed], pair.view) if needed is not None else None
        label = self._cut(pair.label, pair.view)
        evidence = self._evidence(pair.method, values, label, section, tier)
        self._make(match.field, evidence, subject)

    def take_phrase(self, phrase: Phrase, view: ViewName) -> None:
        """A value stated in a sentence."""
        if self._is_taken(phrase.field, view, phrase.value):
            return
        values = (self._cut(phrase.value, view),)
        place = self._layout.leaf_at(phrase.span[0]) if view is ViewName.TEXT else None
        try:
            subject, tier = self._whose(place, phrase.subject, values[0])
        except OtherRegion as why:
            self._drop(phrase.field, "other_region", str(why), values)
            return
        if phrase.doubt:
            self._drop(phrase.field, "other_product", phrase.doubt, values)
            return
        label = self._cut(phrase.span, view)
        evidence = self._evidence(Method.PATTERN, values, label, None, tier)
        self._make(phrase.field, evidence, subject, proven=False)

    def _sections(self, pair: Pair) -> list[Span]:
        """The headings over a pair, the nearest first; the page's own title is none."""
        spans = [pair.section] if pair.section else []
        if pair.place is not None:
            above = self._layout.headings_above(pair.place)
            spans += [heading.span for heading in reversed(above) if heading.tag != "h1"]
        return spans[:4]

    def _whose(
        self, place: Element | None, subject: str | None, value: Snippet
    ) -> tuple[str | None, Tier]:
        """The subject and the trust of a place; raises OtherRegion when it is nobody's."""
        tier = self._views.page.tier
        if place is None:
            return subject, tier
        region = self.regions.of(place)
        if region.kind is Kind.HIDDEN:
            raise OtherRegion("it is hidden")
        if region.kind is Kind.POST:
            return self._posted(region, subject, value), Tier.COMMUNITY
        if region.kind is Kind.OWN:
            return subject or self._headed.subject(place), tier
        subject = subject or self.regions.subject(place, region)
        if subject is None:
            raise OtherRegion("it stands in a box about other things")
        return subject, tier

    def _posted(self, region: Region, subject: str | None, value: Snippet) -> str | None:
        """What users write counts on their own sites only, and for what they name."""
        if self._views.page.tier is not Tier.COMMUNITY:
            raise OtherRegion("a user wrote it")
        start = region.root.start if region.root else value.start
        return subject or last_name(self._views.text[start : value.start][-400:], ())

    def _make(
        self,
        field: str,
        evidence: Evidence,
        subject: str | None,
        keep_refusal: bool = True,
        proven: bool = True,
    ) -> bool:
        first = evidence.values[0]
        if self.is_full or self._is_taken(field, first.view, (first.start, first.end)):
            return True
        try:
            value: Value = derive(evidence, field, self._compiled, self._views.language)
        except NotDerivable as refusal:
            if keep_refusal:
                self._drop(field, refusal.code, refusal.detail, evidence.values)
            return False
        candidate = Candidate(field, value, evidence, subject)
        if not proven and prove(candidate, self._compiled, self._views) is not None:
            return False
        self.candidates.append(candidate)
        self._taken.setdefault((field, first.view), []).append((first.start, first.end))
        return True

    def _is_taken(self, field: str, view: ViewName, span: Span) -> bool:
        taken = self._taken.get((field, view), ())
        return any(start < span[1] and span[0] < end for start, end in taken)

    def _drop(self, field: str, reason: str, detail: str, values: tuple[Snippet, ...]) -> None:
        page, key = self._views.page, (field, values[0].start)
        if key in self._refused or len(self.dropped) >= MAX_DROPPED:
            return
        self._refused.add(key)
        quote = " ".join(map(reading, values))[:_MAX_QUOTE]
        url = page.final_url or page.url
        self.dropped.append(Dropped(field, reason, detail[:_MAX_QUOTE], quote, page.id, url))

    def _cut_all(self, pair: Pair) -> tuple[Snippet, ...]:
        if pair.view is not ViewName.TEXT:
            return tuple(self._cut(span, pair.view) for span in pair.values)
        return tuple(
            self._cut(part) for span in pair.values for part in self._layout.unstruck(span)
        )

    def _cut(self, span: Span, view: ViewName = ViewName.TEXT) -> Snippet:
        return snippet(self._views, view, *span)

    def _evidence(
        self,
        method: Method,
        values: tuple[Snippet, ...],
        label: Snippet | None,
        section: Snippet | None = None,
        tier: Tier | None = None,
    ) -> Evidence:
        page = self._views.page
        url = page.final_url or page.url
        trust = tier or page.tier
        return Evidence(page.id, url, trust, method, values, label, page.fetched_at, section)
