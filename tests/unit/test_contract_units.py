"""Units: spellings, conversion, what may be written bare."""

# ruff: noqa: E501 - a case is one line; a property test looks at what was raised

from __future__ import annotations

import subprocess
import sys

import pytest

from specfactory.contract.values.known_units import SPELLINGS, UNITS
from specfactory.contract.values.units import pint_conversion, resolve, unit_table


@pytest.mark.parametrize(
    ("unit", "written", "factor"),
    [
        ("g", "oz", 28.349523125),
        ("g", "lbs", 453.59237),
        ("g", "Gramm", 1.0),
        ("mm", "pouces", 25.4),
        ("mm", "″", 25.4),
        ("mm", "Zoll", 25.4),
        ("h", "Stunden", 1.0),
        ("h", "minutes", 1 / 60),
        ("ms", "µs", 0.001),
        ("Hz", "kHz", 1000.0),
        ("Hz", "KHz", 1000.0),
        ("month", "years", 12.0),
        ("gf", "cN", 1.0197162129779282),
        ("dpi", "CPI", 1.0),
        ("ips", "IPS", 1.0),
        ("cd/m²", "nits", 1.0),
        ("Nm", "ft-lbs", 1.3558179483314004),
    ],
)
def test_a_spelling_comes_to_the_fields_unit(unit, written, factor):
    found = unit_table(unit, ()).find(written)

    assert found is not None
    assert found.factor == pytest.approx(factor)


@pytest.mark.parametrize("name", sorted(UNITS))
def test_the_table_agrees_with_pint(name):
    names = {"in": "inch", "µm": "micrometer", "µs": "microsecond", "µA": "microampere",
             "G": "standard_gravity", "gf": "force_gram", "kgf": "kilogram_force",
             "ozf": "force_ounce", "lbf": "force_pound", "ips": "inch/second", "°": "degree",
             "m/s²": "meter/second**2", "mm²": "mm**2", "cm²": "cm**2", "m²": "m**2",
             "km²": "km**2", "in²": "inch**2", "ft²": "foot**2", "yd²": "yard**2", "cm³": "cm**3",
             "m³": "m**3", "fl oz": "fluid_ounce", "cal": "calorie", "kcal": "kilocalorie",
             "km/h": "km/hour", "kbit/s": "kilobit/second", "Mbit/s": "megabit/second",
             "Gbit/s": "gigabit/second", "B": "byte", "KB": "kilobyte", "MB": "megabyte",
             "GB": "gigabyte", "TB": "terabyte", "t": "metric_ton", "h": "hour", "pt": "pint",
             "qt": "quart", "gal": "gallon", "min": "minute", "hp": "horsepower",
             "PS": "metric_horsepower", "Nm": "newton*meter", "Ncm": "newton*cm",
             "lb-ft": "force_pound*foot", "in-lb": "force_pound*inch",
             "kgf·cm": "kilogram_force*cm"}  # fmt: skip
    bases = {"mass": "g", "length": "mm", "time": "s", "frequency": "Hz", "force": "N",
             "torque": "newton*meter",
             "speed": "m/s", "acceleration": "m/s**2", "angle": "degree", "voltage": "V",
             "current": "A", "charge": "A*hour", "power": "W", "energy": "J", "pressure": "Pa",
             "information": "bit", "data rate": "bit/second", "area": "m**2", "volume": "liter"}  # fmt: skip
    unit = UNITS[name]
    if unit.dimension not in bases:
        return
    pints = names.get(name, name).replace("mAh", "mA*hour").replace("Ah", "A*hour")
    pints = pints.replace("kWh", "kW*hour").replace("Wh", "W*hour")

    assert pint_conversion(pints, bases[unit.dimension])[0] == pytest.approx(unit.factor, rel=1e-5)


def test_every_spelling_of_a_field_means_one_unit():
    for name, unit in UNITS.items():
        table = unit_table(name, ())
        for spelling in SPELLINGS[name]:
            found = table.find(spelling)
            assert found is not None, (unit.dimension, spelling)
            if spelling not in ("m", "g", "b", "once"):
                assert found.name == name, (spelling, found.name)


@pytest.mark.parametrize(
    ("unit", "units", "bare"),
    [
        ("dpi", (), True),
        ("clicks", (), True),
        ("ips", ("ips",), True),
        ("G", ("G",), True),
        ("ips", (), False),
        ("Hz", (), False),
        ("g", ("g",), False),
        ("million clicks", (), False),
    ],
)
def test_only_units_without_another_scale_may_be_left_out(unit, units, bare):
    assert unit_table(unit, units).bare is bare


def test_a_mass_is_a_force_only_where_the_contract_lists_it():
    assert unit_table("gf", ()).find("g") is None
    assert unit_table("gf", ("gf", "g")).find("g") == unit_table("gf", ("gf", "g")).find("gf")._replace(name="g")  # fmt: skip


def test_a_millimetre_is_no_gram():
    assert unit_table("g", ()).find("mm") is None


def test_temperatures_have_an_offset():
    found = unit_table("°C", ()).find("°F")

    assert found is not None
    assert 68 * found.factor + found.offset == pytest.approx(20.0)


def test_an_uncommon_unit_is_left_to_pint():
    found = unit_table("furlong", ("furlong", "rod")).find("rod")

    assert found is not None
    assert found.factor == pytest.approx(0.025)


@pytest.mark.parametrize("unit", ["m**9**9**9", "__import__('os')", "m" * 5000, "9**9**9"])
def test_pint_is_never_asked_to_compute(unit):
    assert pint_conversion(unit, "meter") is None


def test_unknown_names_are_plain_units():
    table = unit_table("blinkenlights", ("blinkenlights", "lights"))

    assert resolve("blinkenlights") is None
    assert table.find("lights") == table.find("blinkenlights")


def test_the_common_units_never_import_pint():
    script = (
        "import sys; from specfactory.contract import *\n"
        "for name in categories(): compile_contract(find_contract(name))\n"
        "print('pint' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(("words", "factor"), [("Ω", 1.0), ("\u2126", 1.0), ("kΩ", 1000.0)])
def test_ohms_are_known_by_their_signs(words, factor):
    found = unit_table("ohm", ()).find(words)

    assert found is not None
    assert found.factor == factor
