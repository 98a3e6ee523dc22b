"""The public JSON endpoints that a platform brings along."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeVar

from specfactory.demo.shops.paths import Paths
from specfactory.demo.shops.values import Offer, Shop
from specfactory.demo.values import Answer
from specfactory.model import Json

T = TypeVar("T")
_MOST = {"shopify": 250, "woocommerce": 100}
_USUAL = {"shopify": 30, "woocommerce": 10}


class Endpoints:
    """Answers in JSON for one shop."""

    def __init__(self, shop: Shop, paths: Paths) -> None:
        self._shop, self._paths = shop, paths

    def answer(self, path: str, query: Mapping[str, str]) -> Answer | None:
        """What the platform says at a path; None when it has nothing there."""
        if self._shop.platform == "shopify":
            return self._shopify(path, query)
        if self._shop.platform == "woocommerce" and path.startswith("/wp-json/wc/store/v1/"):
            return self._store(path.removeprefix("/wp-json/wc/store/v1/").strip("/"), query)
        return None

    def _shopify(self, path: str, query: Mapping[str, str]) -> Answer | None:
        if path == "/collections.json":
            rows = [
                {"id": 10_000 + s.number, "handle": s.slug, "title": s.name,
                 "products_count": len(self._shop.listed[s.number])}
                for s in self._shop.sections
            ]  # fmt: skip
            return _json({"collections": self._part(rows, query, "limit")})
        if path == "/products.json":
            return _json(
                {
                    "products": [
                        self._product(o) for o in self._part(self._shop.offers, query, "limit")
                    ]
                }
            )
        if path.endswith("/products.json"):
            section = self._paths.sections.get(path.removesuffix("/products.json"))
            if section is None:
                return None
            places = self._part(self._shop.listed[section.number], query, "limit")
            return _json({"products": [self._product(self._shop.offers[p]) for p in places]})
        if path.startswith("/products/") and path.endswith(".json"):
            offer = self._paths.find(path.removesuffix(".json"))
            return _json({"product": self._product(offer)}) if isinstance(offer, Offer) else None
        return None

    def _product(self, offer: Offer) -> Json:
        compare = f"{offer.list_price:.2f}" if offer.list_price else None
        return {
            "id": 7_000_000 + offer.number, "title": offer.name, "handle": offer.slug,
            "vendor": offer.good.brand, "product_type": offer.good.type,
            "images": [{"src": f"{self._shop.site.origin}/media/{offer.number}.svg"}],
            "variants": [
                {"id": offer.number * 10 + n, "title": colour, "sku": offer.sku,
                 "price": f"{offer.price:.2f}", "compare_at_price": compare,
                 "available": offer.available, "grams": offer.good.grams}
                for n, colour in enumerate(offer.good.colours)
            ],
        }  # fmt: skip

    def _store(self, name: str, query: Mapping[str, str]) -> Answer | None:
        """WooCommerce's Store API."""
        shop = self._shop
        if name == "products/categories":
            rows: Sequence[Json] = [
                {"id": s.number + 15, "name": s.name, "slug": s.slug,
                 "parent": 0 if s.parent is None else s.parent + 15,
                 "count": len(shop.listed[s.number]),
                 "permalink": shop.site.origin + self._paths.section(s)}
                for s in shop.sections if s.kind != "brand"
            ]  # fmt: skip
            return _json(rows)
        if name != "products":
            return None
        wanted = query.get("category", "")
        number = int(wanted) - 15 if wanted.isdecimal() else -1
        if wanted and not 0 <= number < len(shop.sections):
            return _json([], {"X-WP-Total": "0", "X-WP-TotalPages": "0"})
        places = shop.listed[number] if wanted else range(len(shop.offers))
        shown = self._part(places, query, "per_page")
        total = {
            "X-WP-Total": str(len(places)),
            "X-WP-TotalPages": str(-(-len(places) // self._size(query, "per_page"))),
        }
        return _json([self._stored(shop.offers[place]) for place in shown], total)

    def _stored(self, offer: Offer) -> Json:
        minor = {"currency_code": self._shop.currency, "currency_minor_unit": 2}
        return {
            "id": offer.number, "name": offer.name, "slug": offer.slug, "sku": offer.sku,
            "permalink": self._shop.site.origin + self._paths.product(offer),
            "prices": {
                "price": str(round(offer.price * 100)),
                "regular_price": str(round((offer.list_price or offer.price) * 100)),
                **minor,
            },
            "average_rating": f"{offer.rating:.2f}", "review_count": offer.reviews,
            "is_in_stock": offer.available,
        }  # fmt: skip

    def _size(self, query: Mapping[str, str], name: str) -> int:
        platform, asked = self._shop.platform, query.get(name, "")
        return min(max(int(asked), 1), _MOST[platform]) if asked.isdecimal() else _USUAL[platform]

    def _part(self, rows: Sequence[T], query: Mapping[str, str], name: str) -> Sequence[T]:
        size, asked = self._size(query, name), query.get("page", "1")
        page = max(1, int(asked)) if asked.isdecimal() else 1
        return rows[(page - 1) * size : page * size]


def _json(content: Json, headers: Mapping[str, str] | None = None) -> Answer:
    body = json.dumps(content, ensure_ascii=False).encode()
    return Answer(200, {"Content-Type": "application/json", **(headers or {})}, body)
