"""Where things stand in a shop: the addresses of sections and products, and who is meant by one."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from specfactory.demo.shops.values import Offer, Section, Shop
from specfactory.demo.shops.wording import slug

_ITEM = {"en": "item", "de": "artikel", "fr": "article"}
_EVENTS = {"en": "events", "de": "termine", "fr": "agenda"}
_BRANDS = {"en": "brands", "de": "marken", "fr": "marques"}
_SEARCH = {"en": "search", "de": "suche", "fr": "recherche"}
_TRADE = {"en": "trade", "de": "haendler", "fr": "pro"}


class Paths:
    """The addresses of one shop, before or after its relaunch."""

    def __init__(self, shop: Shop, seed: int, relaunched: bool = False) -> None:
        self.shop = shop
        rng = Random(f"{seed}:{shop.platform}:paths")
        self._style = 0 if shop.platform == "shopify" else (rng.randrange(3) + relaunched) % 3
        self._nested = rng.random() < 0.7  # sections below the path of their parents
        self.links_within = rng.random() < 0.5  # links to products name the section
        self.page_name = rng.choice(("page", "p", "pg"))
        self.offset_name = rng.choice(("start", "offset", "from"))
        # canonical addresses name the section of a product's type, where they name one at all
        self._in_home = self._style == 0 if shop.platform == "own" else self._style > 0
        self._homes = {
            offer.number: number
            for offer, within in zip(shop.offers, shop.within, strict=True)
            for number in within[::-1]
            if "type" in shop.sections[number].wanted
        }
        self.sections: Mapping[str, Section] = {self.section(s): s for s in shop.sections}
        self._products = {self._segment(o.slug, o.number): o for o in shop.offers}
        self._moved = {self._segment(o.old_slug, o.number): o for o in shop.offers if o.old_slug}
        self._removed = {self._segment(name, 7): status for name, status in shop.removed.items()}
        self._prefixes = {self._prefix(s) for s in (None, *shop.sections)}

    def section(self, section: Section) -> str:
        """The path of a section."""
        if self.shop.platform == "shopify":
            return f"/collections/{section.slug}"
        line = self.shop.lineage(section) if self._nested else [section]
        below = "/".join(one.slug for one in line)
        if self.shop.platform == "woocommerce":
            return f"/{'brand' if section.kind == 'brand' else 'product-category'}/{below}/"
        return f"/{below}/"

    def page(self, section: Section, number: int) -> str:
        """The n-th page of a section's products, from 1."""
        path = self.section(section)
        if number == 1:
            return path
        if self.shop.platform == "woocommerce":
            return f"{path}page/{number}/"
        if section.paging == "offset":
            return f"{path}?{self.offset_name}={(number - 1) * self.shop.page_size}"
        return f"{path}?{self.page_name if self.shop.platform == 'own' else 'page'}={number}"

    def more(self, section: Section, number: int) -> str:
        """Where a script asks for the n-th page."""
        if self.shop.platform == "shopify":
            return f"{self.section(section)}?page={number}&view=ajax"
        if self.shop.platform == "woocommerce":
            return f"/?wc-ajax=load_products&cat={section.number + 15}&paged={number}"
        return f"/api/list/{section.number}?offset={(number - 1) * self.shop.page_size}"

    def product(self, offer: Offer, within: Section | None = None) -> str:
        """The path of a product, the canonical one unless a section is given."""
        if within is None and self._in_home:
            home = self._homes.get(offer.number)
            within = self.shop.sections[home] if home is not None else None
        return self._prefix(within) + self._segment(offer.slug, offer.number)

    def old(self, offer: Offer) -> str:
        """Where a product stood before it moved."""
        return self._prefix(None) + self._segment(offer.old_slug, offer.number)

    def removed(self, name: str) -> str:
        """Where a product stood that is no longer sold."""
        return self._prefix(None) + self._segment(name, 7)

    def find(self, path: str) -> Offer | int | None:
        """The product at a path, the status of one that is gone, or None."""
        segment = self._last(path)
        return self._products.get(segment) or self._removed.get(segment)

    def find_moved(self, path: str) -> Offer | None:
        """The product that moved away from a path."""
        return self._moved.get(self._last(path))

    def _last(self, path: str) -> str:
        """The last segment of a path below which products stand; empty elsewhere."""
        end = "/" if self.shop.platform == "woocommerce" and path.endswith("/") else ""
        head, _, segment = path.removesuffix(end).rpartition("/")
        return segment + end if f"{head}/" in self._prefixes else ""

    def _prefix(self, within: Section | None) -> str:
        if self.shop.platform == "shopify":
            return f"/collections/{within.slug}/products/" if within else "/products/"
        if self.shop.platform == "woocommerce":
            base = ("product", "shop", "store")[self._style]
            return f"/{base}/{within.slug}/" if within and self._style else f"/{base}/"
        if self._style == 0:
            return self.section(within) if within else "/"
        return "/p/" if self._style == 1 else f"/{_ITEM[self.shop.site.language]}/"

    def _segment(self, name: str, number: int) -> str:
        if self.shop.platform == "shopify":
            return name
        if self.shop.platform == "woocommerce":
            return f"{name}/"
        return (f"{name}-{number}.html", f"{number}-{name}", f"{name}.{number}")[self._style]

    # ------------------------------------------------------------ other pages
    @property
    def brands(self) -> str:
        """The page that lists all brands."""
        return {"shopify": "/pages/brands", "woocommerce": "/brands/"}.get(
            self.shop.platform, f"/{_BRANDS[self.shop.site.language]}"
        )

    @property
    def events(self) -> str:
        """The calendar; a month is appended."""
        return {"shopify": "/pages/events?month=", "woocommerce": "/events/?month="}.get(
            self.shop.platform, f"/{_EVENTS[self.shop.site.language]}/"
        )

    @property
    def search(self) -> str:
        """The search page; the words are appended."""
        return {"shopify": "/search?q=", "woocommerce": "/?post_type=product&s="}.get(
            self.shop.platform, f"/{_SEARCH[self.shop.site.language]}?q="
        )

    @property
    def journal(self) -> str:
        """Below this stand the articles."""
        return {"shopify": "/blogs/journal/", "woocommerce": "/blog/"}.get(
            self.shop.platform, "/magazin/"
        )

    @property
    def trade(self) -> str:
        """The place for dealers, which robots.txt forbids."""
        return f"/{_TRADE[self.shop.site.language]}/"

    def help(self, words: str) -> str:
        """A small page."""
        return {"shopify": "/pages/", "woocommerce": "/"}.get(self.shop.platform, "/info/") + slug(
            words
        )
