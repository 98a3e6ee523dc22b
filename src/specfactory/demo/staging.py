"""What is planted beside the truth: siblings, rivals, wrong figures, hostile words."""

from collections.abc import Mapping, Sequence
from random import Random

from specfactory.demo.drawing import Shelf, Staging, field_words
from specfactory.demo.truth import Facts, Mouse, siblings
from specfactory.model import Json

# fields in which a shop mistypes or a wiki is out of date, where better sources say it right
_MISTYPED = ("max_dpi", "max_ips", "length", "battery_capacity", "battery_life",
             "max_acceleration", "switch_durability")  # fmt: skip
_OUTDATED = ("weight", "battery_life", "max_dpi")
_RIVALS = {"database": 2, "cents": 4, "imperial": 3, "bare": 1, "copy": 3}
_HOSTILE = {
    "imperial": ("", "", "injection", "false_table", "hidden_table", "script"),
    "cents": ("", "", "", "zero_width", "injection"),
    "bare": ("", "comment"),
    "forum": ("", "injection"),
}
INJECTED_WEIGHT = 12
# weights of more than the mouse that shops give as its weight, without a word about it
OTHER_WEIGHTS = frozenset({"weight_with_cable", "weight_of_package"})
_CARELESS = 0.3  # share of the products that one of the shops weighs so
_NOTHING = ("—", "N/A", "TBA")


class Stage:
    """Draws the staging of every page, once placing is done."""

    def __init__(
        self, seed: int, mice: Sequence[Mouse], facts: Mapping[str, Facts],
        stated: Mapping[str, Mapping[str, set[str]]], shelves: Sequence[Shelf],
    ) -> None:  # fmt: skip
        self._seed, self._mice, self._facts, self._stated = seed, mice, facts, stated
        self._shelves = {shelf.site.name: shelf for shelf in shelves}
        self._brands = {shelf.site.brand: shelf for shelf in shelves if shelf.site.brand}

    def draw(self, shelf: Shelf, mouse: Mouse) -> Staging:
        """The staging of one product's page on one site."""
        site = shelf.site
        rng = Random(f"{self._seed}:{site.name}:{mouse.id}:staging")
        wrong = self._wrong(shelf, mouse, rng)
        outdated = any(kind == "outdated" for kind, _ in wrong.values())
        return Staging(
            sibling=self._sibling(shelf, mouse),
            rivals=self._rivals(shelf, mouse, rng),
            wrong=wrong,
            empty=self._empty(shelf, mouse) if site.layout == "copy" else {},
            hostile=rng.choice(_HOSTILE.get(site.layout, ("",))),
            year=rng.randrange(2015, 2018) if outdated else 2025,
        )

    def _sibling(self, shelf: Shelf, mouse: Mouse) -> Mouse | None:
        """The nearest of its family whose weight is another."""
        layout = shelf.site.layout
        if not shelf.site.brand and layout not in ("review", "forum"):
            return None
        near = siblings(mouse, shelf.mice if shelf.site.brand else self._mice)
        own = self._facts[mouse.id]["weight"]
        return next((m for m in near if abs(self._facts[m.id]["weight"] - own) >= 4), None)

    def _rivals(self, shelf: Shelf, mouse: Mouse, rng: Random) -> tuple[Mouse, ...]:
        """Mice shown beside it: its nearest sibling first, then others."""
        count = _RIVALS.get(shelf.site.layout, 0)
        near = siblings(mouse, shelf.mice)[:1]
        others = [m for m in shelf.mice if m is not mouse and m not in near]
        return tuple([*near, *rng.sample(others, min(count, len(others)))][:count])

    def _empty(self, shelf: Shelf, mouse: Mouse) -> dict[str, str]:
        """Rows of the aggregator's table that nobody has filled in."""
        rng = Random(f"{self._seed}:{shelf.site.name}:{mouse.id}:empty")
        worded, stated = field_words(shelf.site.language), self._stated[shelf.site.name][mouse.id]
        left = sorted(n for n in self._facts[mouse.id] if n in worded and n not in stated)
        return {name: rng.choice(_NOTHING) for name in rng.sample(left, 6)}

    def _wrong(self, shelf: Shelf, mouse: Mouse, rng: Random) -> dict[str, tuple[str, Json]]:
        if shelf.site.layout == "copy":
            return self._copied(mouse)
        return self._slips(shelf, mouse, rng) | self._weighed_otherwise(shelf, mouse)

    def _weighed_otherwise(self, shelf: Shelf, mouse: Mouse) -> dict[str, tuple[str, Json]]:
        """The weight with its cable, or of the package, as one of the shops may give it."""
        rng = Random(f"{self._seed}:{mouse.id}:weighing")
        careless, facts = rng.choice(("bare", "cents", "imperial")), self._facts[mouse.id]
        chosen = rng.random() < _CARELESS and shelf.site.layout == careless
        if not chosen or not self._safe(shelf, mouse, "weight"):
            return {}
        if "cable_weight" in facts and rng.random() < 0.7:
            return {"weight": ("weight_with_cable", facts["weight"] + facts["cable_weight"])}
        return {"weight": ("weight_of_package", facts["package_weight"])}

    def _slips(self, shelf: Shelf, mouse: Mouse, rng: Random) -> dict[str, tuple[str, Json]]:
        """What a shop mistypes, and what has changed since a page was written."""
        layout = shelf.site.layout
        if layout not in ("cents", "wiki"):
            return {}
        kind = "typo" if layout == "cents" else "outdated"
        fields: Sequence[str] = _MISTYPED if layout == "cents" else _OUTDATED
        if layout == "cents" and rng.random() < 0.3:
            kind, fields = "outdated", ("weight",)
        if rng.random() > 0.55:
            return {}
        fitting = [name for name in fields if self._safe(shelf, mouse, name)]
        chosen = rng.sample(fitting, min(2, len(fitting)))
        return {name: (kind, self._spoilt(kind, mouse, name, rng)) for name in chosen}

    def _copied(self, mouse: Mouse) -> dict[str, tuple[str, Json]]:
        """The shop's mistakes again."""
        shop = self._shelves["pixelmarket"]
        wrong = self.draw(shop, mouse).wrong
        there = self._stated["specpile"][mouse.id]
        return {name: ("copied", value) for name, (_, value) in wrong.items() if name in there}

    def _safe(self, shelf: Shelf, mouse: Mouse, name: str) -> bool:
        """Whether the maker and one more independent site say it right."""
        if name not in self._stated[shelf.site.name][mouse.id]:
            return False
        maker = self._brands[mouse.product.brand].site.name
        others = [site for site in ("mousemetrics", "clickbench", "gearbarn", "uncleteds")
                  if name in self._stated[site].get(mouse.id, ())]  # fmt: skip
        return name in self._stated[maker].get(mouse.id, ()) and len(others) >= 2

    def _spoilt(self, kind: str, mouse: Mouse, name: str, rng: Random) -> Json:
        right = self._facts[mouse.id][name]
        if name == "weight":
            return right + rng.randrange(6, 10)
        return _mistyped(right) if kind == "typo" else round(right * rng.choice((0.8, 0.9)))


def _mistyped(value: float) -> Json:
    """The value with its second digit retyped."""
    digits = f"{value:.10g}"
    at = 1 if len(digits) > 1 and digits[1].isdigit() else 0
    retyped = digits[:at] + str((int(digits[at]) + 3) % 10) + digits[at + 1 :]
    return float(retyped) if "." in retyped else int(retyped)
