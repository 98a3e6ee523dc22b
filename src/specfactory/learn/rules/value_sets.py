"""Rules for all values of a field: lists, parts of one value, repetitions.

Values in one list are found by rules that select all of them; values in different places are
found place by place, until no known value is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from specfactory.extract.templates import Key, PageIndex, Voter, choose_many, choose_one, siblings
from specfactory.learn.rules.single_values import FLOOR, MAX_RULES, learn_one, rule_keys
from specfactory.learn.samples import KnownSample
from specfactory.model import Frozen, field

MANY_FLOOR = 0.5
_PLACES = 3
_LEAST_SCORE = 0.6  # for every further place, on the values that are left
_MAX_SHOWN = 12
_NEAR = 0.02
_ROUNDS = 3
_CONSTANT = 0.05
_FEW_RULES = 0.05  # share of the largest set of rules below which a selection is accidental

Sign = tuple[frozenset[str], ...]  # known values that a rule finds on each labelled page


class Place(Frozen):
    """One place of values, with the rules that find it."""

    voters: list[Voter]
    many: bool
    floor: float
    siblings: bool = False

    def values(self, page: PageIndex) -> frozenset[str]:
        """Folded values there on a page."""
        if self.many:
            places = [choice.at for choice in choose_many(page, self.voters, self.floor)]
        elif (choice := choose_one(page, self.voters, self.floor)) is None:
            places = []
        else:
            places = siblings(page, choice.at) if self.siblings else [choice.at]
        return frozenset(page.folded[at] for at in places)


class _Tried(Struct):
    keys: tuple[Key, ...]
    first: bool
    score: float
    base: float = 0.0
    weight: float = 0.0
    found: list[frozenset[str]] = field(default_factory=list)  # on the unlabelled pages


def learn_places(known: Sequence[KnownSample], unknown: Sequence[PageIndex]) -> list[Place]:
    """Find the places of a field's values, the one that explains most first."""
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
    known: Sequence[KnownSample], left: Sequence[frozenset[str]], unknown: Sequence[PageIndex]
) -> tuple[float, Place | None]:
    signs = _signs(known, left)
    if not signs:
        return 0.0, None
    sign, tried = _clearest(signs)
    score = max(rule.score for rule in tried)
    if max(map(len, sign)) > 1:
        near = [rule for rule in tried if rule.score >= score - _NEAR]
        return score, Place(_weighed(near, unknown), True, MANY_FLOOR)
    golds = zip(known, sign, strict=True)
    shown = [(one.index, one.index.holding(values)) for one, values in golds]
    place = Place(learn_one(shown, unknown), False, FLOOR)
    extended = Place(place.voters, False, FLOOR, siblings=True)
    # Siblings are values too if they never were wrong, and if most pages have just one value.
    if any(extended.values(one.index) - one.values for one in known):
        return score, place
    added = sum(extended.values(page) != place.values(page) for page in unknown)
    return score, extended if added * 2 <= len(unknown) else place


def _signs(
    known: Sequence[KnownSample], left: Sequence[frozenset[str]]
) -> dict[Sign, list[_Tried]]:
    """Group all rules by the remaining values they find on the labelled pages."""
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
    """Choose what explains most and has enough rules; whole lists win over first texts."""
    most = max(map(len, signs.values()))
    firm = {sign: tried for sign, tried in signs.items() if len(tried) >= _FEW_RULES * most}
    best = {sign: max(rule.score for rule in tried) for sign, tried in firm.items()}
    sign = max(firm, key=lambda sign: (round(best[sign], 2), len(firm[sign])))
    whole = [rule for rule in firm[sign] if not rule.first]
    near = any(rule.score >= best[sign] - _NEAR for rule in whole)
    return sign, whole if near else firm[sign]


def _weighed(tried: list[_Tried], unknown: Sequence[PageIndex]) -> list[Voter]:
    """Weigh rules for lists by their agreement with the vote on the unlabelled pages."""
    for rule in tried:
        rule.found = []
        for page in unknown:
            mask = page.select(rule.keys)
            rule.found.append(page.values(mask & -mask if rule.first else mask))
        # A rule should fire on most pages and find different values there.
        conduct = 1.0
        if unknown:
            fired = [values for values in rule.found if values]
            conduct = 0.1 + len(fired) / len(unknown)
            if len(fired) >= 3 and len(set(fired)) == 1:
                conduct *= _CONSTANT
        rule.weight = rule.base = rule.score * conduct
    tried.sort(key=lambda rule: -rule.base)
    del tried[MAX_RULES:]
    for _ in range(_ROUNDS if unknown else 0):
        winners: list[frozenset[str]] = []  # of the vote on every unlabelled page
        least = MANY_FLOOR * sum(rule.weight for rule in tried)
        for at in range(len(unknown)):
            shares: dict[str, float] = {}
            for rule in tried:
                for value in rule.found[at]:
                    shares[value] = shares.get(value, 0.0) + rule.weight
            winners.append(frozenset(v for v, share in shares.items() if share >= least))
        for rule in tried:
            same = 0.0
            for one, two in zip(rule.found, winners, strict=True):
                same += 2 * len(one & two) / (len(one) + len(two)) if one or two else 1.0
            rule.weight = rule.base * ((1 + same) / (1 + len(unknown))) ** 2
    total = sum(rule.weight for rule in tried) or 1.0
    return [Voter(rule.keys, rule.weight / total, rule.first) for rule in tried]
