"""Rules of sites (robots.txt) and of pages (noindex) about their use."""

from .book import RobotsBook
from .page_directives import unwanted_use
from .rules import MAX_ROBOTS_BYTES, product_token
