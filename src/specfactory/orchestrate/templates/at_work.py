"""Templates at work: kept ready in this process, and what they give on a page."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from specfactory.contract import CompiledContract
from specfactory.extract.templates import Applied, apply_template, choose_fitting
from specfactory.model import Candidate, Frozen, Method, Template, TemplateStatus, TemplateUse
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Shared
from specfactory.proof import PageViews
from specfactory.store import Reading
from specfactory.validate import validate

_MOST = 64

_READY: OrderedDict[tuple[int, str], Applied] = OrderedDict()


class AtWork(Frozen):
    """The templates in use on the pages of a source, and those on trial."""

    templates: tuple[Applied, ...] = ()
    trials: tuple[Applied, ...] = ()

    def fitting(self, views: PageViews) -> tuple[Applied | None, Applied | None]:
        """The template in use that fits a page, and the one on trial."""
        return choose_fitting(self.templates, views), choose_fitting(self.trials, views)


class StoredTemplates(Frozen):
    """The rules of the templates of a source, as they are handed to the process that reads."""

    key: str
    templates: tuple[Template, ...] = ()
    trials: tuple[Template, ...] = ()


_MADE_READY: OrderedDict[str, AtWork] = OrderedDict()


def stored_templates(at_work: AtWork) -> Shared:
    """The rules of templates at work, to be handed on."""
    rules = tuple(one.template for one in at_work.templates)
    trials = tuple(one.template for one in at_work.trials)
    key = f"templates:{','.join(one.id for one in rules)}:{','.join(one.id for one in trials)}"
    return Shared(key, StoredTemplates(key, rules, trials))


def made_ready(given: StoredTemplates) -> AtWork:
    """Templates at work, in the process that reads; made ready once."""
    found = _MADE_READY.get(given.key)
    if found is None:
        templates, trials = map(Applied, given.templates), map(Applied, given.trials)
        found = _MADE_READY[given.key] = AtWork(tuple(templates), tuple(trials))
        while len(_MADE_READY) > _MOST:
            _MADE_READY.popitem(last=False)
    return found


async def templates_for(bench: Workbench, host: str, category: str) -> AtWork:
    """The templates of a source, the latest first."""
    used: dict[TemplateStatus, list[Applied]] = {}
    for number, status, digest in await bench.templates.at_work(host, category):
        applied = _READY.get((number, digest))
        if applied is None:
            template = await bench.templates.rules(number)
            applied = _READY[number, digest] = await asyncio.to_thread(Applied, template)
            while len(_READY) > _MOST:
                _READY.popitem(last=False)
        else:
            _READY.move_to_end((number, digest))
        used.setdefault(status, []).append(applied)
    return AtWork(
        tuple(used.get(TemplateStatus.ADOPTED, ())), tuple(used.get(TemplateStatus.TRIAL, ()))
    )


def is_outdated(reading: Reading, at_work: AtWork) -> bool:
    """True if a page was read by other templates than those of today, or one of them is new."""
    today = {one.template.id for one in at_work.templates}
    used = {use.template_id for use in reading.uses if not use.trial}
    return bool(used - today) or bool(not used and today.difference(reading.offered))


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
