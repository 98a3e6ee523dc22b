"""Prices: an amount with its currency, read from the words of a page.

One grammar with two settings. ``derive_price`` is strict: it refuses what could be read in two
ways, for records. ``read_price`` is lenient: it takes the most likely reading, for texts that are
known to be prices. Strict falls back to lenient for rare spellings that can mean nothing else.
Where prices stand in a longer text is found by ``price_search``.
"""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

from specfactory.contract.values.currencies import (
    BY_LANGUAGE,
    CENTS_FOLLOW,
    FREE_WORDS,
    ISO_CODES,
    SIGN_CHARACTERS,
    SIGNS,
    SURE_SIGNS,
    TENFOLD,
    THREE_DECIMALS,
    currencies_of,
    is_weak,
    sign_pattern,
    sure_currencies,
)
from specfactory.contract.values.dates import MONTHS
from specfactory.contract.values.multipliers import multiple_behind
from specfactory.contract.values.numbers import (
    NUMBER,
    PHRASE_NUMBER,
    NumberReading,
    decimal_mark,
    raised,
    readings,
)
from specfactory.contract.values.refusal import refuse
from specfactory.contract.values.units import is_unit
from specfactory.errors import NotDerivable
from specfactory.model import Frozen, Money
from specfactory.word_lists import read_patterns

MAX_WORDS = 2_000
_MAX_DIGITS = 60
_SURE_SIGN = re.compile(sign_pattern(SURE_SIGNS))

# Strict: currencies glued to the amount, cents apart from it.
_GLUED = re.compile(r"(?<![^\W\d_])([A-Z]{3}|RM|Rs|Rp|R|kr|Fr)(?=\d)")
_CENTS_BEHIND = re.compile(
    rf"(?<=\d)\s?([{CENTS_FOLLOW}])\s?(\d\d)(?![\d.,%]|\s?[{CENTS_FOLLOW}])\s*$"
)
_CENTS_APART = re.compile(
    r"(?<=\d)[.,](?:\s?(?=[⁰¹²³⁴⁵⁶⁷⁸⁹])|\u200a)([\d⁰¹²³⁴⁵⁶⁷⁸⁹]{2})(?![\d.,⁰¹²³⁴⁵⁶⁷⁸⁹])"
)
_RAISE = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_READ_AGAIN = frozenset(("currency_missing", "not_a_number"))
_BOUND = re.compile(r"[%+]")  # a share, or a bound
PRICES_FROM = read_patterns("contract/values/data/price_words.txt")["from"]
_FROM = re.compile(rf"^\W*(?:{PRICES_FROM})\b", re.I)

# Lenient: any number may be the amount.
_SPACES = "\u00a0\u202f\u2009\u2007 "
_NUMBER = re.compile(
    rf"(?P<digits>[.,]?(?<!\d[.,])(?:\d{{1,3}}(?:[{_SPACES}'’]\d{{3}}(?!\d))+|\d+)(?:[.,٫٬]\d+)*)"
    r"(?P<cents>,\s\d\d(?=\s?[^\W\d]|\s*$))?"
)
_SHARE = re.compile(r"\s?%")
_DATE = re.compile(
    r"\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d)(?!\d)|\d{4}([./-])\d{1,2}\2\d{1,2}(?!\d)"
)
_RANGE = re.compile(r"\s*(?:-|–|—|to|bis|до|à|a|al|até|hasta|do|til|tot|~|〜)\s*", re.I)
_CENTS = re.compile(r"\s?(\d\d)(?![\d.,%]|\s?%)")
_BESIDE = 1  # characters between an amount and a weak sign
_WORD = re.compile(r"\s?([^\W\d_]+)")


@lru_cache(maxsize=1)
def _any_sign() -> re.Pattern[str]:
    """Any sign of the table; compiled when needed, since it takes 20 ms."""
    return re.compile(sign_pattern(SIGNS, code="[A-Za-z]{3}"))


_PHRASE_SIGN = rf"(?-i:[A-Z]{{0,3}}[{SIGN_CHARACTERS}]|{'|'.join(sorted(ISO_CODES))})"
PHRASE_PRICE = rf"(?:{_PHRASE_SIGN}\s?{PHRASE_NUMBER}|{PHRASE_NUMBER}\s?{_PHRASE_SIGN})"
"""A price inside the pattern of a phrase."""


