"""Three demo shops with thousands of products, for crawling whole sites.

Takes a seed; gives pages, real HTTP servers and the truth, the same for every run.
"""

from specfactory.demo.shops.mall import FIRST_PORT, PRODUCTS, SECTIONS, Mall, build_shops
from specfactory.demo.shops.serving import RunningShops, serve_shops
from specfactory.demo.shops.truth import (
    not_counted,
    true_products,
    true_sections,
    write_shops_truth,
)

__all__ = [
    "FIRST_PORT", "PRODUCTS", "SECTIONS", "Mall", "RunningShops", "build_shops", "not_counted",
    "serve_shops", "true_products", "true_sections", "write_shops_truth",
]  # fmt: skip
