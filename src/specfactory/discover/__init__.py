"""Discover: takes a product, its gaps and its sources; gives where to look next.

The plan is pure; searches get their pages through a function they are given.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .links import document_links
    from .round_plan import Lead, chance, plan_round, sources_for
    from .site_search import SiteSearch
    from .sitemaps import Sitemaps
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
