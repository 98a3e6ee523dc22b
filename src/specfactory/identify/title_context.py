"""Context in which a title is read: one product, its siblings and the words of its category."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache

from specfactory.identify.measures import NUMBER, QUANTITY, Measure, split_measures
from specfactory.identify.names import Token, key_of, squash, tokenise
from specfactory.identify.vocabulary import (
    BUNDLE,
    COLOURS,
    CONDITION,
    CONNECTIONS,
    EDITION,
    FOR,
    NEUTRAL,
    PIECES,
    PRAISE,
    SERIES,
    SUFFIXES,
    UNITS,
    VERSUS,
    WITH,
)
from specfactory.model import Frozen, IdentityRules, Product


class WordKind(StrEnum):
    """Kind of a word in a title, seen from the product asked for."""

    OWN = "own"  # a word of the product's own name
    BRAND = "brand"
    RIVAL = "rival"  # the brand of a sibling from another maker
    SIBLING = "sibling"  # a word by which the catalogue tells a sibling apart
    VARIANT = "variant"  # a word by which the contract tells variants apart
    SUFFIX = "suffix"  # a word that makes another model in any category
    VERSION = "version"  # looks like a piece of a model's name: x2, v3, a bare number
    CONNECTION = "connection"
    COLOUR = "colour"
    EDITION = "edition"
    BUNDLE = "bundle"
    CONDITION = "condition"  # used, refurbished
    SERIES = "series"
    VERSUS = "versus"
    FOR = "for"
    WITH = "with"
    MEASURE = "measure"  # a number with its unit
    CODE = "code"  # a part number
    NEUTRAL = "neutral"
    FOREIGN = "foreign"  # a word in another script than the model's name
    UNKNOWN = "unknown"


SKIPPED = frozenset(
    {
        WordKind.BRAND, WordKind.NEUTRAL, WordKind.COLOUR, WordKind.CONNECTION, WordKind.MEASURE,
        WordKind.FOREIGN, WordKind.CONDITION,
    }
)  # fmt: skip
HARD = frozenset({WordKind.SIBLING, WordKind.VARIANT, WordKind.SUFFIX, WordKind.VERSION})
_LONGEST_PHRASE = 3
_SOFT = {*CONNECTIONS.values(), *COLOURS.values(), *EDITION, *NEUTRAL, *CONDITION}
_VERSION = re.compile(r"(?:v|mk|gen)\d+")
_COMMON_WORDS = (
    (NEUTRAL, WordKind.NEUTRAL), (PRAISE, WordKind.UNKNOWN), (SERIES, WordKind.SERIES),
    (EDITION, WordKind.EDITION), (BUNDLE, WordKind.BUNDLE), (CONDITION, WordKind.CONDITION),
    (WITH, WordKind.WITH), (FOR, WordKind.FOR), (VERSUS, WordKind.VERSUS),
    (SUFFIXES, WordKind.SUFFIX),
    (frozenset(COLOURS.values()) | frozenset(COLOURS), WordKind.COLOUR),
    (frozenset(CONNECTIONS.values()) | frozenset(CONNECTIONS), WordKind.CONNECTION),
)  # fmt: skip
"""Words of any category; a later entry outranks an earlier one."""


class Name(Frozen):
    """A product's name, cut up: the words that must stand in a title and those that may."""

    brand: str  # key
    brand_words: tuple[str, ...]
    model: tuple[str, ...]  # words of the model, with the variant's where those are hard
    variant: frozenset[str]  # the variant's soft words: connection, colour, edition
    full: str  # as a person says it
    key: str  # the model as one word
    measures: frozenset[Measure] = frozenset()  # sizes and capacities that tell the variant

    @property
    def words(self) -> frozenset[str]:
        """All words of the name, as a person writes them."""
        return frozenset(self.full.casefold().split())

    @property
    def numbered(self) -> bool:
        """True when the model ends in a number of its own (``D7000``), not in a word or version."""
        last = self.model[-1] if self.model else ""
        return sum(char.isdigit() for char in last) >= 3


class Frame(Frozen, eq=False):
    """One product among its siblings, ready to read titles; known by its identity."""

    name: Name
    lean: tuple[str, ...]  # the model's words without the neutral ones
    siblings: tuple[Name, ...]
    lexicon: Mapping[str, WordKind]
    split: bool  # the catalogue holds another variant of the same model
    latin: bool  # the model is written in Latin letters
    has_kind: bool  # the contract says by which words its things are called

    @property
    def bare(self) -> bool:
        """True when the model is so little of a name that a word before it makes another."""
        if len(self.lean) == 1 and not any(map(str.isdigit, self.lean[0])):
            return True
        return all(word in SUFFIXES or _VERSION.fullmatch(word) for word in self.lean)

    def is_size(self, token: Token) -> bool:
        """Tell whether a number is one of the product's sizes, its unit left out."""
        return any(token.text == f"{size:g}" for size, _ in self.name.measures)

    def kinds(self, tokens: Sequence[Token]) -> list[WordKind]:
        """Kind of each word of a title."""
        kinds: list[WordKind] = []
        while len(kinds) < len(tokens):
            kind, length = self._phrase(tokens, len(kinds))
            kinds += [kind] * length
        return kinds

    def _phrase(self, tokens: Sequence[Token], at: int) -> tuple[WordKind, int]:
        if _number(tokens[at]) and self.lexicon.get(tokens[at].text) is WordKind.VARIANT:
            return _number_kind(tokens, at)
        if self.is_size(tokens[at]) and not _measure_length(tokens, at):
            return WordKind.OWN, 1
        for length in range(min(_LONGEST_PHRASE, len(tokens) - at), 0, -1):
            kind = self.lexicon.get(squash(t.text for t in tokens[at : at + length]))
            if kind is not None:
                return kind, length
        # kind of an unlisted word, judged by its shape
        text = tokens[at].text
        if self.latin and not text.isascii():
            return WordKind.FOREIGN, 1
        if (quantity := QUANTITY.fullmatch(text)) and quantity[2] in UNITS:
            return WordKind.MEASURE, 1
        if _number(tokens[at]):
            return _number_kind(tokens, at)
        chunk = tokens[at].chunk
        digits = sum(char.isdigit() for char in chunk)
        if len(chunk) >= 6 and digits >= 3 and not re.search(r"[a-z]{5}", chunk):
            return WordKind.CODE, 1
        return (WordKind.VERSION if _MODEL_LIKE.fullmatch(text) else WordKind.UNKNOWN), 1


