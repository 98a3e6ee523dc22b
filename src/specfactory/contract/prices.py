"""Prices: an amount with its currency, cents raised or not."""

from __future__ import annotations

import re
from dataclasses import dataclass

from specfactory.contract.normal import word_set
from specfactory.contract.numbers import NUMBER, Reading, decimal_mark, raised, readings
from specfactory.contract.refusal import refuse
from specfactory.model import Money

ISO_CODES = word_set(
    "AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR "
    "ISK JOD JPY KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN QAR RON RSD RUB "
    "SAR SEK SGD THB TND TRY TWD UAH USD UYU VND ZAR"
)
_SIGNS: dict[str, tuple[str, ...]] = {
    "€": ("EUR",), "euro": ("EUR",), "euros": ("EUR",), "£": ("GBP",), "us$": ("USD",),
    "$us": ("USD",), "u.s. $": ("USD",), "ca$": ("CAD",), "c$": ("CAD",), "cdn$": ("CAD",),
    "a$": ("AUD",), "au$": ("AUD",), "nz$": ("NZD",), "hk$": ("HKD",), "s$": ("SGD",),
    "r$": ("BRL",), "mx$": ("MXN",), "nt$": ("TWD",), "₹": ("INR",), "rs": ("INR", "PKR", "LKR"),
    "₽": ("RUB",), "руб": ("RUB",), "₩": ("KRW",), "원": ("KRW",), "円": ("JPY",), "元": ("CNY",),
    "zł": ("PLN",), "kč": ("CZK",), "ft": ("HUF",), "lei": ("RON",), "лв": ("BGN",),
    "₺": ("TRY",), "tl": ("TRY",), "₴": ("UAH",), "₪": ("ILS",), "฿": ("THB",), "₫": ("VND",),
    "₱": ("PHP",), "rp": ("IDR",), "rm": ("MYR",), "fr": ("CHF",), "sfr": ("CHF",),
    "dollar": ("USD",), "dollars": ("USD",), "pounds": ("GBP",),
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"),
    "¥": ("JPY", "CNY"), "￥": ("JPY", "CNY"), "kr": ("SEK", "NOK", "DKK", "ISK"),
}  # fmt: skip
_BY_LANGUAGE = {
    "sv": "SEK", "no": "NOK", "nb": "NOK", "nn": "NOK", "da": "DKK", "is": "ISK", "ja": "JPY",
    "zh": "CNY", "en": "USD", "": "USD",
}  # fmt: skip
_CURRENCY = re.compile(
    r"\b[A-Z]{3}\b|(?:US|CA|CDN|AU|NZ|HK|MX|NT|[ACSR])\$|\$US|[€£$₹₽₩¥￥₺₴₪฿₫₱円元원]|"
    r"\b(?:euros?|dollars?|pounds|kr|zł|Kč|Ft|lei|лв|руб|TL|Rp|RM|Rs|S?Fr)\b",
    re.I,
)
_FROM = re.compile(
    r"^\W*(?:from|starting at|as low as|ab|à partir de|dès|desde|a partire da|da|up to|bis)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class PriceRule:
    """What a field says about its price; ``currencies`` empty accepts all."""

    field: str
    currencies: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


def derive_price(rule: PriceRule, words: str, label: str = "", language: str = "") -> Money:
    """The price that the words give; raises NotDerivable otherwise."""
    if _FROM.match(words):
        refuse(rule.field, words, "not_exact", "it is where prices start, not a price")
    amounts = _amounts(rule, words, decimal_mark(language))
    if not amounts:
        refuse(rule.field, words, "not_a_number", "there is no amount in it")
    if len(set(amounts)) > 1:
        listed = " and ".join(f"{amount:g}" for amount in dict.fromkeys(amounts))
        refuse(rule.field, words, "several_values", f"it gives {listed}")
    return Money(_plain(amounts[0]), _currency(rule, words, label, language))


def _amounts(rule: PriceRule, words: str, mark: str) -> list[float]:
    found = []
    for match in NUMBER.finditer(words):
        if words[match.end() : match.end() + 2].strip()[:1] == "%":
            continue
        found.append(_amount(rule, words, match, mark))
    return found


def _amount(rule: PriceRule, words: str, match: re.Match[str], mark: str) -> float:
    read = readings(match["digits"], mark)
    if match["power"]:
        read = _with_cents(read, match["power"])
    if not read:
        refuse(rule.field, words, "ambiguous_number", f"{match[0]!r} is no amount")
    if len(read) > 1:
        read = _settled(rule, read)
    if len(read) != 1:
        options = " or ".join(f"{one.value:g}" for one in read)
        refuse(rule.field, words, "ambiguous_number", f"it may be read as {options}")
    return -read[0].value if match["sign"] else read[0].value


def _settled(rule: PriceRule, read: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """No currency in use is written with three decimals, so three digits are a group."""
    admitted = tuple(
        one
        for one in read
        if (rule.low is None or one.value >= rule.low)
        and (rule.high is None or one.value <= rule.high)
    )
    groups = tuple(one for one in read if not one.decimals)
    return admitted if len(admitted) == 1 else groups


def _with_cents(read: tuple[Reading, ...], power: str) -> tuple[Reading, ...]:
    """``129⁹⁰``: two raised digits behind whole digits are the cents."""
    whole = [one for one in read if not one.decimals]
    if len(whole) != 1 or len(power) != 2:
        return ()
    return (Reading(round(whole[0].value + raised(power) / 100, 2), 2),)


def _currency(rule: PriceRule, words: str, label: str, language: str) -> str:
    for text in (words, label):
        found = {code for sign in _CURRENCY.findall(text) if (code := _code(rule, sign, language))}
        if len(found) > 1:
            refuse(rule.field, words, "several_values", f"it names {', '.join(sorted(found))}")
        if found:
            return _accepted(rule, words, found.pop())
    return refuse(rule.field, words, "currency_missing", "it names no currency")


def _code(rule: PriceRule, sign: str, language: str) -> str | None:
    if sign.upper() in ISO_CODES and sign.isupper():
        return sign
    options = _SIGNS.get(sign.casefold(), ())
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
