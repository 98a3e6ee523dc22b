"""Units in running text, put together from parts: ``km/s²``, ``kilometres per hour``, ``MWh``.

A unit is what it measures (powers of the base quantities) and its size in SI units, so that
``ml`` and ``cubic centimetre`` are one unit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from specfactory.contract.values.currencies import SIGNS


class Compound(NamedTuple):
    """What a unit measures, as sorted powers of base quantities, and its size."""

    powers: tuple[tuple[str, int], ...]
    size: float

    def times(self, other: Compound, power: int = 1) -> Compound:
        """This unit multiplied by a power of another."""
        powers = dict(self.powers)
        for base, exponent in other.powers:
            powers[base] = powers.get(base, 0) + exponent * power
        kept = tuple(sorted((base, e) for base, e in powers.items() if e))
        return Compound(kept, self.size * other.size**power)

    def is_same(self, other: Compound) -> bool:
        """Whether both measure the same in the same size."""
        return self.powers == other.powers and abs(self.size / other.size - 1) < 1e-6


PLAIN = Compound((), 1.0)
"""Of a number without a unit."""

# Name or symbol, size in SI, powers (m g s A K mol cd and others), symbols that take prefixes,
# names that take prefixes. One line a unit; "=" parts the symbols from the names.
_UNITS = """
m:1 | 1 | m | metre meter mètre metro
g:1 | 0.001 | g | gram gramme
s:1 | 1 | s | second sec
A:1 | 1 | A | ampere amp
K:1 | 1 | K | kelvin
mol:1 | 1 | mol | mole
cd:1 | 1 | cd | candela
s:-1 | 1 | Hz | hertz
g:1 m:1 s:-2 | 1 | N | newton
g:1 m:2 s:-2 | 1 | J | joule
g:1 m:2 s:-3 | 1 | W | watt
g:1 m:-1 s:-2 | 1 | Pa | pascal
g:1 m:2 s:-3 A:-1 | 1 | V | volt
g:1 m:2 s:-3 A:-2 | 1 | Ω ohm | ohm
A:1 s:1 | 1 | - | coulomb
farad:1 | 1 | F | farad
henry:1 | 1 | H | henry
tesla:1 | 1 | T | tesla
weber:1 | 1 | Wb | weber
gray:1 | 1 | Gy | gray
sievert:1 | 1 | Sv | sievert
becquerel:1 | 1 | Bq | becquerel
lumen:1 | 1 | lm | lumen
lux:1 | 1 | lx | lux
m:3 | 0.001 | l L ℓ | litre liter litro
bit:1 | 1 | bit b | bit
bit:1 | 8 | B | byte
g:1 m:2 s:-2 | 4.184 | cal | calorie
g:1 m:2 s:-2 | 1.602176634e-19 | eV | electronvolt electron_volt
g:1 m:-1 s:-2 | 100000 | bar | bar
m:2 | 1e-28 | b barn | barn
s:1 | 31557600 | a yr | annum year
pc:1 | 1 | pc | parsec
g:1 | 1000 | t | tonne
bel:1 | 1 | - | bel
"""
_FIXED = """
s:1 | 60 | min mins minute minutes
s:1 | 3600 | h hr hrs hour hours
s:1 | 86400 | d day days
s:1 | 604800 | wk wks week weeks
s:1 | 2629800 | mo month months
s:1 | 31557600 | yr yrs year years
s:1 | 315576000 | decade decades
s:1 | 3155760000 | century centuries
m:1 | 0.0254 | in inch inches " ″ ”
m:1 | 0.3048 | ft foot feet ′
m:1 | 0.9144 | yd yard yards
m:1 | 1609.344 | mi mile miles
m:1 | 1852 | nmi nautical_mile nautical_miles
m:1 | 1e-6 | micron microns
m:1 | 1e-10 | Å angstrom angstroms ångström
m:1 | 9.4607e15 | ly light-year light-years light_year light_years
m:1 | 149597870700 | au astronomical_unit astronomical_units
g:1 | 0.45359237 | lb lbs lbm pound pounds pound-mass pounds-mass
g:1 | 0.028349523125 | oz ounce ounces
g:1 | 6.35029318 | st stone
g:1 | 1000 | ton tons metric_ton metric_tons
g:1 | 0.0002 | ct carat carats karat
m:3 | 0.003785411784 | gal gallon gallons
m:3 | 0.000946352946 | qt quart quarts
m:3 | 0.000473176473 | pint pints
m:3 | 0.0002365882365 | cup cups
m:3 | 0.00001478676478 | tbsp tablespoon tablespoons
m:3 | 0.00000492892159 | tsp teaspoon teaspoons
m:3 | 0.0000295735 | fl_oz fluid_ounce fluid_ounces
m:3 | 0.158987294928 | bbl barrel barrels
m:3 | 0.000001 | cc ccm
m:2 | 10000 | ha hectare hectares
m:2 | 4046.8564224 | acre acres ac
m:1 s:-1 | 0.44704 | mph
m:1 s:-1 | 0.2777777777777778 | kph kmh
m:1 s:-1 | 0.5144444444 | kn knot knots kt
s:-1 | 0.0166666666666667 | rpm
g:1 m:-1 s:-2 | 6894.757293168361 | psi
g:1 m:-1 s:-2 | 101325 | atm atmosphere atmospheres
g:1 m:-1 s:-2 | 133.322 | mmHg torr
g:1 m:2 s:-3 | 745.7 | hp horsepower
g:1 m:2 s:-2 | 1055.06 | BTU btu
g:1 m:1 s:-2 | 4.4482216152605 | lbf pound-force
celsius:1 | 1 | °C ℃ C degC degree_celsius degrees_celsius celsius centigrade
celsius:1 | 1 | degree_centigrade degrees_centigrade deg_C degrees_C
fahrenheit:1 | 1 | °F ℉ F degF degree_fahrenheit degrees_fahrenheit fahrenheit deg_F degrees_F
angle:1 | 1 | ° deg degree degrees degree_angle
angle:1 | 57.29577951308232 | rad radian radians
share:1 | 1 | % percent per_cent percentage percentages
share:1 | 0.0001 | ppm
count:1 | 1 | times count
pixel:1 | 1 | px pixel pixels
pixel:1 m:-1 | 39.37007874 | ppi dpi
bel:1 | 0.1 | dB dBA decibel decibels
m:1 s:-2 | 9.80665 | g-force
"""
_CURRENCIES = {
    "USD": "dollar dollars usd us_dollar us_dollars", "EUR": "euro euros eur", "JPY": "yen jpy",
    "GBP": "pound_sterling pounds_sterling gbp quid", "CNY": "yuan renminbi rmb cny",
    "INR": "rupee rupees inr", "RUB": "ruble rubles rouble roubles rub", "KRW": "won krw",
    "CHF": "swiss_franc swiss_francs chf", "BTC": "bitcoin bitcoins btc", "cent": "cent cents",
    "BRL": "reais brl", "TRY": "turkish_lira", "ILS": "shekel shekels", "MXN": "peso pesos mxn",
}  # fmt: skip
_PREFIXES = {"Y": 24, "Z": 21, "E": 18, "P": 15, "T": 12, "G": 9, "M": 6, "k": 3, "h": 2,
             "da": 1, "d": -1, "c": -2, "m": -3, "µ": -6, "μ": -6, "u": -6, "n": -9, "p": -12,
             "f": -15, "a": -18}  # fmt: skip
_PREFIX_NAMES = {"yotta": 24, "zetta": 21, "exa": 18, "peta": 15, "tera": 12, "giga": 9, "mega": 6,
                 "kilo": 3, "hecto": 2, "deca": 1, "deci": -1, "centi": -2, "milli": -3,
                 "micro": -6, "nano": -9, "pico": -12, "femto": -15, "atto": -18}  # fmt: skip
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40}
_UNPREFIXED = frozenset({"a"})  # of its own an article
_BEHIND_SYMBOL = ("h", "s", "m")  # "MWh", "Nm": symbols that are written behind another


def _powers(written: str) -> tuple[tuple[str, int], ...]:
    parts = (part.split(":") for part in written.split())
    return tuple(sorted((base, int(power)) for base, power in parts))


def _tables() -> tuple[dict[str, Compound], dict[str, Compound]]:
    """By symbol, case and all; and by name, in small letters."""
    symbols: dict[str, Compound] = {}
    names: dict[str, Compound] = {}
    for line in _UNITS.strip().split("\n"):
        powers, size, given, spelled = (part.strip() for part in line.split("|"))
        made = Compound(_powers(powers), float(size))
        for symbol in given.replace("-", "").split():
            _prefixed(symbols, symbol, made, _PREFIXES)
        for name in spelled.split():
            for ending in ("", "s", "es"):
                _prefixed(names, name.replace("_", " ") + ending, made, _PREFIX_NAMES, name)
    for line in _FIXED.strip().split("\n"):
        powers, size, given = (part.strip() for part in line.split("|"))
        made = Compound(_powers(powers), float(size))
        for word in given.split():
            table = names if len(word) > 3 and word.islower() else symbols
            table[word.replace("_", " ").casefold() if table is names else word] = made
    for code, words in _CURRENCIES.items():
        for word in words.split():
            names[word.replace("_", " ")] = currency(code)
    return symbols, names


def _prefixed(
    table: dict[str, Compound],
    word: str,
    made: Compound,
    prefixes: Mapping[str, int],
    name: str = "",
) -> None:
    if word not in _UNPREFIXED or name:
        table.setdefault(word, made)
    is_information = made.powers == (("bit", 1),)
    for prefix, power in prefixes.items():
        if power < 0 and is_information:  # there are no parts of a bit
            continue
        table.setdefault(prefix + word, made._replace(size=made.size * 10.0**power))
    if word in ("B", "bit"):
        for prefix, power in _BINARY.items():
            table[prefix + word] = made._replace(size=made.size * 2.0**power)


def currency(code: str) -> Compound:
    """Money of one currency."""
    return Compound(((code, 1),), 1.0)


def currency_sign(sign: str) -> Compound | None:
    """Money by its sign: the most usual currency."""
    codes = SIGNS.get(sign.casefold())
    return currency(codes[0]) if codes else None


_SYMBOLS, _NAMES = _tables()
_WORD = r"[^\W\d_⁰¹²³⁴-⁹]+(?:-(?:year|years|force|mass))?|[°%\"″”′℃℉](?:[CF]\b)?"
_POWER = r"(?:\^?[-−]?[1-4](?!\d)|[⁻]?[¹²³⁴]|\s(?:squared|cubed))"
_TERM = re.compile(
    rf"(?P<before>(?:square|cubic|sq\.?|cu\.?|inverse)\s)?(?P<word>{_WORD})(?P<power>{_POWER})?",
    re.I,
)
_LINK = re.compile(
    r"\s?(?:/|\bper\s|\ba\s(?=day|week|month|year|hour|minute))\s?|\s?[·⋅*]\s?|\s|-(?=h)"
)
_RAISED_TO = re.compile(_POWER)
_NEXT = re.compile(r"\s([^\W\d_]+)")
_RAISED = str.maketrans("¹²³⁴⁻−", "1234--")
_POWER_WORDS = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "inverse": -1}
_MAX_TERMS = 5


class PhraseUnit(NamedTuple):
    """A unit found in a text."""

    unit: Compound
    end: int


def unit_at(text: str, at: int) -> PhraseUnit | None:
    """The longest unit that stands at a place of a text."""
    first = _term(text, at)
    if first is None:
        return None
    unit, end = PLAIN.times(first[0], first[1]), first[2]
    for _ in range(_MAX_TERMS):
        link = _LINK.match(text, end)
        following = _term(text, link.end()) if link else None
        if link is None or following is None:
            break
        divides = "/" in link[0] or link[0].strip() in ("per", "a")
        if not divides and link[0].isspace() and not _may_follow(text, link.end(), following):
            break
        unit = unit.times(following[0], -following[1] if divides else following[1])
        end = following[2]
    return PhraseUnit(unit, end)


def _may_follow(text: str, at: int, term: tuple[Compound, int, int]) -> bool:
    """Names may follow one another with a space (megawatt hour); two quantities do not."""
    word = text[at : term[2]].casefold()
    return word.startswith(("hour", "second", "metre", "meter", "watt")) and len(word) > 3


def _term(text: str, at: int) -> tuple[Compound, int, int] | None:
    """One unit with its power, and where it ends."""
    match = _TERM.match(text, at)
    if match is None:
        return None
    found = _longer_name(text, match) or _single(match["word"], match.end("word"))
    if found is None:
        return None
    unit, end = found
    power = 1
    raised = _RAISED_TO.match(text, end)
    if raised and not (unit.powers and unit.powers[0][0] in ("USD", "EUR")):
        power, end = _exponent(raised[0]), raised.end()
    if match["before"]:
        power *= _POWER_WORDS[match["before"].strip(" .").casefold()]
    return unit, power, end


def _exponent(written: str) -> int:
    word = written.strip()
    if word in ("squared", "cubed"):
        return 2 if word == "squared" else 3
    return int(word.lstrip("^").translate(_RAISED))


def _longer_name(text: str, match: re.Match[str]) -> tuple[Compound, int] | None:
    """Names of two words: degrees Celsius, metric tons."""
    following = _NEXT.match(text, match.end("word"))
    if following is None:
        return None
    both = f"{match['word']} {following[1]}"
    found = _NAMES.get(both.casefold()) or _SYMBOLS.get(both)
    return (found, following.end()) if found else None


def _single(word: str, end: int) -> tuple[Compound, int] | None:
    found = unit_named(word)
    return (found, end) if found else None


@lru_cache(maxsize=4096)
def unit_named(word: str) -> Compound | None:
    """A unit by its symbol or its name."""
    if word in _SYMBOLS:
        return _SYMBOLS[word]
    name = word.casefold()
    if (len(word) > 3 or word.islower()) and (found := _NAMES.get(name)):
        return found
    for tail in _BEHIND_SYMBOL:
        head = word[: -len(tail)]
        if len(word) > 1 and word.endswith(tail) and head in _SYMBOLS and head != "m":
            return _SYMBOLS[head].times(_SYMBOLS[tail])
    return _SYMBOLS.get(name) if len(word) > 2 else None


def parse_unit(words: str) -> Compound | None:
    """A unit that the whole of some words names: ``kilometre per square second``."""
    if words.casefold() in ("", "dimensionless"):
        return PLAIN
    found = unit_at(words, 0)
    return found.unit if found and found.end == len(words) else None
