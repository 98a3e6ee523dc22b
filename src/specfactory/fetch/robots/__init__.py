"""Rules of sites (robots.txt) and of pages (noindex) about their use."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .book import RobotsBook
    from .page_directives import unwanted_use
    from .rules import MAX_ROBOTS_BYTES, product_token
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
