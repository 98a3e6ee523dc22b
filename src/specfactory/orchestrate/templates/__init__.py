"""Templates at work: kept ready, counted, adopted, retired, decided about by a person."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .cache import AtWork, is_outdated, templates_for
    from .decisions import RolledBack, TemplateDesk, distrust
    from .upkeep import FACTORY, Upkeep, watch_reading
    from .uses import uses_of
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
