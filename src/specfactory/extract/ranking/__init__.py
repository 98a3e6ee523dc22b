"""Ranks the values a page offers for a field by a small learned model."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .contradictions import doubt_contradicted
    from .groups import Groups, value_key
    from .ranking import Ranked, for_the_line, offered_values, rank_values
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
