"""Chooses, for a page on its own, the one candidate per field, and says how sure it is."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .library import (
        Found,
        PageSays,
        Price,
        Values,
        Within,
        extract_values,
        page_of,
        read_values,
        reasons_missing,
        why_missing,
    )
    from .nearest_labels import NearMiss, near_misses
    from .page_answers import PageAnswers, answer_page, confidence_of, likelihood_of
    from .page_kind import contract_of_page, kind_of
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
