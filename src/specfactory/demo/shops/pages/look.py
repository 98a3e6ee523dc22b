"""How a shop looks: class names, tags, words, and the shell around every page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from random import Random
from zlib import crc32

from specfactory.demo.shops.paths import Paths
from specfactory.demo.shops.values import Section, Shop
from specfactory.demo.shops.wording import wording

# what a role may be called where a theme names it plainly
_ORDERS = (
    ("maker", "name", "stars", "cost", "stock"), ("name", "maker", "cost", "stock", "stars"),
    ("name", "stars", "stock", "cost", "maker"), ("maker", "name", "cost", "stars", "stock"),
)  # fmt: skip
_MAINS = {
    "shopify": '<main id="MainContent" class="content-for-layout focus-none template-{0}">',
    "woocommerce": '<main id="main" class="site-main {0} woocommerce woocommerce-page">',
    "own": "<main>",
}
_FONTS = (
    "system-ui,sans-serif",
    "Georgia,serif",
    "'Helvetica Neue',Arial,sans-serif",
    "Verdana,sans-serif",
)


class Look:
    """How one shop looks, before or after its relaunch."""

    def __init__(self, shop: Shop, paths: Paths, seed: int) -> None:
        self.shop, self.paths = shop, paths
        rng = Random(f"{seed}:{shop.platform}:look")
        self._classes = self._named(rng)
        words = wording()
        self._words = {
            name: rng.choice(said[shop.language]) for name, said in words["words"].items()
        }
        self.labels = {
            name: rng.choice(said[shop.language]) for name, said in words["labels"].items()
        }
        self._help = {name: rng.choice(said[shop.language]) for name, said in words["help"].items()}
        self.card_tag, self.grid_tag = rng.choice(
            (("li", "ul"), ("div", "div"), ("article", "section"))
        )
        if shop.platform == "woocommerce":
            self.card_tag, self.grid_tag = "li", "ul"
        self.title_tag = rng.choice(("h2", "h3", "h4", "span", "div", "p"))
        self.whole_card_links = rng.random() < 0.5
        self.price_style = rng.choice(("plain", "parts", "cents", "code"))
        self.order = rng.choice(_ORDERS)  # of what stands beside the picture
        self.boxes = rng.randrange(3)  # around everything, as page builders do
        self.facts_apart = rng.random() < 0.5
        self.card_extras = rng.sample(("maker", "stars", "colours"), rng.randrange(3))
        self.instalments = rng.random() < 0.5
        self.crumb_style = rng.choice(("list", "inline", "data", "list"))
        self.title_pattern = rng.choice(("{0} | {1}", "{0} – {1}", "{1}: {0}", "{0} - {1}"))
        self._style = self._sheet(rng)
        self._script = _trackers(rng)
        self.opening = self._opening()
        self.closing = self._closing()

    def cls(self, role: str) -> str:
        """The class names of a role."""
        return self._classes[role]

    def say(self, name: str) -> str:
        """The shop's words for something, escaped."""
        return escape(self._words[name])

    @property
    def help_pages(self) -> Mapping[str, str]:
        """Small pages: path -> name."""
        return {self.paths.help(name): name for name in self._help.values()}

    def page(
        self, title: str, main: str, head: str = "", body: str = "page", crumbs: str = ""
    ) -> tuple[bytes, bytes]:
        """The two parts of a page that are its own; ``whole`` puts the shell around them."""
        worded = escape(self.title_pattern.format(title, self.shop.site.title))
        first = (
            f'<!DOCTYPE html>\n<html lang="{self.shop.site.language}">\n<head>\n'
            f'<meta charset="utf-8">\n<title>{worded}</title>\n{head}\n'
        )
        opened = _MAINS[self.shop.platform].format(body)
        second = f"{opened}\n{crumbs}\n{self.boxed(main)}\n</main>\n"
        return first.encode(), second.encode()

    def boxed(self, inner: str) -> str:
        """Markup within the boxes that this shop puts around everything."""
        for _ in range(self.boxes):
            inner = f'<div class="{self.cls("box")}">{inner}</div>'
        return inner

    def whole(self, parts: tuple[bytes, bytes]) -> bytes:
        """A page with its shell."""
        return parts[0] + self.opening + parts[1] + self.closing

    def crumbs(self, links: Iterable[tuple[str, str]], last: str) -> str:
        """The way to a page, as this shop shows it."""
        trail = [("/", self._words["home"]), *links]
        anchors = [f'<a href="{escape(path)}">{escape(name)}</a>' for path, name in trail]
        if self.crumb_style == "list":
            items = "".join(f"<li>{anchor}</li> / " for anchor in anchors)
            return f'<ol class="{self.cls("crumbs")}">{items}<li>{escape(last)}</li></ol>'
        inline = " › ".join([*anchors, f"<span>{escape(last)}</span>"])
        return f'<nav class="{self.cls("crumbs")}" aria-label="breadcrumb">{inline}</nav>'

    def money(self, amount: float) -> str:
        """A price in the shop's currency, as text."""
        figure = f"{amount:,.2f}"
        if self.shop.site.language == "en":
            return f"{'$' if self.shop.currency == 'USD' else '£'}{figure}"
        thousands = "." if self.shop.site.language == "de" else "\u202f"
        return figure.replace(".", "\0").replace(",", thousands).replace("\0", ",") + " €"

    def price(self, amount: float, was: float | None = None) -> str:
        """A price in markup, the crossed-out one before it."""
        before = f'<del class="{self.cls("old")}">{self.money(was)}</del> ' if was else ""
        text, tag = self.money(amount), "ins" if was and self.price_style == "parts" else "span"
        if self.shop.platform == "woocommerce":
            text = f'<span class="woocommerce-Price-amount amount"><bdi>{text}</bdi></span>'
        elif self.price_style == "cents" and self.shop.site.language == "en":
            whole, _, cents = text.rpartition(".")
            text = f"{whole}<sup>.{cents}</sup>"
        elif self.price_style == "code":
            text = f'<span data-{self.shop.currency.lower()}="{amount:.2f}">{text}</span>'
        return f'{before}<{tag} class="{self.cls("price")}">{text}</{tag}>'

    def _named(self, rng: Random) -> dict[str, str]:
        """Class names: from a theme's list, by a convention, or with hashes of a build."""
        style = rng.choice(("plain", "prefixed", "hashed"))
        prefix = "".join(rng.choice("bcdfgklmnprst") for _ in range(2))
        names = {}
        for role, plain in wording()["roles"].items():
            name = rng.choice(plain)
            if style == "prefixed":
                name = f"{prefix}-{name}"
            elif style == "hashed":
                name = f"{role}_{name.replace('-', '')}__{crc32(f'{prefix}{role}'.encode()):x}"
            names[role] = name
        return names | (wording()["woocommerce"] if self.shop.platform == "woocommerce" else {})

    def _sheet(self, rng: Random) -> str:
        hue, dark = rng.randrange(360), rng.random() < 0.5
        paint = f"hsl({hue} 40% 26%)" if dark else f"hsl({hue} 30% 93%)"
        first = {
            role: name.split()[-1 if role in ("prose", "grid", "product") else 0]
            for role, name in self._classes.items()
        }
        drawn = first | {
            "font": rng.choice(_FONTS), "ground": rng.choice(("#fff", "#fbfaf7")), "paint": paint,
            "on": "#fff" if dark else "#24262b", "round": rng.choice(("0", "4", "12")),
        }  # fmt: skip
        theme = (Path(__file__).parent / "theme.css").read_text(encoding="utf-8")
        return re.sub(r"@(\w+)@", lambda role: drawn[role[1]], theme) + _unused_rules(rng)

    def _opening(self) -> bytes:
        shop, head = (
            self.shop,
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
        )
        if shop.platform == "shopify":
            head += (
                f'<link rel="preload" as="style" href="/cdn/shop/t/4/assets/base.css">'
                f"<script>var Shopify=Shopify||{{}};Shopify.shop='{shop.site.name}.myshopify.com';"
                f"Shopify.currency={{active:'{shop.currency}',rate:'1.0'}};</script>"
            )
        elif shop.platform == "woocommerce":
            head += (
                '<meta name="generator" content="WordPress 6.4"><meta name="generator" '
                'content="WooCommerce 8.5.1"><link rel="https://api.w.org/" href="/wp-json/">'
            )
        search, _, query = self.paths.search.partition("?")
        form = (
            f'<form action="{search}" role="search"><input type="search" '
            f'name="{query.rpartition("&")[2][:-1]}" '
            f'placeholder="{self.say("search")}"></form>'
        )
        return (
            f"{head}\n<style>{self._style}</style>\n<script>{self._script}</script>\n</head>\n<body>\n"
            f'<header class="{self.cls("bar")}"><a class="{self.cls("logo")}" href="/">'
            f'{escape(shop.site.title)}</a><nav class="{self.cls("menu")}">{self._menu(None)}</nav>'
            f'{form}<div class="{self.cls("tools")}"><a href="/account">{self.say("account")}</a>'
            f'<a href="/cart">{self.say("cart")} (0)</a></div></header>\n'
        ).encode()

    def _menu(self, parent: int | None, depth: int = 0) -> str:
        """Sections of the menu; brands stand on a page of their own."""
        found = [s for s in self.shop.children(parent) if s.kind != "brand"]
        items = "".join(
            f'<li><a href="{self.paths.section(s)}">{escape(s.name)}</a>'
            f"{self._menu(s.number, depth + 1) if depth == 0 else ''}</li>"
            for s in found
        )
        if depth == 0:
            items += f'<li><a href="{self.paths.brands}">{self.say("brands")}</a></li>'
        if not items:
            return ""
        return f'<ul class="{self.cls("sub")}">{items}</ul>' if depth else f"<ul>{items}</ul>"

    def _closing(self) -> bytes:
        links = [*self.help_pages.items(), (self.paths.events + "2026-11", self._words["events"]),
                 (self.paths.journal, self._words["journal"]),
                 (self.paths.trade, self._words["dealers"])]  # fmt: skip
        items = "".join(f'<li><a href="{path}">{escape(name)}</a></li>' for path, name in links)
        searches = "".join(
            f'<a href="{escape(self.paths.search)}{word.lower()}">{word}</a> '
            for word in wording()["model_words"][:: 5 + self.boxes]
        )
        free = self.say("free_from").format(self.money(50))
        return (
            f'<footer class="{self.cls("foot")}"><p class="{self.cls("note")}">{free}</p>'
            f"<form><label>{self.say('newsletter')} <input type=email></label></form>"
            f"<ul>{items}</ul><p>{self.say('popular')}: {searches}</p>"
            f"<p>© 2026 {escape(self.shop.site.title)}. {self.say('copyright')}</p></footer>\n"
            "</body>\n</html>\n"
        ).encode()

    def tiles(self, sections: Iterable[Section]) -> str:
        """Links to sections."""
        items = "".join(
            f'<li><a href="{self.paths.section(s)}">{escape(s.name)}</a></li>' for s in sections
        )
        return f'<ul class="{self.cls("tiles")}">{items}</ul>' if items else ""


def _unused_rules(rng: Random) -> str:
    """Rules that no page uses, as every theme has them."""
    return "".join(
        f".{_letters(rng)}__{_letters(rng)}{{margin:{rng.randrange(32)}px;padding:{rng.randrange(24)}px;"
        f"color:#{rng.randrange(0xFFFFFF):06x};display:{rng.choice(('block', 'flex', 'grid'))}}}\n"
        for _ in range(rng.randrange(60, 140))
    )


def _letters(rng: Random) -> str:
    return "".join(rng.choices("aeioubcdfglmnprst", k=rng.randrange(4, 9)))


def _trackers(rng: Random) -> str:
    """Settings and trackers, as every shop has them."""
    rows = ",".join(
        f'"{_letters(rng)}_{n}":{rng.randrange(9999)}' for n in range(rng.randrange(200, 500))
    )
    return (
        "window.dataLayer=window.dataLayer||[];"
        f"dataLayer.push({{event:'view',id:{rng.randrange(99999)}}});window.__settings={{{rows}}};"
    )
