"""Strings that make a regular expression backtrack, made from the expression itself.

Each repeat of a pattern is pumped: what leads to it, many rounds of it, then something that fits
nowhere. A pattern whose work grows faster than the string is found by growing the string.
"""

from __future__ import annotations

import re
import signal
import string
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from random import Random
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

SMALL, LARGE = 750, 3_000  # characters that are pumped
WORST_RATIO = 10.0  # four times the string: a square takes sixteen times as long, a line four
NOTICEABLE = 30.0  # a pattern that is quicker than so many walks along the string is no danger
GIVEN_UP = 60.0  # seconds, on a busy machine
BREAKERS = ("", "\x00", "a 0\n")
_SEEDS = 1
_ALPHABET = string.ascii_letters + string.digits + string.punctuation + " \t\n\u00a0é重€–”"
_REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
_CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d", c.CATEGORY_NOT_DIGIT: r"\D", c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_NOT_SPACE: r"\S", c.CATEGORY_WORD: r"\w", c.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


Find = Callable[[re.Pattern[str], str], float]


class Attack(NamedTuple):
    """A string that is pumped."""

    start: str
    pump: str
    end: str

    def of(self, size: int) -> str:
        """The string, pumped to about so many characters."""
        return self.start + self.pump * max(1, size // max(len(self.pump), 1)) + self.end


class Weakness(NamedTuple):
    """An attack that works, and how much longer the larger string took."""

    attack: Attack
    ratio: float


class Endless(Exception):
    """A match takes longer than anybody waits."""


def weakness_of(pattern: re.Pattern[str], *, anywhere: bool = True) -> Weakness | None:
    """The first attack that grows faster than its string; ``anywhere``: it is searched for."""
    find = _search if anywhere else _match
    for attack in attacks_on(pattern):
        if (ratio := growth(pattern, attack, find)) is not None:
            return Weakness(attack, ratio)
    return None


def growth(pattern: re.Pattern[str], attack: Attack, find: Find) -> float | None:
    """How much longer four times the string takes; None when that is harmless."""
    small, large = attack.of(SMALL), attack.of(LARGE)
    try:
        with _limited():
            slow = find(pattern, large)
            if slow < NOTICEABLE * _walk():
                return None
            # What looks bad is measured again, in turns.
            turns = [(find(pattern, small), find(pattern, large)) for _ in range(3)]
    except Endless:
        return float("inf")
    quick, slow = (min(times) for times in zip(*turns, strict=True))
    is_bad = slow >= NOTICEABLE * _walk() and slow >= WORST_RATIO * quick
    return slow / max(quick, 1e-9) if is_bad else None


def attacks_on(pattern: re.Pattern[str]) -> Iterator[Attack]:
    """Strings to try on a pattern, each once."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    seen = set()
    for seed in range(_SEEDS):
        for start, pump in _pumped(list(tree), "", Random(seed)):
            for end in BREAKERS:
                attack = Attack(start, pump, end)
                if pump and attack not in seen:
                    seen.add(attack)
                    yield attack


def _pumped(nodes: list[Any], start: str, random: Random) -> Iterator[tuple[str, str]]:
    """What leads to each unbounded repeat among the nodes, and one round of it."""
    for op, given in nodes:
        if op in _REPEATS:
            _, most, inner = given
            if most is c.MAXREPEAT or most > 50:
                yield start, _sample(list(inner), random)
                yield "", _sample(list(inner), random)
            yield from _pumped(list(inner), start, random)
        elif op is c.SUBPATTERN:
            yield from _pumped(list(given[3]), start, random)
        elif op is c.ATOMIC_GROUP:
            yield from _pumped(list(given), start, random)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            yield from _pumped(list(given[1]), start, random)
        elif op is c.BRANCH:
            for branch in given[1]:
                yield from _pumped(list(branch), start, random)
        start += _sample([(op, given)], random)


def _sample(nodes: list[Any], random: Random) -> str:
    """Some string that the nodes may match."""
    return "".join(_sample_one(op, given, random) for op, given in nodes)


def _sample_one(op: Any, given: Any, random: Random) -> str:
    if op is c.LITERAL:
        return chr(given)
    if op in (c.NOT_LITERAL, c.IN, c.ANY):
        return random.choice(_fitting(op, _hashable(given)) or " ")
    if op in _REPEATS:
        least, most, inner = given
        times = max(least, min(most, 1)) if random.random() < 0.8 else least
        return "".join(_sample(list(inner), random) for _ in range(min(times, 50)))
    if op is c.SUBPATTERN:
        return _sample(list(given[3]), random)
    if op is c.ATOMIC_GROUP:
        return _sample(list(given), random)
    if op is c.BRANCH:
        return _sample(list(random.choice(given[1])), random)
    return ""  # a place, not a character


def _hashable(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


@cache
def _fitting(op: Any, given: Any) -> str:
    """The characters of the alphabet that one class matches."""
    if op is c.ANY:
        return _ALPHABET.replace("\n", "")
    if op is c.NOT_LITERAL:
        return _ALPHABET.replace(chr(given), "")
    parts = [part for part in given if part[0] is not c.NEGATE]
    negated = len(parts) < len(given)
    outside = "".join(chr(value) for kind, value in parts if kind is c.LITERAL)
    outside += "".join(chr(value[0]) for kind, value in parts if kind is c.RANGE)
    return "".join(
        one for one in (_ALPHABET if negated else _ALPHABET + outside)
        if any(_is_in(one, *part) for part in parts) is not negated
    )  # fmt: skip


def _is_in(one: str, kind: Any, value: Any) -> bool:
    if kind is c.LITERAL:
        return ord(one) == value
    if kind is c.RANGE:
        return bool(value[0] <= ord(one) <= value[1])
    return re.match(_CATEGORIES[value], one) is not None


def _search(pattern: re.Pattern[str], text: str) -> float:
    """Processor time of finding everything in a text."""
    began = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return time.process_time() - began


def _match(pattern: re.Pattern[str], text: str) -> float:
    """Processor time of one try at the beginning of a text."""
    began = time.process_time()
    pattern.match(text)
    pattern.fullmatch(text)
    return time.process_time() - began


_PLAIN = re.compile("[a-z]0")


@cache
def _walk() -> float:
    """Processor time of one walk along the larger string."""
    text = "a" * LARGE
    return min(_search(_PLAIN, text) for _ in range(20))


@contextmanager
def _limited() -> Iterator[None]:
    """Raise Endless when it takes too long; matching lets signals through."""

    def give_up(*_: object) -> None:
        raise Endless

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, GIVEN_UP)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
