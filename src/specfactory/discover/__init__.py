"""Discover: takes a product, its gaps and its sources; gives where to look next.

The plan is pure; searches are ports that somebody else's fetch answers.
"""

from specfactory.discover.plan import Lead, plan_round, sources_for

__all__ = ["Lead", "plan_round", "sources_for"]
