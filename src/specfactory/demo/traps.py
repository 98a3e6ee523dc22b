"""The list of traps: each wrong value that was planted, where, and what would be right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import quote

from specfactory.demo.drawing import Entry, Shelf, Staging, Style, shop_prices, sup_price
from specfactory.demo.finding import ranked
from specfactory.demo.staging import INJECTED_WEIGHT
from specfactory.demo.truth import Facts, FactsAt, Mouse
from specfactory.demo.values import Trap
from specfactory.model import Json

VARIANT_FIELDS = ("weight", "length", "max_dpi")
_COMPARED = ("weight", "max_dpi", "click_latency", "polling_rate", "buttons", "length")
_OUNCE, _INCH = 28.349523125, 25.4


class TrapLister:
    """Reads the traps off what was staged."""

    def __init__(
        self, facts: FactsAt, styles: Mapping[str, Style],
        stated: Mapping[str, Mapping[str, set[str]]],
        stagings: Callable[[Shelf, Mouse], Staging],
    ) -> None:  # fmt: skip
        self.facts, self.styles, self.stated, self.stagings = facts, styles, stated, stagings

    def all_of(self, shelves: Sequence[Shelf]) -> Iterator[Trap]:
        """Every trap of every page."""
        for shelf in shelves:
            for entry in shelf.entries.values():
                yield from self._of_entry(shelf, entry)

    def _of_entry(self, shelf: Shelf, entry: Entry) -> Iterator[Trap]:
        if entry.kind == "product" and shelf.site.layout not in ("script", "closed"):
            yield from self._of_page(_Page(self, shelf, entry))
        elif entry.kind in ("lookalike", "private"):
            yield from self._instead(shelf, entry)
        elif entry.kind in ("gone", "blank"):
            kind = "soft_404" if entry.kind == "gone" else "empty_page"
            yield Trap(kind, entry.mouse.id, "", shelf.site.host, None, None, entry.path)

    def _instead(self, shelf: Shelf, entry: Entry) -> Iterator[Trap]:
        """An address that promises the product and shows another, or an early sample."""
        page = _Page(self, shelf, entry)
        if entry.kind == "private":
            yield page.trap("private_page", "weight", prerelease(page.own["weight"]))
        elif page.differs(entry.shown, "weight"):
            staged = self.stagings(shelf, entry.shown).wrong
            _, wrong = staged.get("weight", ("", page.value(entry.shown, "weight")))
            yield page.trap("lookalike_url", "weight", wrong)

    def _of_page(self, page: _Page) -> Iterator[Trap]:
        yield from page.of_others()
        yield from page.of_wrong_values()
        yield from page.of_layout()
        yield from page.of_search()


def prerelease(weight: int) -> int:
    """What an early sample weighed."""
    return weight + 11


class _Page:
    """One page, for which traps are listed."""

    def __init__(self, lister: TrapLister, shelf: Shelf, entry: Entry) -> None:
        self.shelf, self.entry, self.mouse = shelf, entry, entry.mouse
        self.site = shelf.site
        self.facts: Mapping[str, Facts] = lister.facts[shelf.site.name]
        self.own = self.facts[entry.mouse.id]
        self.style = lister.styles[shelf.site.name]
        self.staging = lister.stagings(shelf, entry.mouse)
        self.stated = lister.stated[shelf.site.name].get(entry.mouse.id, set())

    def value(self, mouse: Mouse, name: str) -> Json:
        return self.facts[mouse.id].get(name)

    def differs(self, mouse: Mouse, name: str) -> bool:
        """Whether the other has another value, far enough from ours to tell."""
        mine, theirs = self.own.get(name), self.value(mouse, name)
        if mine is None or theirs is None:
            return False
        if isinstance(mine, dict):
            return bool(mine != theirs)
        return bool(abs(mine - theirs) > max(1.5, 0.02 * abs(mine)))

    def trap(self, kind: str, name: str, wrong: Json, words: str = "", path: str = "") -> Trap:
        words = words or self.style.words(name, wrong)
        right, at = self.own.get(name), path or self.entry.path
        return Trap(kind, self.mouse.id, name, self.site.host, wrong, right, at, words)

    def of_others(self) -> Iterator[Trap]:
        """Values of siblings and rivals on the same page."""
        if (sibling := self.staging.sibling) is not None:
            kind = "sibling_variant" if self.site.brand else "sibling_mentioned"
            fields = (
                VARIANT_FIELDS if self.site.brand and self.mouse.place % 2 == 0 else ("weight",)
            )
            for name in fields:
                if self.differs(sibling, name):
                    yield self.trap(kind, name, self.value(sibling, name))
        kind, names = _BESIDE.get(self.site.layout, ("", ()))
        for rival in self.staging.rivals:
            for name in names:
                if self.differs(rival, name) and (name in self.stated or kind != "comparison"):
                    yield self._of_rival(kind, name, rival)

    def _of_rival(self, kind: str, name: str, rival: Mouse) -> Trap:
        wrong = self.value(rival, name)
        if name != "price":
            return self.trap(kind, name, wrong)
        amount = wrong["amount"]
        words = f'"price": "{amount:.2f}"' if self.site.layout == "bare" else sup_price(amount)
        return self.trap(kind, name, wrong, words)

    def of_wrong_values(self) -> Iterator[Trap]:
        """Typos, copies of typos, old values, empty rows, hostile words."""
        for name, (kind, wrong) in self.staging.wrong.items():
            yield self.trap(kind, name, wrong)
        for name, words in self.staging.empty.items():
            yield self.trap("empty_row", name, words, words)
        if self.staging.hostile and self.staging.hostile != "zero_width":
            kind = f"hostile_{self.staging.hostile}"
            yield self.trap(kind, "weight", INJECTED_WEIGHT, f"{INJECTED_WEIGHT} g")

    def of_layout(self) -> Iterator[Trap]:
        """Ways of writing that can be misread."""
        if self.site.imperial:
            if "weight" not in self.staging.wrong:
                yield self._misread("ounces", "weight", self.own["weight"] / _OUNCE)
            if "length" in self.stated:
                yield self._misread("inches", "length", self.own["length"] / _INCH)
        if self.site.language == "de":
            yield from self._german()
        if self.site.layout == "cents":
            yield from self._prices()
        for kind, name, lowest in (("range", "max_dpi", self.own["min_dpi"]),
                                   ("alternatives", "polling_rate", 125)):  # fmt: skip
            if name in self.stated and self.style.lists_several(name):
                yield self.trap(kind, name, lowest, self._in_full(name))

    def _in_full(self, name: str) -> str:
        _, value = self.staging.wrong.get(name, ("", self.own[name]))
        return self.style.shown(name, self.own, value)

    def _misread(self, kind: str, name: str, wrong: float) -> Trap:
        return self.trap(kind, name, round(wrong, 2), self.style.words(name, self.own[name]))

    def _german(self) -> Iterator[Trap]:
        if "length" in self.stated:
            yield self._misread("decimal_comma", "length", self.own["length"] * 10)
        for name in ("polling_rate", "max_dpi"):
            if name in self.stated:
                yield self._misread("thousands_point", name, self.own[name] / 1000)

    def _prices(self) -> Iterator[Trap]:
        price = self.own["price"]
        around = shop_prices(price["amount"])
        for kind, amount in around.items():
            yield self.trap(kind, "price", {**price, "amount": amount}, f"${amount:.2f}")
        joined = {**price, "amount": float(f"{price['amount']:.2f}".replace(".", ""))}
        yield self.trap("small_cents", "price", joined, sup_price(price["amount"]))

    def of_search(self) -> Iterator[Trap]:
        """A search that puts a sibling before the product."""
        if self.site.search != "sibling_first":
            return
        first = ranked(self.shelf, self.mouse.name)[0]
        if first.shown is not self.mouse and self.differs(first.shown, "weight"):
            path = f"/search?q={quote(self.mouse.name)}"
            wrong = self.value(first.shown, "weight")
            yield self.trap("search_sibling_first", "weight", wrong, first.shown.name, path)


_BESIDE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "database": ("comparison", _COMPARED),
    "cents": ("related_box", ("weight", "price")),
    "imperial": ("related_box", ("weight", "price")),
    "bare": ("jsonld_related", ("weight", "price")),
    "copy": ("related_box", ("weight",)),
}
