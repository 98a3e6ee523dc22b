"""Product pages: the same facts as structured data, tables, lists, or without a word of label."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from random import Random
from typing import Any

from specfactory.demo.shops.pages.listing import Lists
from specfactory.demo.shops.pages.look import Look
from specfactory.demo.shops.values import Offer, Shop, Template, Values
from specfactory.demo.shops.wording import wording

_SCHEMA = "https://schema.org"


class ProductPages:
    """Draws the product pages of one shop."""

    def __init__(self, shop: Shop, look: Look, lists: Lists, seed: int, relaunched: bool) -> None:
        self._shop, self._look, self._lists, self._seed = shop, look, lists, seed
        self._shift = int(relaunched)  # after a relaunch every product has another template
        self._removed = list(shop.removed)

    def template(self, offer: Offer) -> Template:
        """The template that draws an offer."""
        templates = self._shop.templates
        return templates[(offer.template + self._shift) % len(templates)]

    def values(self, offer: Offer) -> Values:
        """What the page of an offer states, by the names of the contract ``product``."""
        template, facts = self.template(offer), self._facts(offer)
        values: Values = {
            "name": offer.name,
            "price": {"amount": offer.price, "currency": self._shop.currency},
            "currency": self._shop.currency,
            "availability": "in stock" if offer.available else "out of stock",
        }
        if template.structured != "none" or template.brand != "none" or "brand" in template.fields:
            values["brand"] = offer.good.brand
        for name, key in (("sku", "sku"), ("gtin", "gtin"), ("mpn", "mpn")):
            if name in template.fields or (
                name != "mpn" and template.structured in ("full", "graph")
            ):
                values[key] = facts[name]
        if offer.list_price:
            values["list_price"] = {"amount": offer.list_price, "currency": self._shop.currency}
        if offer.reviews:
            values["rating"], values["review_count"] = offer.rating, offer.reviews
        return values

    def page(self, place: int) -> tuple[bytes, bytes]:
        """The page of an offer."""
        shop, look, offer = self._shop, self._look, self._shop.offers[place]
        template = self.template(offer)
        rng = Random(self._seed * 1_000_003 + offer.number)
        trail = self._trail(place)
        crumbs = "" if look.crumb_style == "data" else look.crumbs(trail, offer.name)
        canonical = shop.site.origin + look.paths.product(offer)
        head = (
            f'<link rel="canonical" href="{canonical}">\n'
            f'<meta name="description" content="{escape(offer.name)} – {shop.site.title}">\n'
            f'<meta property="og:title" content="{escape(offer.name)}">\n'
            f'<meta property="og:image" content="{shop.site.origin}/media/{offer.number}.svg">'
        )
        for item in self._items(offer, template, canonical, trail):
            head += f'\n<script type="application/ld+json">{_packed(item)}</script>'
        main = self._main(offer, template, rng) + self._others(place, rng)
        return look.page(offer.name, main, head, "product", crumbs)

    def _trail(self, place: int) -> list[tuple[str, str]]:
        found = [self._shop.sections[n] for n in self._shop.within[place]]
        home = next((s for s in found if "type" in s.wanted), None)
        line = self._shop.lineage(home) if home else []
        return [(self._look.paths.section(s), s.name) for s in line]

    def _facts(self, offer: Offer) -> dict[str, str]:
        """Everything that could be said of an offer, in the shop's language."""
        good, words, at = offer.good, wording(), self._shop.language
        weight = f"{good.grams} g" if good.grams < 1000 else f"{good.grams / 1000:.2f} kg"
        return {
            "brand": good.brand, "sku": offer.sku, "gtin": good.gtin, "mpn": good.mpn,
            "material": words["materials"][good.material][at],
            "colour": ", ".join(words["colours"][c][at] for c in good.colours),
            "weight": weight if at == 0 else weight.replace(".", ","),
            "origin": words["origins"][good.origin][at],
            "warranty": f"{1 + good.number % 5 * 6} " + ("months", "Monate", "mois")[at],
            "care": words["care"][good.number % 3][at],
        }  # fmt: skip

    def _items(
        self, offer: Offer, template: Template, url: str, trail: Sequence[tuple[str, str]]
    ) -> list[dict[str, Any]]:
        """The structured data of a page."""
        items: list[dict[str, Any]] = []
        if template.structured in ("full", "graph"):
            items.append(self._item(offer, url, full=True))
        elif template.structured == "offer":
            items.append(self._item(offer, url, full=False))
        if self._look.crumb_style == "data":
            steps = [
                {"@type": "ListItem", "position": n, "name": name,
                 "item": self._shop.site.origin + path}
                for n, (path, name) in enumerate(trail, 1)
            ]  # fmt: skip
            items.append({"@type": "BreadcrumbList", "itemListElement": steps})
        if template.structured == "graph":
            return [{"@context": _SCHEMA, "@graph": items}]
        return [{"@context": _SCHEMA} | item for item in items]

    def _item(self, offer: Offer, url: str, full: bool) -> dict[str, Any]:
        stock = "InStock" if offer.available else "OutOfStock"
        item: dict[str, Any] = {
            "@type": "Product", "name": offer.name,
            "image": f"{self._shop.site.origin}/media/{offer.number}.svg",
            "brand": {"@type": "Brand", "name": offer.good.brand},
            "offers": {"@type": "Offer", "url": url, "price": f"{offer.price:.2f}",
                       "priceCurrency": self._shop.currency, "availability": f"{_SCHEMA}/{stock}"},
        }  # fmt: skip
        if full:
            item |= {"sku": offer.sku, "gtin13": offer.good.gtin}
        if full and offer.reviews:
            item["aggregateRating"] = {"@type": "AggregateRating", "ratingValue": offer.rating,
                                       "reviewCount": offer.reviews}  # fmt: skip
        return item

    def _main(self, offer: Offer, template: Template, rng: Random) -> str:
        look, micro = self._look, template.structured == "microdata"
        scope = f' itemscope itemtype="{_SCHEMA}/Product"' if micro else ""
        gallery = "".join(
            f'<img src="/media/{offer.number}.svg?v={n}" alt="{escape(offer.name)}" width="600">'
            for n in range(1 + (offer.number % 3 == 0))
        )
        parts = {
            "maker": self._maker(offer, template, micro),
            "name": f'<h1 class="{look.cls("name")}"{_prop("name", micro)}>'
            f"{escape(offer.name)}</h1>",
            "stars": self._lists.stars(offer),
            "cost": self._cost(offer, micro),
            "stock": self._stock(offer),
        }
        facts = self._shown_facts(offer, template)
        beside = "".join(parts[name] for name in look.order) + self._buy(offer)
        beside += self._prose(offer, rng) + ("" if look.facts_apart else facts)
        return (
            f'<div class="{look.cls("product")}"{scope}>'
            f'<div class="{look.cls("gallery")}">{gallery}</div>'
            f'<div class="{look.cls("info")}">{look.boxed(beside)}</div></div>'
            f"{facts if look.facts_apart else ''}{self._said(offer, rng)}"
        )

    def _maker(self, offer: Offer, template: Template, micro: bool) -> str:
        look, name = self._look, f"<span{_prop('brand', micro)}>{escape(offer.good.brand)}</span>"
        if template.brand == "none":
            return ""
        own = next(
            (s for s in self._shop.sections if s.wanted.get("brand") == offer.good.brand), None
        )
        if template.brand == "link" and own is not None:
            name = f'<a href="{look.paths.section(own)}">{name}</a>'
        return f'<p class="{look.cls("maker")}">{name}</p>'

    def _cost(self, offer: Offer, micro: bool) -> str:
        look = self._look
        price = look.price(offer.price, offer.list_price)
        if look.instalments and offer.price > 60:
            worded = look.say("instalments").format(look.money(round(offer.price / 3, 2)))
            price += f'<p class="{look.cls("note")}">{worded}</p>'
        if not micro:
            return f"<div>{price}</div>"
        return (
            f'<div itemprop="offers" itemscope itemtype="{_SCHEMA}/Offer">{price}'
            f'<meta itemprop="price" content="{offer.price:.2f}">'
            f'<meta itemprop="priceCurrency" content="{self._shop.currency}"></div>'
        )

    def _stock(self, offer: Offer) -> str:
        word = self._look.say("in_stock" if offer.available else "out_of_stock")
        return f'<p class="{self._look.cls("stock")}">{word}</p>'

    def _buy(self, offer: Offer) -> str:
        """Swatches that are addresses of the same product, and the button."""
        look, at = self._look, self._shop.language
        names = wording()["colours"]
        asked = {"shopify": "variant", "woocommerce": "attribute_pa_color"}.get(
            self._shop.platform, "color"
        )
        path = look.paths.product(offer)
        swatches = "".join(
            f'<a href="{path}?{asked}={f"{offer.number}{n}" if asked == "variant" else colour}" '
            f'title="{escape(names[colour][at])}">{escape(names[colour][at])}</a> '
            for n, colour in enumerate(offer.good.colours)
            if len(offer.good.colours) > 1
        )
        return (
            f'<form class="{look.cls("buy")}" action="/cart/add" method="post"><p>{swatches}</p>'
            f'<input type="number" name="quantity" value="1" min="1"> '
            f"<button>{look.say('buy')}</button></form>"
        )

    def _prose(self, offer: Offer, rng: Random) -> str:
        at, facts = self._shop.language, self._facts(offer)
        lines = rng.sample(wording()["prose"], 3)
        said = " ".join(
            line[at].format(
                model=offer.good.model, brand=offer.good.brand, material=facts["material"]
            )
            for line in lines
        )
        return f'<div class="{self._look.cls("prose")}"><p>{escape(said)}</p></div>'

    def _shown_facts(self, offer: Offer, template: Template) -> str:
        look, facts = self._look, self._facts(offer)
        rows = [(look.labels[name], facts[name]) for name in template.fields]
        cls, title = look.cls("facts"), f"<h2>{look.say('details')}</h2>"
        pairs = [(escape(label), escape(value)) for label, value in rows]
        if template.facts == "table":
            inner = "".join(f"<tr><th>{a}</th><td>{b}</td></tr>" for a, b in pairs)
            return f'{title}<table class="{cls}">{inner}</table>'
        if template.facts == "definitions":
            inner = "".join(f"<dt>{a}</dt><dd>{b}</dd>" for a, b in pairs)
            return f'{title}<dl class="{cls}">{inner}</dl>'
        if template.facts == "list":
            inner = "".join(f"<li><strong>{a}:</strong> {b}</li>" for a, b in pairs)
            return f'{title}<ul class="{cls}">{inner}</ul>'
        if template.facts == "pairs":
            inner = "".join(f"<div><span>{a}</span><span>{b}</span></div>" for a, b in pairs)
            return f'{title}<div class="{cls}">{inner}</div>'
        return f'<div class="{cls}">{"".join(f"<p>{b}</p>" for _, b in pairs)}</div>'

    def _said(self, offer: Offer, rng: Random) -> str:
        if not offer.reviews:
            return ""
        lines = rng.sample(wording()["said"], 3)
        posts = "".join(
            f"<blockquote>{escape(line[self._shop.language])}</blockquote>" for line in lines
        )
        return f'<section class="{self._look.cls("said")}">{posts}</section>'

    def _others(self, place: int, rng: Random) -> str:
        """Neighbours with prices of their own; now and then one that is no longer sold."""
        shop, look = self._shop, self._look
        found = [n for n in shop.within[place] if shop.listed[n]]
        pool = shop.listed[rng.choice(found)] if found else range(len(shop.offers))
        near = {pool[rng.randrange(len(pool))] for _ in range(4)} - {place}
        cards = [(shop.offers[n], look.paths.product(shop.offers[n])) for n in sorted(near)]
        gone = ""
        if self._removed and rng.random() < 0.05:
            path = look.paths.removed(rng.choice(self._removed))
            gone = f'<p><a href="{path}">{look.say("all")}</a></p>'
        return (
            f'<section class="{look.cls("others")}"><h2>{look.say("related")}</h2>'
            f"{self._lists.cards(cards)}{gone}</section>"
        )


def _prop(name: str, micro: bool) -> str:
    return f' itemprop="{name}"' if micro else ""


def _packed(item: dict[str, Any]) -> str:
    return json.dumps(item, ensure_ascii=False).replace("</", "<\\/")
