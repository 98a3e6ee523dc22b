"""The truth: every product's values, drawn from the seed."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from random import Random
from typing import Any

from specfactory.demo.truth.catalogue import Mouse, read_yaml
from specfactory.demo.truth.electronics import battery, buttons, sensor, switches, wheel, wireless
from specfactory.demo.truth.measurements import measurements
from specfactory.model import Json

Facts = dict[str, Json]


@lru_cache(maxsize=1)
def parts() -> dict[str, Any]:
    """The file of parts, read once."""
    content: dict[str, Any] = read_yaml("parts.yaml")
    return content


def draw_facts(seed: int, mice: Sequence[Mouse]) -> Mapping[str, Facts]:
    """Product id -> field -> value as JSON; fields that do not apply are left out."""
    drawn: dict[str, Facts] = {}
    ordered = sorted(mice, key=lambda mouse: (mouse.product.brand, mouse.family, mouse.place))
    for family, members in groupby(ordered, key=lambda m: (m.product.brand, m.family)):
        drawn.update(_family(seed, ":".join(family), list(members)))
    return drawn


def _family(seed: int, name: str, members: Sequence[Mouse]) -> dict[str, Facts]:
    """Siblings share an outline, and differ enough to be told apart by any of the main figures."""
    rng = Random(f"{seed}:{name}")
    outline = _outline(rng)
    weights = rng.sample(range(0, 10), 10)
    years = rng.sample(range(2017, 2025), 8)
    return {
        mouse.id: _mouse(seed, mouse, outline, 46 + 5 * weights[mouse.place], years[mouse.place])
        for mouse in members
    }


def _mouse(seed: int, mouse: Mouse, outline: Facts, weight: int, year: int) -> Facts:
    rng = Random(f"{seed}:{mouse.id}:facts")
    facts: Facts = {}
    facts |= _identity(rng, mouse)
    facts |= _body(rng, mouse, outline)
    facts |= _mass(rng, mouse, weight)
    facts |= sensor(rng, mouse, parts(), outline["turn"])
    facts |= switches(rng, mouse, parts(), outline["turn"])
    facts |= wheel(rng, parts())
    facts |= buttons(rng, mouse)
    facts |= wireless(rng, mouse, parts())
    facts |= battery(rng, mouse)
    facts |= _extras(rng, mouse)
    facts |= _release(rng, mouse, year)
    facts |= measurements(rng, mouse, facts)
    return {name: value for name, value in facts.items() if value is not None}


def _outline(rng: Random) -> Facts:
    return {
        "length": rng.uniform(118, 129),
        "width": rng.uniform(61, 69),
        "height": rng.uniform(37.5, 43),
        "shape": rng.choice(("symmetrical", "ergonomic")),
        "hump_position": rng.choice(("center", "back - moderate", "back - minimal")),
        "front_flare": rng.choice(("flat", "outward", "inward")),
        "side_curvature": rng.choice(("inward", "straight")),
        "turn": rng.randrange(100),  # where the family begins in the lists of parts
    }


def _identity(rng: Random, mouse: Mouse) -> Facts:
    brand = parts()["brands"][mouse.product.brand]
    part = brand["part"].format(n=1000 + 131 * mouse.number % 9000)
    return {
        "product_name": mouse.name,
        "brand": mouse.product.brand,
        "series": mouse.product.model.split()[0],
        "mpn": part,
        "sku": part + brand["tail"].format(a=rng.choice("ABCDEF")),
        "gtin": _gtin(f"{brand['gtin']}{(7 * mouse.number) % 1000:03d}"),
        "asin": "B0" + "".join(rng.choice("BCDFGHJKLMNPQRSTVWXYZ0123456789") for _ in range(8)),
    }


def _gtin(twelve: str) -> str:
    """Twelve digits with their check digit."""
    total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(twelve))
    return f"{twelve}{-total % 10}"


def _body(rng: Random, mouse: Mouse, outline: Facts) -> Facts:
    small = 0.91 if "Mini" in mouse.product.model or "XS" in mouse.product.model else 1.0
    apart = 1.4 * mouse.place if small == 1.0 else 0.0
    length, width, height = (
        round(outline[side] * small + apart * share + rng.uniform(-0.3, 0.3), 1)
        for side, share in (("length", 1.0), ("width", 0.4), ("height", 0.25))
    )
    symmetrical = outline["shape"] == "symmetrical"
    sizes = ["small", "medium"] if small < 1 else ["medium", "large"]
    grips = rng.choice((["palm", "claw"], ["claw", "fingertip"], ["palm", "claw", "fingertip"]))
    return {
        "length": length, "width": width, "height": height,
        "dimensions": [length, width, height],
        "grip_width": round(width - rng.uniform(3.5, 7.5), 1),
        **{name: outline[name] for name in
           ("shape", "hump_position", "front_flare", "side_curvature")},
        "handedness": "ambidextrous" if symmetrical else "right",
        "hand_sizes": sizes, "grip_styles": grips,
        "thumb_rest": not symmetrical and rng.random() < 0.5,
        "material": rng.choice(parts()["materials"]),
        "side_material": rng.choice(("ABS", "TPE", "Silicone")),
        "side_grips": rng.random() < 0.4,
        "coating": rng.choice(("matte", "glossy", "rubberized", "textured")),
        "honeycomb_shell": rng.random() < 0.2,
        "colours": rng.sample(parts()["colours"], rng.choice((1, 2, 2, 3))),
    }  # fmt: skip


def _mass(rng: Random, mouse: Mouse, weight: int) -> Facts:
    light = round(weight - rng.uniform(7, 12), 1)
    return {
        "weight": weight,
        "weight_with_battery": weight if mouse.wireless else None,
        "weight_without_battery": light if mouse.wireless else None,
        "weight_measured": round(weight + rng.uniform(-0.3, 0.3), 1),
        "cable_weight": None if mouse.wireless else rng.randrange(18, 44),
        "receiver_weight": round(rng.uniform(1.6, 4.8), 1) if mouse.wireless else None,
        "weight_tolerance": rng.choice((1, 1.5, 2, 3)),
        "adjustable_weight": rng.random() < 0.1,
    }


def _extras(rng: Random, mouse: Mouse) -> Facts:
    """Cable, feet, lights, software, box."""
    rgb, wireless_one, memory = rng.random() < 0.5, mouse.wireless, rng.random() < 0.9
    kind = rng.choice(("paracord", "braided", "rubber"))
    spare, grips = rng.random() < 0.5, rng.random() < 0.4
    box = [
        "Mouse",
        "USB-C cable" if wireless_one else None,
        "USB dongle" if wireless_one else None,
        "Spare feet" if spare else None,
        "Grip tape" if grips else None,
        "Quick start guide",
    ]
    return {
        "cable_length": rng.choice((1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1)),
        "cable_type": kind, "paracord_cable": kind == "paracord",
        "cable_connector": "USB-A to USB-C" if wireless_one else "USB-A",
        "cable_detachable": wireless_one,
        "feet_material": rng.choice(("PTFE", "PTFE", "UHMWPE", "glass")),
        "feet_thickness": rng.choice((0.6, 0.7, 0.8, 0.9)), "feet_count": rng.randrange(2, 6),
        "spare_feet": spare,
        "rgb": rgb,
        "lighting_type": "RGB" if rgb else rng.choice(("single color", None)),
        "lighting_zones": rng.randrange(1, 4) if rgb else None,
        "software": parts()["brands"][mouse.product.brand]["software"],
        "web_configurator": rng.random() < 0.4,
        "os_support": rng.choice((["Windows"], ["Windows", "macOS"],
                                  ["Windows", "macOS", "Linux"])),
        "onboard_memory": memory, "onboard_profiles": rng.randrange(1, 6) if memory else None,
        "macro_support": rng.random() < 0.8, "firmware_updates": rng.random() < 0.85,
        "box_contents": [thing for thing in box if thing],
        "warranty": rng.choice((12, 24, 36)),
        "cable_included": True, "receiver_included": True if wireless_one else None,
        "grip_tape_included": grips,
        "package_dimensions": [rng.randrange(150, 200), rng.randrange(95, 125),
                               rng.randrange(50, 75)],
        "package_weight": rng.randrange(210, 420),
    }  # fmt: skip


def _release(rng: Random, mouse: Mouse, year: int) -> Facts:
    month, day = rng.randrange(3, 13), rng.randrange(1, 29)
    asked = rng.randrange(4, 16) * 10 + 9.99
    return {
        "release_date": f"{year}-{month:02d}-{day:02d}",
        "announced_date": f"{year}-{month - rng.randrange(1, 3):02d}-{rng.randrange(1, 29):02d}",
        "model_year": year,
        "msrp": {"amount": round(asked, 2), "currency": "USD"},
        "msrp_eur": _euros(rng, asked) if mouse.product.brand == "Feinwerk" else None,
        "price": {"amount": round(asked - rng.randrange(3, 20) - 0.09, 2), "currency": "USD"},
        "country_of_origin": rng.choice(parts()["countries"]),
        "discontinued": rng.random() < 0.15,
        "certifications": rng.choice((["CE", "FCC"], ["CE", "FCC", "RoHS"], ["CE", "RoHS"])),
        "recycled_material": rng.choice((None, 20, 35, 50, 64)),
    }


def _euros(rng: Random, dollars: float) -> Json:
    return {"amount": round(dollars + rng.choice((0, 10, 20)), 2), "currency": "EUR"}