def frame_of(product: Product, rules: IdentityRules, siblings: Sequence[Product]) -> Frame:
    """The frame of a product; the same arguments give the same frame from memory."""
    names = tuple((s.brand, s.model, s.variant) for s in siblings)
    own = product.brand, product.model, product.variant
    return _frame(own, rules, names, product.category)


@lru_cache(maxsize=256)
def _frame(
    product: tuple[str, str, str],
    rules: IdentityRules,
    siblings: tuple[tuple[str, str, str], ...],
    category: str,
) -> Frame:
    name = _name(*product)
    own = name.brand, name.key, name.variant, name.measures
    named = (_name(*sibling) for sibling in siblings)
    others = tuple(n for n in named if (n.brand, n.key, n.variant, n.measures) != own)
    # words and their kinds; what is put in later outranks what was there
    lexicon: dict[str, WordKind] = {}
    for words, kind in _COMMON_WORDS:
        lexicon.update(dict.fromkeys(words, kind))
    # "for" says nothing of the model, but that the page may be about something else
    said = (key_of(word) for word in (category, *rules.neutral_words))
    lexicon.update({word: WordKind.NEUTRAL for word in said if word not in FOR})
    variants = [key_of(w) for w in rules.variant_words]
    soft = CONNECTIONS.keys() | CONDITION
    lexicon.update({w: WordKind.VARIANT for w in variants if w not in soft})
    lexicon.update({n.brand: WordKind.RIVAL for n in others if n.brand != name.brand})
    for other in others:
        lexicon.update(dict.fromkeys(_telling(other, name), WordKind.SIBLING))
    lexicon.update(dict.fromkeys((*name.model, *name.variant), WordKind.OWN))
    lexicon.update(dict.fromkeys((name.brand, *name.brand_words), WordKind.BRAND))
    lexicon.pop("", None)
    neutral = {key_of(word) for word in rules.neutral_words}
    lean = tuple(word for word in name.model if word not in neutral)
    split = any(n.brand == name.brand and n.key == name.key for n in others)
    latin = any("a" <= char <= "z" for char in name.key)
    return Frame(name, lean or name.model, others, lexicon, split, latin, bool(neutral))


@lru_cache(maxsize=4096)
def _name(brand: str, model: str, variant: str) -> Name:
    named, sizes = split_measures(tokenise(model))
    if not named:  # nothing but a measure
        named, sizes = list(tokenise(model)), frozenset()
    telling, more = split_measures(tokenise(variant))
    words = tuple(token.text for token in named)
    extra = tuple(token.text for token in telling)
    hard = tuple(w for w in extra if not _is_soft(w) and w not in words)
    soft = frozenset(w for w in extra if _is_soft(w))
    full = " ".join(part for part in (brand, model, variant) if part)
    brand_words = tuple(token.text for token in tokenise(brand))
    model_words = words + hard
    return Name(
        squash(brand_words), brand_words, model_words, soft, full, squash(model_words), sizes | more
    )


def _is_soft(word: str) -> bool:
    return word in _SOFT and word not in SUFFIXES


def _telling(other: Name, name: Name) -> set[str]:
    """The words that a sibling of the same family has and the product has not."""
    if other.brand != name.brand or not set(other.model) & set(name.model[:1]):
        return set()
    own = {*name.model, *name.variant}
    soft = other.variant if other.key == name.key else frozenset()
    return {word for word in (*other.model, *soft) if word not in own}


_MODEL_LIKE = re.compile(r"[a-z]+\d{1,4}(?:[.,]\d)?[a-z]{0,2}|\d{1,4}[a-z]{1,2}|[a-z]")
_YEAR = re.compile(r"(?:19[89]|20[0-3])\d")


def _number(token: Token) -> bool:
    return NUMBER.fullmatch(token.text) is not None


def _number_kind(tokens: Sequence[Token], at: int) -> tuple[WordKind, int]:
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if following in BUNDLE or (following in PIECES and tokens[at].text not in ("0", "1")):
        return WordKind.BUNDLE, 2
    if length := _measure_length(tokens, at):
        return WordKind.MEASURE, length
    text = tokens[at].text
    if len(text) > 4:
        return WordKind.CODE, 1
    return (WordKind.UNKNOWN if _YEAR.fullmatch(text) else WordKind.VERSION), 1


def _measure_length(tokens: Sequence[Token], at: int) -> int:
    """Number of words of a measurement: ``54 g``, ``16 2 MP``, ``18-105mm``, ``5-port``."""
    following = [token.text for token in tokens[at + 1 : at + 3]]
    if following and tokens[at + 1].place == tokens[at].place:
        word = following[0]
        if len(word) > 2 and word.isalpha() and word not in SUFFIXES:
            return 2
    for place, text in enumerate(following, start=2):
        quantity = QUANTITY.fullmatch(text)
        if text in UNITS or (quantity and quantity[2] in UNITS):
            return place
        if not NUMBER.fullmatch(text):
            break
    return 0
