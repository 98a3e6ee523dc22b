"""Contracts: fields, sources and checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from specfactory.model.base import Explained, Frozen, field


class FieldType(Explained):
    """Type of a field's values."""

    NUMBER = "number", "A number in the field's unit."
    INTEGER = "integer", "A whole number."
    TEXT = "text", "Words, as written."
    BOOLEAN = "boolean", "true or false."
    ENUMERATION = "enumeration", "One of the allowed values."
    LIST = "list", "Several texts."
    DATE = "date", "YYYY, YYYY-MM or YYYY-MM-DD, as precise as the page."
    PRICE = "price", "An amount with its currency."
    DIMENSIONS = "dimensions", "Several numbers in the field's unit, in the order of the page."


class Level(Explained):
    """Importance of a field."""

    REQUIRED = "required", "A record without it is not finished."
    CRITICAL = "critical", "Readers decide by it."
    EXPECTED = "expected", "Most products have it."
    OPTIONAL = "optional", "Nice to have."


class Tier(Explained):
    """Trust in a source."""

    MANUFACTURER = "tier1_manufacturer", "The maker's own pages."
    LAB = "tier2_lab", "Reviewers who measure."
    RETAILER = "tier3_retailer", "Shops."
    AGGREGATOR = "tier4_aggregator", "Sites that collect from others."
    COMMUNITY = "tier5_community", "Forums and the like."


class Money(Frozen):
    """An amount in a currency (ISO 4217); the value of a price field."""

    amount: float
    currency: str


if TYPE_CHECKING:
    Value: TypeAlias = int | float | str | bool | Money | tuple["Value", ...]
    """number, integer -> int|float (int when whole); text, enumeration, date -> str (dates as
    YYYY, YYYY-MM or YYYY-MM-DD, as precise as the page); boolean -> bool; price -> Money;
    list -> tuple of str; dimensions -> tuple of numbers in the field's unit."""
else:

    @runtime_checkable
    class Value(Protocol):
        """Any object: msgspec cannot decode a union that contains itself, and calls its hook."""


class Tolerance(Frozen):
    """Difference within which two numbers are the same value."""

    absolute: float = 0.0
    relative: float = 0.0


class Field(Frozen):
    """One field of a contract, as written in its file."""

    name: str
    type: FieldType
    group: str = "general"
    unit: str | None = None
    units: tuple[str, ...] = ()
    bare: str | None = None  # the unit of a number without one; "ft-in": 6-5 is feet and inches
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # language -> labels
    level: Level = Level.OPTIONAL
    low: float | None = None
    high: float | None = None
    allowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # value -> synonyms
    tolerance: Tolerance = Tolerance()
    tiers: tuple[Tier, ...] = ()  # preferred, best first
    source_dependent: bool = False
    component: str | None = None  # name of the component list that knows its values
    structured: tuple[str, ...] = ()  # schema.org paths, such as "offers.price"
    patterns: tuple[str, ...] = ()  # phrases with {value}, for running text
    hint: str = ""


class Check(Frozen):
    """A condition across fields, in the contract's expression language."""

    name: str
    expression: str
    message: str


class Source(Frozen):
    """A site with its tier and the ways to find products on it."""

    host: str  # "www.example.com" or "shop.localhost:8601"
    tier: Tier
    scheme: str = "https"
    search: str | None = None  # URL with {query}
    sitemap: str | None = None  # URL; robots.txt and /sitemap.xml are tried without it
    groups: tuple[str, ...] = ()  # field groups it is known for; empty: no expectation
    brands: tuple[str, ...] = ()  # a manufacturer's brands; empty: the brand that its host names
    cost: float = 1.0  # relative price of one page of it
    enabled: bool = True
    # Field -> CSS, hand-written.
    selectors: Mapping[str, str] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.host, self.tier, self.scheme))  # a mapping cannot be hashed

    @property
    def origin(self) -> str:
        """Scheme and host, the root of its URLs."""
        return f"{self.scheme}://{self.host}"


class IdentityRules(Frozen):
    """Rules that distinguish a product from its siblings."""

    # Fields that name a thing: its own name, whose it is, which one of several.
    names: tuple[str, ...] = ("model", "brand", "variant")
    hard_ids: tuple[str, ...] = ("gtin", "mpn", "sku", "asin")
    variant_words: tuple[str, ...] = ()  # words whose presence on one side alone is a veto
    neutral_words: tuple[str, ...] = ()  # words that say nothing about which product it is

    @property
    def needed(self) -> tuple[str, ...]:
        """The names without which a thing is not named; products need their brand, too."""
        return self.names[:2] if self.names == IdentityRules().names else self.names[:1]


class Contract(Frozen):
    """A category's fields, units, limits and checks."""

    category: str
    version: str
    title: str
    fields: Mapping[str, Field]
    identity: IdentityRules = IdentityRules()
    sources: tuple[Source, ...] = ()
    components: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    digest: str = ""  # hash of the file, kept with every record
    respect: tuple[str, ...] = ()  # "noindex", "noarchive": such pages are not used
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # its own, with spellings
