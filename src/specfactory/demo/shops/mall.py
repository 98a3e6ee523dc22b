"""The three demo shops together, as a web that can be served."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from specfactory.demo.shops.pages import Press
from specfactory.demo.shops.plan import PLATFORMS, draw_shops
from specfactory.demo.shops.values import Shop
from specfactory.demo.values import Answer, Site

PRODUCTS, SECTIONS, FIRST_PORT = 10_000, 120, 8650
_INDEX = Site("index", "Demo shops", None, "index", robots="closed", sitemap="none", search="none")


def build_shops(
    seed: int, base_port: int = FIRST_PORT, products: int = PRODUCTS, sections: int = SECTIONS
) -> Mall:
    """The demo shops of a seed: the same seed gives the same bytes. Port 0 means free ports."""
    count = len(PLATFORMS) + 1
    ports = [base_port + n for n in range(count)] if base_port else [0] * count
    return Mall(seed, ports, products, sections)


class Mall:
    """Three shops, and an index where faults are switched; everything follows from the seed."""

    def __init__(self, seed: int, ports: Sequence[int], products: int, sections: int) -> None:
        self.seed, self._size = seed, (products, sections)
        self.shops: tuple[Shop, ...] = draw_shops(seed, ports[1:], products, sections)
        self.sites = (_INDEX.at(ports[0]), *(shop.site for shop in self.shops))
        self.presses = {shop.site.host: Press(shop, seed) for shop in self.shops}
        self._relaunched: dict[str, Press] = {}
        self.visits: Counter[tuple[str, str]] = Counter()  # (site, path with query) -> requests

    def at(self, ports: Sequence[int]) -> Mall:
        """The same shops on other ports."""
        return Mall(self.seed, ports, *self._size)

    def keep_pages(self) -> None:
        """Draw all product pages now (about 60 MB), so that a crawler is all that is measured."""
        for press in self.presses.values():
            press.keep_pages()

    def page(self, host: str, path: str) -> Answer:
        """What the server of ``host`` answers for a path with its query."""
        press = self.presses.get(host)
        if press is None:
            return self._index(path)
        self.visits[press.shop.site.name, path] += 1
        return press.answer(path)

    def redrawn(self, host: str, path: str) -> Answer:
        """The same after a relaunch: other markup, and products may have moved (301)."""
        if host not in self.presses:
            return self._index(path)
        press = self.relaunched(host)
        self.visits[press.shop.site.name, path] += 1
        return press.answer(path)

    def relaunched(self, host: str) -> Press:
        """A shop as it is after its relaunch."""
        if host not in self._relaunched:
            self._relaunched[host] = Press(self.presses[host].shop, self.seed, relaunched=True)
        return self._relaunched[host]

    def settings(self) -> dict[str, Any]:
        """A ``specfactory.yaml`` with which the factory may fetch these shops."""
        hosts = [shop.site.host for shop in self.shops]
        return {
            "fetch": {"allow_loopback": hosts, "host_delay_seconds": 0.02},
            "sources": [
                {"host": host, "tier": "tier3_retailer", "scheme": "http", "category": "product"}
                for host in hosts
            ],
        }

    def visited(self) -> dict[str, Any]:
        """Per shop: requests, addresses, addresses asked for more than once, forbidden ones."""
        return {shop.site.name: self._visits(shop) for shop in self.shops}

    def _visits(self, shop: Shop) -> dict[str, Any]:
        found = {path: n for (name, path), n in self.visits.items() if name == shop.site.name}
        trade = self.presses[shop.site.host].paths.trade
        return {
            "requests": sum(found.values()),
            "addresses": len(found),
            "twice": {path: n for path, n in found.items() if n > 1},
            "forbidden": sum(n for path, n in found.items() if path.startswith(trade)),
        }

    def _index(self, path: str) -> Answer:
        if path == "/visits":
            body = json.dumps(self.visited()).encode()
            return Answer(200, {"Content-Type": "application/json"}, body)
        if path != "/":
            return Answer(404, {"Content-Type": "text/plain"}, b"no such page\n")
        rows = "".join(
            f'<li><a href="{shop.site.origin}/">{escape(shop.site.title)}</a>: {shop.platform}, '
            f"{shop.site.language}, {len(shop.offers)} products, {len(shop.sections)} sections</li>"
            for shop in self.shops
        )
        text = (
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Demo shops</title>'
            f"</head><body><h1>Demo shops, seed {self.seed}</h1><ul>{rows}</ul></body></html>\n"
        )
        return Answer(200, {"Content-Type": "text/html; charset=utf-8"}, text.encode())
