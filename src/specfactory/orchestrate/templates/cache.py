"""In-process cache of the templates of sources, ready for use."""

import asyncio
from collections import OrderedDict

from specfactory.extract.templates import Applied
from specfactory.model import Frozen, TemplateStatus
from specfactory.orchestrate.bench import Workbench
from specfactory.store import Reading

_MOST = 64

_READY: OrderedDict[tuple[int, str], Applied] = OrderedDict()


class AtWork(Frozen):
    """The templates in use on the pages of a source, and those on trial."""

    templates: tuple[Applied, ...] = ()
    trials: tuple[Applied, ...] = ()


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
    """True if a page was read by other templates than those of today."""
    today = {one.template.id for one in at_work.templates}
    used = {use.template_id for use in reading.uses if not use.trial}
    return bool(used - today) or bool(today and not used)
