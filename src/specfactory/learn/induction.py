"""Rules for one value a page: every feature and every pair of a known text is tried.

All rules that do best on the known pages vote. The true rule has many forms that agree;
accidental ones stand alone, so a rule counts by its agreement with the vote on the pages that
nobody has labelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specfactory.extract.template_index import Key, PageIndex, bits
from specfactory.extract.template_vote import Voter

MAX_RULES = 4000
FLOOR = 0.33
_MAX_SHOWN = 6  # copies of a value on one page that rules are made from
_ROUNDS = 3
_CONSTANT = 0.05  # a rule that finds the same everywhere found the page's furniture
_AMBIGUITY = 0.5
_WRONG = 2.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A known page and where its value stands; nowhere when it has none."""

    page: PageIndex
    gold: int


@dataclass(slots=True)
class _Tried:
    keys: tuple[Key, ...]
    base: float
    picks: list[str | None]
    weight: float = 0.0


def learn_one(shown: Sequence[Shown], unknown: Sequence[PageIndex]) -> list[Voter]:
    """Rules that together find the one value of a page, weighed; none without an example."""
    tried = [_behaviour(keys, hits, unclear, unknown) for keys, hits, unclear in _best_rules(shown)]
    if not tried:
        return []
    _agree(tried, len(unknown))
    tried.sort(key=lambda rule: -rule.weight)
    del tried[MAX_RULES:]
    total = sum(rule.weight for rule in tried) or 1.0
    return [Voter(rule.keys, rule.weight / total) for rule in tried]


def rule_keys(page: PageIndex, mask: int, most: int) -> Iterator[tuple[Key, ...]]:
    """Every feature and every pair of features of the first texts of a set."""
    for at, _ in zip(bits(mask), range(most), strict=False):
        row = [(kind, value) for kind, value in enumerate(page.rows[at]) if value]
        for first, key in enumerate(row):
            yield (key,)
            for other in row[first + 1 :]:
                yield key, other


def _best_rules(shown: Sequence[Shown]) -> list[tuple[tuple[Key, ...], int, int]]:
    """The rules that do best on the known pages, with their hits and unclear ones."""
    scored = []
    for keys in {keys for known in shown for keys in rule_keys(known.page, known.gold, _MAX_SHOWN)}:
        hits = wrong = unclear = 0
        for known in shown:
            mask = known.page.select(keys)
            first = mask & -mask
            if first & known.gold:
                hits += 1
                unclear += bool(mask & ~known.gold)
            elif first:
                wrong += 1
        scored.append((hits - _WRONG * wrong, keys, hits, unclear))
    best = max((score for score, *_ in scored), default=0.0)
    return [(keys, hits, unclear) for score, keys, hits, unclear in scored if score >= best]


def _behaviour(
    keys: tuple[Key, ...], hits: int, unclear: int, unknown: Sequence[PageIndex]
) -> _Tried:
    """What a rule does on the other pages: it should fire, vary and be clear."""
    picks: list[str | None] = []
    fired = 0
    for page in unknown:
        mask = page.select(keys)
        if not mask:
            picks.append(None)
            continue
        fired += 1
        unclear += bool(mask & (mask - 1)) and len(page.values(mask, 5)) > 1
        picks.append(page.folded[(mask & -mask).bit_length() - 1])
    weight = 1 - _AMBIGUITY * unclear / max(hits + fired, 1)
    if unknown:
        weight *= 0.1 + fired / len(unknown)
        if fired >= 3 and len({pick for pick in picks if pick}) == 1:
            weight *= _CONSTANT
    return _Tried(keys, weight, picks, weight)


def _agree(tried: list[_Tried], pages: int) -> None:
    """Weigh every rule by its agreement with what all rules together say."""
    if not pages:
        return
    for _ in range(_ROUNDS):
        said = [_said(tried, at) for at in range(pages)]
        for rule in tried:
            same = sum(pick == words for pick, words in zip(rule.picks, said, strict=True))
            rule.weight = rule.base * ((1 + same) / (1 + pages)) ** 2


def _said(tried: list[_Tried], at: int) -> str | None:
    shares: dict[str, float] = {}
    total = 0.0
    for rule in tried:
        total += rule.weight
        pick = rule.picks[at]
        if pick is not None:
            shares[pick] = shares.get(pick, 0.0) + rule.weight
    words = max(shares, key=shares.__getitem__, default=None)
    return words if words is not None and shares[words] >= FLOOR * total else None