class PriceRule(Frozen):
    """Limits a field sets for its price; ``currencies`` empty accepts all."""

    field: str
    currencies: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class PriceRead(NamedTuple):
    """A price as a text gives it."""

    amount: Decimal | None
    currency: str | None  # its ISO 4217 code, the most common one of a shared sign
    sign: str | None  # the currency as written


class _Number(NamedTuple):
    digits: str
    start: int
    end: int


def derive_price(rule: PriceRule, words: str, label: str = "", language: str = "") -> Money:
    """Derive the price that the words give; raises NotDerivable when it is not certain."""
    if _FROM.match(words):
        refuse(rule.field, words, "not_exact", "it is where prices start, not a price")
    try:
        amount = _sure_amount(rule, words, language)
        return Money(amount, _sure_currency(rule, words, label, language))
    except NotDerivable as refusal:
        if refusal.code not in _READ_AGAIN or _BOUND.search(words):
            raise
        read = read_lone_price(words, label)
        options = currencies_of(read.sign or "") if read else ()
        mine = [code for code in options if code in rule.currencies] or list(options)
        if read is None or len(mine) != 1 or mine[0] in THREE_DECIMALS or read.sign in TENFOLD:
            raise
        _accept(rule, words, mine[0])
        return Money(_plain(float(read.amount or 0)), mine[0])


def _sure_amount(rule: PriceRule, words: str, language: str) -> float:
    """The only amount of the words."""
    # "129,⁹⁰" is read as "129⁹⁰", "SGD4.90" as "SGD 4.90", "12€50" as "12,50 €"
    figures = _CENTS_APART.sub(lambda m: m[1].translate(_RAISE), words)
    figures = _GLUED.sub(
        lambda m: f"{m[1]} " if m[1] in ISO_CODES or len(m[1]) < 3 else m[1], figures
    )
    figures = _CENTS_BEHIND.sub(r",\2 \1", figures)
    mark = decimal_mark(language)
    found: list[float] = []
    for match in NUMBER.finditer(figures):
        behind = figures[match.end() : match.end() + 2].strip()[:1]
        if behind == "%":
            continue
        if behind == "+":
            refuse(rule.field, figures, "not_exact", "it is a bound, not a price")
        times, _ = multiple_behind(figures, match.end())
        found.append(round(_one_amount(rule, figures, match, mark) * times, 2))
    if not found:
        refuse(rule.field, words, "not_a_number", "there is no amount in it")
    if len(set(found)) > 1:
        listed = " and ".join(f"{amount:g}" for amount in dict.fromkeys(found))
        refuse(rule.field, words, "several_values", f"it gives {listed}")
    return _plain(found[0])


def _one_amount(rule: PriceRule, words: str, match: re.Match[str], mark: str) -> float:
    read = readings(match["digits"], mark)
    if match["power"]:  # "129⁹⁰": two raised digits behind whole digits are the cents
        whole = [one for one in read if not one.decimals]
        cents = raised(match["power"]) / 100
        is_price = len(whole) == 1 and len(match["power"]) == 2
        read = (NumberReading(round(whole[0].value + cents, 2), 2),) if is_price else ()
    if not read:
        refuse(rule.field, words, "ambiguous_number", f"{match[0]!r} is no amount")
    # "1.250 KWD" may be one and a quarter: some currencies have a thousand parts
    signs = _SURE_SIGN.findall(words) if len(read) > 1 else ()
    thousandths = any(not THREE_DECIMALS.isdisjoint((s, *sure_currencies(s))) for s in signs)
    if len(read) > 1 and not thousandths:
        admitted = tuple(
            one
            for one in read
            if (rule.low is None or one.value >= rule.low)
            and (rule.high is None or one.value <= rule.high)
        )
        # hardly a currency is written with three decimals, so three digits are a group
        groups = tuple(one for one in read if not one.decimals)
        read = admitted if len(admitted) == 1 else groups
    if len(read) != 1:
        options = " or ".join(f"{one.value:g}" for one in read)
        refuse(rule.field, words, "ambiguous_number", f"it may be read as {options}")
    return -read[0].value if match["sign"] else read[0].value


def _sure_currency(rule: PriceRule, words: str, label: str, language: str) -> str:
    """The currency that the words name, or else their label."""
    for text in (words, label):
        signs: list[str] = _SURE_SIGN.findall(text)
        named = {sign for sign in signs if sign in ISO_CODES}
        found = named or {code for sign in signs if (code := _code(rule, sign, language))}
        options = [codes for sign in signs if found and (codes := sure_currencies(sign))]
        # "CAD" goes with "$", but "EUR" does not
        if len(found) > 1 or any(found.isdisjoint(codes) for codes in options):
            refuse(rule.field, words, "several_values", f"it names {', '.join(sorted(signs))}")
        if found:
            code = found.pop()
            _accept(rule, words, code)
            return code
    return refuse(rule.field, words, "currency_missing", "it names no currency")


