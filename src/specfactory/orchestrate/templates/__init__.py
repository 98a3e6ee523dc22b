"""Templates at work: kept ready, counted, adopted, retired, decided about by a person."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .at_work import made_ready, uses_of
    from .decisions import RolledBack, TemplateDesk, distrust
    from .stored import NO_TEMPLATES, StoredTemplates, is_outdated, templates_for
    from .upkeep import FACTORY, Upkeep, watch_reading
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
