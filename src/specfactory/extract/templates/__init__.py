"""Learned templates and hand-written selectors, applied to a page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .apply import Applied, cut_span
    from .page_shape import FITS, Shape, choose_fitting, shape_of, share_of
    from .rule_features import KINDS
    from .rule_vote import (
        Key,
        PageIndex,
        Voter,
        bits,
        choose_many,
        choose_one,
        folded,
        kind_of_form,
        siblings,
    )
    from .selectors import select, settled
    from .template_candidates import apply_template
    from .text_nodes import NEAR, PageTexts, Text, TextFrame, all_before, read_texts, texts_at
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
