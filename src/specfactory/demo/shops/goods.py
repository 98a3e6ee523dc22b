"""The catalogue: brands and goods that a seed invents."""

from collections.abc import Iterator, Sequence
from random import Random

from specfactory.demo.shops.values import Good
from specfactory.demo.shops.wording import wording

_ONSETS = ("b", "br", "d", "f", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v", "w", "gr")
_VOWELS = ("a", "e", "i", "o", "u", "ei", "au")
_ENDS = ("lund", "ren", "dal", "vik", "sen", "mont", "ley", "ro", "na", "ker", "bach", "ford")
MATERIALS = {
    "shoes": ("leather", "canvas", "nylon"), "bags": ("leather", "canvas", "nylon", "polyester"),
    "clothing": ("cotton", "wool", "linen", "polyester"),
    "accessories": ("leather", "wool", "cotton"), "outdoor": ("nylon", "polyester", "steel"),
    "home": ("cotton", "wool", "steel", "cork", "linen"),
}  # fmt: skip
_GENDERS = ("men", "men", "women", "women", "unisex")
_SHARES = {"new": 0.08, "best": 0.06, "trending": 0.05}
_MARKS = ("", "", "", " II", " III", " Pro", " Lite", " Mini", " 2.0")


def draw_brands(rng: Random, count: int) -> tuple[str, ...]:
    """Invented names of brands."""
    found: dict[str, None] = {}
    while len(found) < count:
        name = (rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_ENDS)).capitalize()
        if rng.random() < 0.15:
            name += " & " + (rng.choice(_ONSETS) + rng.choice(_VOWELS) + "rk").capitalize()
        found[name] = None
    return tuple(found)


def draw_goods(
    rng: Random, count: int, types: Sequence[str], brands: Sequence[str]
) -> Iterator[Good]:
    """Goods of these types and brands, no two of one brand and type under the same name."""
    known, prefix = set[tuple[str, str, str]](), rng.randrange(40_000, 44_000)
    words, colours = wording()["model_words"], list(wording()["colours"])
    per_type = {name: rng.uniform(0.4, 1.6) for name in types}
    chosen = rng.choices(list(per_type), list(per_type.values()), k=count)
    for number, type_name in enumerate(chosen):
        department, low, high, gendered = wording()["types"][type_name][:4]
        brand = rng.choice(brands)
        model = rng.choice(words) + rng.choice(_MARKS)
        while (brand, model, type_name) in known:
            model = f"{rng.choice(words)} {rng.randrange(10, 990)}"
        known.add((brand, model, type_name))
        yield Good(
            number, type_name, department, brand, model,
            rng.choice(_GENDERS) if gendered == "gendered" else "",
            rng.choice(MATERIALS[department]),
            tuple(rng.sample(colours, rng.randrange(1, 4))),
            _gtin(f"{prefix}{number:07d}"),
            f"{brand[:2].upper()}{rng.randrange(1000, 9999)}-{number % 97:02d}",
            rng.randrange(40, 2400),
            _price(rng, low, high),
            rng.randrange(len(wording()["origins"])),
            frozenset(flag for flag, share in _SHARES.items() if rng.random() < share),
        )  # fmt: skip


def _price(rng: Random, low: int, high: int) -> float:
    return rng.randrange(low, high) + rng.choice((0.0, 0.5, 0.9, 0.95, 0.99))


def _gtin(stem: str) -> str:
    """Twelve digits with their check digit."""
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(stem))
    return stem + str(-total % 10)
