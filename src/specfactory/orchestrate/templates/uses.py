"""What templates give on one page, beside what is read without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from specfactory.contract import CompiledContract
from specfactory.extract.templates import Applied, apply_template
from specfactory.model import Candidate, Method, TemplateUse
from specfactory.proof import PageViews
from specfactory.validate import validate


def uses_of(
    fitting: Applied | None,
    tried: Applied | None,
    found: Sequence[Candidate],
    views: PageViews,
    compiled: CompiledContract,
) -> tuple[TemplateUse, ...]:
    """How the template in use and the one on trial did on a page."""
    uses = [_use_of(fitting, found, compiled)] if fitting else []
    if tried is not None:
        uses.append(_trial_of(tried, found, views, compiled))
    return tuple(uses)


def _use_of(
    applied: Applied, candidates: Sequence[Candidate], compiled: CompiledContract
) -> TemplateUse:
    """What the template at work gave, and how much of it holds."""
    own = [one for one in candidates if one.evidence.method is Method.TEMPLATE]
    others = [one for one in candidates if one.evidence.method is not Method.TEMPLATE]
    return _compared(applied, own, others, compiled)


def _trial_of(
    applied: Applied, candidates: Sequence[Candidate], views: PageViews, compiled: CompiledContract
) -> TemplateUse:
    """What a template on trial would have given."""
    own, _ = apply_template(applied, views, compiled)
    return replace(_compared(applied, own, candidates, compiled), trial=True)


def _compared(
    applied: Applied,
    own: Sequence[Candidate],
    others: Sequence[Candidate],
    compiled: CompiledContract,
) -> TemplateUse:
    by_field: dict[str, list[Candidate]] = {}
    for one in others:
        by_field.setdefault(one.field, []).append(one)
    valid = [one for one in own if validate(one, compiled) is None]
    agreed = {
        one.field
        for one in valid
        for other in by_field.get(one.field, ())
        if compiled.same(one.field, one.value, other.value)
    }
    compared = {one.field for one in valid if one.field in by_field}
    return TemplateUse(
        applied.template.id,
        tuple(sorted({one.field for one in own})),
        tuple(sorted({one.field for one in valid})),
        tuple(sorted(agreed)),
        tuple(sorted(compared - agreed)),
    )
