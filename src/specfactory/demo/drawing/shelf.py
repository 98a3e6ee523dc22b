"""Which pages a site has: where each product stands, and what only looks like it."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from specfactory.demo.truth import Mouse, siblings
from specfactory.demo.values import Site
from specfactory.model import Frozen


class Entry(Frozen):
    """One page of a site.

    ``kind`` is product, datasheet, lookalike (the address of ``mouse``, the page of ``shown``),
    gone (a soft 404), blank (an empty page) or private (behind robots.txt).
    """

    path: str
    kind: str
    mouse: Mouse
    shown: Mouse

    @property
    def title(self) -> str:
        """What a list of results calls it."""
        name = self.shown.name
        return {"datasheet": f"{name} – Data sheet (PDF)", "gone": self.mouse.name}.get(
            self.kind, name
        )


class Shelf:
    """All entries of one site."""

    def __init__(self, site: Site, entries: Sequence[Entry]) -> None:
        self.site = site
        self.entries: Mapping[str, Entry] = {entry.path: entry for entry in entries}
        self.products: Mapping[str, Entry] = {
            entry.mouse.id: entry for entry in entries if entry.kind == "product"
        }

    def lists(self, mouse: Mouse) -> bool:
        """Whether the site has a page about this very product."""
        return mouse.id in self.products

    def path(self, mouse: Mouse) -> str:
        """Where the product stands."""
        return self.products[mouse.id].path

    @property
    def mice(self) -> list[Mouse]:
        """The products it lists, in its own order."""
        return [entry.mouse for entry in self.products.values()]


def draw_shelves(sites: Sequence[Site], seed: int, mice: Sequence[Mouse]) -> list[Shelf]:
    """The shelves of all sites; the aggregator lists only what its shop lists."""
    shelves = [_draw_shelf(site, seed, mice) for site in sites if site.layout != "copy"]
    shop = next(shelf for shelf in shelves if shelf.site.layout == "cents")
    copies = [_draw_shelf(site, seed, shop.mice) for site in sites if site.layout == "copy"]
    order = [site.name for site in sites]
    return sorted(shelves + copies, key=lambda shelf: order.index(shelf.site.name))


def _draw_shelf(site: Site, seed: int, mice: Sequence[Mouse]) -> Shelf:
    """Decide which products the site lists and what stands at the other addresses."""
    rng = Random(f"{seed}:{site.name}:shelf")
    if site.tier is None:
        return Shelf(site, ())
    own = [mouse for mouse in mice if not site.brand or mouse.product.brand == site.brand]
    rng.shuffle(own)
    listed = [mouse for mouse in own if rng.random() < site.stock or mouse.number == 0]
    entries = [_entry(site, rng, "product", mouse, mouse) for mouse in listed]
    entries += _beside(site, rng, own, listed)
    return Shelf(site, entries)


def _beside(
    site: Site, rng: Random, own: Sequence[Mouse], listed: Sequence[Mouse]
) -> Iterator[Entry]:
    if site.layout == "tabs":
        for mouse in listed:
            yield Entry(f"/files/{mouse.slug}-datasheet.pdf", "datasheet", mouse, mouse)
    if site.robots == "private":
        for mouse in listed:
            yield Entry(f"/private/{mouse.slug}-prerelease", "private", mouse, mouse)
    for mouse in own:
        if mouse not in listed:
            yield _stand_in(site, rng, mouse, listed)


def _stand_in(site: Site, rng: Random, mouse: Mouse, listed: Sequence[Mouse]) -> Entry:
    """What stands where the site has no page: a sibling's, a soft 404, or nothing at all."""
    family = siblings(mouse, listed)
    if family and site.layout in ("cents", "copy", "imperial", "database"):
        return _entry(site, rng, "lookalike", mouse, family[0])
    return _entry(site, rng, rng.choice(("gone", "gone", "blank")), mouse, mouse)


def _entry(site: Site, rng: Random, kind: str, mouse: Mouse, shown: Mouse) -> Entry:
    number = rng.randrange(100_000, 1_000_000)
    return Entry(site.path.format(slug=mouse.slug, number=number), kind, mouse, shown)
