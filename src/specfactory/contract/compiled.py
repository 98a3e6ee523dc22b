"""A contract made ready for work: labels, phrases and rules looked up, not searched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from specfactory.contract.equality import same_value
from specfactory.contract.field_roles import FieldRole, field_role
from specfactory.contract.field_types import FIELD_TYPES, Derive, Prepared
from specfactory.contract.matching import (
    Expression,
    LabelIndex,
    LabelMatch,
    PhraseIndex,
    TextMatch,
    parse_expression,
)
from specfactory.contract.text import find_gtins, is_upc, readable, same_gtin
from specfactory.contract.values import (
    MAX_TEXT,
    component_name,
    refuse,
    says_nothing,
    unit_table,
    vocabulary,
    with_signs,
)
from specfactory.errors import UnknownSubject
from specfactory.model import CheckResult, Contract, Field, Value

MAX_WORDS = 20_000
MAX_BODY = 1_000_000  # characters of an article

_REMEMBERED, _SHORT = 1_000, 80  # values of a field, and characters of the words they come from


class CompiledContract:
    """A contract's matchers and rules. Everything here is pure and deterministic."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.roles = {name: field_role(field) for name, field in contract.fields.items()}
        own = tuple(contract.units.items())
        lists = {name: vocabulary(known) for name, known in contract.components.items()}
        self._prepared = {
            name: Prepared(
                field,
                _longest(self.roles[name]),
                unit_table(field.unit, field.units, own, field.bare)
                if field.unit is not None and FIELD_TYPES[field.type].is_measured
                else None,
                vocabulary(
                    with_signs(field.allowed)
                    if self.roles[name].ranked_as == "currency"
                    else field.allowed
                ),
                lists.get(field.component) if field.component else None,
            )
            for name, field in contract.fields.items()
        }
        self._derive = {
            name: _rule(one, self.roles[name].code) for name, one in self._prepared.items()
        }
        codes = (name for name, role in self.roles.items() if role.code == "gtin")
        self.barcode = next(codes, "")
        """The field that holds the number of a barcode; empty where there is none."""
        tables = {name: one.table for name, one in self._prepared.items()}
        self._labels = LabelIndex(contract, tables, self.barcode)
        self._structured: dict[str, tuple[str, ...]] = {}  # fields by path
        for field in contract.fields.values():
            for path in field.structured:
                self._structured[path] = (*self._structured.get(path, ()), field.name)
        self._checks: list[tuple[Expression, str, str]] = [
            (parse_expression(check.expression), check.name, check.message)
            for check in contract.checks
        ]

    def match_label(self, label: str, section: str = "") -> LabelMatch | None:
        """The field that a label names, under the nearest heading; resembling is not naming."""
        return self._labels.match(label, section)

    def may_be_gtin(self, named: str, words: str) -> bool:
        """Tell whether words under the label of another code are a UPC, for the barcode's field."""
        return bool(self.barcode) and self.roles[named].code in ("mpn", "sku") and is_upc(words)

    def is_parcels(self, field: str, words: str) -> bool:
        """Tell whether words give the size or weight of a parcel to a field that asks for none."""
        return self._labels.is_parcels(field, words)

    def derive(self, field: str, words: str, label: str = "", language: str = "") -> Value:
        """The value that the words give for the field; raises NotDerivable with a code."""
        rule = self._derive.get(field) or self._derive[self._field(field).name]
        if len(words) > MAX_WORDS and len(words) > _longest(self.roles[field]):
            refuse(field, words, "too_long", f"it has {len(words)} characters")
        return rule(readable(words).strip(), readable(label), language)

    def text_matches(self, text: str) -> Iterator[TextMatch]:
        """The contract's phrases in running text."""
        return self._phrases.find(text)

    @property
    def phrase_mark(self) -> re.Pattern[str]:
        """Finds, in small letters, a word without which there is no phrase."""
        return self._phrases.mark

    @cached_property
    def _phrases(self) -> PhraseIndex:
        fields = {name: f for name, f in self.contract.fields.items() if f.patterns}
        values = {}
        for name, field in fields.items():
            one = self._prepared[name]
            values[name] = FIELD_TYPES[field.type].phrase(one.table, one.allowed or one.known)
        return PhraseIndex({n: f.patterns for n, f in fields.items()}, values)

    def is_covered_by(self, selectors: Mapping[str, str]) -> bool:
        """Tell whether every field has a selector, so that other methods can be skipped."""
        return selectors.keys() >= self.contract.fields.keys()

    def structured_fields(self, path: str) -> tuple[str, ...]:
        """The fields that a path of structured data fills."""
        return self._structured.get(path, ())

    def checks(self, values: Mapping[str, Value]) -> tuple[CheckResult, ...]:
        """All checks across fields; one with a missing field is neither passed nor failed."""
        return tuple(
            CheckResult(name, expression.holds(values), expression.fields, message)
            for expression, name, message in self._checks
        )

    def same(self, field: str, a: Value, b: Value) -> bool:
        """Tell whether two values are the same, within the field's tolerance."""
        if self.roles[self._field(field).name].code == "gtin":
            return same_gtin(str(a)) == same_gtin(str(b))
        return same_value(self._field(field), a, b)

    def component(self, field: str, value: Value) -> str | None:
        """The known component that the value names; None when unknown or without a list."""
        known = self._prepared[self._field(field).name].known
        return component_name(value, known) if known and isinstance(value, str) else None

    def _field(self, name: str) -> Field:
        try:
            return self.contract.fields[name]
        except KeyError:
            problem = f"contract {self.contract.category} has no such field"
            raise UnknownSubject("field", name, problem) from None


