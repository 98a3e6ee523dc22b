"""The templates of a source, made ready for use; kept in memory, the latest used ones only."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from specfactory.extract.templates import Applied
from specfactory.model import Frozen, TemplateStatus
from specfactory.orchestrate.bench import Workbench
from specfactory.store import Reading

_MOST = 64

_READY: OrderedDict[tuple[int, str], Applied] = OrderedDict()


class AtWork(Frozen):
    """What is used on the pages of a source, and what is tried beside it."""

    templates: tuple[Applied, ...] = ()
    trials: tuple[Applied, ...] = ()


async def templates_for(bench: Workbench, host: str, category: str) -> AtWork:
    """The templates of a source, the latest first."""
    used: dict[TemplateStatus, list[Applied]] = {}
    for number, status, digest in await bench.templates.at_work(host, category):
        used.setdefault(status, []).append(await _ready(bench, number, digest))
    return AtWork(
        tuple(used.get(TemplateStatus.ADOPTED, ())), tuple(used.get(TemplateStatus.TRIAL, ()))
    )


def is_outdated(reading: Reading, at_work: AtWork) -> bool:
    """Whether a page was read by other templates than those of today."""
    today = {one.template.id for one in at_work.templates}
    used = {use.template_id for use in reading.uses if not use.trial}
    return bool(used - today) or bool(today and not used)


async def _ready(bench: Workbench, number: int, digest: str) -> Applied:
    key = number, digest
    if key in _READY:
        _READY.move_to_end(key)
        return _READY[key]
    template = await bench.templates.rules(number)
    applied = _READY[key] = await asyncio.to_thread(Applied, template)
    while len(_READY) > _MOST:
        _READY.popitem(last=False)
    return applied
