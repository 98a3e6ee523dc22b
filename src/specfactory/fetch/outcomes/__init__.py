"""Outcomes of fetches, and the words or marks that show them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .classification import BY_STATUS, Judged, classify, judge_body, media_type, without_words
    from .consent_buttons import ACCEPTING, MAKERS_ACCEPTING, MAKERS_REFUSING, REFUSING, SUBJECTS
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
