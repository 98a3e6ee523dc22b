"""The pages of a demo shop, drawn as they are asked for.

Takes a shop and an address; gives the answer of its server.
"""

from specfactory.demo.shops.pages.press import Press

__all__ = ["Press"]
