"""Learned templates and hand-written selectors, applied to a page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.templates.apply import Applied, cut_span
    from specfactory.extract.templates.page_index import Key, PageIndex, bits, folded
    from specfactory.extract.templates.page_shape import (
        FITS,
        Shape,
        choose_fitting,
        shape_of,
        share_of,
    )
    from specfactory.extract.templates.quick_paths import NEAR, all_before, find_text
    from specfactory.extract.templates.rule_features import KINDS
    from specfactory.extract.templates.rule_vote import (
        Voter,
        choose_many,
        choose_one,
        kind_of_form,
        siblings,
    )
    from specfactory.extract.templates.selectors import (
        NO_SELECTORS,
        Selected,
        covers,
        select,
        settled,
    )
    from specfactory.extract.templates.template_candidates import apply_template
    from specfactory.extract.templates.text_nodes import PageTexts, Text, TextFrame, read_texts
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "FITS", "KINDS", "NEAR", "NO_SELECTORS", "Applied", "Key", "PageIndex", "PageTexts",
    "Selected", "Shape", "Text", "TextFrame", "Voter", "all_before", "apply_template", "bits",
    "choose_fitting", "choose_many", "choose_one", "covers", "cut_span", "find_text", "folded",
    "kind_of_form", "read_texts", "select", "settled", "shape_of", "share_of", "siblings",
]  # fmt: skip
