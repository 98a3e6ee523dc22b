"""Rules for one value per page, made from every feature and pair of features of known texts.

All rules that do best on the labelled pages vote. The true rule has many forms that agree while
accidental ones stand alone, so a rule is weighted by its agreement with the vote on the pages
without labels.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from specfactory.extract.templates import Key, PageIndex, Voter, bits
from specfactory.learn.pauses import pause

MAX_RULES = 4000
FLOOR = 0.33  # with less of the weight, the value is probably missing
SURE_FLOOR = 0.2  # where no sample lacked it
_MAX_SHOWN = 6  # copies of a value on one page that rules are made from
_ROUNDS = 3
_CONSTANT = 0.05  # for a rule that finds the same words on all pages: a label, not a value
_AMBIGUITY = 0.5
_WRONG = 1.0
_FOREMOST = 0.5  # bonus for finding the first of several copies of the value


Shown = tuple[PageIndex, int]  # labelled page, and the texts that are its value, as bits


class _Tried(Struct):
    """A rule: its hits and misses on the labelled pages, then its weight by the others."""

    keys: tuple[Key, ...]
    hits: int = 0
    wrong: int = 0
    unclear: int = 0
    foremost: int = 0  # hits that are the first copy of the value on the page
    picks: Sequence[str | None] = ()  # on the unlabelled pages
    base: float = 0.0
    weight: float = 0.0


def learn_one(shown: Sequence[Shown], unknown: Sequence[PageIndex]) -> list[Voter]:
    """Learn weighted rules that find the one value of a page; none without an example."""
    tried = _best_rules(shown)
    for rule in tried:
        _weigh(rule, unknown)
        pause()
    for _ in range(_ROUNDS if unknown else 0):
        winners: list[str | None] = []  # of the vote on every unlabelled page
        for at in range(len(unknown)):
            shares: dict[str, float] = {}
            total = 0.0
            for rule in tried:
                total += rule.weight
                pick = rule.picks[at]
                if pick is not None:
                    shares[pick] = shares.get(pick, 0.0) + rule.weight
            best = max(shares, key=shares.__getitem__, default=None)
            sure = best is not None and shares[best] >= FLOOR * total
            winners.append(best if sure else None)
        for rule in tried:
            same = sum(pick == words for pick, words in zip(rule.picks, winners, strict=True))
            rule.weight = rule.base * ((1 + same) / (1 + len(unknown))) ** 4
    tried.sort(key=lambda rule: -rule.weight)
    del tried[MAX_RULES:]
    total = sum(rule.weight for rule in tried) or 1.0
    return [Voter(rule.keys, rule.weight / total) for rule in tried]


def rule_keys(page: PageIndex, mask: int, most: int) -> Iterator[tuple[Key, ...]]:
    """All features and pairs of features of the first texts of a set."""
    for at, _ in zip(bits(mask), range(most), strict=False):
        row = [(kind, value) for kind, value in enumerate(page.rows[at]) if value]
        for first, key in enumerate(row):
            yield (key,)
            for other in row[first + 1 :]:
                yield key, other


def _best_rules(shown: Sequence[Shown]) -> list[_Tried]:
    """Find the rules that do best on the labelled pages."""
    every = dict.fromkeys(  # in order, so that the same samples give the same template
        keys for page, gold in shown for keys in rule_keys(page, gold, _MAX_SHOWN)
    )
    rules = []
    for keys in every:
        pause()
        seen = _Tried(keys)
        for page, gold in shown:
            mask = page.select(keys)
            first = mask & -mask
            if first & gold:
                seen.hits += 1
                seen.unclear += bool(mask & ~gold)
                seen.foremost += first == gold & -gold
            elif first:
                seen.wrong += 1
        rules.append(seen)
    best = max((rule.hits - _WRONG * rule.wrong for rule in rules), default=0.0)
    return [rule for rule in rules if rule.hits - _WRONG * rule.wrong >= best]


def _weigh(rule: _Tried, unknown: Sequence[PageIndex]) -> None:
    """Weigh a rule by the unlabelled pages, where it should fire, vary and be unambiguous."""
    picks: list[str | None] = []
    fired, unclear = 0, rule.unclear
    for page in unknown:
        mask = page.select(rule.keys)
        if not mask:
            picks.append(None)
            continue
        fired += 1
        unclear += bool(mask & (mask - 1)) and len(page.values(mask, 5)) > 1
        picks.append(page.folded[(mask & -mask).bit_length() - 1])
    weight = 1 - _AMBIGUITY * unclear / max(rule.hits + fired, 1)
    weight *= 1 + _FOREMOST * rule.foremost / max(rule.hits, 1)
    if unknown:
        weight *= 0.1 + fired / len(unknown)
        if fired >= 3 and len({pick for pick in picks if pick}) == 1:
            weight *= _CONSTANT
    rule.picks, rule.base, rule.weight = picks, weight, weight
