"""The templates of a source, as they are stored and handed to the processes that read."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from specfactory.model import Frozen, Template, TemplateStatus
from specfactory.ports import Shared

if TYPE_CHECKING:
    from specfactory.orchestrate.bench import Workbench
    from specfactory.store import Reading

MOST_KEPT = 64

_RULES: OrderedDict[tuple[int, str], Template] = OrderedDict()  # by number and digest


class StoredTemplates(Frozen):
    """The rules of the templates in use on the pages of a source, and of those on trial."""

    key: str = ""  # no other templates have the same
    templates: tuple[Template, ...] = ()
    trials: tuple[Template, ...] = ()

    @property
    def shared(self) -> Shared:
        """Themselves, to be handed on."""
        return Shared(f"templates:{self.key}", self)


NO_TEMPLATES = StoredTemplates()


async def templates_for(bench: Workbench, host: str, category: str) -> StoredTemplates:
    """The templates of a source, the latest first."""
    used: dict[TemplateStatus, list[Template]] = {}
    key = []
    for number, status, digest in await bench.templates.at_work(host, category):
        rules = _RULES.get((number, digest))
        if rules is None:
            rules = _RULES[number, digest] = await bench.templates.rules(number)
            while len(_RULES) > MOST_KEPT:
                _RULES.popitem(last=False)
        else:
            _RULES.move_to_end((number, digest))
        used.setdefault(status, []).append(rules)
        key.append(f"{number} {status} {digest}")
    adopted, trials = used.get(TemplateStatus.ADOPTED, ()), used.get(TemplateStatus.TRIAL, ())
    return StoredTemplates(",".join(key), tuple(adopted), tuple(trials))


def is_outdated(reading: Reading, stored: StoredTemplates) -> bool:
    """True if a page was read by other templates than those of today, or one of them is new."""
    today = {one.id for one in stored.templates}
    used = {use.template_id for use in reading.uses if not use.trial}
    return bool(used - today) or bool(not used and today.difference(reading.offered))
