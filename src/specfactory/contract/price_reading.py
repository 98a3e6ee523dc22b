"""Reading prices as pages write them, in all conventions: the first amount, and its currency.

``read_price`` answers what a price text most likely says; hints settle what it leaves open.
``prices.derive_price`` refuses what is not certain, and asks ``read_lone_price`` for all
currencies and spellings that its own quick look does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from specfactory.contract.currencies import SIGNS, THREE_DECIMALS, currencies_of, is_weak
from specfactory.contract.normal import word_set
from specfactory.contract.units import is_unit

MAX_WORDS = 2_000
_MAX_DIGITS = 60


class PriceRead(NamedTuple):
    """What a price text says."""

    amount: Decimal | None
    currency: str | None  # its ISO 4217 code, the most usual one of a shared sign
    sign: str | None  # the currency as written


class _Number(NamedTuple):
    digits: str
    start: int
    end: int


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
_SIGN_CENTS = re.compile(r"\s?(€|£|\$|zł|kr)\s?(\d\d)(?![\d.,%]|\s?(?:€|£|\$|zł|kr|%))")
_SYMBOL = re.compile(
    r"[^\W\d_]{0,4}[$¥￥£€\u20a0-\u20bfɃ฿৳৲૱௹؋﷼֏៛¢ƒℳ](?:[^\W\d_]{1,3}(?![^\W\d_]))?|[円元원]"
)
_LETTER = r"(?:[^\W\d_]|[\u0900-\u0dff\u0e00-\u0e7f])"  # with the vowel signs of India
_SPELLED = re.compile(rf"\.?{_LETTER}(?:{_LETTER}|[.'’‘ʻ\"״/](?!\d))*[$₵₣]?|:-|/=")
_BESIDE = 1  # characters between an amount and a weak sign
_FREE = word_set(
    "free gratis kostenlos umsonst gratuit gratuito grátis gratuita бесплатно безкоштовно zdarma "
    "darmowy bezpłatnie ingyenes ilmainen ücretsiz bedava gratuït δωρεάν безплатно besplatno "
    "免费 免費 無料 무료 مجاني مجانا חינם ฟรี miễn_phí मुफ़्त"
)
_MONTHS = word_set(
    "january february march april june july august september october november december januar "
    "februar märz juni juli oktober dezember janvier février mars avril juin juillet août "
    "septembre octobre novembre décembre enero febrero marzo abril junio julio agosto septiembre "
    "octubre noviembre diciembre"
)
_MULTIPLIERS = {"million": 6, "millions": 6, "millionen": 6, "mio": 6, "mln": 6, "млн": 6,
                "lakh": 5, "lakhs": 5, "lac": 5, "crore": 7, "crores": 7, "billion": 9,
                "thousand": 3, "тыс": 3, "万": 4, "만": 4, "億": 8, "억": 8}  # fmt: skip
_WORD = re.compile(r"\s?([^\W\d_]+)")


def read_price(
    words: str | None, currency_hint: str | None = None, decimal_hint: str | None = None
) -> PriceRead:
    """The first amount of a price text and its currency, both None when there is none.

    A price is never below nothing: a dash before it is a dash.

    ``currency_hint`` is any text that may name the currency (a code, a sign, a whole price, a
    label); ``decimal_hint`` is the decimal mark, where it is known.
    """
    text = _plain(words or "")
    hint = _plain(currency_hint or "")
    numbers = [n for n in _numbers(text) if not _is_other(text, n)]
    chosen = _chosen(text, numbers)
    sign = _sign(text, chosen, hint)
    if chosen is None:
        return _priced(Decimal(0) if _is_free(text) else None, sign)
    if sign is None and _is_measure(text, chosen):
        return _priced(None, None)
    return _priced(_amount(text, chosen, sign, decimal_hint), sign)


def read_lone_price(words: str, currency_hint: str = "") -> PriceRead | None:
    """The price of a text that has one number and names a currency; None when it is not so."""
    numbers = list(_numbers(_plain(words)))
    if len(numbers) != 1 or numbers[0].digits[0] in ".,":
        return None
    read = read_price(words, currency_hint)
    if read.amount is None or not read.sign or is_unit(read.sign):
        return None
    return read


def _priced(amount: Decimal | None, sign: str | None) -> PriceRead:
    options = currencies_of(sign) if sign else ()
    return PriceRead(amount, options[0] if options else None, sign)


def _plain(words: str) -> str:
    return words[:MAX_WORDS].replace("\t", " ").replace("\n", " ").strip()


def _numbers(text: str) -> Iterator[_Number]:
    dates = [match.span() for match in _DATE.finditer(text)]
    for match in _NUMBER.finditer(text):
        if any(start <= match.start() < end for start, end in dates):
            continue
        digits = match["digits"] + (match["cents"] or "").replace(" ", "").replace("\u00a0", "")
        yield _Number(digits, match.start(), match.end())


def _is_other(text: str, number: _Number) -> bool:
    """A share, or a year behind the name of a month."""
    if _SHARE.match(text, number.end):
        return True
    before = text[: number.start].rstrip(" ,.").rpartition(" ")[2].casefold()
    return before in _MONTHS


def _chosen(text: str, numbers: list[_Number]) -> _Number | None:
    """The first number; a later one if only that has a currency before it."""
    if not numbers:
        return None
    first = numbers[0]
    if len(numbers) == 1 or _has_sign(text, first):
        return first
    if _RANGE.fullmatch(text, first.end, numbers[1].start):
        return first
    signed = (n for n in numbers if _symbol_before(text, n))
    return next(signed, first)


def _symbol_before(text: str, number: _Number) -> bool:
    before = text[: number.start].rstrip()
    return bool(before) and (before[-1] in "$€£¥₹₩₽₺₴₪₫₱฿" or before[-3:] in SIGNS)


def _has_sign(text: str, number: _Number) -> bool:
    if _symbol_before(text, number):
        return True
    return any(start >= number.end and start - number.end <= _BESIDE for start, _ in _all(text))


def _all(text: str) -> Iterator[tuple[int, str]]:
    """Everything that names a currency, with where it stands."""
    for match in _SYMBOL.finditer(text):
        yield match.start(), _longest_symbol(match[0])
    for match in _SPELLED.finditer(text):
        if sign := _known_word(match[0]):
            yield match.start(), sign


def _longest_symbol(written: str) -> str:
    """``EURUS$`` holds ``US$``: the longest end of it that is a sign; the symbol itself at last."""
    for start in range(len(written)):
        for end in range(len(written), start, -1):
            if currencies_of(written[start:end]) and not written[start:end].isalpha():
                return written[start:end]
    return next((char for char in written if not char.isalpha()), written)


def _known_word(written: str) -> str | None:
    """A word that names a currency; ``DKK/stk`` and ``руб.`` do so too."""
    for part in (written, written.rstrip("."), re.split(r"[/(]", written)[0]):
        if part and currencies_of(part):
            return part
    return None


def _sign(text: str, number: _Number | None, hint: str) -> str | None:
    """The currency of the text; then that of the hint; what is also a word only beside digits."""
    return _sure(text, number) or _sure(hint, None) or _beside(text, number) or _hinted(hint)


def _sure(text: str, number: _Number | None) -> str | None:
    """The nearest sign that can only be a currency; one before the amount counts first."""
    found = [(at, sign) for at, sign in _all(text) if not is_weak(sign) and _counts(text, at, sign)]
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
    for at, sign in _all(text):
        if number is None or abs(_distance(number, at, sign)) <= _BESIDE:
            return sign if number is not None or len(text) <= len(sign) + 1 else None
    return None


def _hinted(hint: str) -> str | None:
    """A sign that is also a word, where it is all of the hint or stands beside its number."""
    if sign := _known_word(hint):
        return sign
    number = next(_numbers(hint), None)
    return _beside(hint, number) if number is not None else None


def _is_free(text: str) -> bool:
    return text.casefold().strip(" .!*") in _FREE


def _is_measure(text: str, number: _Number) -> bool:
    """``16.00 ft`` is a length, when nothing names a currency."""
    match = _WORD.match(text, number.end)
    return match is not None and len(match[1]) > 1 and is_unit(match[1])


def _amount(
    text: str, number: _Number, sign: str | None, decimal_hint: str | None
) -> Decimal | None:
    digits = number.digits
    if (cents := _SIGN_CENTS.match(text, number.end)) and _is_whole(digits):
        digits = f"{digits},{cents[2]}"
    thousandths = bool(sign) and not THREE_DECIMALS.isdisjoint(currencies_of(sign or ""))
    amount = read_amount(digits, decimal_hint, thousandths)
    if amount is None:
        return None
    match = _WORD.match(text, number.end)
    power = _MULTIPLIERS.get(match[1].casefold(), 0) if match else 0
    return amount.scaleb(power) if power else amount


def _is_whole(digits: str) -> bool:
    return not any(mark in digits for mark in ",.٫")


def read_amount(
    digits: str, decimal_hint: str | None = None, thousandths: bool = False
) -> Decimal | None:
    """Digits with separators as an amount of money; None when they are no number.

    A single separator before three digits parts the thousands, unless the currency has
    thousandths or nothing but a zero stands before it.
    """
    plain = re.sub(rf"[{_SPACES}'’]", "", digits).replace("٫", ".").replace("٬", ",")
    if len(plain) > _MAX_DIGITS:
        return None
    stray = plain[:1] in ".," and any(mark in plain[1:] for mark in ".,")
    plain = plain[1:] if stray else plain
    mark = _decimal_mark(plain, decimal_hint, thousandths)
    whole, _, rest = plain.rpartition(mark) if mark else (plain, "", "")
    written = re.sub(r"[.,]", "", whole) or "0"
    try:
        return Decimal(f"{written}.{rest}" if rest else written)
    except InvalidOperation:
        return None


def _decimal_mark(plain: str, hint: str | None, thousandths: bool) -> str:
    """The separator that parts the decimals, or none."""
    marks = [char for char in plain if char in ".,"]
    if not marks:
        return ""
    if hint in (".", ","):
        return hint if hint in marks else ""
    last = marks[-1]
    if len(set(marks)) == 2:
        return last if marks.count(last) == 1 else ""
    if len(marks) > 1:
        return ""
    whole, _, rest = plain.partition(last)
    if len(rest) == 3:
        return last if thousandths or whole in ("", "0") else ""
    return last
