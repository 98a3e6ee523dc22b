"""Lists weighed by what stands in them, and found in sections of pages without markup for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from specfactory.contract import CompiledContract
from specfactory.errors import NotDerivable
from specfactory.extract.labelled.list_regions import KINDS, Kind, Region, Sections
from specfactory.extract.page import Layout
from specfactory.model import Candidate, Evidence, Field, FieldType, Method, Value, ViewName
from specfactory.proof import derive, snippet

_WHOLE = 0.96  # of a list that structured data gives whole
_HARDLY = 0.1
_LONG_TEXT = 400


def weigh_lists(
    candidates: list[Candidate], layout: Layout, compiled: CompiledContract
) -> list[Candidate]:
    """The candidates of a page, its lists weighed by what stands in them, and lists in sections.

    A list that structured data gives whole is believed; for the others the page is searched.
    """
    wanted = {
        field.name: (field, KINDS[listed])
        for field in compiled.contract.fields.values()
        if field.type is FieldType.LIST and (listed := compiled.roles[field.name].recipe_list)
    }
    if not wanted:
        return candidates
    weighed = [
        _weighed(one, wanted[one.field][1]) if one.field in wanted else one for one in candidates
    ]
    for one in weighed:
        if one.field in wanted and one.likelihood == _WHOLE:
            del wanted[one.field]
    return weighed + _in_sections(wanted.values(), layout, compiled)


def _weighed(candidate: Candidate, kind: Kind) -> Candidate:
    """A list that another method gave, with how likely it is to be the one."""
    if candidate.evidence.method in (Method.TEMPLATE, Method.OVERRIDE, Method.MODEL):
        return candidate
    items = candidate.value if isinstance(candidate.value, tuple) else ()
    likeness = [kind.likeness(str(item)) for item in items]
    density = sum(likeness) / max(1, len(likeness))
    structured = candidate.evidence.method is Method.STRUCTURED
    if structured and density >= kind.dense and _is_long(items):
        return replace(candidate, likelihood=_WHOLE)
    if structured and not _is_long(items):
        return replace(candidate, likelihood=0.35 + 0.25 * density)
    if structured or (len(items) >= kind.fewest and sum(likeness) >= kind.enough):
        return replace(candidate, likelihood=0.35 + 0.45 * density)
    return replace(candidate, likelihood=_HARDLY)


def _is_long(items: tuple[Value, ...]) -> bool:
    return len(items) > 1 or sum(len(str(item)) for item in items) > _LONG_TEXT


def _in_sections(
    wanted: Iterable[tuple[Field, Kind]], layout: Layout, compiled: CompiledContract
) -> list[Candidate]:
    if not wanted or not layout.text:
        return []
    sections = Sections(layout, compiled)
    best = ((field, sections.best(field, kind)) for field, kind in wanted)
    made = (_candidate(field, region, layout, compiled) for field, region in best)
    return [candidate for candidate in made if candidate is not None]


def _candidate(
    field: Field, region: Region | None, layout: Layout, compiled: CompiledContract
) -> Candidate | None:
    if region is None:
        return None
    views = layout.views
    page = views.page
    values = tuple(snippet(views, ViewName.TEXT, *line) for line in region.lines)
    section = snippet(views, ViewName.TEXT, *region.heading) if region.heading else None
    evidence = Evidence(
        page.id, page.final_url or page.url, page.tier, Method.VISIBLE, values,
        seen_at=page.fetched_at, section=section,
    )  # fmt: skip
    try:
        value = derive(evidence, field.name, compiled, views.language)
    except NotDerivable:
        return None
    return Candidate(field.name, value, evidence, likelihood=_likelihood(region))


def _likelihood(region: Region) -> float:
    density = sum(region.likeness) / len(region.likeness)
    return min(0.95, 0.25 + 0.55 * density + (0.15 if region.bonus > 1 else 0.0))
