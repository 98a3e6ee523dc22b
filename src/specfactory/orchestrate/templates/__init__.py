"""Templates at work: kept ready, counted, adopted, retired, decided about by a person."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.templates.cache import AtWork, is_outdated, templates_for
    from specfactory.orchestrate.templates.decisions import RolledBack, TemplateDesk, distrust
    from specfactory.orchestrate.templates.upkeep import (
        FACTORY,
        Watched,
        about,
        ask,
        queue_learning,
        tell,
        watch_alone,
        watch_reading,
    )
    from specfactory.orchestrate.templates.uses import uses_of
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "FACTORY", "AtWork", "RolledBack", "TemplateDesk", "Watched", "about", "ask", "distrust",
    "is_outdated", "queue_learning", "tell", "templates_for", "uses_of", "watch_alone",
    "watch_reading",
]  # fmt: skip
