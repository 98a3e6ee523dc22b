"""The currencies of the world: ISO 4217 codes, and the signs and words that pages write for them.

The only table of currencies is ``data/currencies.txt``: a sign added to the first group of a line
is read everywhere, in prices and in fields that name a currency.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from specfactory.word_lists import read_lists, word_set

_LISTS = read_lists("contract/values/data/currencies.txt")

ISO_CODES = word_set(*_LISTS["codes"])
FORMER_CODES = word_set(*_LISTS["former"]) - ISO_CODES
FREE_WORDS = word_set(*_LISTS["free"])
"""Words for a price of nothing."""
THREE_DECIMALS = word_set(*_LISTS["three decimals"])
"""Currencies of a thousand parts: ``1.250`` of them is one and a quarter."""

TENFOLD = word_set(*_LISTS["tenfold"])
"""Words for ten of the currency."""
BY_LANGUAGE: Mapping[str, str] = {
    language.strip("-"): code for language, code in (line.split() for line in _LISTS["by language"])
}
"""Currencies that a shared sign means in a language; without one, under the empty text."""

# Lower-case codes that are also words.
_CODE_WORDS = word_set(*_LISTS["code words"])
PLAIN_CODES = tuple(sorted({code.casefold() for code in ISO_CODES} - _CODE_WORDS))
"""Lower-case codes that are nothing else."""
_SHARED_NAMES = word_set(*_LISTS["shared names"])
_INVISIBLE = str.maketrans({"_": " ", "\u200e": "", "\u200f": ""})
_CASED = word_set(*_LISTS["cased"])
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
CENTS_FOLLOW = "".join(_LISTS["cents behind"])
"""Signs behind which the cents may stand: ``12€50``."""


def fold_sign(sign: str) -> str:
    """Lookup form of a sign: case, final dots and kinds of space are set aside."""
    plain = sign.translate(_INVISIBLE).strip()
    bare = plain.rstrip(".")
    return bare if bare in _CASED else " ".join(bare.casefold().split()) or plain


def _read_table() -> dict[str, dict[str, tuple[str, ...]]]:
    """Codes by sign, for each group."""
    groups: dict[str, dict[str, tuple[str, ...]]] = {
        "sure:": {}, "beside:": {}, "price:": {}, "weak:": {}, "shared:": {}, "named:": {},
    }  # fmt: skip
    for line in _LISTS["signs"]:
        code, *words = line.split(" ")
        group = "sure:"
        for word in words:
            if word in groups:
                group = word
                continue
            sign = fold_sign(word)
            for name in (group, "named:") if group != "shared:" else (group,):
                codes = groups[name].get(sign, ())
                groups[name][sign] = codes if code in codes else (*codes, code)
    return groups


_GROUPS = _read_table()
SIGNS: Mapping[str, tuple[str, ...]] = _GROUPS["named:"]
SURE_SIGNS: Mapping[str, tuple[str, ...]] = {
    sign: (*codes, *(code for code in _GROUPS["shared:"].get(sign, ()) if code not in codes))
    for sign, codes in _GROUPS["sure:"].items()
}
PAGE_SIGNS: Collection[str] = (*SURE_SIGNS, *_GROUPS["beside:"])
SIGN_CHARACTERS = "".join(sign for sign in SURE_SIGNS if len(sign) == 1 and not sign.isalpha())
"""Every character that means money by itself, as ``€`` does; safe inside ``[...]``."""


def split_signs(signs: Collection[str]) -> tuple[list[str], list[str]]:
    """Signs with letters, which other letters may not adjoin; and the rest. Longest first."""
    by_length = sorted(signs, key=len, reverse=True)
    lettered = [
        sign for sign in by_length
        if any(char.isalpha() for char in sign) and not _UNSPACED.search(sign)
    ]  # fmt: skip
    known = frozenset(lettered)
    return lettered, [sign for sign in by_length if sign not in known]


def sign_pattern(signs: Collection[str], code: str = "[A-Z]{3}") -> str:
    """Regular expression for any of the signs or a code of three letters."""
    lettered, plain = split_signs(signs)
    # "S/" is a currency before an amount; elsewhere it abbreviates something
    words = [re.escape(s) + (r"(?=\.?\s?\d)" if s.endswith("/") else "") for s in lettered]
    # Of some hundred words most places are ruled out by their first letters, at once.
    first = "".join(sorted({re.escape(s[0]) for s in lettered}))
    return (
        rf"(?<![^\W\d_])(?:(?i:(?=[{first}])(?:{'|'.join(words)}))|{code})(?![^\W\d_])|"
        rf"{'|'.join(map(re.escape, plain))}"
    )


def currencies_of(sign: str) -> tuple[str, ...]:
    """Codes a sign may stand for, the most common first; none when it is no sign."""
    if sign in ISO_CODES or sign in FORMER_CODES:
        return (sign,)
    found = SIGNS.get(sign) or SIGNS.get(fold_sign(sign))
    if found is None and sign.upper() in ISO_CODES and sign.casefold() not in _CODE_WORDS:
        return (sign.upper(),)
    return found or ()


def sure_currencies(sign: str) -> tuple[str, ...]:
    """Codes that a sure sign may stand for; none when the sign may mean something else."""
    return SURE_SIGNS.get(sign) or SURE_SIGNS.get(sign.casefold(), ())


def with_signs(allowed: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Add to each allowed code the signs that are its alone; the contract decides the others."""
    surest = _GROUPS["price:"] | _GROUPS["beside:"] | _GROUPS["sure:"]
    signs: dict[str, list[str]] = {}
    for sign, codes in surest.items():
        if len(codes) == 1 and sign not in _SHARED_NAMES:
            signs.setdefault(codes[0], []).append(sign)
    return {code: (*names, *signs.get(code, ())) for code, names in allowed.items()}


def is_weak(sign: str) -> bool:
    """Tell whether the sign means a currency only right beside an amount."""
    return fold_sign(sign) in _GROUPS["weak:"]
