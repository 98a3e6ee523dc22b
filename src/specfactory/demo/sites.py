"""The sites of the demo web, of all tiers, and what the seed decides about them."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from specfactory.demo.values import Site
from specfactory.model import Tier

INDEX = Site("index", "Demo web", None, "index", robots="closed", sitemap="none", search="none")
_BRAND, _LAB = Tier.MANUFACTURER, Tier.LAB
_SHOP, _COPY, _CROWD = Tier.RETAILER, Tier.AGGREGATOR, Tier.COMMUNITY

_SITES = (
    Site("razer", "Razer", _BRAND, "table", brand="Razer", path="/gaming-mice/{slug}"),
    Site("lumora", "Lumora", _BRAND, "definitions", brand="Lumora", path="/products/mice/{slug}"),
    Site("feinwerk", "Feinwerk", _BRAND, "columns", brand="Feinwerk", language="de",
         sitemap="index", path="/produkte/{slug}"),
    Site("vantik", "Vantik", _BRAND, "tabs", brand="Vantik", robots="private",
         path="/mouse/{slug}"),
    Site("kestrel", "Kestrel Peripherals", _BRAND, "lines", brand="Kestrel", search="none",
         path="/gear/{slug}.html"),
    Site("clickbench", "ClickBench", _LAB, "review", stock=0.86, path="/reviews/{slug}-review"),
    Site("mousemetrics", "MouseMetrics", _LAB, "database", stock=0.97, path="/mouse/{slug}"),
    Site("gearbarn", "GearBarn", _SHOP, "bare", stock=0.92, path="/item/{number}"),
    Site("pixelmarket", "PixelMarket", _SHOP, "cents", stock=0.9, search="sibling_first",
         path="/{slug}-p{number}"),
    Site("uncleteds", "Uncle Ted's Electronics", _SHOP, "imperial", imperial=True, stock=0.88,
         sitemap="robots", path="/shop/{slug}/{number}"),
    Site("jetcart", "JetCart", _SHOP, "script", stock=0.8, path="/product/{slug}"),
    Site("specpile", "SpecPile", _COPY, "copy", stock=0.95, path="/compare/mice/{slug}"),
    Site("clickforum", "ClickForum", _CROWD, "forum", stock=0.6, robots="delay",
         path="/t/{number}-{slug}"),
    Site("mousewiki", "MouseWiki", _CROWD, "wiki", stock=0.75, path="/wiki/{slug}"),
    Site("vaultlab", "VaultLab", _LAB, "closed", stock=0.7, robots="closed", path="/test/{slug}"),
    Site("search", "Web search", None, "websearch", sitemap="none", search="none"),
)  # fmt: skip

_FREE_LAYOUTS = ("table", "definitions", "tabs", "lines")


def draw_sites(seed: int, ports: Sequence[int]) -> tuple[Site, ...]:
    """All sites on their ports, the index first; the seed deals the brands' layouts."""
    layouts = iter(Random(f"{seed}:layouts").sample(_FREE_LAYOUTS, len(_FREE_LAYOUTS)))
    dealt = []
    for site, port in zip((INDEX, *_SITES), ports, strict=True):
        layout = next(layouts) if site.layout in _FREE_LAYOUTS else site.layout
        dealt.append(replace(site, layout=layout, port=port))
    return tuple(dealt)


def site_count() -> int:
    """How many ports the demo web needs."""
    return len(_SITES) + 1
