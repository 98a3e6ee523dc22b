"""Pages that list products: cards, pagination of every kind, facets that never end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from random import Random
from urllib.parse import urlencode
from zlib import crc32

from specfactory.demo.shops.pages.look import Look
from specfactory.demo.shops.values import Offer, Section, Shop
from specfactory.demo.shops.wording import wording
from specfactory.model import Frozen

_SESSION_SHARE = 0.2  # of the sections: their links carry session ids
_PARAMETERS = {  # colour, lowest and highest price, order
    "shopify": ("filter.v.option.color", "filter.v.price.gte", "filter.v.price.lte", "sort_by"),
    "woocommerce": ("filter_color", "min_price", "max_price", "orderby"),
    "own": ("colour", "pmin", "pmax", "sort"),
}
_ORDERS = ("cheapest", "dearest", "newest")
_LOAD = (
    "var g=document.querySelector('.{grid}'),b=document.querySelector('.{pager}'),u={url},busy=0;"
    "function load(){{if(!u||busy)return;busy=1;fetch(u).then(r=>r.json()).then(d=>{{"
    "if(d.html)g.insertAdjacentHTML('beforeend',d.html);else d.items.forEach(i=>{{"
    "var c=g.firstElementChild.cloneNode(true);c.querySelectorAll('a').forEach(a=>a.href=i.url);"
    "c.querySelector('.{title}').textContent=i.title;c.querySelector('.{price}').textContent=i.price;"
    "g.append(c)}});u=d.next;busy=0;if(!u)b.remove();else near()}})}}"
)
_ON_CLICK = "function near(){}b.addEventListener('click',load);"
_ON_SCROLL = (
    "function near(){if(b.getBoundingClientRect().top<innerHeight+400)load()}"
    "addEventListener('scroll',near);near();"
)


class Wish(Frozen):
    """What a visitor asked of a list."""

    page: int = 1
    colour: str = ""
    low: float | None = None
    high: float | None = None
    order: str = ""

    @property
    def plain(self) -> bool:
        """Whether it is the list as it stands."""
        return not (self.colour or self.order) and self.low is None and self.high is None


class Lists:
    """Draws the lists of one shop."""

    def __init__(self, shop: Shop, look: Look, seed: int) -> None:
        self._shop, self._look, self._paths, self._seed = shop, look, look.paths, seed
        self.parameters = _PARAMETERS[shop.platform]
        rng = Random(f"{seed}:{shop.platform}:lists")
        self._with_session = {
            s.number for s in shop.sections if shop.sessions and rng.random() < _SESSION_SHARE
        }
        self._old_links = rng.random() < 0.5  # cards of moved products still have the old address

    def wish(self, section: Section, query: Mapping[str, str], page: int = 1) -> Wish:
        """What a query asks for; nonsense is left out."""
        colour, low, high, order = (query.get(name, "") for name in self.parameters)
        size = self._shop.page_size
        if (
            section.paging == "offset"
            and (start := query.get(self._paths.offset_name, "")).isdecimal()
        ):
            page = int(start) // size + 1
        for name in ("page", self._paths.page_name):
            if query.get(name, "").isdecimal():
                page = max(1, int(query[name]))
        return Wish(page, colour, _number(low), _number(high), order)

    def page(self, section: Section, wish: Wish) -> tuple[bytes, bytes] | None:
        """One page of a section; None past its end."""
        look, found = self._look, self._chosen(section, wish)
        shown = self._part(found, wish.page)
        if wish.page > 1 and not shown:
            return None
        above = self._shop.lineage(section)[:-1]
        crumbs = look.crumbs([(self._paths.section(s), s.name) for s in above], section.name)
        tiles = look.tiles(self._beside(section))
        main = f'<header class="{look.cls("head")}"><h1>{escape(section.name)}</h1></header>{tiles}'
        if not section.landing:
            main += self._listed(section, wish, found, shown)
        own = self._paths.page(section, wish.page)
        canonical = own if wish.plain else self._paths.section(section)
        head = f'<link rel="canonical" href="{self._shop.site.origin}{escape(canonical)}">'
        if section.paging in ("numbers", "next") and wish.page * self._shop.page_size < len(found):
            head += f'\n<link rel="next" href="{escape(self._to(section, wish, wish.page + 1))}">'
        return look.page(section.name, main, head, "collection", crumbs)

    def _beside(self, section: Section) -> Sequence[Section]:
        """Subsections; featured collections link to one another instead."""
        if section.kind != "featured":
            return self._shop.children(section.number)
        return [s for s in self._shop.sections if s.kind == "featured" and s is not section]

    def fragment(self, section: Section, page: int) -> bytes:
        """What a script gets for the n-th page."""
        found = self._shop.listed[section.number]
        shown, total = self._part(found, page), len(found)
        following = (
            self._paths.more(section, page + 1) if page * self._shop.page_size < total else None
        )
        if self._shop.platform == "own":
            items = [{"id": o.number, "title": o.name, "url": self.link(section, o),
                      "price": self._look.money(o.price)} for o in shown]  # fmt: skip
            return json.dumps({"total": total, "items": items, "next": following}).encode()
        cards = "".join(self.card(o, self.link(section, o)) for o in shown)
        return json.dumps({"success": True, "html": cards, "next": following}).encode()

    def card(self, offer: Offer, link: str) -> str:
        """One product in a list."""
        look, tag = self._look, self._look.card_tag
        picture = (
            f'<img class="{look.cls("pic")}" src="/media/{offer.number}.svg" '
            f'alt="{escape(offer.name)}" loading="lazy" width="400" height="400">'
        )
        badge = f'<span class="{look.cls("badge")}">Sale</span>' if offer.list_price else ""
        name = (
            f'<{look.title_tag} class="{look.cls("title")}">{escape(offer.name)}</{look.title_tag}>'
        )
        price = f"<div>{look.price(offer.price, offer.list_price)}</div>" + self._extras(offer)
        href = f'href="{escape(link)}"'
        cls = look.cls("card")
        if self._shop.platform == "woocommerce":
            stock = "instock" if offer.available else "outofstock"
            cls += f" product type-product post-{offer.number} status-publish {stock}"
            href += ' class="woocommerce-LoopProduct-link"'
        if look.whole_card_links or self._shop.platform == "woocommerce":
            return f'<{tag} class="{cls}"><a {href}>{picture}{badge}{name}{price}</a></{tag}>\n'
        return (
            f'<{tag} class="{cls}" data-id="{offer.number}"><a {href} tabindex="-1">{picture}</a>'
            f"{badge}<a {href}>{name}</a>{price}</{tag}>\n"
        )

    def stars(self, offer: Offer) -> str:
        """The customers' rating, where there is one."""
        if not offer.reviews:
            return ""
        figure = f"{offer.rating:.1f}".replace(".", "." if self._shop.language == 0 else ",")
        return (
            f'<p class="{self._look.cls("stars")}">★ {figure} / 5 '
            f"({offer.reviews} {self._look.say('reviews')})</p>"
        )

    def _extras(self, offer: Offer) -> str:
        """What some shops show on every card."""
        look, colours = self._look, len(offer.good.colours)
        worded = {
            "maker": f'<p class="{look.cls("maker")}">{escape(offer.good.brand)}</p>',
            "stars": self.stars(offer),
            "colours": f"<small>{colours} × {look.say('colour')}</small>" if colours > 1 else "",
        }
        return "".join(worded[name] for name in look.card_extras)

    def cards(self, offers: Sequence[tuple[Offer, str]]) -> str:
        """A grid of products with their links."""
        look = self._look
        inner = "".join(self.card(offer, link) for offer, link in offers)
        return f'<{look.grid_tag} class="{look.cls("grid")}">{inner}</{look.grid_tag}>'

    def link(self, section: Section, offer: Offer) -> str:
        """The address of a product as a section's list gives it."""
        if offer.old_slug and self._old_links and offer.number % 3 == 0:
            return self._paths.old(offer)
        path = self._paths.product(offer, section if self._paths.links_within else None)
        if section.number in self._with_session:
            token = f"{crc32(f'{self._seed}{section.slug}{offer.number // 50}'.encode()):08x}"
            return f"{path}?sid={token * 3}"
        return path

    def _listed(
        self, section: Section, wish: Wish, found: Sequence[int], shown: Sequence[Offer]
    ) -> str:
        look = self._look
        if not found:
            facets = "" if wish.plain else self._facets(section, wish)
            return f'{facets}<p class="{look.cls("count")}">{look.say("empty")}</p>'
        count = f'<p class="{look.cls("count")}">{len(found)} {look.say("products")}</p>'
        cards = self.cards([(offer, self.link(section, offer)) for offer in shown])
        return (
            f"{self._facets(section, wish)}{count}{cards}{self._pager(section, wish, len(found))}"
        )

    def _part(self, found: Sequence[int], page: int) -> list[Offer]:
        size = self._shop.page_size
        return [self._shop.offers[place] for place in found[(page - 1) * size : page * size]]

    def _chosen(self, section: Section, wish: Wish) -> Sequence[int]:
        found: Sequence[int] = self._shop.listed[section.number]
        if wish.plain:
            return found
        offers = self._shop.offers
        kept = [
            place
            for place in found
            if (not wish.colour or wish.colour in offers[place].good.colours)
            and (wish.low is None or offers[place].price >= wish.low)
            and (wish.high is None or offers[place].price <= wish.high)
        ]
        if wish.order in _ORDERS[:2]:
            kept.sort(key=lambda place: offers[place].price, reverse=wish.order == _ORDERS[1])
        return kept

    def _to(self, section: Section, wish: Wish, page: int = 1, **changed: str) -> str:
        """The same list on another page, or with another wish."""
        values = (wish.colour, wish.low, wish.high, wish.order)
        asked = {
            n: str(v) for n, v in zip(self.parameters, values, strict=True) if v not in ("", None)
        }
        asked |= changed
        path = self._paths.page(section, page)
        return f"{path}{'&' if '?' in path else '?'}{urlencode(asked)}" if asked else path

    def _facets(self, section: Section, wish: Wish) -> str:
        """Filters; every price range has two halves, for ever."""
        look, (colour, lowest, highest, order) = self._look, self.parameters
        low, high = wish.low or 0.0, wish.high or 400.0
        middle = round((low + high) / 2, 4)
        halves = ((low, middle), (middle, high))
        groups = {
            "colour": [({colour: name}, words[self._shop.language])
                       for name, words in wording()["colours"].items()],
            "price": [({lowest: str(a), highest: str(b)}, f"{look.money(a)} – {look.money(b)}")
                      for a, b in halves],
            "sort": [({order: name}, look.say(name)) for name in _ORDERS],
        }  # fmt: skip
        lists = ""
        for title, choices in groups.items():
            items = "".join(
                f'<li><a href="{escape(self._to(section, wish, **asked))}">{escape(words)}</a></li>'
                for asked, words in choices
            )
            lists += f"<strong>{look.say(title)}</strong><ul>{items}</ul>"
        return f'<aside class="{look.cls("facets")}">{lists}</aside>'

    def _pager(self, section: Section, wish: Wish, total: int) -> str:
        look, last = self._look, -(-total // self._shop.page_size)
        if last == 1:
            return ""
        if section.paging in ("more", "scroll") and wish.plain:
            return self._scripted(section)
        parts = []
        if wish.page > 1:
            parts.append(self._step(section, wish, -1, "previous"))
        if section.paging != "next":
            near = {1, last, *range(max(1, wish.page - 2), min(last, wish.page + 2) + 1)}
            for number in sorted(near):
                link = f'<a href="{escape(self._to(section, wish, number))}">{number}</a>'
                parts.append(f"<span>{number}</span>" if number == wish.page else link)
        if wish.page < last:
            parts.append(self._step(section, wish, 1, "next"))
        items = "".join(f"<li>{part}</li>" for part in parts)
        return (
            f'<nav class="{look.cls("pager")}"><ul class="{look.cls("numbers")}">{items}</ul></nav>'
        )

    def _step(self, section: Section, wish: Wish, by: int, words: str) -> str:
        link = escape(self._to(section, wish, wish.page + by))
        return f'<a rel="{words[:4]}" href="{link}">{self._look.say(words)}</a>'

    def _scripted(self, section: Section) -> str:
        """A list that a script extends: by a button, or as the reader scrolls."""
        look, following = self._look, self._paths.more(section, 2)
        names = {role: look.cls(role).split()[-1] for role in ("grid", "pager", "title", "price")}
        script = _LOAD.format(url=json.dumps(following), **names)
        if section.paging == "more":
            url = escape(following)
            inner = f'<button type="button" data-url="{url}">{look.say("more")}</button>'
            script += _ON_CLICK
        else:
            inner, script = "", script + _ON_SCROLL
        return f'<div class="{look.cls("pager")}">{inner}</div><script>{script}</script>'


def _number(text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None
