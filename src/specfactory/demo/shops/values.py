"""The nouns of the demo shops: goods, sections, offers, shops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from specfactory.demo.values import Site
from specfactory.model import Frozen, Json


class Good(Frozen):
    """One product of the catalogue, whoever sells it."""

    number: int
    type: str
    department: str
    brand: str
    model: str
    gender: str  # men | women | unisex, or "" where it does not matter
    material: str
    colours: tuple[str, ...]
    gtin: str
    mpn: str
    grams: int
    price: float  # recommended, in whatever currency a shop has
    origin: int
    flags: frozenset[str]  # new, best, trending


class Section(Frozen):
    """One section of a shop; ``wanted`` says what its products have in common."""

    number: int
    kind: str  # product | gender | featured | brand
    name: str
    slug: str
    wanted: Mapping[str, str]
    parent: int | None = None
    landing: bool = False  # shows its subsections, and no products
    paging: str = ""  # numbers | next | offset | more | scroll


class Offer(Frozen):
    """One product in one shop."""

    number: int  # the shop's own
    good: Good
    name: str
    slug: str
    sku: str
    price: float
    list_price: float | None
    available: bool
    rating: float
    reviews: int
    template: int  # which of the shop's product templates draws it
    old_slug: str = ""  # where it stood before it moved


class Template(Frozen):
    """One way in which a shop draws product pages."""

    structured: str  # full | offer | microdata | graph | none
    facts: str  # table | definitions | list | pairs | unlabelled
    fields: tuple[str, ...]  # facts shown to the reader
    brand: str  # link | text | none


class Shop(Frozen):
    """A shop with everything that the seed decided about it."""

    site: Site
    platform: str  # shopify | woocommerce | own
    currency: str
    sections: tuple[Section, ...]
    offers: tuple[Offer, ...]
    listed: tuple[tuple[int, ...], ...]  # per section: places in ``offers``
    within: tuple[tuple[int, ...], ...]  # per offer: numbers of the sections that list it
    removed: Mapping[str, int]  # slug -> status
    page_size: int
    paging: str  # numbers | next | offset: of ordinary sections
    script_paging: str  # more | scroll: of a few sections
    sitemap: str  # complete | partial | text | none
    missing: int  # status of a page that is not there; 200 is a soft 404
    sessions: bool  # links carry session ids
    templates: tuple[Template, ...]

    @property
    def language(self) -> int:
        """Its language as a place in the lists of words."""
        return LANGUAGES.index(self.site.language)

    def children(self, number: int | None) -> Sequence[Section]:
        """The sections right below one, or at the top."""
        return [section for section in self.sections if section.parent == number]

    def lineage(self, section: Section) -> list[Section]:
        """A section with those above it, the topmost first."""
        line = [section]
        while (parent := line[0].parent) is not None:
            line.insert(0, self.sections[parent])
        return line


LANGUAGES = ("en", "de", "fr")
Values = dict[str, Json]
