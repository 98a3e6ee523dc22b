"""What templates give on one page, compared with the other methods."""

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
    """Compare what the template in use and the one on trial gave with the other methods."""
    uses: list[TemplateUse] = []
    if fitting is not None:
        own = [one for one in found if one.evidence.method is Method.TEMPLATE]
        others = [one for one in found if one.evidence.method is not Method.TEMPLATE]
        uses.append(_compared(fitting, own, others, compiled))
    if tried is not None:
        own, _ = apply_template(tried, views, compiled)
        uses.append(replace(_compared(tried, own, found, compiled), trial=True))
    return tuple(uses)


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
