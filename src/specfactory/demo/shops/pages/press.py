"""What each address of a shop answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl, unquote
from zlib import crc32

from specfactory.demo.shops.pages.endpoints import Endpoints
from specfactory.demo.shops.pages.listing import Lists
from specfactory.demo.shops.pages.look import Look
from specfactory.demo.shops.pages.product_page import ProductPages
from specfactory.demo.shops.pages.side_pages import Parts, SidePages
from specfactory.demo.shops.pages.sitemaps import Sitemaps
from specfactory.demo.shops.paths import Paths
from specfactory.demo.shops.values import Offer, Section, Shop, Values
from specfactory.demo.values import Answer

_HTML = {"Content-Type": "text/html; charset=utf-8"}
_SENT = {  # by which a platform can be told
    "shopify": {"X-ShopId": "6117", "X-Sorting-Hat-PodId": "88", "Set-Cookie": "cart_currency=1"},
    "woocommerce": {"X-Powered-By": "PHP/8.1", "Link": '</wp-json/>; rel="https://api.w.org/"'},
    "own": {"Server": "nginx", "Set-Cookie": "visitor=new; Path=/"},
}
_RELAUNCH = 1_000_003  # draws class names, tags and words anew
_PAGE = re.compile(r"^(.*/)page/(\d+)/$")
_PICTURE = re.compile(r"^/media/(\d+)\.svg$")
_LIST = re.compile(r"^/api/list/(\d+)$")


class Press:
    """Answers for one shop, before or after its relaunch; draws pages as they are asked for."""

    def __init__(self, shop: Shop, seed: int, relaunched: bool = False) -> None:
        drawn = seed + _RELAUNCH * relaunched
        self.shop, self.paths = shop, Paths(shop, seed, relaunched)
        self._before = Paths(shop, seed) if relaunched else None
        self.look = Look(shop, self.paths, drawn)
        self.lists = Lists(shop, self.look, seed)
        self.products = ProductPages(shop, self.look, self.lists, seed, relaunched)
        self.side = SidePages(shop, self.look, self.lists, seed)
        self._sitemaps = Sitemaps(shop, self.paths, seed)
        self._endpoints = Endpoints(shop, self.paths)
        self._places = {offer.number: place for place, offer in enumerate(shop.offers)}
        self._headers = _HTML | _SENT[shop.platform]
        self._kept: dict[str, Parts] = {}

    def keep_pages(self) -> None:
        """Draw all products now, so that serving them costs next to nothing."""
        for place, offer in enumerate(self.shop.offers):
            self._kept[self.paths.product(offer)] = self.products.page(place)

    def values(self, offer: Offer) -> Values:
        """What an offer's page states."""
        return self.products.values(offer)

    def answer(self, path_and_query: str) -> Answer:
        """The answer for a path with its query."""
        if (kept := self._kept.get(path_and_query)) is not None:
            return self._page(kept)
        path, _, asked = path_and_query.partition("?")
        path, query = unquote(path), dict(parse_qsl(asked))
        found = self._product(path) or self._list(path, query) or self._other(path, query, asked)
        return found or self._page(self.side.missing(), self.shop.missing)

    def _page(self, parts: Parts | None, status: int = 200) -> Answer:
        if parts is None:
            return self._page(self.side.missing(), self.shop.missing)
        tag = f'"{crc32(parts[1], crc32(parts[0])):08x}"'
        headers = self._headers | ({"ETag": tag} if status == 200 else {})
        return Answer(status, headers, self.look.whole(parts))

    def _product(self, path: str) -> Answer | None:
        found = self.paths.find(path)
        if isinstance(found, Offer):
            return self._page(self.products.page(self._places[found.number]))
        if found is not None:
            return self._page(self.side.missing(), found)
        moved = self.paths.find_moved(path)
        if moved is None and self._before is not None:
            before = self._before.find(path) or self._before.find_moved(path)
            if isinstance(before, int):
                return self._page(self.side.missing(), before)
            moved = before
        if moved is None:
            return None
        return Answer(301, {"Location": self.shop.site.origin + self.paths.product(moved)})

    def _list(self, path: str, query: Mapping[str, str]) -> Answer | None:
        page = 1
        if self.shop.platform == "woocommerce" and (split := _PAGE.match(path)):
            path, page = split[1], int(split[2])
        section = self.paths.sections.get(path)
        if section is None and path[-1:] != "/":
            section = self.paths.sections.get(f"{path}/")
            if section is not None:  # as servers do: the slash is part of the address
                return Answer(301, {"Location": f"{self.shop.site.origin}{path}/"})
        if section is None:
            return None
        wish = self.lists.wish(section, query, page)
        if query.get("view") == "ajax":
            return self._more(section, wish.page)
        return self._page(self.lists.page(section, wish))

    def _more(self, section: Section, page: int) -> Answer:
        body = self.lists.fragment(section, max(1, page))
        return Answer(200, {"Content-Type": "application/json"}, body)

    def _asked_by_script(self, path: str, query: Mapping[str, str]) -> Answer | None:
        """More of a list, as its script asks for it."""
        if query.get("wc-ajax") == "load_products" and self.shop.platform == "woocommerce":
            number, page = query.get("cat", ""), query.get("paged", "")
            if (
                number.isdecimal()
                and page.isdecimal()
                and 0 <= int(number) - 15 < len(self.shop.sections)
            ):
                return self._more(self.shop.sections[int(number) - 15], int(page))
        if (known := _LIST.match(path)) and self.shop.platform == "own":
            offset = query.get("offset", "0")
            if int(known[1]) < len(self.shop.sections) and offset.isdecimal():
                return self._more(
                    self.shop.sections[int(known[1])], int(offset) // self.shop.page_size + 1
                )
        return None

    def _other(self, path: str, query: Mapping[str, str], asked: str) -> Answer | None:
        side, paths = self.side, self.paths
        if path == "/robots.txt":
            return self._sitemaps.robots()
        if picture := _PICTURE.match(path):
            drawn = side.picture(int(picture[1]))
            return Answer(200, {"Content-Type": "image/svg+xml"}, drawn) if drawn else Answer(404)
        found = self._sitemaps.answer(path) or self._endpoints.answer(path, query)
        if found := found or self._asked_by_script(path, query):
            return found
        search, _, name = paths.search.partition("?")
        if path == search and (words := query.get(name.rpartition("&")[2][:-1])) is not None:
            return self._page(side.search(words))
        if path == "/":
            return self._page(side.front())
        if path.startswith(("/cart", "/account", "/checkout")):
            return self._page(side.account(path, asked))
        return self._small(path, query)

    def _small(self, path: str, query: Mapping[str, str]) -> Answer | None:
        side, paths = self.side, self.paths
        if path == paths.brands:
            return self._page(side.brands())
        if path == paths.trade:
            return self._page(side.trade())
        if path == paths.journal:
            return self._page(side.journal())
        if path in side.articles:
            return self._page(side.article(side.articles[path]))
        if path in self.look.help_pages:
            return self._page(side.help(self.look.help_pages[path]))
        events, _, by_query = paths.events.partition("?")
        if by_query and path == events:
            return self._page(side.month(query.get("month", "2026-11")))
        if not by_query and path.startswith(events):
            return self._page(side.month(path.removeprefix(events)))
        return None
