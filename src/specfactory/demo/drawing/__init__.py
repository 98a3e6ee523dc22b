"""Renderers: take a scene of one page; give its HTML or PDF, worded as the site words it."""

from typing import TYPE_CHECKING

from specfactory.demo.drawing.shops import (
    SCRIPT_BUNDLE,
    bare_page,
    cents_page,
    imperial_page,
    script_page,
    script_values,
)

if TYPE_CHECKING:
    from .brands import brand_page, datasheet
    from .crowd import copy_page, forum_page, wiki_page
    from .icons import icons_page
    from .labs import closed_page, database_page, review_page
    from .scene import Scene, Staging
    from .shelf import Entry, Shelf, draw_shelves
    from .shell import Link, Look, anchor, bullets
    from .shops import shop_prices, sup_price
    from .wording import Style, field_words
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