def _code(rule: PriceRule, sign: str, language: str) -> str | None:
    options = sure_currencies(sign)
    if len(options) < 2:
        return options[0] if options else None
    mine = [code for code in options if code in rule.currencies]
    if len(mine) == 1:
        return mine[0]
    # a bare "$" is the US dollar; "¥" and "kr" need their language
    home = BY_LANGUAGE.get(language.partition("-")[0].casefold(), options[0])
    return home if home in options else ("USD" if "USD" in options else None)


def _accept(rule: PriceRule, words: str, code: str) -> None:
    if rule.currencies and code not in rule.currencies:
        wanted = ", ".join(rule.currencies)
        refuse(rule.field, words, "unit_not_accepted", f"it is in {code}, the field takes {wanted}")


def _plain(amount: float) -> float:
    return int(amount) if amount == int(amount) else amount


def read_price(
    words: str | None, currency_hint: str | None = None, decimal_hint: str | None = None
) -> PriceRead:
    """Read the first amount of a price text and its currency, each None when there is none.

    A price is never negative: a dash before it is a dash.

    ``currency_hint`` is any text that may name the currency (a code, a sign, a whole price, a
    label); ``decimal_hint`` is the decimal mark, where it is known.
    """
    text = _one_line(words or "")
    numbers = []
    for number in _numbers(text):
        before = text[: number.start].rstrip(" ,.").rpartition(" ")[2].casefold()
        is_year = len(before) > 3 and before in MONTHS
        if not is_year and not _SHARE.match(text, number.end):
            numbers.append(number)
    chosen = _choose(text, numbers)
    sign = _sign(text, chosen, _one_line(currency_hint or ""))
    amount = None
    if chosen is None:
        amount = Decimal(0) if text.casefold().strip(" .!*") in FREE_WORDS else None
    else:
        behind = _WORD.match(text, chosen.end)
        if sign is None and behind and len(behind[1]) > 1 and is_unit(behind[1]):
            return PriceRead(None, None, None)  # "16.00 ft" is a length
        amount = _amount(text, chosen, sign, decimal_hint)
    options = currencies_of(sign) if sign else ()
    return PriceRead(amount, options[0] if options else None, sign)


def read_lone_price(words: str, currency_hint: str = "") -> PriceRead | None:
    """Read the price of a text that has one number and names a currency; None for other texts."""
    numbers = list(_numbers(_one_line(words)))
    if len(numbers) != 1 or numbers[0].digits[0] in ".,":
        return None
    read = read_price(words, currency_hint)
    return None if read.amount is None or not read.sign or is_unit(read.sign) else read


def _one_line(words: str) -> str:
    return words[:MAX_WORDS].replace("\t", " ").replace("\n", " ").strip()


def _numbers(text: str) -> Iterator[_Number]:
    dates = [match.span() for match in _DATE.finditer(text)]
    for match in _NUMBER.finditer(text):
        if not any(start <= match.start() < end for start, end in dates):
            cents = (match["cents"] or "").replace(" ", "").replace("\u00a0", "")
            yield _Number(match["digits"] + cents, match.start(), match.end())


def _choose(text: str, numbers: list[_Number]) -> _Number | None:
    """The first number; a later one if only that has a currency before it."""
    if not numbers:
        return None
    first = numbers[0]
    if len(numbers) == 1 or _is_signed(text, first):
        return first
    if any(0 <= start - first.end <= _BESIDE for start, _ in _all_signs(text)):
        return first
    if _RANGE.fullmatch(text, first.end, numbers[1].start):
        return first
    return next((number for number in numbers if _is_signed(text, number)), first)


def _is_signed(text: str, number: _Number) -> bool:
    before = text[: number.start].rstrip()
    return bool(before) and (before[-1] in SIGN_CHARACTERS or before[-3:] in SIGNS)


def _all_signs(text: str) -> Iterator[tuple[int, str]]:
    """Everything that names a currency, with where it stands; symbols before words."""
    found = (match for match in _any_sign().finditer(text) if currencies_of(match[0]))
    for match in sorted(found, key=lambda match: match[0].isalpha()):
        yield match.start(), match[0]


