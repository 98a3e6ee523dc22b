"""Rules of sites (robots.txt) and of pages (noindex) about their use."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.fetch.robots.book import RobotsBook
    from specfactory.fetch.robots.page_directives import unwanted_use
    from specfactory.fetch.robots.rules import MAX_ROBOTS_BYTES, product_token
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["MAX_ROBOTS_BYTES", "RobotsBook", "product_token", "unwanted_use"]
