"""Rules for one value a page: every feature and every pair of a known text is tried.

All rules that do best on the known pages vote. The true rule has many forms that agree;
accidental ones stand alone, so a rule counts by its agreement with the vote on the pages that
nobody has labelled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specfactory.extract.templates import Key, PageIndex, Voter, bits

MAX_RULES = 4000
FLOOR = 0.33  # less of the weight than this is a sign that the value is missing
SURE_FLOOR = 0.2  # where no sample lacked it
_MAX_SHOWN = 6  # copies of a value on one page that rules are made from
_ROUNDS = 3
_CONSTANT = 0.05  # a rule that finds the same everywhere found the page's furniture
_AMBIGUITY = 0.5
_WRONG = 1.0
_FOREMOST = 0.5  # where copies agree on all known pages, the first on the page is the value


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
    tried = [_behaviour(seen, unknown) for seen in _best_rules(shown)]
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


@dataclass(slots=True)
class _Seen:
    """What a rule does on the known pages."""

    keys: tuple[Key, ...]
    hits: int = 0
    wrong: int = 0
    unclear: int = 0
    foremost: int = 0  # hits that are the first copy of the value on the page

    @property
    def score(self) -> float:
        return self.hits - _WRONG * self.wrong


def _best_rules(shown: Sequence[Shown]) -> list[_Seen]:
    """The rules that do best on the known pages."""
    every = dict.fromkeys(  # in order, so that the same samples give the same template
        keys for known in shown for keys in rule_keys(known.page, known.gold, _MAX_SHOWN)
    )
    golds = [(known, known.gold & -known.gold) for known in shown]
    seen = [_see(keys, golds) for keys in every]
    best = max((rule.score for rule in seen), default=0.0)
    return [rule for rule in seen if rule.score >= best]


def _see(keys: tuple[Key, ...], golds: Sequence[tuple[Shown, int]]) -> _Seen:
    seen = _Seen(keys)
    for known, foremost in golds:
        mask = known.page.select(keys)
        first = mask & -mask
        if first & known.gold:
            seen.hits += 1
            seen.unclear += bool(mask & ~known.gold)
            seen.foremost += first == foremost
        elif first:
            seen.wrong += 1
    return seen


def _behaviour(seen: _Seen, unknown: Sequence[PageIndex]) -> _Tried:
    """What a rule does on the other pages: it should fire, vary and be clear."""
    picks: list[str | None] = []
    fired, unclear = 0, seen.unclear
    for page in unknown:
        mask = page.select(seen.keys)
        if not mask:
            picks.append(None)
            continue
        fired += 1
        unclear += bool(mask & (mask - 1)) and len(page.values(mask, 5)) > 1
        picks.append(page.folded[(mask & -mask).bit_length() - 1])
    weight = 1 - _AMBIGUITY * unclear / max(seen.hits + fired, 1)
    weight *= 1 + _FOREMOST * seen.foremost / max(seen.hits, 1)
    if unknown:
        weight *= 0.1 + fired / len(unknown)
        if fired >= 3 and len({pick for pick in picks if pick}) == 1:
            weight *= _CONSTANT
    return _Tried(seen.keys, weight, picks, weight)


def _agree(tried: list[_Tried], pages: int) -> None:
    """Weigh every rule by its agreement with what all rules together say."""
    if not pages:
        return
    for _ in range(_ROUNDS):
        said = [_said(tried, at) for at in range(pages)]
        for rule in tried:
            same = sum(pick == words for pick, words in zip(rule.picks, said, strict=True))
            rule.weight = rule.base * ((1 + same) / (1 + pages)) ** 4


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
