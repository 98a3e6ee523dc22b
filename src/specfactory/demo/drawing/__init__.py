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
    from specfactory.demo.drawing.brands import brand_page, datasheet
    from specfactory.demo.drawing.crowd import copy_page, forum_page, wiki_page
    from specfactory.demo.drawing.icons import icons_page
    from specfactory.demo.drawing.labs import closed_page, database_page, review_page
    from specfactory.demo.drawing.scene import Scene, Staging
    from specfactory.demo.drawing.shelf import Entry, Shelf, draw_shelves
    from specfactory.demo.drawing.shell import Link, Look, anchor, bullets
    from specfactory.demo.drawing.shops import shop_prices, sup_price
    from specfactory.demo.drawing.wording import Style, field_words
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "SCRIPT_BUNDLE", "Entry", "Link", "Look", "Scene", "Shelf", "Staging", "Style", "anchor",
    "bare_page", "brand_page", "bullets", "cents_page", "closed_page", "copy_page",
    "database_page", "datasheet", "draw_shelves", "field_words", "forum_page", "icons_page",
    "imperial_page", "review_page", "script_page", "script_values", "shop_prices", "sup_price",
    "wiki_page",
]  # fmt: skip
