"""Words of shops around values that carry no label: prices, buttons, stock, in many languages."""

import re
from functools import lru_cache

from specfactory.contract.values import PRICES_FROM, spellings_of
from specfactory.word_lists import read_patterns, read_words

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LETTERS = re.compile(r"[^\W\d_]+")
_MAX_HINTS = 300
HINTS = read_words("extract/unlabelled/data/markup_hints.txt")  # of class names, by meaning
PRICE_HINTS = HINTS["price"]
PHRASES = read_patterns("extract/unlabelled/data/shop_phrases.txt")
PHRASES["from"] += f"|{PRICES_FROM}"

# ------------------------------------------------------------------- words beside an amount
# Searched in lower-cased text: a pattern that ignores case is several times slower.
_AT = r"(?<![^\W\d_])(?:"
_END = r")(?![^\W\d_])"
BESIDE = {
    name: re.compile(_AT + PHRASES[name] + _END)
    for name in ("old", "ship", "save", "rate", "if", "from", "tax")
}
# Per kilogram or metre; per piece is what the thing costs.
_SOLD_BY = spellings_of("mass", "volume", "length", "area")
_UNIT = "|".join(re.escape(spelling) for spelling in sorted(_SOLD_BY, key=len, reverse=True))
UNIT_WORDS = re.compile(
    rf"/ ?(?:\d+ ?)?(?:{_UNIT}|count|100)(?![^\W_])|"
    + _AT
    + rf"per (?:{_UNIT}|100|sheet)|(?:pro|je) (?:{_UNIT}|100)|"
    r"grundpreis|unit price|le kilo|au kilo|por kilo|al kg|za kg|"
    rf"за (?:{_UNIT}|100)" + _END
)
_BUY = re.compile(PHRASES["buy"])
_NO_SALE = re.compile(PHRASES["no sale"])


@lru_cache(maxsize=16_384)
def hint_tokens(written: str) -> frozenset[str]:
    """Split class names and ids into words: "crossSell-price2" gives cross, sell, price."""
    return frozenset(_LETTERS.findall(_CAMEL.sub(" ", written[:_MAX_HINTS]).lower()))


@lru_cache(maxsize=16_384)
def button_opens(words: str) -> bool:
    """True when the words of a button begin with an offer to buy: "Add to cart – $20".

    A single word is no offer when others follow: "Purchase history".
    """
    written = " ".join(words.lower().split()).strip(" !.›»>→+")
    found = _BUY.match(written)
    if found is None or written[found.end() : found.end() + 1].isalnum():
        return False
    return " " in found[0] or not written[found.end() :].lstrip()[:1].isalpha()


@lru_cache(maxsize=16_384)
def button_says(words: str) -> str:
    """Tell what a button is for: "buy", "none" (cannot be bought now) or ""."""
    written = " ".join(words.lower().split()).strip(" !.›»>→+")
    if _BUY.fullmatch(written):
        return "buy"
    return "none" if _NO_SALE.fullmatch(written) else ""


STOCK_WORDS = tuple(PHRASES["stock"].split("|"))
STOCK_ANCHORS = (*STOCK_WORDS, "ships ", *PHRASES["stock anchors"].split("|"))
