"""Lists of recipes: rated by their items, and found in sections of pages without markup."""

from dataclasses import replace

from specfactory.extract.labelled.list_regions import KINDS, ListKind, Sections
from specfactory.extract.page import CandidateMaker, Layout, Proposal
from specfactory.model import Candidate, FieldType, Method, ViewName
from specfactory.proof import snippet

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
    if method in (Method.TEMPLATE, Method.OVERRIDE, Method.MODEL):
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
