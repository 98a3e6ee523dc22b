"""How a site words a value: labels, units, number formats, all drawn from the seed."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from random import Random
from typing import Any

from specfactory.demo.truth import read_yaml
from specfactory.demo.values import Site
from specfactory.model import Frozen, Json, Product

_FACTORS = {"oz": 28.349523125, "in": 25.4, "ft": 0.3048, "cm": 10.0, "h": 60.0, "year": 12.0}
_MONTHS = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August",
           "September", "October", "November", "December"),
    "de": ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August",
           "September", "Oktober", "November", "Dezember"),
}  # fmt: skip
_BOOLEAN = {
    "en": (("Yes", "No"), ("yes", "no"), ("✓", "✗"), ("Supported", "Not supported")),
    "de": (("Ja", "Nein"), ("ja", "nein")),
}


_NAMING = {
    "en": ("{name}", "{name} Gaming Mouse", "{brand} {model} ({variant})",
           "{brand} {model} – {variant} Gaming Mouse", "{brand} {model}, {variant}"),
    "de": ("{name}", "{name} Gaming-Maus", "{brand} {model} ({variant})"),
}  # fmt: skip


@lru_cache(maxsize=1)
def wording() -> dict[str, Any]:
    """The file of words, read once."""
    content: dict[str, Any] = read_yaml("wording.yaml")
    return content


class FieldWords(Frozen):
    """What the demo web knows about wording one field."""

    name: str
    kind: str  # who states it
    section: str
    unit: str
    labels: tuple[str, ...]
    odd: tuple[str, ...]
    notes: tuple[str, ...]
    sentences: tuple[str, ...]
    upto: bool
    signed: bool


@lru_cache(maxsize=2)
def field_words(language: str) -> dict[str, FieldWords]:
    """All fields that can be worded in a language."""
    return {
        name: _field_words(name, spec, language)
        for name, spec in wording()["fields"].items()
        if spec.get(language) or (language == "en" and spec.get("en"))
    }


def _field_words(name: str, spec: dict[str, Any], language: str) -> FieldWords:
    return FieldWords(
        name,
        spec["c"],
        spec["s"],
        spec.get("u", ""),
        tuple(spec[language]),
        tuple(spec.get("odd", ())) if language == "en" else (),
        tuple(spec.get("notes", ("",))) if language == "en" else ("",),
        tuple(spec.get("say", ())),
        spec.get("upto", False),
        spec.get("signed", False),
    )


class Style:
    """One site's way of writing; the same for all its pages."""

    def __init__(self, site: Site, seed: int) -> None:
        rng = Random(f"{seed}:{site.name}:style")
        self.site, self.language = site, site.language
        self.fields = field_words(site.language)
        self.decimal = "," if self.language == "de" else "."
        self.thousands = "." if self.language == "de" else rng.choice(("", ","))
        self.boolean = rng.choice(_BOOLEAN[self.language])
        self.date_form = rng.randrange(3)
        self.joint = rng.choice((", ", " / ", ", "))
        self.times = rng.choice((" x ", " × ", " x "))
        self.sides = rng.choice(("plain", "plain", "named", "each"))
        self.naming = rng.choice(_NAMING[site.language])
        self.both_units = (
            site.layout != "database"
            and not site.imperial
            and self.language == "en"
            and rng.random() < 0.4
        )
        self.charge_form = rng.choice(("min", "min", "h", "h min"))
        self.warranty_form = rng.choice(("month", "year", "sentence"))
        self.clicks_form = rng.choice(("full", "full", "short"))
        self.centimetres = rng.random() < 0.25 and not site.imperial
        self.unit_in_label = site.layout == "database" and rng.random() < 0.5
        self.hard_spaces = site.layout == "cents" or rng.random() < 0.3
        self._units = {
            unit: rng.choice(spellings[self.language])
            for unit, spellings in wording()["units"].items()
        }
        self._odd = self._draw_odd(rng)
        self._prose = {
            name
            for name, f in self.fields.items()
            if rng.random() < 0.6 and f.sentences and site.layout == "review"
        }
        self._labels = {
            name: rng.choice(f.odd if name in self._odd else f.labels)
            for name, f in self.fields.items()
        }
        self._notes = {name: rng.choice(f.notes) for name, f in self.fields.items()}
        self._values = {key: rng.random() for key in sorted(wording()["values"])}
        self._sections = {
            key: rng.choice(words[self.language]) for key, words in wording()["sections"].items()
        }
        self.order = rng.sample(sorted(self._sections), len(self._sections))
        self._places = {name: rng.random() for name in sorted(self.fields)}
        self._joints = {
            name: rng.choice(joints) for name, joints in _SEVERAL.items()
            if rng.random() < 0.25 and not self.in_prose(name)
        }  # fmt: skip

    def _draw_odd(self, rng: Random) -> set[str]:
        """Fields that this site calls by a name that few would understand."""
        headed = self.site.layout in ("table", "definitions", "tabs", "lines")
        return {name for name, f in self.fields.items() if rng.random() < 0.1 and f.odd and headed}

    def is_odd(self, name: str) -> bool:
        """Whether the label is one that few would understand."""
        return name in self._odd

    def in_prose(self, name: str) -> bool:
        """Whether the site says it in a sentence only."""
        return name in self._prose

    def lists_several(self, name: str) -> bool:
        """Whether the site writes a range, or all alternatives, where one value is asked for."""
        return name in self._joints

    def sentence(self, name: str, words: str, rng: Random) -> str:
        """The value in running text, or nothing where the site has it in a table."""
        spec = self.fields[name]
        return rng.choice(spec.sentences).format(value=words) if name in self._prose else ""

    def title(self, product: Product) -> str:
        """What the site's headings call a product."""
        return self.naming.format(
            name=product.name, brand=product.brand, model=product.model, variant=product.variant
        )

    def extra_rows(self, rng: Random) -> list[tuple[str, str, str]]:
        """Lines that no contract asks for: section, label, words."""
        rows = wording()["extras"][self.language]
        chosen = rng.sample(rows, min(len(rows), rng.randrange(3, 7)))
        return [(self._sections[section], label, rng.choice(words))
                for section, label, words in chosen]  # fmt: skip

    def label(self, name: str) -> str:
        """What the site calls the field."""
        return str(self._labels[name])

    def note(self, name: str) -> str:
        """What it adds to that in brackets, if anything."""
        unit = self.fields[name].unit
        return f" ({unit})" if self._unit_in_label(name) else str(self._notes[name])

    def _unit_in_label(self, name: str) -> bool:
        """Whether the label carries the unit; one with brackets of its own does not."""
        return self.unit_in_label and bool(self.fields[name].unit) and "(" not in self.label(name)

    def section(self, name: str) -> str:
        """The heading the field stands under."""
        return str(self._sections[self.fields[name].section])

    def place(self, name: str) -> tuple[int, float]:
        """Where the field stands on the page."""
        return self.order.index(self.fields[name].section), self._places[name]

    def words(self, name: str, value: Json) -> str:
        """The value as this site writes it."""
        spec = self.fields[name]
        if isinstance(value, bool):
            return str(self.boolean[0] if value else self.boolean[1])
        if isinstance(value, dict):
            return f"{value['amount']:.2f}" if self._bare_price(name) else self.money(value)
        if isinstance(value, list):
            return self._several(spec, value)
        if isinstance(value, str):
            return self._text(spec, value)
        return self._quantity(spec, value)

    def shown(self, name: str, facts: Mapping[str, Json], value: Json) -> str:
        """The value as this site shows it: with all that is below it, where it lists several."""
        words = self.words(name, value)
        if name not in self._joints:
            return words
        below = [facts["min_dpi"]] if name == "max_dpi" else [n for n in _RATES if n < value]
        return self._joints[name].join([*map(self.number, below), words])

    def _bare_price(self, name: str) -> bool:
        """Structured data has the currency in a property of its own."""
        return name == "price" and self.site.layout == "bare"

    def money(self, value: dict[str, Any]) -> str:
        """A price, its currency before or after it as the language has it."""
        amount = self.number(value["amount"], 2)
        return f"{amount} €" if value["currency"] == "EUR" else f"${amount}"

    def number(self, value: float, decimals: int | None = None) -> str:
        """A number with this site's separators."""
        plain = f"{value:,.{decimals}f}" if decimals is not None else _plain(value)
        whole, _, rest = plain.partition(".")
        whole = whole.replace(",", self.thousands)
        return f"{whole}{self.decimal}{rest}" if rest else whole

    def unit(self, name: str) -> str:
        """A unit with the space before it, as this site spells it."""
        return str(self._units[name])

    def _text(self, spec: FieldWords, value: str) -> str:
        if spec.name in ("release_date", "announced_date"):
            return self._date(value)
        choices = wording()["values"].get(spec.name, {}).get(value, {}).get(self.language)
        return str(self._pick(choices, spec.name)) if choices else value

    def _several(self, spec: FieldWords, values: Sequence[Json]) -> str:
        if values and not isinstance(values[0], str):
            return self._sides(spec, values)
        return self.joint.join(self._text(spec, value) for value in values)

    def _pick(self, choices: Sequence[Any], name: str) -> Any:
        return choices[int(self._values[name] * len(choices))]

    def _sides(self, spec: FieldWords, values: Sequence[float]) -> str:
        if self.site.imperial:
            return self.times.join(f"{v / _FACTORS['in']:.2f}" for v in values) + self.unit("in")
        unit = "" if self._unit_in_label(spec.name) else self.unit(spec.unit)
        numbers = [self.number(v) for v in values]
        if self.sides == "named" and self.language == "en":
            numbers = [f"{number} ({side})" for number, side in zip(numbers, "LWH", strict=True)]
        elif self.sides == "each":
            return self.times.join(number + unit for number in numbers)
        return self.times.join(numbers) + unit

    def _quantity(self, spec: FieldWords, value: float) -> str:
        if not self.unit_in_label and (phrase := self._phrase(spec.name, value)):
            return phrase
        unit, shown, decimals = spec.unit, value, None
        if not self._unit_in_label(spec.name):
            unit, shown, decimals = self._converted(spec, value)
        words = self.number(shown, decimals)
        if unit == "year" and shown == 1:
            return f"{words} {'year' if self.language == 'en' else 'Jahr'}"
        if unit and not self._unit_in_label(spec.name):
            words += self.unit(unit)
        if spec.signed and value > 0:
            words = f"+{words}"
        if spec.upto and self.language == "en" and self._values.get("shape", 0) < 0.5:
            words = f"up to {words}"
        if (
            self.both_units
            and not self.centimetres
            and spec.name in ("weight", "length", "width", "height")
        ):
            words += self._second_unit(spec.unit, value)
        return words

    def _converted(self, spec: FieldWords, value: float) -> tuple[str, float, int | None]:
        """The unit in which this site gives the field, with the digits it shows."""
        metric = {"g": "oz", "mm": "in", "m": "ft"}.get(spec.unit)
        if self.site.imperial and metric and spec.name in _IMPERIAL:
            return metric, value / _FACTORS[metric], 2
        if self.centimetres and spec.name in ("length", "width", "height"):
            return "cm", value / _FACTORS["cm"], None
        if spec.name == "charge_time" and self.charge_form == "h":
            return "h", value / _FACTORS["h"], None
        if spec.name == "warranty" and self.warranty_form == "year":
            return "year", value / _FACTORS["year"], None
        return spec.unit, value, None

    def _phrase(self, name: str, value: float) -> str:
        """Values that some English sites do not write as a number with its unit."""
        if self.language != "en":
            return ""
        if name == "warranty" and self.warranty_form == "sentence":
            return f"{value // 12:.0f}-year limited warranty"
        if name == "switch_durability" and self.clicks_form == "short":
            return f"{value:.0f}M clicks"
        if name == "charge_time" and self.charge_form == "h min" and value % 60 and value > 60:
            return f"{value // 60:.0f} h {value % 60:.0f} min"
        return ""

    def _second_unit(self, unit: str, value: float) -> str:
        other = {"g": "oz", "mm": "in"}[unit]
        return f" / {value / _FACTORS[other]:.2f} {other}"

    def _date(self, value: str) -> str:
        day = date.fromisoformat(value)
        month = _MONTHS[self.language][day.month - 1]
        if self.language == "de":
            forms = (f"{day.day}. {month} {day.year}", f"{day:%d.%m.%Y}", value)
        else:
            forms = (f"{month} {day.day}, {day.year}", f"{day.day} {month[:3]} {day.year}", value)
        return forms[self.date_form]


_IMPERIAL = frozenset(
    {"weight", "length", "width", "height", "cable_length", "package_weight", "cable_weight",
     "grip_width", "wireless_range"}
)  # fmt: skip


_SEVERAL = {"max_dpi": (" – ", "-", " to "), "polling_rate": ("/", " / ")}
_RATES = (125, 250, 500, 1000, 2000, 4000)


def _plain(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.10g}"
