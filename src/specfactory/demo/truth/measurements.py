"""The truth that only labs know."""

from random import Random

from specfactory.demo.truth.catalogue import Mouse
from specfactory.model import Json


def measurements(rng: Random, mouse: Mouse, facts: dict[str, Json]) -> dict[str, Json]:
    """What the bench shows; the best mode's click latency is the headline figure."""
    wired = round(rng.uniform(0.4, 3.5), 1)
    radio = round(wired + rng.uniform(0.3, 2.0), 1) if mouse.wireless else None
    blue = round(rng.uniform(8, 20), 1) if facts.get("bluetooth") else None
    return {
        "click_latency": wired,
        "click_latency_wired": wired,
        "click_latency_wireless": radio,
        "click_latency_bluetooth": blue,
        "sensor_latency": round(rng.uniform(1.5, 9), 1),
        "motion_delay": round(rng.uniform(1, 12), 1),
        "debounce_measured": round(rng.uniform(1.2, 8), 1),
        "polling_stability": round(rng.uniform(93, 99.9), 1),
        "dpi_deviation": round(rng.choice((-1, 1)) * rng.uniform(0.4, 4), 1),
        "srav": round(rng.choice((-1, 1)) * rng.uniform(0.3, 3), 1),
        "lod_measured": round(facts["lod_default"] + rng.choice((-0.1, 0.1, 0.2)), 1),
        "click_force_measured": facts["actuation_force"] + rng.randrange(-4, 5),
        "click_noise": round(rng.uniform(38, 58), 1),
        "battery_life_measured": _lasted(rng, facts.get("battery_life")),
        "battery_life_bluetooth": facts.get("battery_life_bluetooth") if blue else None,
    }


def _lasted(rng: Random, promised: Json) -> Json:
    return None if promised is None else round(promised * rng.uniform(0.82, 1.04))
