"""Prices: an amount with its currency, cents raised or not."""

from __future__ import annotations

import re

from specfactory.contract.currencies import (
    ISO_CODES,
    SIGNS,
    THREE_DECIMALS,
    WEAK_SIGNS,
    currencies_of,
)
from specfactory.contract.multiples import multiple_behind
from specfactory.contract.numbers import NUMBER, Reading, decimal_mark, raised, readings
from specfactory.contract.refusal import refuse
from specfactory.errors import NotDerivable
from specfactory.model import Money
from specfactory.model.frozen import Frozen

__all__ = ["ISO_CODES", "PriceRule", "derive_price"]

_SIGNS: dict[str, tuple[str, ...]] = {
    "€": ("EUR",), "euro": ("EUR",), "euros": ("EUR",), "£": ("GBP",), "us$": ("USD",),
    "$us": ("USD",), "ca$": ("CAD",), "c$": ("CAD",), "cdn$": ("CAD",), "a$": ("AUD",),
    "au$": ("AUD",), "nz$": ("NZD",), "hk$": ("HKD",), "s$": ("SGD",), "r$": ("BRL",),
    "mx$": ("MXN",), "nt$": ("TWD",), "₹": ("INR",), "rs": ("INR", "PKR", "LKR"), "₽": ("RUB",),
    "руб": ("RUB",), "рублей": ("RUB",), "рубля": ("RUB",), "рубль": ("RUB",), "р": ("RUB",),
    "₩": ("KRW",), "원": ("KRW",), "円": ("JPY",), "元": ("CNY",), "zł": ("PLN",), "zl": ("PLN",),
    "kč": ("CZK",), "Ft": ("HUF",), "lei": ("RON",), "лв": ("BGN",), "₺": ("TRY",), "tl": ("TRY",),
    "₴": ("UAH",), "грн": ("UAH",), "₸": ("KZT",), "тг": ("KZT",), "₼": ("AZN",), "₡": ("CRC",),
    "₮": ("MNT",), "₦": ("NGN",), "₾": ("GEL",), "₪": ("ILS",), "฿": ("THB",), "บาท": ("THB",),
    "₫": ("VND",), "₱": ("PHP",), "rp": ("IDR",), "rm": ("MYR",), "fr": ("CHF",), "sfr": ("CHF",),
    "R": ("ZAR",), "s/": ("PEN",), "ksh": ("KES",), "gh₵": ("GHS",), "kn": ("HRK",),
    "dollar": ("USD",), "dollars": ("USD",), "pounds": ("GBP",), "usd": ("USD",), "eur": ("EUR",),
    "gbp": ("GBP",), "chf": ("CHF",), "cad": ("CAD",), "aud": ("AUD",), "nzd": ("NZD",),
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "TWD", "BRL", "CLP", "COP", "ARS"),
    "¥": ("JPY", "CNY"), "￥": ("JPY", "CNY"), "kr": ("SEK", "NOK", "DKK", "ISK"),
}  # fmt: skip
_BY_LANGUAGE = {
    "sv": "SEK", "no": "NOK", "nb": "NOK", "nn": "NOK", "da": "DKK", "is": "ISK", "ja": "JPY",
    "zh": "CNY", "en": "USD", "": "USD",
}  # fmt: skip
_MULTIPLES = frozenset(("تومان",))  # of the currency they stand for: a toman is ten rials
_SIGNS |= {  # what can be nothing else: signs, dollars by their country, words of other scripts
    sign: codes
    for sign, codes in SIGNS.items()
    if sign not in _SIGNS
    and sign not in WEAK_SIGNS
    and sign not in _MULTIPLES
    and ("$" in sign or not sign.isascii())
}
_DOLLARS = sorted((re.escape(s) for s in _SIGNS if "$" in s and len(s) > 1), key=len, reverse=True)
_LETTERS = sorted((re.escape(sign) for sign in _SIGNS if sign[-1].isalpha()), key=len, reverse=True)
_CURRENCY = re.compile(
    r"(?<![^\W\d_])(?i:" + "|".join(_DOLLARS) + r")(?![^\W\d_])|GH₵|S/(?=\s?\d)|"
    r"[€£$¥￥円元원฿৳؋﷼֏៛\u20a0-\u20bf]|(?<![^\W\d_])(?:[A-Z]{3}|(?i:"
    + "|".join(_LETTERS)
    + r"))(?![^\W\d_])"
)
_GLUED = re.compile(r"(?<![^\W\d_])([A-Z]{3}|RM|Rs|Rp|R|kr|Fr)(?=\d)")
_EURO_CENTS = re.compile(r"(?<=\d)\s?€\s?(\d\d)(?![\d.,%]|\s?€)\s*$")
_CENTS_APART = re.compile(
    r"(?<=\d)[.,](?:\s?(?=[⁰¹²³⁴⁵⁶⁷⁸⁹])|\u200a)([\d⁰¹²³⁴⁵⁶⁷⁸⁹]{2})(?![\d.,⁰¹²³⁴⁵⁶⁷⁸⁹])"
)
_RAISE = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_READ_AGAIN = frozenset(("currency_missing", "not_a_number"))
_BOUND = re.compile(r"[%+]")  # a share, or a bound
_FROM = re.compile(
    r"^\W*(?:from|starting at|as low as|ab|à partir de|dès|desde|a partire da|da|up to|bis)\b",
    re.I,
)


