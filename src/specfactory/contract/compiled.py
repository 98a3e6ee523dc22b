"""A contract made ready for work: labels, phrases and rules looked up, not searched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from specfactory.contract.matching import (
    Expression,
    FieldRole,
    LabelIndex,
    LabelMatch,
    PhraseIndex,
    TextMatch,
    field_role,
    label_unit,
    parse_expression,
    value_pattern,
)
from specfactory.contract.text import unmarked
from specfactory.contract.values import (
    MAX_TEXT,
    NumberRule,
    PriceRule,
    component_name,
    derive_boolean,
    derive_enumeration,
    derive_list,
    derive_number,
    derive_price,
    derive_text,
    refuse,
    same_value,
    says_nothing,
    unit_table,
    vocabulary,
)
from specfactory.errors import UnknownSubject
from specfactory.model import CheckResult, Contract, Field, FieldType, Value

MAX_WORDS = 20_000
MAX_BODY = 1_000_000  # characters of an article

Derive = Callable[[str, str, str], Value]  # words, label, language

_REMEMBERED, _SHORT = 1_000, 80  # values of a field, and characters of the words they come from
_MEASURED = frozenset({FieldType.NUMBER, FieldType.INTEGER, FieldType.DIMENSIONS})


class CompiledContract:
    """A contract's matchers and rules. Everything here is pure and deterministic."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.roles = {name: field_role(field) for name, field in contract.fields.items()}
        self._tables = {
            name: unit_table(field.unit, field.units)
            if field.unit is not None and field.type in _MEASURED
            else None
            for name, field in contract.fields.items()
        }
        self._allowed = {name: vocabulary(f.allowed) for name, f in contract.fields.items()}
        lists = {name: vocabulary(known) for name, known in contract.components.items()}
        self._components = {
            name: lists.get(field.component) if field.component else None
            for name, field in contract.fields.items()
        }
        self._derive = {name: self._rule(field) for name, field in contract.fields.items()}
        self._labels = LabelIndex(contract, self._tables)
        self._phrases: PhraseIndex | None = None
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

    def derive(self, field: str, words: str, label: str = "", language: str = "") -> Value:
        """The value that the words give for the field; raises NotDerivable with a code."""
        try:
            rule = self._derive[field]
        except KeyError:
            raise self._unknown(field) from None
        if len(words) > MAX_WORDS and len(words) > _longest(self.roles[field]):
            refuse(field, words, "too_long", f"it has {len(words)} characters")
        return rule(words.strip(), label, language)

    def text_matches(self, text: str) -> Iterator[TextMatch]:
        """The contract's phrases in running text."""
        return self._indexed_phrases().find(text)

    @property
    def phrase_mark(self) -> re.Pattern[str]:
        """Finds, in small letters, a word without which there is no phrase."""
        return self._indexed_phrases().mark

    def _indexed_phrases(self) -> PhraseIndex:
        if self._phrases is None:
            fields = {name: f for name, f in self.contract.fields.items() if f.patterns}
            values = {
                name: value_pattern(
                    field, self._tables[name], self._allowed[name] or self._components[name]
                )
                for name, field in fields.items()
            }
            self._phrases = PhraseIndex({n: f.patterns for n, f in fields.items()}, values)
        return self._phrases

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
        return same_value(self._field(field), a, b)

    def component(self, field: str, value: Value) -> str | None:
        """The known component that the value names; None when unknown or without a list."""
        known = self._components[self._field(field).name]
        return component_name(value, known) if known and isinstance(value, str) else None

    def _field(self, name: str) -> Field:
        try:
            return self.contract.fields[name]
        except KeyError:
            raise self._unknown(name) from None

    def _unknown(self, name: str) -> UnknownSubject:
        return UnknownSubject("field", name, f"contract {self.contract.category} has no such field")

    def _rule(self, field: Field) -> Derive:
        """Rule of a field, its choices made once."""
        name = field.name
        if field.type in _MEASURED:
            table = self._tables[name]
            number: Callable[[NumberRule, str, str | None, str], Value] = derive_number
            if field.type is FieldType.DIMENSIONS:
                from specfactory.contract.values import derive_dimensions  # seldom asked for

                number = derive_dimensions
            limits = NumberRule(name, table, field.type is FieldType.INTEGER, field.low, field.high)
            return _something(
                field,
                lambda w, label, lang: number(
                    limits, w, label_unit(label, table) if label else None, lang
                ),
            )
        if field.type is FieldType.PRICE:
            currencies = tuple(dict.fromkeys(c for c in (field.unit, *field.units) if c))
            rule = PriceRule(name, currencies, field.low, field.high)
            return _something(field, lambda w, label, lang: derive_price(rule, w, label, lang))
        if field.type is FieldType.DATE:
            from specfactory.contract.values import derive_date  # most contracts ask for no day

            return _something(field, lambda w, _, lang: derive_date(field.name, w, lang))
        allowed, known = self._allowed[name], self._components[name]
        if field.type is FieldType.BOOLEAN:
            return lambda words, label, lang: derive_boolean(name, unmarked(words), allowed)
        if field.type is FieldType.LIST:
            return lambda words, label, lang: derive_list(
                name, unmarked(words), allowed, known, lang
            )
        if allowed is not None:
            return lambda words, label, lang: derive_enumeration(name, unmarked(words), allowed)
        longest = _longest(self.roles[name])
        return lambda words, label, lang: derive_text(name, unmarked(words), known, longest)


def _longest(role: FieldRole) -> int:
    return MAX_BODY if role.is_long_text else MAX_TEXT


def _something(field: Field, derive: Derive) -> Derive:
    """Refuse placeholders; cache results, since pages of one shop repeat the same values."""

    def checked(words: str, label: str, language: str) -> Value:
        if says_nothing(words):
            refuse(field.name, words, "no_value", "it says nothing")
        if len(words) > 400:
            refuse(field.name, words, "too_long", f"it has {len(words)} characters")
        return derive(words, label, language)

    known = lru_cache(maxsize=_REMEMBERED)(checked)

    def remembered(words: str, label: str, language: str) -> Value:
        rule = known if len(words) + len(label) <= _SHORT else checked
        return rule(words, label, language)

    return remembered


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
