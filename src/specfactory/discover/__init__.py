"""Discover: takes a product, its gaps and its sources; gives where to look next.

The plan is pure; searches get their pages through a function they are given.
"""

from specfactory.discover.links import document_links
from specfactory.discover.round_plan import Lead, chance, plan_round, sources_for
from specfactory.discover.site_search import SiteSearch
from specfactory.discover.sitemaps import Sitemaps

__all__ = [
    "Lead", "SiteSearch", "Sitemaps", "chance", "document_links", "plan_round", "sources_for",
]  # fmt: skip
