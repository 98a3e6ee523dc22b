"""Everything in a shop that is neither a list nor a product: front page, brands, journal, help,
a calendar without end, search, and the excuse for what is not there."""

from __future__ import annotations

import re
from html import escape
from random import Random
from zlib import crc32

from specfactory.demo.shops.pages.listing import Lists
from specfactory.demo.shops.pages.look import Look
from specfactory.demo.shops.values import Offer, Shop
from specfactory.demo.shops.wording import wording

_ARTICLES = 8
_TRACKING = (
    "utm_source=home&utm_medium=hero",
    "ref=home",
    "src=start-teaser",
    "utm_campaign=autumn",
)
_MOST_FOUND = 60
_SHAPES = {
    "shoes": "M60 190h90l60 50 110 25v45H60z",
    "bags": "M110 160h180v170H110zM150 160v-30a50 50 0 0 1 100 0v30h-18v-30a32 32 0 0 0-64 0v30z",
    "clothing": "M140 90l60 30 60-30 70 50-30 50-30-20v150H130V170l-30 20-30-50z",
    "accessories": "M200 110a90 90 0 1 0 .1 0zm0 40a50 50 0 1 1-.1 0z",
    "outdoor": "M200 100L340 310H250L200 200 150 310H60z",
    "home": "M130 140h120v130a40 40 0 0 1-40 40h-40a40 40 0 0 1-40-40zM260 170h20a30 30 0 0 1 0 7z",
}  # fmt: skip

Parts = tuple[bytes, bytes]


