"""All methods together: one page's candidates, each value at one place once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from specfactory.contract import CompiledContract
from specfactory.extract.articles import weigh_publishers
from specfactory.extract.known_meanings import weigh_by_meaning
from specfactory.extract.labelled import (
    MAX_CANDIDATES,
    LabelledValues,
    Labels,
    definition_pairs,
    find_phrases,
    find_properties,
    line_pairs,
    pdf_pairs,
    sibling_pairs,
    table_pairs,
    weigh_lists,
)
from specfactory.extract.page import CandidateMaker, Layout, Pair, Regions
from specfactory.extract.ranking import Groups, Ranked, for_the_line, offered_values, rank_values
from specfactory.extract.templates import Applied, apply_template
from specfactory.extract.unlabelled import Places, add_keyed
from specfactory.model import Candidate, Dropped, ViewName
from specfactory.proof import PageViews

MAX_PAIRS = 20_000


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a page gave: candidates, and what was dropped with its reason."""

    candidates: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that a page offers, ranked; ``extraction`` is what may go down the line."""

    ranked: Ranked
    dropped: tuple[Dropped, ...]
    compiled: CompiledContract
    places: Places

    @property
    def extraction(self) -> Extraction:
        """The candidates that hold without knowing more of the page than itself."""
        kept = for_the_line(self.ranked, self.compiled, self.places)
        return Extraction(tuple(kept[:MAX_CANDIDATES]), self.dropped)


def extract_candidates(
    views: PageViews, compiled: CompiledContract, templates: Sequence[Applied] = ()
) -> Extraction:
    """Take every candidate of a page, by all methods, the surest first."""
    return gather(views, compiled, templates).extraction


def gather(
    views: PageViews, compiled: CompiledContract, templates: Sequence[Applied] = ()
) -> Gathered:
    """All candidates of a page, by all methods, with what was learned of their likelihood."""
    maker, places = _collect(views, compiled)
    add_keyed(maker)
    ranked = rank_values(maker, places)
    for template in templates:
        candidates, dropped = apply_template(template, views, compiled)
        ranked.candidates += candidates
        maker.dropped += dropped
    return Gathered(ranked, tuple(maker.dropped), compiled, places)


def offered(views: PageViews, compiled: CompiledContract) -> dict[str, Groups]:
    """What a page offers for the fields that are ranked, not yet weighed: what teaches."""
    return offered_values(*_collect(views, compiled))


def _collect(views: PageViews, compiled: CompiledContract) -> tuple[CandidateMaker, Places]:
    labels, layout = _labels(compiled), Layout(views)
    regions = Regions(layout, labels.may_name)
    maker = CandidateMaker(views, compiled)
    labelled = LabelledValues(maker, labels, layout, regions)
    for finding in find_properties(views, compiled):
        labelled.take_property(finding)
    for count, pair in enumerate(_pairs(views, labels, layout)):
        if labelled.is_full or count >= MAX_PAIRS:
            break
        labelled.take_pair(pair)
    for view, text in ((ViewName.TEXT, views.text), (ViewName.PDF, views.pdf)):
        for phrase in find_phrases(text, compiled):
            labelled.take_phrase(phrase, view)
    weigh_lists(maker, layout)
    weigh_by_meaning(maker)
    weigh_publishers(maker)
    return maker, Places(layout, regions)


def _pairs(views: PageViews, labels: Labels, layout: Layout) -> Iterator[Pair]:
    yield from table_pairs(layout, labels)
    yield from definition_pairs(layout)
    yield from line_pairs(layout, labels.may_name, labels.may_begin)
    yield from sibling_pairs(layout, labels)
    yield from pdf_pairs(views.pdf, labels.may_name)


_PREPARED: WeakKeyDictionary[CompiledContract, Labels] = WeakKeyDictionary()


def _labels(compiled: CompiledContract) -> Labels:
    """The labels of a contract, prepared once for all its pages."""
    if compiled not in _PREPARED:
        _PREPARED[compiled] = Labels(compiled)
    return _PREPARED[compiled]
