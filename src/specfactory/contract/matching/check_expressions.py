"""The language of checks: names, numbers, strings, arithmetic, comparisons, and, or, not, in.

Its own symbolizer and parser; nothing is handed to Python's ``eval``. Functions are those of
``_FUNCTIONS``, and ``known(field)``, which asks whether a field is filled.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from specfactory.model import Frozen, Money, Value

MAX_DEPTH = 40
MAX_LENGTH = 2000

Evaluate = Callable[[Mapping[str, Value]], Any]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*)"
    r"|(?P<string>\"[^\"]*\"|'[^']*')|(?P<op>==|!=|<=|>=|[-+*/()<>,]))"
)
_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: _equal(a, b),  # noqa: PLW0108 - defined below
    "!=": lambda a, b: not _equal(a, b),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OF_ONE: Mapping[str, Callable[..., Any]] = {"abs": abs, "len": len}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {**_OF_ONE, "min": min, "max": max}
_WORDS = frozenset({"and", "or", "not", "in", "true", "false"})


class ExpressionError(ValueError):
    """An expression that cannot be read."""


class MissingField(Exception):
    """A field that a check needs is not filled."""


class Expression(Frozen):
    """A parsed expression and the fields it names."""

    fields: tuple[str, ...]
    evaluate: Evaluate

    def holds(self, values: Mapping[str, Value]) -> bool | None:
        """True or False; None when a field is missing or the values do not compare."""
        try:
            return bool(self.evaluate(values))
        except (MissingField, TypeError, ValueError, ZeroDivisionError, OverflowError):
            return None


def parse_expression(text: str) -> Expression:
    """Read an expression; raises ExpressionError with what is wrong and where."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(f"it is longer than {MAX_LENGTH} characters")
    symbols: list[tuple[str, str]] = []
    at, text = 0, text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ExpressionError(f"{text[at:].strip()[:12]!r} is not understood")
        kind = match.lastgroup or ""
        symbols.append((kind, match[kind]))
        at = match.end()
    parser = _Parser(symbols)
    evaluate = parser.any_of()
    if parser.peek() is not None:
        raise ExpressionError(f"{parser.peek()!r} is one too many")
    return Expression(tuple(dict.fromkeys(parser.fields)), evaluate)


