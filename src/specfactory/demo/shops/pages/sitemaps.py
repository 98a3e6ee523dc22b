"""What a shop tells crawlers: robots.txt, and sitemaps that are complete, partial, or not there."""

import gzip
from collections.abc import Iterator, Sequence
from random import Random
from xml.sax.saxutils import escape

from specfactory.demo.shops.paths import Paths
from specfactory.demo.shops.values import Offer, Shop
from specfactory.demo.values import Answer

PER_SITEMAP = 1000
_KNOWN = 0.4  # share of the products that a partial sitemap has
_XML = {"Content-Type": "application/xml"}
_RULES = {
    "shopify": ("/admin", "/cart", "/checkout", "/account", "/search", "/collections/*sort_by*",
                "/*/collections/*filter*&*filter*"),
    "woocommerce": ("/wp-admin/", "/cart/", "/checkout/", "/my-account/", "/*?add-to-cart="),
    "own": ("/cart", "/account", "/checkout", "/api/internal/"),
}  # fmt: skip
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


class Sitemaps:
    """Answers for robots.txt and sitemaps of one shop."""

    def __init__(self, shop: Shop, paths: Paths, seed: int) -> None:
        self._shop, self._paths, self._seed = shop, paths, seed

    def robots(self) -> Answer:
        """The rules; only a complete sitemap is named there."""
        forbidden = (*_RULES[self._shop.platform], self._paths.trade)
        lines = ["User-agent: *", *(f"Disallow: {path}" for path in forbidden)]
        lines += ["", "User-agent: BadBot", "Disallow: /"]
        if self._shop.sitemap == "complete":
            lines += ["", f"Sitemap: {self._shop.site.origin}/sitemap.xml"]
        return Answer(200, {"Content-Type": "text/plain"}, "\n".join([*lines, ""]).encode())

    def answer(self, path: str) -> Answer | None:
        """A sitemap; None when there is none at this path."""
        match self._shop.sitemap, path:
            case "complete", "/sitemap.xml":
                return _index(self._shop, ["/sitemap_products.xml", "/sitemap_sections.xml"])
            case "complete", "/sitemap_products.xml":
                parts = -(-len(self._shop.offers) // PER_SITEMAP)
                return _index(
                    self._shop, [f"/sitemap_products_{n + 1}.xml.gz" for n in range(parts)]
                )
            case "complete", "/sitemap_sections.xml":
                return Answer(
                    200, _XML, _urls((self._url(path), "") for path in self._paths.sections)
                )
            case "complete", _ if (number := _part(path)) and number <= len(self._shop.offers):
                body = gzip.compress(_urls(self._products(number - 1)), 1, mtime=0)
                return Answer(200, {"Content-Type": "application/gzip"}, body)
            case "partial", "/sitemap.xml":
                return Answer(200, _XML, _urls(self._some()))
            case "text", "/sitemap.txt":
                lines = [self._url("/"), *map(self._url, list(self._paths.sections)[::2])]
                return Answer(200, {"Content-Type": "text/plain"}, "\n".join(lines).encode())
        return None

    def _products(self, part: int) -> Iterator[tuple[str, str]]:
        """A thousand products; those that moved still have their old address, some are gone."""
        for offer in self._shop.offers[part * PER_SITEMAP : (part + 1) * PER_SITEMAP]:
            path = self._paths.old(offer) if offer.old_slug else self._paths.product(offer)
            yield self._url(path), _changed(offer)
        if part == 0:
            yield from ((self._url(self._paths.removed(name)), "") for name in self._shop.removed)

    def _some(self) -> Iterator[tuple[str, str]]:
        yield self._url("/"), ""
        yield from ((self._url(path), "") for path in list(self._paths.sections)[::3])
        rng = Random(f"{self._seed}:{self._shop.platform}:sitemap")
        for offer in self._shop.offers:
            if rng.random() < _KNOWN:
                yield self._url(self._paths.product(offer)), _changed(offer)

    def _url(self, path: str) -> str:
        return self._shop.site.origin + path


def _part(path: str) -> int:
    number = path.removeprefix("/sitemap_products_").removesuffix(".xml.gz")
    return int(number) if number.isdecimal() and path != number else 0


def _changed(offer: Offer) -> str:
    day = offer.good.number * 7 % 320
    return f"2026-{day // 28 + 1:02d}-{day % 28 + 1:02d}"


def _index(shop: Shop, paths: Sequence[str]) -> Answer:
    inner = "".join(
        f"<sitemap><loc>{shop.site.origin}{path}</loc><lastmod>2026-11-01</lastmod></sitemap>\n"
        for path in paths
    )
    return Answer(200, _XML, f"{_HEAD}<sitemapindex {_NAMESPACE}>\n{inner}</sitemapindex>".encode())


def _urls(rows: Iterator[tuple[str, str]]) -> bytes:
    inner = "".join(
        f"<url><loc>{escape(url)}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>\n"
        for url, day in rows
    )
    return f"{_HEAD}<urlset {_NAMESPACE}>\n{inner}</urlset>".encode()
