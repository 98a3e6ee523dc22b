"""Whose a place in the text of a page is, for those that know the product asked for."""

from collections.abc import Callable

from specfactory.extract.page.layout import Layout
from specfactory.extract.page.regions import OtherRegion, Regions
from specfactory.proof import PageViews

NOBODY = ""
"""Owner of a place in a box about other things that it does not name, or that users wrote."""


def place_owners(views: PageViews) -> Callable[[int], str | None]:
    """Give the owner of an offset of the text: None for the page's own thing, else a name."""
    regions: list[tuple[Layout, Regions]] = []

    def owner(offset: int) -> str | None:
        if not regions:  # most pages are never asked about
            layout = Layout(views)
            regions.append((layout, Regions(layout, lambda words: False)))
        layout, known = regions[0]
        try:
            return known.owner(layout.leaf_at(offset), None, offset)[0]
        except OtherRegion:
            return NOBODY

    return owner
