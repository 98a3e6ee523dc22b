"""Who states what: which fields of a product stand on which site."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from specfactory.demo.drawing import Shelf, Style
from specfactory.demo.truth import Facts, Mouse
from specfactory.demo.values import Site

# the chance that a site of a layout states a field of a kind
_BRAND = {"basic": 0.95, "spec": 0.62, "fine": 0.18, "paper": 0.66}
_SHARES: Mapping[str, Mapping[str, float]] = {
    "table": _BRAND, "definitions": _BRAND, "columns": _BRAND, "lines": _BRAND,
    "tabs": {"basic": 0.95, "spec": 0.45, "fine": 0.08, "paper": 0.55},
    "review": {"basic": 0.7, "spec": 0.25, "fine": 0.35, "measured": 0.75, "paper": 0.1},
    "database": {"basic": 0.75, "spec": 0.35, "fine": 0.5, "measured": 0.9},
    "bare": {"basic": 0.8, "spec": 0.3, "fine": 0.05, "paper": 0.5, "shop": 0.9},
    "cents": {"basic": 0.8, "spec": 0.3, "paper": 0.35, "shop": 0.85},
    "imperial": {"basic": 0.8, "spec": 0.25, "paper": 0.4, "shop": 0.7},
    "script": {"basic": 0.9, "spec": 0.5, "paper": 0.5, "shop": 0.9},
    "forum": {"basic": 0.12, "fine": 0.05},
    "wiki": {"basic": 0.85, "spec": 0.35, "fine": 0.3, "paper": 0.4},
    "closed": {"basic": 0.6, "fine": 0.4, "measured": 0.9},
    "datasheet": {"basic": 0.6, "spec": 0.35, "fine": 0.25, "paper": 0.2},
}  # fmt: skip
# where a value goes that would otherwise stand nowhere, the likeliest layout first
_HOMES: Mapping[str, Sequence[str]] = {
    "basic": ("brand", "wiki", "bare"), "spec": ("brand", "wiki", "database"),
    "fine": ("database", "wiki", "review", "brand"), "measured": ("database", "review"),
    "shop": ("bare", "cents", "imperial"), "paper": ("brand", "bare", "wiki", "imperial"),
}  # fmt: skip
_NEVER_ASKED = 0.06  # share of lonely values that stay untold
_ALWAYS = frozenset({"product_name", "brand", "weight"})
_SURE: Mapping[str, frozenset[str]] = {  # what a layout is there to show
    "imperial": frozenset({"length", "width"}),
    "columns": frozenset({"length", "max_dpi", "polling_rate"}),
    "cents": frozenset({"price"}),
    "bare": frozenset({"price", "gtin", "mpn"}),
}
_ONE_AT_A_TIME = 0.06  # share of a site's fields that a single page leaves out

Placing = Mapping[str, Mapping[str, frozenset[str]]]  # site -> product id -> fields


class Placer:
    """Decides, site by site and product by product, which fields are stated."""

    def __init__(
        self, seed: int, shelves: Sequence[Shelf], styles: Mapping[str, Style],
        facts: Mapping[str, Facts],
    ) -> None:  # fmt: skip
        self._seed, self._shelves, self._styles, self._facts = seed, shelves, styles, facts
        self.stated: dict[str, dict[str, set[str]]] = {s.site.name: {} for s in shelves}
        self.datasheets: dict[str, set[str]] = {}

    def place(self, mice: Sequence[Mouse]) -> None:
        """Fill ``stated`` and ``datasheets``."""
        for shelf in self._shelves:
            if shelf.site.tier is not None and shelf.site.layout != "copy":
                self._place_site(shelf)
        for mouse in mice:
            self._find_homes(mouse)
        self._place_copy()

    def _place_site(self, shelf: Shelf) -> None:
        site = shelf.site
        usual, sure = self._usual(site.layout, site), _SURE.get(site.layout, frozenset())
        for mouse in shelf.mice:
            self.stated[site.name][mouse.id] = self._on_page(site.name, usual, mouse, sure)
        if site.layout == "tabs":
            sheet = self._usual("datasheet", site)
            for mouse in shelf.mice:
                self.datasheets[mouse.id] = self._on_page("datasheet", sheet, mouse)

    def _usual(self, layout: str, site: Site) -> set[str]:
        """The fields that a site's template has."""
        rng = Random(f"{self._seed}:{site.name}:{layout}:fields")
        shares = _SHARES[layout]
        style = self._styles[site.name]
        return {
            name
            for name in sorted(style.fields)
            if rng.random() < shares.get(style.fields[name].kind, 0.0)
            or (name in _ALWAYS and layout not in ("forum", "datasheet"))
            or name in _SURE.get(layout, ())
        }

    def _on_page(
        self, place: str, usual: set[str], mouse: Mouse, sure: frozenset[str] = frozenset()
    ) -> set[str]:
        rng = Random(f"{self._seed}:{place}:{mouse.id}:gaps")
        facts = self._facts[mouse.id]
        return {
            name
            for name in sorted(usual)
            if name in facts and (rng.random() >= _ONE_AT_A_TIME or name in _ALWAYS | sure)
        }

    def _find_homes(self, mouse: Mouse) -> None:
        """Give every value that stands nowhere a home, but for a few that stay untold."""
        rng = Random(f"{self._seed}:{mouse.id}:homes")
        homes = {key: shelf for shelf in self._shelves for key in _keys(shelf, mouse)}
        for name in sorted(self._facts[mouse.id]):
            wanted = 3 if self._kind(name) == "basic" else 1
            untold = rng.random() < _NEVER_ASKED and wanted == 1
            found = sum(1 for shelf in homes.values() if self._clear(shelf, mouse, name))
            if not untold:
                self._settle(mouse, name, homes, wanted - found)

    def _settle(self, mouse: Mouse, name: str, homes: Mapping[str, Shelf], missing: int) -> None:
        for key in _HOMES[self._kind(name)]:
            shelf = homes.get(key)
            if missing <= 0 or shelf is None or not self._can_say(shelf, name):
                continue
            if name not in self.stated[shelf.site.name][mouse.id]:
                self.stated[shelf.site.name][mouse.id].add(name)
                missing -= 1

    def _can_say(self, shelf: Shelf, name: str) -> bool:
        return name in self._styles[shelf.site.name].fields and self._understood(shelf, name)

    def _understood(self, shelf: Shelf, name: str) -> bool:
        style = self._styles[shelf.site.name]
        return not (style.is_odd(name) or style.in_prose(name) or style.lists_several(name))

    def _clear(self, shelf: Shelf, mouse: Mouse, name: str) -> bool:
        """Whether the site states it in a way that anybody would understand."""
        return name in self.stated[shelf.site.name][mouse.id] and self._understood(shelf, name)

    def _kind(self, name: str) -> str:
        english = next(iter(self._styles.values())).fields
        return "paper" if name == "msrp_eur" else english[name].kind

    def _place_copy(self) -> None:
        """The aggregator has what its shop has, but for a few lines."""
        for shelf in self._shelves:
            if shelf.site.layout == "copy":
                source = self.stated["pixelmarket"]
                usual = Random(f"{self._seed}:copy")
                lost = {name for name in sorted(self._styles["specpile"].fields)
                        if usual.random() < 0.15} - _ALWAYS  # fmt: skip
                for mouse in shelf.mice:
                    self.stated[shelf.site.name][mouse.id] = source[mouse.id] - lost


def _keys(shelf: Shelf, mouse: Mouse) -> Iterator[str]:
    """The names under which a site can be a home for the product's values."""
    if shelf.lists(mouse) and shelf.site.readable and shelf.site.layout not in ("copy", "forum"):
        yield "brand" if shelf.site.brand else shelf.site.layout