class SidePages:
    """Draws the other pages of one shop."""

    def __init__(self, shop: Shop, look: Look, lists: Lists, seed: int) -> None:
        self._shop, self._look, self._lists = shop, look, lists
        self._paths, self._seed = look.paths, seed
        self._rng = Random(f"{seed}:{shop.platform}:side")
        self._tracking = self._rng.choice(_TRACKING)
        self._by_number = {offer.number: offer for offer in shop.offers}
        self.articles = {
            f"{self._paths.journal}{n + 1}-{self._title(n)[0]}": n for n in range(_ARTICLES)
        }

    def front(self) -> Parts:
        """The front page: what is new, and tiles; links carry parameters that count visits."""
        shop, look = self._shop, self._look
        rng = Random(f"{self._seed}:{shop.platform}:front")
        chosen = rng.sample(shop.offers, min(8, len(shop.offers)))
        cards = [(o, self._tracked(self._paths.product(o))) for o in chosen]
        top = [s for s in shop.children(None) if s.kind != "brand"]
        main = (
            f"<h1>{escape(shop.site.title)}</h1>{look.tiles(top)}"
            f"<h2>{look.say('related')}</h2>{self._lists.cards(cards)}"
        )
        head = f'<link rel="canonical" href="{shop.site.origin}/">'
        return look.page(look.say("home"), main, head, "index")

    def brands(self) -> Parts:
        """All brands from A to Z."""
        found = sorted((s for s in self._shop.sections if s.kind == "brand"), key=lambda s: s.name)
        main = f"<h1>{self._look.say('brands')}</h1>{self._look.tiles(found)}"
        return self._look.page(self._look.say("brands"), main)

    def journal(self) -> Parts:
        """The list of articles."""
        items = "".join(
            f'<article><h2><a href="{path}">{escape(self._title(number)[1])}</a></h2></article>'
            for path, number in self.articles.items()
        )
        words = self._look.say("journal")
        return self._look.page(words, f"<h1>{words}</h1>{items}", body="blog")

    def article(self, number: int) -> Parts:
        """An article that links to products, some by the address that they had then."""
        shop, rng = self._shop, Random(f"{self._seed}:{self._shop.platform}:article:{number}")
        text = ""
        moved = [offer for offer in shop.offers if offer.old_slug][number::_ARTICLES][:3]
        for offer in [*rng.sample(shop.offers, min(3, len(shop.offers))), *moved]:
            path = self._paths.old(offer) if offer.old_slug else self._paths.product(offer)
            line = rng.choice(wording()["prose"])[shop.language].format(
                model=offer.good.model, brand=offer.good.brand, material=offer.good.material
            )
            text += (
                f'<p>{escape(line)} <a href="{self._tracked(path)}">{escape(offer.name)}</a></p>'
            )
        title = self._title(number)[1]
        month = number % 9 + 1
        dated = f'<time datetime="2026-0{month}-12">12.{month}.2026</time>'
        main = f"<article><h1>{escape(title)}</h1>{dated}{text}</article>"
        return self._look.page(title, main, body="article")

    def help(self, name: str) -> Parts:
        """A page about shipping, returns and the like."""
        rng = Random(f"{self._seed}:{name}")
        lines = [line[self._shop.language] for line in rng.sample(wording()["prose"], 4)]
        text = "".join(
            f"<p>{escape(line.format(model=name, brand=self._shop.site.title, material=''))}</p>"
            for line in lines
        )
        return self._look.page(name, f"<h1>{escape(name)}</h1>{text}")

    def month(self, asked: str) -> Parts | None:
        """One month of events; there is always a next one."""
        known = re.fullmatch(r"(\d{4,6})-(\d{2})", asked)
        if not known or not 1 <= int(known[2]) <= 12:
            return None
        count = int(known[1]) * 12 + int(known[2]) - 1
        before, after = (f"{n // 12:04d}-{n % 12 + 1:02d}" for n in (count - 1, count + 1))
        days = "".join(
            f"<td>{day}</td>{'</tr><tr>' if day % 7 == 0 else ''}" for day in range(1, 29)
        )
        look, events = self._look, self._paths.events
        main = (
            f"<h1>{look.say('events')} {asked}</h1><table><tr>{days}</tr></table>"
            f'<p><a rel="prev" href="{events}{before}">{look.say("previous")}</a> '
            f'<a rel="next" href="{events}{after}">{look.say("next")}</a></p>'
        )
        return look.page(f"{look.say('events')} {asked}", main)

    def trade(self) -> Parts:
        """The dealers' list, with prices that are nobody else's business."""
        offers = [(o, f"{self._paths.product(o)}?list=trade") for o in self._shop.offers[:12]]
        words = self._look.say("dealers")
        return self._look.page(words, f"<h1>{words}</h1>{self._lists.cards(offers)}")

    def account(self, path: str, asked: str) -> Parts:
        """Cart or account; where sessions stand in links, each page has another one."""
        look, token = self._look, f"{crc32(f'{self._seed}{path}{asked}'.encode()):08x}" * 4
        words = look.say("cart" if path.startswith("/cart") else "account")
        link = f"{path}?sid={token}" if self._shop.sessions else path
        return look.page(words, f'<h1>{words}</h1><p><a href="{link}">{words}</a></p>')

    def search(self, words: str) -> Parts:
        """Products whose names have all of the words."""
        look, wanted = self._look, words.lower().split()
        found: list[Offer] = []
        for offer in self._shop.offers if wanted else ():
            text = f"{offer.name} {offer.good.brand} {offer.sku}".lower()
            if all(word in text for word in wanted):
                found.append(offer)
        title = f"{look.say('results')} “{escape(words)}”"
        cards = self._lists.cards([(o, self._paths.product(o)) for o in found[:_MOST_FOUND]])
        count = f'<p class="{look.cls("count")}">{len(found)} {look.say("products")}</p>'
        main = f"<h1>{title}</h1>{count}{cards if found else look.say('empty')}"
        return look.page(f"{words}", main, '<meta name="robots" content="noindex">', "search")

    def missing(self) -> Parts:
        """What stands where nothing stands."""
        look = self._look
        rng = Random(f"{self._seed}:{self._shop.platform}:missing")
        others = [
            (o, self._paths.product(o))
            for o in rng.sample(self._shop.offers, min(4, len(self._shop.offers)))
        ]
        main = (
            f"<h1>{look.say('missing')}</h1><p>{look.say('missing_text')}</p>"
            f"<h2>{look.say('related')}</h2>{self._lists.cards(others)}"
        )
        return look.page(look.say("missing"), main, body="404")

    def picture(self, number: int) -> bytes | None:
        """A drawing of a product."""
        offer = self._by_number.get(number)
        if offer is None:
            return None
        hue = crc32(offer.good.colours[0].encode()) % 360
        paint = f"hsl({(hue + number) % 360} 32% {35 + number % 30}%)"
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400">'
            f'<rect width="400" height="400" fill="hsl({hue} 18% 92%)"/>'
            f'<path d="{_SHAPES[offer.good.department]}" fill="{paint}"/></svg>'
        ).encode()

    def _title(self, number: int) -> tuple[str, str]:
        types = sorted({offer.good.type for offer in self._shop.offers})
        name = types[number * 5 % len(types)] if types else "shop"
        worded = wording()["types"][name][4 + 2 * self._shop.language] if types else "Shop"
        return name, f"{worded} 202{number % 6}"

    def _tracked(self, path: str) -> str:
        return f"{path}{'&amp;' if '?' in path else '?'}{self._tracking.replace('&', '&amp;')}"
