"""The candidates of one page by all methods."""

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import chain, islice

from specfactory.contract import CompiledContract
from specfactory.extract import labelled
from specfactory.extract.articles import weigh_publishers
from specfactory.extract.known_meanings import weigh_by_meaning
from specfactory.extract.labelled import MAX_CANDIDATES, LabelledValues, Labels
from specfactory.extract.page import CandidateMaker, Layout, PageCandidates, Regions
from specfactory.extract.ranking import (
    Groups,
    Ranked,
    doubt_contradicted,
    for_the_line,
    offered_values,
    rank_values,
)
from specfactory.extract.templates import Applied, apply_template
from specfactory.extract.unlabelled import Places, add_keyed
from specfactory.model import Candidate, Dropped, Frozen, ViewName, replace
from specfactory.proof import PageViews

MAX_PAIRS = 20_000
_BEHIND = 0.5  # of a leading template's likelihood


class Gathered(Frozen):
    """All that a page offers, ranked; ``extraction`` is what may go down the line."""

    ranked: Ranked
    dropped: tuple[Dropped, ...]
    compiled: CompiledContract
    places: Places

    @property
    def extraction(self) -> PageCandidates:
        """The candidates that are sure enough without knowing the product asked for."""
        kept = for_the_line(self.ranked, self.compiled, self.places)
        return PageCandidates(tuple(kept[:MAX_CANDIDATES]), self.dropped)


def extract_candidates(
    views: PageViews, compiled: CompiledContract, templates: Sequence[Applied] = ()
) -> PageCandidates:
    """Take every candidate of a page, by all methods."""
    return gather(views, compiled, templates).extraction


def gather(
    views: PageViews, compiled: CompiledContract, templates: Sequence[Applied] = ()
) -> Gathered:
    """Take all candidates of a page, by all methods, and rank them."""
    maker, places = _collect(views, compiled)
    add_keyed(maker)
    ranked = rank_values(maker, places)
    _drop_instead(ranked, maker, places)
    for template in templates:
        candidates, dropped = apply_template(template, views, compiled)
        ranked.candidates[:] = _behind(candidates, ranked.candidates, template.leading, compiled)
        ranked.candidates += candidates
        maker.dropped += dropped
    ranked.candidates[:] = doubt_contradicted(ranked.candidates, views, compiled)
    return Gathered(ranked, tuple(maker.dropped), compiled, places)


def _drop_instead(ranked: Ranked, maker: CandidateMaker, places: Places) -> None:
    """Drop what stands where the page offers another product instead of its own."""
    if not places.regions.instead:
        return
    for one in list(ranked.candidates):
        first = one.evidence.values[0]
        if first.view is ViewName.TEXT and places.regions.is_instead(first.start):
            ranked.candidates.remove(one)
            detail = "it is of a product that is offered instead"
            maker.drop(one.field, "other_region", detail, (first,))


def _behind(
    leads: Sequence[Candidate],
    others: Sequence[Candidate],
    leading: Collection[str],
    compiled: CompiledContract,
) -> list[Candidate]:
    """Lower the likelihood of what contradicts a template in the fields that it reads better."""
    best = {one.field: one for one in leads if one.field in leading}
    found = []
    for one in others:
        lead = best.get(one.field)
        if lead is None or compiled.same(one.field, one.value, lead.value):
            found.append(one)
        else:
            sure = 1.0 if one.likelihood is None else one.likelihood
            behind = min(sure, _BEHIND * (lead.likelihood or 1.0))
            found.append(replace(one, likelihood=behind))
    return found


def offered(views: PageViews, compiled: CompiledContract) -> dict[str, Groups]:
    """The values a page offers for ranked fields, before ranking: the training data."""
    return offered_values(*_collect(views, compiled))


_labels = lru_cache(maxsize=64)(Labels)  # those of the contracts in use


def _collect(views: PageViews, compiled: CompiledContract) -> tuple[CandidateMaker, Places]:
    """Take what labels name and what finders know, before the ranking."""
    labels = _labels(compiled)
    layout = Layout(views)
    regions = Regions(layout, labels.may_name)
    maker = CandidateMaker(views, compiled)
    named = LabelledValues(maker, labels, layout, regions)
    # The surest methods come first: a place gives a field one value, the first one taken.
    for finding in labelled.find_properties(views, compiled, bool(regions.instead)):
        named.take_property(finding)
    pairs = chain(
        labelled.table_pairs(layout, labels),
        labelled.definition_pairs(layout),
        labelled.line_pairs(layout, labels.may_name, labels.may_begin),
        labelled.sibling_pairs(layout, labels),
        labelled.pdf_pairs(views.pdf_text, labels.may_name),
    )
    for pair in islice(pairs, MAX_PAIRS):
        if named.is_full:
            break
        named.take_pair(pair)
    for view, text in ((ViewName.TEXT, views.text), (ViewName.PDF, views.pdf)):
        for phrase in labelled.find_phrases(text, compiled):
            named.take_phrase(phrase, view)
    labelled.weigh_lists(maker, layout)
    weigh_by_meaning(maker)
    weigh_publishers(maker)
    return maker, Places(layout, regions)
