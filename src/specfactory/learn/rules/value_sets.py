"""Rules for all values of a field: lists, parts of one value, the same thing said twice.

Values that stand in one list are found by rules that select them all; values that stand in
different places are found one place after the other, until no known value is left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from specfactory.extract.templates import Key, PageIndex, Voter, choose_many, choose_one, siblings
from specfactory.learn.rules.single_values import FLOOR, MAX_RULES, Shown, learn_one, rule_keys
from specfactory.learn.samples import Known

MANY_FLOOR = 0.5
_PLACES = 3
_LEAST_SCORE = 0.6  # what a further place must explain of what is left
_MAX_SHOWN = 12
_NEAR = 0.02
_ROUNDS = 3
_CONSTANT = 0.05
_FEW_RULES = 0.05  # a way to select a list is believed when it has enough forms

Sign = tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One place where values stand, with the rules that find it."""

    voters: list[Voter]
    many: bool
    floor: float
    siblings: bool = False

    def values(self, page: PageIndex) -> frozenset[str]:
        """What is read there on a page."""
        return frozenset(page.folded[at] for at in self.texts(page))

    def texts(self, page: PageIndex) -> list[int]:
        """The texts that are chosen on a page."""
        if self.many:
            return [choice.at for choice in choose_many(page, self.voters, self.floor)]
        choice = choose_one(page, self.voters, self.floor)
        if choice is None:
            return []
        return siblings(page, choice.at) if self.siblings else [choice.at]


@dataclass(slots=True)
class _Tried:
    keys: tuple[Key, ...]
    first: bool
    score: float
    base: float = 0.0
    weight: float = 0.0
    found: list[frozenset[str]] | None = None


def learn_places(known: Sequence[Known], unknown: Sequence[PageIndex]) -> list[Place]:
    """The places where the values of a field stand, the one that explains most first."""
    left = [one.values & frozenset(one.index.folded) for one in known]
    places: list[Place] = []
    while any(left) and len(places) < _PLACES:
        score, place = _next_place(known, left, unknown)
        if place is None or (places and score < _LEAST_SCORE):
            break
        places.append(place)
        rest = [values - place.values(one.index) for one, values in zip(known, left, strict=True)]
        if rest == left:
            break
        left = rest
    return places


def _next_place(
    known: Sequence[Known], left: Sequence[frozenset[str]], unknown: Sequence[PageIndex]
) -> tuple[float, Place | None]:
    signs = _signs(known, left)
    if not signs:
        return 0.0, None
    sign, tried = _clearest(signs)
    score = max(rule.score for rule in tried)
    if max(map(len, sign)) > 1:
        near = [rule for rule in tried if rule.score >= score - _NEAR]
        return score, Place(_weighed(near, unknown), True, MANY_FLOOR)
    shown = [
        Shown(one.index, one.index.holding(values)) for one, values in zip(known, sign, strict=True)
    ]
    place = Place(learn_one(shown, unknown), False, FLOOR)
    extended = Place(place.voters, False, FLOOR, siblings=True)
    return score, extended if _may_extend(extended, place, known, unknown) else place


def _signs(known: Sequence[Known], left: Sequence[frozenset[str]]) -> dict[Sign, list[_Tried]]:
    """All rules by what they find on the known pages, of what is left."""
    golds = [one.index.holding(one.values) for one in known]
    wanted = [one.index.holding(values) for one, values in zip(known, left, strict=True)]
    total = sum(map(len, left))
    signs: dict[Sign, list[_Tried]] = {}
    every = dict.fromkeys(
        keys
        for one, mask in zip(known, wanted, strict=True)
        for keys in rule_keys(one.index, mask, _MAX_SHOWN)
    )
    for keys in every:
        masks = [one.index.select(keys) for one in known]
        for first in (False, True):
            if first:
                if not any(mask & (mask - 1) for mask in masks):
                    break
                masks = [mask & -mask for mask in masks]
            sign, wrong = [], 0
            for one, mask, gold, values in zip(known, masks, golds, left, strict=True):
                sign.append(one.index.values(mask & gold) & values)
                wrong += (mask & ~gold).bit_count()
            right = sum(map(len, sign))
            if right:
                score = 2 * right / (right + wrong + total)
                signs.setdefault(tuple(sign), []).append(_Tried(keys, first, score))
    return signs


def _clearest(signs: dict[Sign, list[_Tried]]) -> tuple[Sign, list[_Tried]]:
    """What explains most, said by enough rules; lists are believed before first texts."""
    most = max(map(len, signs.values()))
    firm = {sign: tried for sign, tried in signs.items() if len(tried) >= _FEW_RULES * most}

    def rank(sign: Sign) -> tuple[float, int]:
        best = max(rule.score for rule in firm[sign])
        return round(best, 2), len(firm[sign])

    sign = max(firm, key=rank)
    whole = [rule for rule in firm[sign] if not rule.first]
    best = max(rule.score for rule in firm[sign])
    if any(rule.score >= best - _NEAR for rule in whole):
        return sign, whole
    return sign, firm[sign]


def _weighed(tried: list[_Tried], unknown: Sequence[PageIndex]) -> list[Voter]:
    """Rules for lists, each by its agreement with all together on the pages not labelled."""
    for rule in tried:
        rule.found = [_found(rule, page) for page in unknown]
        rule.weight = rule.base = rule.score * _conduct(rule.found)
    tried.sort(key=lambda rule: -rule.base)
    del tried[MAX_RULES:]
    for _ in range(_ROUNDS if unknown else 0):
        said = [_said(tried, at) for at in range(len(unknown))]
        for rule in tried:
            same = sum(map(_overlap, rule.found or (), said))
            rule.weight = rule.base * ((1 + same) / (1 + len(unknown))) ** 2
    total = sum(rule.weight for rule in tried) or 1.0
    return [Voter(rule.keys, rule.weight / total, rule.first) for rule in tried]


def _found(rule: _Tried, page: PageIndex) -> frozenset[str]:
    mask = page.select(rule.keys)
    return page.values(mask & -mask if rule.first else mask)


def _conduct(found: Sequence[frozenset[str]]) -> float:
    """A rule should fire on most pages and find something else on each."""
    if not found:
        return 1.0
    fired = [values for values in found if values]
    conduct = 0.1 + len(fired) / len(found)
    return conduct * _CONSTANT if len(fired) >= 3 and len(set(fired)) == 1 else conduct


def _said(tried: Sequence[_Tried], at: int) -> frozenset[str]:
    shares: dict[str, float] = {}
    for rule in tried:
        for value in rule.found[at] if rule.found else ():
            shares[value] = shares.get(value, 0.0) + rule.weight
    least = MANY_FLOOR * sum(rule.weight for rule in tried)
    return frozenset(value for value, share in shares.items() if share >= least)


def _overlap(one: frozenset[str], two: frozenset[str]) -> float:
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 1.0


def _may_extend(
    extended: Place, place: Place, known: Sequence[Known], unknown: Sequence[PageIndex]
) -> bool:
    """Neighbours are values too if they never were wrong and are the exception."""
    for one in known:
        if extended.values(one.index) - one.values:
            return False
    added = sum(_adds(extended, place, page) for page in unknown)
    return added * 2 <= len(unknown)


def _adds(extended: Place, place: Place, page: PageIndex) -> bool:
    return extended.values(page) != place.values(page)
