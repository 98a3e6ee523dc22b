"""The parts of a page and whose they are: boxes, headings, regions, names; and the one maker
of candidates.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .candidate_maker import FIXED, LABELLED, CandidateMaker, PageCandidates, Proposal, dropped
    from .layout import GRID, HEADINGS, Layout, Pair, Span, line_spans, lines_around, spans_within
    from .owners_of_places import place_owners
    from .page_types import PageType, page_type
    from .product_names import clause_subject, component_names
    from .region_words import (
        OTHER_BOX_HINTS,
        RegionKind,
        heads_posts,
        hints_aside,
        is_generic_head,
        is_name_head,
        is_unit,
    )
    from .regions import OtherRegion, Regions
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
