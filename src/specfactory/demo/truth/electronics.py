"""The truth about what is inside: sensor, switches, wheel, buttons, radio, battery."""

from random import Random
from typing import Any

from specfactory.demo.truth.catalogue import Mouse
from specfactory.model import Json

Facts = dict[str, Json]


def _own(choices: dict[str, Any], brand: str) -> list[Any]:
    listed: list[Any] = choices.get(brand, choices["other"])
    return listed


def sensor(rng: Random, mouse: Mouse, parts: dict[str, Any], turn: int) -> Facts:
    """Siblings take different sensors, so that a mixed-up page shows."""
    own = _own(parts["sensors"], mouse.product.brand)
    turn += mouse.place
    name, maker, dpi, ips, accel, frames = own[turn % len(own)]
    fast = (1000, 2000, 4000, 8000)[(turn + rng.randrange(2)) % 4]
    lowest = rng.choice((0.7, 0.8, 1.0))
    facts = {
        "sensor": name, "sensor_brand": maker, "sensor_type": "optical",
        "max_dpi": dpi, "min_dpi": rng.choice((50, 100, 200)), "dpi_step": rng.choice((50, 100)),
        "dpi_stages": rng.randrange(4, 9), "max_ips": ips, "max_acceleration": accel,
        "polling_rate": fast,
        "polling_rate_wired": fast if not mouse.wireless else 1000,
        "polling_rate_wireless": fast if mouse.wireless else None,
        "lod_min": lowest, "lod_default": lowest + rng.choice((0.2, 0.4)),
        "lod_max": rng.choice((2.0, 2.5, 3.0)), "frame_rate": frames,
        "sensor_position": rng.choice(("center", "front")),
    }  # fmt: skip
    facts["lod_default"] = round(facts["lod_default"], 1)
    for name, chance in _SENSOR_SWITCHES:
        facts[name] = rng.random() < chance
    return facts


_SENSOR_SWITCHES = (
    ("lod_adjustable", 0.7), ("motion_sync", 0.6), ("angle_snapping", 0.5),
    ("ripple_control", 0.5), ("glass_tracking", 0.3), ("angle_tuning", 0.3),
)  # fmt: skip


def switches(rng: Random, mouse: Mouse, parts: dict[str, Any], turn: int) -> Facts:
    """Main, side and middle switches with their figures."""
    own = _own(parts["switches"], mouse.product.brand)
    name, maker, kind, clicks = own[(mouse.place + turn) % len(own)]
    lowest = rng.randrange(0, 4)
    side, middle = rng.sample(parts["small_switches"], 2)
    return {
        "main_switch": name, "switch_brand": maker, "switch_type": kind,
        "switch_durability": clicks, "actuation_force": rng.randrange(52, 76),
        "pre_travel": round(rng.uniform(0.3, 0.8), 2),
        "post_travel": round(rng.uniform(0.2, 0.6), 2),
        "debounce_min": lowest, "debounce_max": lowest + rng.randrange(6, 14),
        "debounce_adjustable": rng.random() < 0.7, "hot_swappable": rng.random() < 0.15,
        "side_switch": side, "middle_switch": middle,
    }  # fmt: skip


def wheel(rng: Random, parts: dict[str, Any]) -> Facts:
    """The scroll wheel; one encoder in seven is in nobody's component list."""
    name, maker, kind = rng.choice(parts["encoders"])
    return {
        "encoder_model": name,
        "encoder_brand": maker,
        "encoder_type": kind,
        "scroll_steps": rng.choice((16, 18, 20, 24, 28)),
        "tilt_wheel": rng.random() < 0.2,
        "free_spin": rng.random() < 0.2,
        "wheel_material": rng.choice(parts["wheel_materials"]),
        "wheel_click_force": rng.randrange(110, 240),
    }


def buttons(rng: Random, mouse: Mouse) -> Facts:
    """Buttons, of which no more are programmable than there are."""
    side = rng.choice((2, 2, 2, 3))
    total = 3 + side + rng.randrange(0, 3) + mouse.place % 2
    has_dpi = rng.random() < 0.8
    return {
        "buttons": total,
        "programmable_buttons": total - rng.randrange(0, 2),
        "side_buttons": side,
        "dpi_button": has_dpi,
        "dpi_button_position": rng.choice(("top", "bottom")) if has_dpi else None,
        "profile_button": rng.random() < 0.3,
        "split_triggers": rng.random() < 0.7,
        "button_tensioning": rng.random() < 0.4,
    }


def wireless(rng: Random, mouse: Mouse, parts: dict[str, Any]) -> Facts:
    """The radio, where there is one."""
    if not mouse.wireless:
        return {"connection": ["wired"], "wireless": False, "bluetooth": False,
                "wireless_2_4ghz": False}  # fmt: skip
    blue = rng.random() < 0.5
    return {
        "connection": ["2.4 GHz", "Bluetooth", "wired"] if blue else ["2.4 GHz", "wired"],
        "wireless": True, "wireless_2_4ghz": True, "bluetooth": blue,
        "wireless_technology": parts["brands"][mouse.product.brand]["radio"],
        "bluetooth_version": rng.choice(("5.0", "5.1", "5.2", "5.3")) if blue else None,
        "wireless_range": rng.choice((8, 10, 12, 15, 20)),
        "receiver_type": rng.choice(("USB-A", "USB-A", "USB-C")),
        "receiver_extension": rng.random() < 0.6,
        "paired_devices": rng.randrange(2, 6) if blue else 1,
    }  # fmt: skip


def battery(rng: Random, mouse: Mouse) -> Facts:
    """The battery of a wireless mouse."""
    if not mouse.wireless:
        return {}
    hours = rng.randrange(12, 30) * 5 + mouse.place
    return {
        "battery_type": rng.choice(("lithium-polymer", "lithium-ion")),
        "battery_capacity": rng.randrange(25, 60) * 10 + 10 * mouse.place,
        "battery_life": hours,
        "battery_life_max_polling": hours // rng.randrange(3, 6),
        "battery_life_bluetooth": hours + rng.randrange(10, 80),
        "charge_time": rng.choice((60, 75, 90, 105, 120)),
        "fast_charging": rng.random() < 0.5,
        "battery_replaceable": rng.random() < 0.2,
        "charge_while_using": rng.random() < 0.9,
        "charging_port": rng.choice(("USB-C", "USB-C", "USB-C", "Micro-USB")),
        "wireless_charging": rng.random() < 0.25,
        "charging_dock": rng.random() < 0.15,
    }
