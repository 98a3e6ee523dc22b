"""Templates at work: made ready where pages are read, and what they give on a page."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from specfactory.contract import CompiledContract
from specfactory.extract.templates import Applied, apply_template, choose_fitting
from specfactory.model import Candidate, Frozen, Method, TemplateUse
from specfactory.orchestrate.templates.stored import MOST_KEPT, StoredTemplates
from specfactory.proof import PageViews
from specfactory.validate import validate


class AtWork(Frozen):
    """The templates in use on the pages of a source, and those on trial."""

    templates: tuple[Applied, ...] = ()
    trials: tuple[Applied, ...] = ()

    def fitting(self, views: PageViews) -> tuple[Applied | None, Applied | None]:
        """The template in use that fits a page, and the one on trial."""
        return choose_fitting(self.templates, views), choose_fitting(self.trials, views)


_READY: OrderedDict[str, AtWork] = OrderedDict()


def made_ready(stored: StoredTemplates) -> AtWork:
    """Templates at work; made ready once."""
    found = _READY.get(stored.key)
    if found is None:
        templates, trials = map(Applied, stored.templates), map(Applied, stored.trials)
        found = _READY[stored.key] = AtWork(tuple(templates), tuple(trials))
        while len(_READY) > MOST_KEPT:
            _READY.popitem(last=False)
    return found


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
    found, proven = {one.field for one in own}, {one.field for one in valid}
    return TemplateUse(
        applied.template.id, tuple(sorted(found)), tuple(sorted(proven)), tuple(sorted(agreed)),
        # Where it was better than the other methods, they do not speak against it.
        tuple(sorted((proven & by_field.keys()) - agreed - applied.leading)),
    )  # fmt: skip
