"""The nouns of the demo web: sites, statements, truth, traps, answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from specfactory.model import Frozen, Json, Tier, field


class Site(Frozen):
    """One web site of the demo web, with a port of its own."""

    name: str
    title: str
    tier: Tier | None  # None: no source of values (the index, the web search)
    layout: str
    port: int = 0
    language: str = "en"
    brand: str = ""  # a brand's own site lists that brand only
    imperial: bool = False
    robots: str = "open"  # open | closed | delay | private
    sitemap: str = "plain"  # plain | index | robots | none
    search: str = "plain"  # plain | sibling_first | none
    stock: float = 1.0  # share of the products it lists
    path: str = "/p/{slug}"  # where a product stands; {slug}, {number}

    @property
    def host(self) -> str:
        """Name and port, as URLs and settings have it."""
        return f"{self.name}.localhost:{self.port}"

    @property
    def origin(self) -> str:
        """The root of its URLs."""
        return f"http://{self.host}"

    @property
    def readable(self) -> bool:
        """Whether the factory may read it without a browser."""
        return self.robots != "closed" and self.layout != "script"

    def at(self, port: int) -> Site:
        """The same site on another port."""
        return replace(self, port=port)


class Statement(Frozen):
    """One value as one site words it."""

    field: str
    section: str
    label: str
    words: str
    markup: str = ""  # HTML of the words where it is more than their escape
    sentence: str = ""  # the words within running text, where the site has them there


class Truth(Frozen):
    """A product's true value, and the hosts on whose pages about it that value stands.

    Where each source has its own value (a lab's measurement, a shop's price), ``by_host`` has
    what each of them says, the one that leads first, and that one's is ``value``. Any of them
    is right where its own host is cited.
    """

    value: Json
    reachable: bool
    hosts: tuple[str, ...] = ()
    by_host: Mapping[str, Json] = field(default_factory=dict)


class Trap(Frozen):
    """A wrong value that was planted; ``words`` stand on the page at ``path``."""

    kind: str
    product_id: str
    field: str
    host: str
    wrong_value: Json
    right_value: Json
    path: str = ""
    words: str = ""


class Answer(Frozen):
    """What a server answers."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