def _sign(text: str, number: _Number | None, hint: str) -> str | None:
    """The currency of the text; then that of the hint; weak signs only beside digits."""
    sure = _nearest_sign(text, number) or _nearest_sign(hint, None) or _beside(text, number)
    if sure is not None:
        return sure
    for part in (hint, hint.rstrip("."), re.split(r"[/(]", hint)[0]):
        if part and currencies_of(part):
            return part
    hinted = next(_numbers(hint), None)
    return _beside(hint, hinted) if hinted is not None else None


def _nearest_sign(text: str, number: _Number | None) -> str | None:
    """The nearest sign that can only be a currency; one before the amount counts first."""
    found = [(at, s) for at, s in _all_signs(text) if not is_weak(s) and _counts(text, at, s)]
    if not found:
        return None
    if number is None:
        return found[0][1]
    return min(found, key=lambda one: _distance(number, *one))[1]


def _counts(text: str, at: int, sign: str) -> bool:
    """Letters name a currency beside a number, or where nothing else stands."""
    if not sign[0].isascii() or not sign.replace(" ", "").isalpha():
        return True
    end = at + len(sign)
    before, after = text[:at].rstrip(" .:\u00a0")[-1:], text[end:].lstrip(" .\u00a0")[:1]
    return before.isdigit() or after.isdigit() or after in ".-" or len(text) <= len(sign) + 6


def _distance(number: _Number, at: int, sign: str) -> int:
    return number.start - at - len(sign) if at < number.start else at - number.end


def _beside(text: str, number: _Number | None) -> str | None:
    """A sign that is also a word, right beside the amount."""
    for at, sign in _all_signs(text):
        # "Rs. 1,299", "Fr. 12": the dot of an abbreviation keeps nothing apart
        dot = number is not None and at < number.start and text.startswith(".", at + len(sign))
        if number is None or abs(_distance(number, at, sign)) <= _BESIDE + dot:
            return sign if number is not None or len(text) <= len(sign) + 1 else None
    return None


def _amount(
    text: str, number: _Number, sign: str | None, decimal_hint: str | None
) -> Decimal | None:
    digits = number.digits
    sign_at = number.end + text[number.end : number.end + 1].isspace()
    behind = _SURE_SIGN.match(text, sign_at)
    cents = _CENTS.match(text, behind.end()) if behind else None
    if cents and not any(mark in digits for mark in ",.٫"):
        following = cents.end() + text[cents.end() : cents.end() + 1].isspace()
        if not _SURE_SIGN.match(text, following):  # "49€ 95", but not "49 € 95 €"
            digits = f"{digits},{cents[1]}"
    thousandths = bool(sign) and not THREE_DECIMALS.isdisjoint(currencies_of(sign or ""))
    amount = read_amount(digits, decimal_hint, thousandths)
    times, end = multiple_behind(text, number.end)
    is_sign = text[number.end : end].strip() == sign  # "1 K": kwacha, not a thousand
    return amount if amount is None or is_sign else amount * int(times)


def read_amount(
    digits: str, decimal_hint: str | None = None, thousandths: bool = False
) -> Decimal | None:
    """Read digits with separators as an amount of money; None when they are no number.

    A single separator before three digits parts the thousands, unless the currency has
    thousandths or nothing but a zero stands before it.
    """
    plain = re.sub(rf"[{_SPACES}'’]", "", digits).replace("٫", ".").replace("٬", ",")
    if len(plain) > _MAX_DIGITS:
        return None
    if plain[:1] in ".," and any(mark in plain[1:] for mark in ".,"):
        plain = plain[1:]
    marks = [char for char in plain if char in ".,"]
    mark = marks[-1] if marks else ""
    if marks and decimal_hint in (".", ","):
        mark = decimal_hint if decimal_hint in marks else ""
    elif len(marks) > 1 and (len(set(marks)) < 2 or marks.count(mark) > 1):
        mark = ""  # it only groups
    elif len(marks) == 1:
        before, _, after = plain.partition(mark)
        mark = "" if len(after) == 3 and not thousandths and before not in ("", "0") else mark
    whole, _, rest = plain.rpartition(mark) if mark else (plain, "", "")
    written = re.sub(r"[.,]", "", whole) or "0"
    try:
        return Decimal(f"{written}.{rest}" if rest else written)
    except InvalidOperation:
        return None