def _longest(role: FieldRole) -> int:
    return MAX_BODY if role.is_long_text else MAX_TEXT


def _rule(one: Prepared, code: str) -> Derive:
    """Rule of a field; that of a short value is cached, since pages of one shop repeat them."""
    facts, name = FIELD_TYPES[one.field.type], one.field.name
    derive = facts.derive(one)
    if code in ("gtin", "mpn"):
        return _code_rule(name, code, derive)
    if not facts.is_short:
        return derive

    def checked(words: str, label: str, language: str) -> Value:
        if says_nothing(words):
            refuse(name, words, "no_value", "it says nothing")
        if len(words) > 400:
            refuse(name, words, "too_long", f"it has {len(words)} characters")
        return derive(words, label, language)

    known = lru_cache(maxsize=_REMEMBERED)(checked)

    def remembered(words: str, label: str, language: str) -> Value:
        rule = known if len(words) + len(label) <= _SHORT else checked
        return rule(words, label, language)

    return remembered


def _code_rule(name: str, code: str, derive: Derive) -> Derive:
    """Rule of an id: a GTIN has its check digit, and a part number is no UPC."""

    def checked(words: str, label: str, language: str) -> Value:
        text = str(derive(words, label, language))
        if code == "mpn":
            return refuse(name, words, "not_a_code", "it is a UPC") if is_upc(text) else text
        codes = find_gtins(text)
        if len(codes) > 1 and _NAMES_VARIANTS.search(text):
            refuse(name, words, "several_values", f"it gives {' and '.join(codes[:3])}")
        if not codes:
            refuse(name, words, "not_a_code", "it is no number with the check digit of a GTIN")
        return codes[0]

    return checked


# Of several barcodes of one thing the first is meant; with words beside each they are variants'.
_NAMES_VARIANTS = re.compile(r"\d\W*(?!(?:UPC|EAN|GTIN|and|or)\b)[^\W\d_]{2,}", re.IGNORECASE)
_CACHE: dict[str, CompiledContract] = {}


def compile_contract(contract: Contract) -> CompiledContract:
    """Make a contract ready for work; the same contract is compiled once."""
    cached = _CACHE.get(contract.digest)
    if cached is not None and (cached.contract is contract or cached.contract == contract):
        return cached
    compiled = CompiledContract(contract)
    if contract.digest:
        if len(_CACHE) >= 64:
            _CACHE.clear()
        _CACHE[contract.digest] = compiled
    return compiled
