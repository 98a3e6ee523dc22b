"""Templates at work: kept ready, counted, adopted, retired, decided about by a person."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .at_work import (
        AtWork,
        StoredTemplates,
        is_outdated,
        made_ready,
        stored_templates,
        templates_for,
        uses_of,
    )
    from .decisions import RolledBack, TemplateDesk, distrust
    from .upkeep import FACTORY, Upkeep, watch_reading
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
