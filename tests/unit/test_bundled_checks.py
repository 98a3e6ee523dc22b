"""The checks across fields of the bundled contracts: what is right passes, a slip is caught."""

from __future__ import annotations

from functools import cache

import pytest

from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.model import Money, Value

CATEGORIES = ("article", "listing", "monitor", "mouse", "product", "recipe")


@cache
def compiled(category: str) -> CompiledContract:
    return compile_contract(find_contract(category))


GOOD_MOUSE: dict[str, Value] = {
    "weight": 54, "weight_measured": 55, "weight_with_battery": 60, "weight_without_battery": 50,
    "package_weight": 320, "length": 127.1, "width": 63.9, "height": 39.9, "grip_width": 58,
    "min_dpi": 100, "max_dpi": 35000, "dpi_step": 50, "lod_min": 0.7, "lod_default": 1,
    "lod_max": 2, "polling_rate": 8000, "polling_rate_wired": 8000, "polling_rate_wireless": 8000,
    "debounce_min": 0, "debounce_max": 16, "buttons": 6, "programmable_buttons": 6,
    "side_buttons": 2, "wireless": True, "bluetooth": True, "connection": ("wired", "Bluetooth"),
    "battery_capacity": 500, "battery_life": 95, "battery_life_max_polling": 17,
    "click_latency_wireless": 0.9, "click_latency_bluetooth": 9, "feet_thickness": 0.8,
}  # fmt: skip

SLIPS: dict[str, dict[str, Value]] = {
    "weight_plausibility": {"weight": 540},
    "width_below_length": {"width": 163.9},
    "height_below_length": {"height": 139.9},
    "grip_within_width": {"grip_width": 85},
    "dpi_order": {"min_dpi": 35000},
    "dpi_step_small": {"dpi_step": 30000},
    "lod_order": {"lod_min": 2.7},
    "lod_default_between": {"lod_default": 3},
    "polling_wired_floor": {"polling_rate_wired": 100},
    "polling_highest": {"polling_rate": 1000},
    "debounce_order": {"debounce_min": 20},
    "programmable_within_buttons": {"programmable_buttons": 8},
    "side_within_buttons": {"side_buttons": 6},
    "battery_needs_wireless": {"wireless": False},
    "battery_life_needs_wireless": {"wireless": False},
    "polling_costs_battery": {"battery_life_max_polling": 170},
    "battery_weight_order": {"weight_without_battery": 70},
    "measured_weight_near": {"weight_measured": 64},
    "package_heavier": {"package_weight": 50},
    "wireless_latency_order": {"click_latency_bluetooth": 0.2},
    "bluetooth_listed": {"connection": ("wired",)},
    "wired_only_has_no_radio": {"wireless": False},
    "feet_thinner_than_body": {"feet_thickness": 8},
}


def test_good_mouse_passes_every_check() -> None:
    assert {
        check.name for check in compiled("mouse").checks(GOOD_MOUSE) if not check.passed
    } == set()


def test_every_check_of_mice_has_a_slip_that_fails_it() -> None:
    assert set(SLIPS) == {check.name for check in compiled("mouse").contract.checks}


@pytest.mark.parametrize("check", SLIPS)
def test_slip_fails_its_check(check: str) -> None:
    results = compiled("mouse").checks({**GOOD_MOUSE, **SLIPS[check]})

    assert {result.name: result.passed for result in results}[check] is False


@pytest.mark.parametrize(
    ("category", "check", "good", "slip"),
    [
        (
            "monitor",
            "peak_above_typical",
            {"brightness": 400, "brightness_peak": 1000},
            {"brightness_peak": 100},
        ),
        (
            "monitor",
            "pitch_fits_density",
            {"pixel_pitch": 0.233, "pixel_density": 109},
            {"pixel_pitch": 0.5},
        ),
        (
            "monitor",
            "zones_need_dimming",
            {"local_dimming": True, "dimming_zones": 576},
            {"local_dimming": False},
        ),
        (
            "monitor",
            "power_order",
            {"power_standby": 0.5, "power_typical": 30},
            {"power_standby": 31},
        ),
        (
            "product",
            "list_price_above_price",
            {"price": Money(80, "EUR"), "list_price": Money(99, "EUR")},
            {"price": Money(100, "EUR")},
        ),
        ("product", "rating_within_scale", {"rating": 4.5, "rating_scale": 5}, {"rating": 45}),
        ("recipe", "total_covers_cook", {"cook_time": 30, "total_time": 45}, {"cook_time": 60}),
        ("recipe", "has_ingredients", {"ingredients": ("2 eggs",)}, {"ingredients": ()}),
        (
            "recipe",
            "energy_plausible",
            {"calories": 270, "fat": 10, "protein": 10, "carbohydrates": 35},
            {"calories": 2700},
        ),
        (
            "article",
            "modified_after_published",
            {"date_published": "2024-03-01", "date_modified": "2024-03-02"},
            {"date_modified": "2023-03-02"},
        ),
        ("listing", "bedrooms_within_rooms", {"bedrooms": 2, "rooms": 3}, {"bedrooms": 4}),
        (
            "listing",
            "price_per_area_fits",
            {
                "price": Money(425000, "EUR"),
                "living_area": 85,
                "price_per_area": Money(5000, "EUR"),
            },
            {"living_area": 850},
        ),
        (
            "listing",
            "deposit_below_price",
            {"price_period": "total", "price": Money(425000, "EUR"), "deposit": Money(0, "EUR")},
            {"deposit": Money(500000, "EUR")},
        ),
    ],
)
def test_check_passes_what_is_right_and_catches_the_slip(
    category: str, check: str, good: dict[str, Value], slip: dict[str, Value]
) -> None:
    def passed(values: dict[str, Value]) -> bool | None:
        return {r.name: r.passed for r in compiled(category).checks(values)}[check]

    assert passed(good) is True
    assert passed({**good, **slip}) is False


@pytest.mark.parametrize("category", CATEGORIES)
def test_check_without_its_fields_is_neither_passed_nor_failed(category: str) -> None:
    assert {result.passed for result in compiled(category).checks({})} == {None}
