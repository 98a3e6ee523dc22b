"""All methods together: one page's candidates, each value at one place once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from specfactory.contract import CompiledContract
from specfactory.extract.by_meaning import weigh_by_meaning
from specfactory.extract.labels import Labels
from specfactory.extract.layout import Layout
from specfactory.extract.lists import definition_pairs, line_pairs
from specfactory.extract.making import Maker
from specfactory.extract.pair import Pair
from specfactory.extract.pairs import sibling_pairs
from specfactory.extract.pdf import pdf_pairs
from specfactory.extract.phrases import find_phrases
from specfactory.extract.sections import section_candidates
from specfactory.extract.structured import find_properties
from specfactory.extract.tables import table_pairs
from specfactory.extract.template_quotes import template_candidates
from specfactory.extract.templates import Applied
from specfactory.model import Candidate, Dropped, ViewName
from specfactory.proof import PageViews

MAX_PAIRS = 20_000


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a page gave: candidates, and what was dropped with its reason."""

    candidates: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]


def extract_candidates(
    views: PageViews, compiled: CompiledContract, templates: Sequence[Applied] = ()
) -> Extraction:
    """Take every candidate of a page, by all methods, the surest first."""
    layout = Layout(views)
    labels = _labels(compiled)
    maker = Maker(views, compiled, labels, layout)
    for finding in find_properties(views, compiled):
        maker.take_property(finding)
    for count, pair in enumerate(_pairs(views, labels, layout)):
        if maker.is_full or count >= MAX_PAIRS:
            break
        maker.take_pair(pair)
    for view, text in ((ViewName.TEXT, views.text), (ViewName.PDF, views.pdf)):
        for phrase in find_phrases(text, compiled):
            maker.take_phrase(phrase, view)
    maker.candidates += section_candidates(layout, compiled, maker.candidates)
    maker.candidates = weigh_by_meaning(maker.candidates, views, compiled)
    for template in templates:
        _apply(template, maker, views, compiled)
    return Extraction(tuple(maker.candidates), tuple(maker.dropped))


def _apply(template: Applied, maker: Maker, views: PageViews, compiled: CompiledContract) -> None:
    """What a learned template finds; lists are taken whole."""
    answers = template.one(views.tree).values()
    found, dropped = template_candidates(answers, views, compiled)
    maker.candidates += found
    maker.dropped += dropped


def _pairs(views: PageViews, labels: Labels, layout: Layout) -> Iterator[Pair]:
    yield from table_pairs(layout, labels)
    yield from definition_pairs(layout)
    yield from line_pairs(layout, labels.may_name)
    yield from sibling_pairs(layout, labels)
    yield from pdf_pairs(views.pdf, labels.may_name)


_PREPARED: WeakKeyDictionary[CompiledContract, Labels] = WeakKeyDictionary()


def _labels(compiled: CompiledContract) -> Labels:
    """The labels of a contract, prepared once for all its pages."""
    if compiled not in _PREPARED:
        _PREPARED[compiled] = Labels(compiled)
    return _PREPARED[compiled]
