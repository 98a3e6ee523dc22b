"""What the parts of a page are and whose they are: boxes, headings, regions, names."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.page.layout import GRID, HEADINGS, Layout
    from specfactory.extract.page.pairs import Pair, Span
    from specfactory.extract.page.product_names import last_name
    from specfactory.extract.page.region_words import (
        heads_posts,
        is_generic_head,
        is_name_head,
        is_unit,
        speaks_of_another,
    )
    from specfactory.extract.page.regions import Kind, Region, Regions
    from specfactory.extract.page.subjects import Headed
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "GRID",
    "HEADINGS",
    "Headed",
    "Kind",
    "Layout",
    "Pair",
    "Region",
    "Regions",
    "Span",
    "heads_posts",
    "is_generic_head",
    "is_name_head",
    "is_unit",
    "last_name",
    "speaks_of_another",
]
