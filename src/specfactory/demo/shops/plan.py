"""Everything the seed decides about the demo shops but their pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from specfactory.demo.shops.goods import draw_brands, draw_goods
from specfactory.demo.shops.sections import GENDERED, Range, SectionDrawer
from specfactory.demo.shops.values import LANGUAGES, Good, Offer, Section, Shop, Template
from specfactory.demo.shops.wording import product_noun, slug, wording
from specfactory.demo.values import Site
from specfactory.model import Tier

PLATFORMS = ("shopify", "woocommerce", "own")
_CURRENCIES = {"en": ("USD", "GBP"), "de": ("EUR",), "fr": ("EUR",)}
_SECOND, _THIRD = 0.3, 0.3  # chance of another shop for a product that several could sell
_MOVED, _REMOVED, _UNLISTED = 0.02, 0.015, 0.004
_SCRIPTED = 0.15  # share of the sections that a script extends
_NAMES = ("{brand} {model} {noun}", "{brand} {noun} {model}", "{model} {noun}",
          "{noun} {model} by {brand}")  # fmt: skip
_FACTS = ("brand", "sku", "gtin", "mpn", "material", "colour", "weight", "origin", "warranty",
          "care")  # fmt: skip


def draw_shops(seed: int, ports: Sequence[int], products: int, sections: int) -> tuple[Shop, ...]:
    """Three shops with so many products and sections in all."""
    rng = Random(f"{seed}:shops")
    brands = draw_brands(rng, max(8, min(64, products // 40)))
    common = _common(rng)
    drafts = [
        _Draft(Random(f"{seed}:shops:{platform}"), platform, language, count, brands, common)
        for platform, language, count in zip(
            PLATFORMS, rng.sample(LANGUAGES, 3), _dealt(rng, sections, 3), strict=True
        )
    ]
    sitemaps = rng.sample(("complete", "partial", rng.choice(("text", "none"))), 3)
    scripts = rng.sample(("more", "scroll", rng.choice(("more", "scroll"))), 3)
    types = sorted({name for draft in drafts for name in draft.range.types})
    for good in draw_goods(rng, products, types, brands):
        for draft in _sellers(rng, drafts, good):
            draft.goods.append(good)
    pagings = [*rng.sample(("numbers", "next"), 2), "offset"]
    dealt = zip(drafts, _names(rng, drafts), ports, sitemaps, pagings, scripts, strict=True)
    return tuple(draft.shop(*given) for draft, *given in dealt)


def _common(rng: Random) -> list[str]:
    """Two types of goods that every shop sells."""
    department = rng.choice(GENDERED)
    return rng.sample([n for n, row in wording()["types"].items() if row[0] == department], 2)


def _dealt(rng: Random, total: int, parts: int) -> list[int]:
    """A number in uneven parts."""
    weights = [rng.uniform(0.7, 1.3) for _ in range(parts)]
    found = [int(total * weight / sum(weights)) for weight in weights]
    found[0] += total - sum(found)
    return found


def _sellers(rng: Random, drafts: Sequence[_Draft], good: Good) -> Iterator[_Draft]:
    """One shop that has such goods, sometimes two or three."""
    able = [draft for draft in drafts if good.type in draft.range.types]
    rng.shuffle(able)
    yield able.pop()
    for chance in (_SECOND, _THIRD):
        if not able or rng.random() > chance:
            return
        yield able.pop()


def _names(rng: Random, drafts: Sequence[_Draft]) -> list[str]:
    """Names of shops, no two alike."""
    words = rng.sample(wording()["shop_words"], len(drafts))
    ends = wording()["shop_ends"]
    return [
        word + rng.choice(ends[draft.language]) for word, draft in zip(words, drafts, strict=True)
    ]


class _Draft:
    """A shop in the making."""

    def __init__(
        self, rng: Random, platform: str, language: str, count: int, brands: Sequence[str],
        common: Sequence[str],
    ) -> None:  # fmt: skip
        self._rng, self.platform, self.language = rng, platform, language
        place = LANGUAGES.index(language)
        mixed = rng.sample(brands, len(brands))
        self.range: Range = SectionDrawer(rng, place, mixed, common).draw(count)
        self.goods: list[Good] = []

    def shop(self, name: str, port: int, sitemap: str, paging: str, script: str) -> Shop:
        """The shop with its offers in their sections."""
        rng = self._rng
        site = Site(name, name.capitalize(), Tier.RETAILER, self.platform, port, self.language)
        templates = tuple(_template(rng, place) for place in range(3))
        offers = tuple(self._offers(templates))
        listed, within = self._listed(offers, unlisted=sitemap == "complete")
        page_size = rng.choice((12, 16, 20, 24, 36))
        removed = [
            slug(f"{o.slug}-{rng.randrange(1000)}") for o in offers if rng.random() < _REMOVED
        ]
        soft = self.platform == "own"
        return Shop(
            site, self.platform, rng.choice(_CURRENCIES[self.language]),
            self._paged(listed, page_size, paging, script), offers, listed, within,
            {name: 200 if soft else rng.choice((404, 410)) for name in removed},
            page_size, paging, script, sitemap, 200 if soft else 404, soft, templates,
        )  # fmt: skip

    def _offers(self, templates: Sequence[Template]) -> Iterator[Offer]:
        rng, place = self._rng, LANGUAGES.index(self.language)
        pattern = rng.choice(_NAMES)
        digits, letters = rng.randrange(10_000, 90_000), rng.choice(("", "A", "HX-", "R"))
        if pattern.endswith("{brand}"):
            pattern = pattern.replace(" by ", (" by ", " von ", " de ")[place])
        for good in self.goods:
            name = pattern.format(
                brand=good.brand, model=good.model, noun=product_noun(good.type, place)
            )
            number = digits + good.number * 3 + rng.randrange(3)
            price, listed = _prices(rng, good.price)
            chosen = slug(name) if "{brand}" in pattern else slug(f"{name} {good.brand}")
            yield Offer(
                number, good, name, chosen, f"{letters}{number}", price, listed,
                rng.random() > 0.12, rng.randrange(30, 51) / 10,
                rng.randrange(300) if rng.random() < 0.6 else 0,
                sorted(wording()["types"]).index(good.type) % len(templates),
                slug(f"{good.model} {good.type} {number % 89}") if rng.random() < _MOVED else "",
            )  # fmt: skip

    def _listed(
        self, offers: Sequence[Offer], unlisted: bool
    ) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """Who stands in which section, by section and by offer; a few only in the sitemap."""
        listed: list[list[int]] = [[] for _ in self.range.sections]
        within: list[tuple[int, ...]] = []
        shown = [section for section in self.range.sections if not section.landing]
        for place, offer in enumerate(offers):
            traits = _traits(offer)
            hidden = unlisted and self._rng.random() < _UNLISTED
            found = () if hidden else tuple(s.number for s in shown if _fits(s, traits))
            for number in found:
                listed[number].append(place)
            within.append(found)
        return tuple(self._ordered(places) for places in listed), tuple(within)

    def _ordered(self, places: list[int]) -> tuple[int, ...]:
        """Every section begins elsewhere."""
        at = self._rng.randrange(len(places)) if places else 0
        return tuple(places[at:] + places[:at])

    def _paged(
        self, listed: Sequence[Sequence[int]], page_size: int, paging: str, script: str
    ) -> tuple[Section, ...]:
        """The sections with the way in which each shows more; scripts extend only middling ones."""
        fitting = [s.number for s in self.range.sections
                   if page_size < len(listed[s.number]) <= 12 * page_size]  # fmt: skip
        count = max(1, round(len(listed) * _SCRIPTED))
        scripted = set(self._rng.sample(fitting, min(count, len(fitting))))
        return tuple(
            replace(section, paging=script if section.number in scripted else paging)
            for section in self.range.sections
        )


def _prices(rng: Random, recommended: float) -> tuple[float, float | None]:
    """What a shop asks, and what it crosses out."""
    if rng.random() < 0.2:
        cut = rng.choice((0.9, 0.8, 0.75, 0.55, 0.5))
        return round(recommended * cut, 2), recommended
    return round(recommended * rng.choice((1, 1, 1, 0.97, 1.04)), 2), None


def _traits(offer: Offer) -> Mapping[str, frozenset[str]]:
    """What sections ask of an offer."""
    good, flags = offer.good, set(offer.good.flags)
    if offer.list_price is not None:
        flags.add("sale")
        if offer.price < 0.6 * offer.list_price:
            flags.add("clearance")
    if offer.price < 40:
        flags.add("gifts")
    return {
        "type": frozenset((good.type,)), "department": frozenset((good.department,)),
        "brand": frozenset((good.brand,)), "gender": frozenset((good.gender,)),
        "material": frozenset((good.material,)), "flag": frozenset(flags),
    }  # fmt: skip


def _fits(section: Section, traits: Mapping[str, frozenset[str]]) -> bool:
    return all(value in traits[name] for name, value in section.wanted.items())


def _template(rng: Random, place: int) -> Template:
    """How products of some types are drawn; of three templates one has no structured data."""
    structured = ("full", rng.choice(("offer", "microdata", "graph")), "none")[place]
    facts = rng.choice(("table", "definitions", "list", "pairs", "unlabelled"))
    if structured == "none" and facts == "unlabelled":
        facts = rng.choice(("table", "definitions"))
    always = ("sku", "material", "colour")
    more = [name for name in _FACTS if name not in always and rng.random() < 0.6]
    chosen = [name for name in _FACTS if name in always or name in more]
    brand = rng.choice(("link", "text", "none")) if structured in ("full", "graph") else "link"
    return Template(structured, facts, tuple(chosen), brand)
