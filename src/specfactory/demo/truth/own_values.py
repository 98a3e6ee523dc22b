"""Values of which every site has its own: what a lab measures, what a shop asks."""

from collections.abc import Mapping, Sequence
from random import Random

from specfactory.demo.truth.catalogue import Mouse
from specfactory.demo.truth.facts import Facts
from specfactory.demo.values import Site
from specfactory.model import Json, Tier

FactsAt = Mapping[str, Mapping[str, Facts]]  # site -> product id -> field -> value as it has it

# Field -> how far two labs may be apart and still agree (the contract's tolerance), decimals.
_BENCHES: Mapping[str, tuple[float, int]] = {
    "grip_width": (1.5, 1), "weight_measured": (1, 1), "wheel_click_force": (4, 0),
    "click_latency_wired": (0.1, 2), "click_latency_wireless": (0.1, 2),
    "click_latency_bluetooth": (0.5, 1), "sensor_latency": (0.2, 2), "motion_delay": (0.2, 2),
    "debounce_measured": (0.2, 2), "polling_stability": (0.5, 1), "dpi_deviation": (0.2, 1),
    "srav": (0.2, 1), "lod_measured": (0.1, 2), "click_force_measured": (2, 0),
    "click_noise": (1, 1), "battery_life_measured": (1.5, 0),
}  # fmt: skip
_HABIT, _CHANCE = 1.1, 1.5  # of that distance: how a lab always errs, how it errs this time
_HIGHEST = {"polling_stability": 99.9}
_COPIED = {"copy": "cents"}  # the aggregator asks what its shop asks
_FIRST = {"price": Tier.RETAILER}  # whose value leads; a lab's where nothing is said

OWN_FIELDS = frozenset({*_BENCHES, "click_latency", "price"})


def facts_at(
    seed: int, sites: Sequence[Site], mice: Sequence[Mouse], facts: Mapping[str, Facts]
) -> FactsAt:
    """The facts as each site has them; all but labs and shops have the common ones."""
    by_layout = {site.layout: _facts_of(seed, site, mice, facts) for site in sites}
    return {site.name: by_layout[_COPIED.get(site.layout, site.layout)] for site in sites}


def leading(name: str, tier: Tier | None) -> bool:
    """Whether sites of this tier are asked first for such a field."""
    return tier is _FIRST.get(name, Tier.LAB)


def _facts_of(
    seed: int, site: Site, mice: Sequence[Mouse], facts: Mapping[str, Facts]
) -> Mapping[str, Facts]:
    if site.tier is Tier.LAB:
        habit = _errors(Random(f"{seed}:{site.name}:habit"), _HABIT)
        return {m.id: facts[m.id] | _measured(seed, site, m, facts[m.id], habit) for m in mice}
    if site.tier is Tier.RETAILER:
        return {m.id: facts[m.id] | {"price": _asked(seed, site, m, facts[m.id])} for m in mice}
    return facts


def _errors(rng: Random, share: float) -> dict[str, float]:
    return {name: rng.uniform(-share, share) * apart for name, (apart, _) in _BENCHES.items()}


def _measured(
    seed: int, site: Site, mouse: Mouse, facts: Facts, habit: Mapping[str, float]
) -> Facts:
    """What this lab's bench shows; its best click latency is its headline figure."""
    chance = _errors(Random(f"{seed}:{site.name}:{mouse.id}:bench"), _CHANCE)
    shown = {
        name: _rounded(name, facts[name] + habit[name] + chance[name], decimals)
        for name, (_, decimals) in _BENCHES.items()
        if name in facts
    }
    return shown | {"click_latency": shown["click_latency_wired"]}


def _rounded(name: str, value: float, decimals: int) -> Json:
    limited = min(value, _HIGHEST.get(name, value))
    return round(limited, decimals) if decimals else round(limited)


def _asked(seed: int, site: Site, mouse: Mouse, facts: Facts) -> Json:
    """A shop's price: below the list price, by as much as the shop likes."""
    rng = Random(f"{seed}:{site.name}:{mouse.id}:price")
    amount = facts["msrp"]["amount"] - rng.randrange(1, 25) - rng.choice((0, 0.04, 0.09, 0.49))
    return {**facts["price"], "amount": round(amount, 2)}
