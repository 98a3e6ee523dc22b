"""The parts of a page and whose they are: boxes, headings, regions, names; and the one maker
of candidates.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.page.candidate_maker import CandidateMaker, Proposal, dropped
    from specfactory.extract.page.layout import GRID, HEADINGS, Layout
    from specfactory.extract.page.pairs import Pair, Span
    from specfactory.extract.page.product_names import clause_subject, component_names
    from specfactory.extract.page.region_words import (
        OTHER_BOX_HINTS,
        heads_posts,
        hints_aside,
        is_generic_head,
        is_name_head,
        is_unit,
    )
    from specfactory.extract.page.regions import OtherRegion, RegionKind, Regions
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "GRID", "HEADINGS", "OTHER_BOX_HINTS", "CandidateMaker", "Layout", "OtherRegion", "Pair",
    "Proposal", "RegionKind", "Regions", "Span", "clause_subject", "component_names", "dropped",
    "heads_posts", "hints_aside", "is_generic_head", "is_name_head", "is_unit",
]  # fmt: skip
