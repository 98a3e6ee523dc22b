"""The demo web: a small internet on loopback, with its truth and its traps.

Takes a seed; gives pages, truth, traps and real HTTP servers that are the same for every run.
"""

from specfactory.demo.server import Running, serve
from specfactory.demo.values import Answer, Site, Trap, Truth
from specfactory.demo.world import World, build_world, write_truth

__all__ = [
    "Answer", "Running", "Site", "Trap", "Truth", "World", "build_world", "serve", "write_truth",
]  # fmt: skip
