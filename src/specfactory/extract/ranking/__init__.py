"""Ranks the values a page offers for a field by a small learned model."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.ranking.groups import Groups, value_key
    from specfactory.extract.ranking.ranking import (
        Ranked,
        for_the_line,
        offered_values,
        rank_values,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["Groups", "Ranked", "for_the_line", "offered_values", "rank_values", "value_key"]
