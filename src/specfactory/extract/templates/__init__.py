"""Learned templates and hand-written selectors, applied to a page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .apply import Applied, cut_span
    from .page_index import Key, PageIndex, bits, folded
    from .page_shape import FITS, Shape, choose_fitting, shape_of, share_of
    from .quick_paths import NEAR, all_before, find_text
    from .rule_features import KINDS
    from .rule_vote import Voter, choose_many, choose_one, kind_of_form, siblings
    from .selectors import NO_SELECTORS, Selected, covers, select, settled
    from .template_candidates import apply_template
    from .text_nodes import PageTexts, Text, TextFrame, read_texts
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
