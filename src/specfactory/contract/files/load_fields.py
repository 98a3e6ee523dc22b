"""The ``fields`` of a contract file."""

from typing import Any

from msgspec import Struct

from specfactory.contract.field_types import FIELD_TYPES
from specfactory.contract.files.yaml_nodes import Node
from specfactory.contract.files.yaml_reader import NAME, Reader, did_you_mean
from specfactory.contract.matching import PatternError, parse_pattern
from specfactory.contract.values import ISO_CODES, into, resolve, split_multiplier
from specfactory.model import Field, FieldType, Level, Tier, Tolerance

FIELD_KEYS = (
    "group", "type", "unit", "units", "level", "labels", "range", "tolerance", "tiers",
    "source_dependent", "structured", "patterns", "allowed", "component", "hint",
)  # fmt: skip


class FieldReader(Struct):
    """Reads one field after the other; ``components`` are the lists that exist."""

    reader: Reader
    components: dict[str, dict[str, tuple[str, ...]]]

    def read(self, node: Node) -> dict[str, Field]:
        """All fields, those with problems as far as they could be read."""
        given = self.reader.mapping(node, "fields")
        if node.kind == "mapping" and not node.items:
            self.reader.problem(node.line, "fields", "a contract needs at least one field")
        return {name: self._field(name, entry) for name, entry in given.items()}

    def _field(self, name: str, node: Node) -> Field:
        where = f"fields.{name}"
        if not NAME.fullmatch(name):
            self.reader.problem(
                node.line, where, "a field's name has small letters, digits and _ only"
            )
        given = self.reader.mapping(node, where, FIELD_KEYS)
        kind = FieldType.TEXT
        if "type" in given:
            kind = self.reader.choice(given["type"], f"{where}.type", FieldType) or kind
        elif node.kind == "mapping":
            kinds = ", ".join(one.value for one in FieldType)
            self.reader.problem(node.line, where, f"the type is missing; one of {kinds}")
        values: dict[str, Any] = {}
        for key, entry in given.items():
            if key != "type":
                values.update(getattr(self, f"_{key}")(entry, f"{where}.{key}"))
        field = Field(name=name, type=kind, **values)
        self._fits(field, given, where)
        return field

    def _group(self, node: Node, where: str) -> dict[str, Any]:
        return {"group": self.reader.name(node, where) or "general"}

    def _unit(self, node: Node, where: str) -> dict[str, Any]:
        return {"unit": self.reader.text(node, where) or None}

    def _units(self, node: Node, where: str) -> dict[str, Any]:
        return {"units": self.reader.texts(node, where)}

    def _level(self, node: Node, where: str) -> dict[str, Any]:
        return {"level": self.reader.choice(node, where, Level) or Level.OPTIONAL}

    def _labels(self, node: Node, where: str) -> dict[str, Any]:
        """Labels by language; a plain list is English."""
        if node.kind == "list":
            return {"labels": {"en": self.reader.texts(node, where)}}
        given = self.reader.mapping(node, where)
        for language, entry in given.items():
            if not (2 <= len(language) <= 8 and language.replace("-", "").isalpha()):
                self.reader.problem(
                    entry.line, f"{where}.{language}", "wanted a language code such as en or de"
                )
        found = {lang: self.reader.texts(n, f"{where}.{lang}") for lang, n in given.items()}
        return {"labels": found}

    def _range(self, node: Node, where: str) -> dict[str, Any]:
        if node.kind != "list" or len(node.items) != 2:
            self.reader.wrong(node, where, "[lowest, highest]; null leaves one side open")
            return {}
        low, high = (
            None if item.is_empty else self.reader.number(item, where) for item in node.items
        )
        if low is not None and high is not None and low > high:
            self.reader.problem(node.line, where, f"is reversed: {low:g} is more than {high:g}")
        return {"low": low, "high": high}

    def _tolerance(self, node: Node, where: str) -> dict[str, Any]:
        """``1`` is absolute, ``2%`` relative; a mapping names both."""
        if node.kind == "mapping":
            given = self.reader.mapping(node, where, ("absolute", "relative"))
            parts = {k: self._positive(n, f"{where}.{k}") for k, n in given.items()}
            return {"tolerance": Tolerance(**parts)}
        if node.kind == "scalar" and node.text.strip().endswith("%"):
            share = Node("scalar", node.line, node.text.strip()[:-1].strip())
            return {"tolerance": Tolerance(relative=self._positive(share, where) / 100)}
        return {"tolerance": Tolerance(absolute=self._positive(node, where))}

    def _positive(self, node: Node, where: str) -> float:
        number = self.reader.number(node, where)
        if number is not None and number < 0:
            self.reader.problem(node.line, where, f"may not be negative, given {number:g}")
        return max(0.0, number or 0.0)

    def _tiers(self, node: Node, where: str) -> dict[str, Any]:
        if node.kind != "list":
            self.reader.wrong(node, where, "a list of tiers")
            return {}
        found = (self.reader.choice(item, where, Tier) for item in node.items)
        return {"tiers": tuple(dict.fromkeys(tier for tier in found if tier))}

    def _source_dependent(self, node: Node, where: str) -> dict[str, Any]:
        return {"source_dependent": self.reader.boolean(node, where, False)}

    def _structured(self, node: Node, where: str) -> dict[str, Any]:
        return {"structured": self.reader.texts(node, where)}

    def _patterns(self, node: Node, where: str) -> dict[str, Any]:
        patterns = self.reader.texts(node, where)
        lines = [item.line for item in node.items] or [node.line]
        good = []
        for at, pattern in enumerate(patterns):
            try:
                parse_pattern(pattern)
                good.append(pattern)
            except PatternError as problem:
                self.reader.problem(
                    lines[min(at, len(lines) - 1)], where, f"{pattern!r}: {problem}"
                )
        return {"patterns": tuple(good)}

    def _allowed(self, node: Node, where: str) -> dict[str, Any]:
        return {"allowed": self.synonyms(node, where)}

    def _component(self, node: Node, where: str) -> dict[str, Any]:
        name = self.reader.text(node, where)
        if name and name not in self.components:
            known = ", ".join(self.components) or "none"
            advice = did_you_mean(name, self.components)
            self.reader.problem(
                node.line, where, f"no component list {name!r}; there are: {known}{advice}"
            )
            return {}
        return {"component": name or None}

    def _hint(self, node: Node, where: str) -> dict[str, Any]:
        return {"hint": self.reader.text(node, where)}

    def synonyms(self, node: Node, where: str) -> dict[str, tuple[str, ...]]:
        """``[a, b]`` or ``{a: [synonyms], b: []}``; a synonym belongs to one value."""
        if node.kind == "list":
            return dict.fromkeys(self.reader.texts(node, where), ())
        found: dict[str, tuple[str, ...]] = {}
        owners: dict[str, str] = {}
        for value, entry in self.reader.mapping(node, where).items():
            words = () if entry.is_empty else self.reader.texts(entry, f"{where}.{value}")
            found[value] = words
            for word in (value, *words):
                owner = owners.setdefault(word.casefold(), value)
                if owner != value:
                    self.reader.problem(
                        entry.line, f"{where}.{value}", f"{word!r} already means {owner!r}"
                    )
        return found

    def _fits(self, field: Field, given: dict[str, Node], where: str) -> None:
        """Check that the options make sense for the type."""
        facts = FIELD_TYPES[field.type]
        for key in ("unit", "units", "range", "tolerance", "allowed", "component"):
            if key in given and key not in facts.options:
                names = ", ".join(kind for kind, of in FIELD_TYPES.items() if key in of.options)
                self.reader.problem(
                    given[key].line, f"{where}.{key}", f"a {field.type} has none; only {names}"
                )
        if field.type is FieldType.ENUMERATION and not field.allowed and not field.component:
            line = given["type"].line if "type" in given else 1
            self.reader.problem(line, where, "an enumeration needs `allowed` values")
        if field.type is FieldType.BOOLEAN and field.allowed:
            odd = [value for value in field.allowed if value not in ("true", "false")]
            if odd:
                problem = f"a boolean allows true and false, not {odd[0]!r}"
                self.reader.problem(given["allowed"].line, f"{where}.allowed", problem)
        if field.units and field.unit is None and facts.is_measured:
            self.reader.problem(
                given["units"].line, f"{where}.units", "there is no `unit` that these come to"
            )
        if field.type is FieldType.PRICE:
            odd = [code for code in (field.unit, *field.units) if code and code not in ISO_CODES]
            key = "unit" if field.unit in odd else "units"
            if odd:
                problem = f"{odd[0]!r} is no currency code such as EUR or USD"
                self.reader.problem(given[key].line, f"{where}.{key}", problem)
        elif field.unit and field.units:
            canonical = split_multiplier(field.unit)[1]
            home = resolve(canonical)
            for unit in field.units:
                fits = into(unit, home) is not None if home else resolve(unit) is None
                if not fits:
                    problem = f"{unit!r} cannot be converted to {canonical!r}"
                    self.reader.problem(given["units"].line, f"{where}.units", problem)