class _Parser:
    """Recursive descent, one method a level: or, and, not, comparison, sum, product, sign, atom."""

    def __init__(self, symbols: list[tuple[str, str]]) -> None:
        self.symbols, self.at, self.depth = symbols, 0, 0
        self.fields: list[str] = []

    def peek(self) -> str | None:
        return self.symbols[self.at][1] if self.at < len(self.symbols) else None

    def take(self, *wanted: str) -> str | None:
        """The next symbol if it is one of these operators or words."""
        if self.at < len(self.symbols):
            kind, symbol = self.symbols[self.at]
            if kind != "string" and symbol in wanted:
                self.at += 1
                return symbol
        return None

    def need(self, wanted: str) -> None:
        if self.take(wanted) is None:
            raise ExpressionError(f"{wanted!r} is missing before {self.peek() or 'the end'!r}")

    def any_of(self) -> Evaluate:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"it is nested deeper than {MAX_DEPTH} levels")
        parts = self.listed("or", self.all_of)
        self.depth -= 1
        return parts[0] if len(parts) == 1 else lambda values: any(part(values) for part in parts)

    def all_of(self) -> Evaluate:
        parts = self.listed("and", self.negation)
        return parts[0] if len(parts) == 1 else lambda values: all(part(values) for part in parts)

    def listed(self, mark: str, part: Callable[[], Evaluate]) -> list[Evaluate]:
        parts = [part()]
        while self.take(mark):
            parts.append(part())
        return parts

    def negation(self) -> Evaluate:
        negate = False
        while self.take("not"):
            negate = not negate
        inner = self.comparison()
        return (lambda values: not inner(values)) if negate else inner

    def comparison(self) -> Evaluate:
        first = self.sum()
        chain: list[tuple[Callable[[Any, Any], Any], Evaluate]] = []
        while (symbol := self.take(*_COMPARE, "in", "not")) is not None:
            if symbol in _COMPARE:
                chain.append((_COMPARE[symbol], self.sum()))
            else:
                if symbol == "not":
                    self.need("in")
                is_in = symbol == "in"
                chain.append((_is_in if is_in else lambda a, b: not _is_in(a, b), self.options()))
        if not chain:
            return first

        def holds(values: Mapping[str, Value]) -> bool:
            left = first(values)
            for compare, right_of in chain:
                right = right_of(values)
                if not compare(left, right):
                    return False
                left = right
            return True

        return holds

    def options(self) -> Evaluate:
        """``(a, b, c)``, or one thing that holds several: a list field, a text."""
        if self.take("(") is None:
            return self.sum()
        parts = self.listed(",", self.any_of)
        self.need(")")
        return lambda values: tuple(part(values) for part in parts)

    def sum(self) -> Evaluate:
        return self.combined({"+": operator.add, "-": operator.sub}, self.product)

    def product(self) -> Evaluate:
        return self.combined({"*": operator.mul, "/": operator.truediv}, self.signed)

    def combined(
        self, operators: Mapping[str, Callable[[Any, Any], Any]], part: Callable[[], Evaluate]
    ) -> Evaluate:
        left = part()
        while symbol := self.take(*operators):
            left = _binary(operators[symbol], left, part())
        return left

    def signed(self) -> Evaluate:
        minus = False
        while symbol := self.take("-", "+"):
            minus ^= symbol == "-"
        inner = self.atom()
        return (lambda values: -_number(inner(values))) if minus else inner

    def atom(self) -> Evaluate:
        if self.at >= len(self.symbols):
            raise ExpressionError("it ends too early")
        kind, symbol = self.symbols[self.at]
        self.at += 1
        if kind == "number":
            return _constant(float(symbol))
        if kind == "string":
            return _constant(symbol[1:-1])
        if symbol == "(":
            inner = self.any_of()
            self.need(")")
            return inner
        if kind != "name" or symbol in _WORDS - {"true", "false"}:
            raise ExpressionError(f"{symbol!r} stands where a value should be")
        return self.named(symbol)

    def named(self, name: str) -> Evaluate:
        if name in ("true", "false"):
            return _constant(name == "true")
        if self.take("("):
            return self.call(name)
        self.fields.append(name)

        def value_of(values: Mapping[str, Value]) -> Any:
            value = values.get(name)
            if value is None:
                raise MissingField(name)
            return value.amount if isinstance(value, Money) else value

        return value_of

    def call(self, name: str) -> Evaluate:
        if name == "known":
            return self.known()
        if name not in _FUNCTIONS:
            known = ", ".join((*_FUNCTIONS, "known"))
            raise ExpressionError(f"unknown function {name!r}; known: {known}")
        arguments = self.listed(",", self.any_of)
        self.need(")")
        if name in _OF_ONE and len(arguments) != 1:
            raise ExpressionError(f"{name} takes one value, given {len(arguments)}")
        function = _FUNCTIONS[name]
        return lambda values: function(*(argument(values) for argument in arguments))

    def known(self) -> Evaluate:
        if self.at >= len(self.symbols) or self.symbols[self.at][0] != "name":
            raise ExpressionError("known takes the name of a field")
        name = self.symbols[self.at][1]
        self.at += 1
        self.need(")")
        self.fields.append(name)
        return lambda values: values.get(name) is not None


def _constant(value: Any) -> Evaluate:
    return lambda values: value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    return value


def _binary(function: Callable[[Any, Any], Any], left: Evaluate, right: Evaluate) -> Evaluate:
    return lambda values: function(_number(left(values)), _number(right(values)))


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        return a.casefold() == b.casefold()
    return bool(a == b)


def _is_in(value: Any, options: Any) -> bool:
    if isinstance(options, str):
        return str(value).casefold() in options.casefold()
    return any(_equal(value, option) for option in options)