class PriceRule(Frozen):
    """What a field says about its price; ``currencies`` empty accepts all."""

    field: str
    currencies: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def derive_price(rule: PriceRule, words: str, label: str = "", language: str = "") -> Money:
    """The price that the words give; raises NotDerivable otherwise."""
    if _FROM.match(words):
        refuse(rule.field, words, "not_exact", "it is where prices start, not a price")
    try:
        return _derived(rule, words, label, language)
    except NotDerivable as refusal:
        if refusal.code not in _READ_AGAIN or (read := _lone(rule, words, label)) is None:
            raise
        return read


def _lone(rule: PriceRule, words: str, label: str) -> Money | None:
    """A price in a currency or a spelling that is seldom, where nothing else can be meant."""
    from specfactory.contract.price_reading import read_lone_price  # seldom needed

    if _BOUND.search(words) or (read := read_lone_price(words, label)) is None:
        return None
    options = currencies_of(read.sign or "") if read.sign not in _MULTIPLES else ()
    mine = [code for code in options if code in rule.currencies] or list(options)
    if len(mine) != 1 or mine[0] in THREE_DECIMALS or read.amount is None:
        return None
    return Money(_plain(float(read.amount)), _accepted(rule, words, mine[0]))


def _derived(rule: PriceRule, words: str, label: str, language: str) -> Money:
    figures = _EURO_CENTS.sub(r",\1 €", _GLUED.sub(_apart, _CENTS_APART.sub(_raise, words)))
    amounts = _amounts(rule, figures, decimal_mark(language))
    if not amounts:
        refuse(rule.field, words, "not_a_number", "there is no amount in it")
    if len(set(amounts)) > 1:
        listed = " and ".join(f"{amount:g}" for amount in dict.fromkeys(amounts))
        refuse(rule.field, words, "several_values", f"it gives {listed}")
    return Money(_plain(amounts[0]), _currency(rule, words, label, language))


def _raise(match: re.Match[str]) -> str:
    """Cents set apart behind their mark are read as raised ones: ``129,⁹⁰`` as ``129⁹⁰``."""
    return match[1].translate(_RAISE)


def _apart(match: re.Match[str]) -> str:
    """``SGD4.90``: a currency glued to its amount is set apart; a model token is not."""
    known = match[1] in ISO_CODES or len(match[1]) < 3
    return f"{match[1]} " if known else match[1]


def _amounts(rule: PriceRule, words: str, mark: str) -> list[float]:
    found = []
    for match in NUMBER.finditer(words):
        behind = words[match.end() : match.end() + 2].strip()[:1]
        if behind == "%":
            continue
        if behind == "+":
            refuse(rule.field, words, "not_exact", "it is a bound, not a price")
        times, _ = multiple_behind(words, match.end())
        found.append(round(_amount(rule, words, match, mark) * times, 2))
    return found


def _amount(rule: PriceRule, words: str, match: re.Match[str], mark: str) -> float:
    read = readings(match["digits"], mark)
    if match["power"]:
        read = _with_cents(read, match["power"])
    if not read:
        refuse(rule.field, words, "ambiguous_number", f"{match[0]!r} is no amount")
    if len(read) > 1:
        read = read if _has_thousandths(words) else _settled(rule, read)
    if len(read) != 1:
        options = " or ".join(f"{one.value:g}" for one in read)
        refuse(rule.field, words, "ambiguous_number", f"it may be read as {options}")
    return -read[0].value if match["sign"] else read[0].value


def _settled(rule: PriceRule, read: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Hardly a currency is written with three decimals, so three digits are a group."""
    admitted = tuple(
        one
        for one in read
        if (rule.low is None or one.value >= rule.low)
        and (rule.high is None or one.value <= rule.high)
    )
    groups = tuple(one for one in read if not one.decimals)
    return admitted if len(admitted) == 1 else groups


def _has_thousandths(words: str) -> bool:
    """``1.250 KWD`` may be one and a quarter: some currencies have a thousand parts."""
    signs = _CURRENCY.findall(words)
    return any(not THREE_DECIMALS.isdisjoint((sign, *_options(sign))) for sign in signs)


def _with_cents(read: tuple[Reading, ...], power: str) -> tuple[Reading, ...]:
    """``129⁹⁰``: two raised digits behind whole digits are the cents."""
    whole = [one for one in read if not one.decimals]
    if len(whole) != 1 or len(power) != 2:
        return ()
    return (Reading(round(whole[0].value + raised(power) / 100, 2), 2),)


def _currency(rule: PriceRule, words: str, label: str, language: str) -> str:
    for text in (words, label):
        signs = _CURRENCY.findall(text)
        named = {sign for sign in signs if sign in ISO_CODES}
        found = named or {code for sign in signs if (code := _code(rule, sign, language))}
        if len(found) > 1 or any(not _fits(sign, found) for sign in signs):
            refuse(rule.field, words, "several_values", f"it names {', '.join(sorted(signs))}")
        if found:
            return _accepted(rule, words, found.pop())
    return refuse(rule.field, words, "currency_missing", "it names no currency")


def _options(sign: str) -> tuple[str, ...]:
    return _SIGNS.get(sign) or _SIGNS.get(sign.casefold(), ())


def _fits(sign: str, found: set[str]) -> bool:
    """Whether a sign may stand for the currency that was found: ``CAD`` goes with ``$``."""
    options = _options(sign)
    return not found or not options or not found.isdisjoint(options)


def _code(rule: PriceRule, sign: str, language: str) -> str | None:
    options = _options(sign)
    if len(options) > 1:
        mine = [code for code in options if code in rule.currencies]
        home = _BY_LANGUAGE.get(language.partition("-")[0].casefold(), options[0])
        return mine[0] if len(mine) == 1 else _usual(options, home)
    return options[0] if options else None


def _usual(options: tuple[str, ...], home: str) -> str | None:
    """A bare ``$`` is the US dollar; ``¥`` and ``kr`` need their language."""
    return home if home in options else ("USD" if "USD" in options else None)


def _accepted(rule: PriceRule, words: str, code: str) -> str:
    if rule.currencies and code not in rule.currencies:
        wanted = ", ".join(rule.currencies)
        refuse(rule.field, words, "unit_not_accepted", f"it is in {code}, the field takes {wanted}")
    return code


def _plain(amount: float) -> float:
    return int(amount) if amount == int(amount) else amount
