"""Numbers as pages write them: digits, separators, multipliers; never guessed.

``scan`` finds the quantities of a text. A shape that two conventions read differently
("8.000") keeps both readings until the language or the field's range settles it.
"""

import re
from typing import NamedTuple

from specfactory.contract.values.multipliers import MULTIPLIERS, MYRIADS
from specfactory.contract.values.units import ORDINARY_WORDS, UnitTable, is_unit
from specfactory.word_lists import read_words


class NumberReading(NamedTuple):
    """One way to read a number; ``decimals`` says how exactly it was written."""

    value: float
    decimals: int


class Quantity(NamedTuple):
    """A number on a page with the unit behind it."""

    readings: tuple[NumberReading, ...]
    scale: float  # of a multiplier word: 26K is 26 at scale 1000
    unit: str  # as written; "" when there is none
    foreign: bool  # the unit is one, but none that the field accepts
    start: int
    end: int  # of the number and its unit
    power: str = ""  # superscript digits right behind the number
    named: bool = False  # another word stands behind the number


MAX_DIGITS = 40
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_LOWERED = str.maketrans(RAISED, "0123456789")
_SPACES = "\u00a0\u202f\u2009 "
_ARABIC_DECIMAL, _ARABIC_GROUP = "٫", "٬"
_UNSPACED = "\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af"  # scripts whose words need no space
_UNSPACED_WORD = re.compile(rf"[{_UNSPACED}]")
NUMBER = re.compile(
    r"(?:(?<![\w.,])|(?<=[^\W\d][.,])|(?<=\d[x×*])"
    rf"|(?<=[{_UNSPACED}]))"
    r"(?P<sign>(?<!\))[-−](?=[\d.]))?"
    rf"(?P<digits>\d+(?:[.,'’٫٬]\d+|[{_SPACES}]\d{{3}}(?!\d))*|\.\d+(?![\d.,]*\d))"
    r"(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
)
PHRASE_NUMBER = r"[-−]?\d(?:[\d.,'’\u00a0\u202f\u2009]{0,14}\d)?[⁰¹²³⁴-⁹]{0,2}"
"""A number inside the pattern of a phrase."""
_BEHIND = re.compile(
    r"[\s\u00a0\u202f\u2009\u200a]{0,3}[-‐‑]?\s?"
    r"(?P<word>[^\W\d_]+(?:[./·'^-][^\W\d_]+)*(?:\^?[²³]|\^?(?<![xX])[23](?!\d))?"
    r"(?:/1[.,]?000\s?h\b|/\([^()\s]{1,12}\)|\.|\([aA]\))?|%|°[CFcf]?|[″\"”“„′℃℉㎡]|''|')"
    r"(?P<glued>\d)?"
)
_NEXT_WORDS = re.compile(r"[\s\u00a0-]{1,3}([^\W\d_]+(?:/[^\W\d_]+)?[²³]?)")
_PLUS_MINUS = re.compile(r"(?:±|\+\s?/\s?[-−–]|\+-)\s?$")
_GLUED_X = frozenset({"x", "X", "×"})

_MARKS = read_words("contract/values/data/decimal_marks.txt")


def decimal_mark(language: str) -> str:
    """Decimal mark of the language, ``.`` or ``,``; "fr" for French, "" when it is not known."""
    tag = language.casefold().replace("_", "-")
    primary = tag.partition("-")[0]
    if tag in _MARKS["point regions"] or primary in _MARKS["point"]:
        return "."
    if primary in _MARKS["comma"]:
        return ","
    return "fr" if primary == "fr" else ""


def readings(digits: str, mark: str) -> tuple[NumberReading, ...]:
    """All readings of a digit string; none when its shape is that of no number."""
    if len(digits) > MAX_DIGITS:
        return ()
    if digits.isdigit():
        return (NumberReading(float(digits), 0),)
    if _ARABIC_DECIMAL in digits or _ARABIC_GROUP in digits:
        return _split_reading(digits, _ARABIC_DECIMAL, _ARABIC_GROUP)
    for space in _SPACES + "'’":
        if space in digits:
            decimal = "," if "," in digits else "."
            return _split_reading(digits, decimal, space)
    points, commas = digits.count("."), digits.count(",")
    if points and commas:
        decimal, group = (".", ",") if digits.rfind(".") > digits.rfind(",") else (",", ".")
        whole, _, rest = digits.rpartition(decimal)
        if decimal in whole or not _is_grouping(whole.split(group)):
            return ()
        return (NumberReading(float(f"{whole.replace(group, '')}.{rest}"), len(rest)),)
    separator = "." if points else ","
    if points + commas > 1:
        parts = digits.split(separator)
        *twos, last = parts[1:]  # India groups by two digits: 12,34,567
        is_indian = (
            1 <= len(parts[0]) <= 2 and len(last) == 3 and all(len(two) == 2 for two in twos)
        )
        if not _is_grouping(parts) and not (separator == "," and is_indian):
            return ()
        return (NumberReading(float("".join(parts)), 0),)
    whole, _, rest = digits.partition(separator)
    as_decimal = NumberReading(float(f"{whole or 0}.{rest}"), len(rest))
    if len(rest) != 3 or len(whole) > 3 or whole[:1] in ("0", ""):
        return (as_decimal,)
    as_group = NumberReading(float(whole + rest), 0)
    if mark == "fr":  # groups with spaces; a point is either a foreign decimal or a foreign group
        return (as_decimal,) if separator == "," else (as_group, as_decimal)
    if not mark:
        return (as_group, as_decimal)
    return (as_decimal,) if separator == mark else (as_group,)


def _split_reading(digits: str, decimal: str, group: str) -> tuple[NumberReading, ...]:
    """The only reading of digits whose marks leave no doubt."""
    whole, mark, rest = digits.partition(decimal)
    if not _is_grouping(whole.split(group)) and not whole.isdigit():
        return ()
    if mark and not (rest or "0").isdigit():
        return ()
    return (NumberReading(float(f"{whole.replace(group, '')}.{rest or 0}"), len(rest)),)


def _is_grouping(parts: list[str]) -> bool:
    first, *rest = parts
    if not first.isdigit() or len(first) > 3:
        return False
    return all(len(part) == 3 and part.isdigit() for part in rest)


def raised(digits: str) -> int:
    """The number that raised digits write."""
    return int(digits.translate(_LOWERED))


def scan(words: str, mark: str, table: UnitTable | None) -> list[Quantity]:
    """Find the quantities of a text, in order; model tokens such as ``PAW3395`` are none."""
    found: list[Quantity] = []
    for match in NUMBER.finditer(words):
        start, digits = match.start(), match["digits"]
        if _PLUS_MINUS.search(words, max(0, start - 4), start):
            # "54 ± 2 g": the spread is no value, but its unit is that of the number before
            if found and not found[-1].unit:
                unit = _unit_behind(words, match.end(), table)
                if unit is not None and unit[1]:
                    found[-1] = found[-1]._replace(unit=unit[1], foreign=unit[2], end=unit[3])
            continue
        read = readings(digits, mark)
        if " " in digits and (not read or (mark == "." and start != 0)):
            *first, digits = digits.split(" ")  # "2 125 Hz": a number and then another
            found += [Quantity(readings(one, mark), 1.0, "", False, start, start) for one in first]
            read = readings(digits, mark)
        if not read:
            continue
        if match["sign"]:
            read = tuple(NumberReading(-one.value, one.decimals) for one in read)
        unit = _unit_behind(words, match.end(), table)
        if unit is not None:
            scale, written, foreign, end, named = unit
            power = match["power"] or ""
            found.append(Quantity(read, scale, written, foreign, start, end, power, named))
    return found


_Unit = tuple[float, str, bool, int, bool]


def _unit_behind(words: str, at: int, table: UnitTable | None) -> _Unit | None:
    """Multiplier, unit as written, is it foreign, where it ends, is there another word.

    None when letters that are no unit are glued to the digits: that is a model token.
    """
    match = _BEHIND.match(words, at)
    if match is None:
        return 1.0, "", False, at, False
    word, glued = match["word"], match.start("word") == at
    unspaced = _UNSPACED_WORD.match(word) is not None
    if match["glued"] and not unspaced:
        is_times = word in _GLUED_X
        return None if glued and not is_times else (1.0, "", False, at, not is_times)
    if (known := _known(word, words, match, table)) is not None:
        return known
    scale = MULTIPLIERS.get(word) or MULTIPLIERS.get(word.rstrip(".").casefold())
    if scale is not None and word != "m":
        return _after_multiplier(words, match.end(), scale, table)
    if unspaced and word[0] in MYRIADS:  # "2420万画素"
        return _after_multiplier(words, match.start("word") + 1, MYRIADS[word[0]], table)
    if glued and table is not None and word[0] != "m" and table.find(word[1:]):  # "26KDPI"
        scale = MULTIPLIERS.get(word[0]) or MULTIPLIERS.get(word[0].casefold())
        if scale is not None:
            return scale, word[1:], False, match.end(), False
    if glued and not unspaced and word not in _GLUED_X and not word.startswith(("'", '"')):
        return None
    return _further(words, match, table)


def _known(word: str, words: str, match: re.Match[str], table: UnitTable | None) -> _Unit | None:
    """The word, or the word with those behind it, as a unit: the field's own first."""
    end, bare = match.end("word"), word.rstrip(".")
    following = _NEXT_WORDS.match(words, end)
    if table is not None:
        longest: _Unit | None = None
        written, behind, stop = word, following, end
        for _ in range(table.words - 1):  # "inches per second": the longest name wins
            if behind is None:
                break
            written, stop = f"{written} {behind[1]}", behind.end()
            if table.find(written):
                longest = (1.0, written, False, stop, False)
            behind = _NEXT_WORDS.match(words, stop)
        if longest is not None:
            return longest
        if table.find(bare):
            return 1.0, bare, False, end, False
    # "in" is a word as well as a unit, and so are one-letter multipliers
    is_word = bare in ("k", "K", "M") or (
        (following is not None or table is None) and bare.casefold() in ORDINARY_WORDS
    )
    if is_unit(bare) and not is_word:
        return 1.0, bare, True, end, False
    unmarked = bare.rstrip(RAISED)
    if unmarked != bare and table is not None and table.find(unmarked):  # "54 g²": a footnote
        return 1.0, unmarked, False, end, False
    return None


def _after_multiplier(words: str, at: int, scale: float, table: UnitTable | None) -> _Unit:
    match = _BEHIND.match(words, at)
    if match is None or match["glued"]:
        return scale, "", False, at, match is not None
    if (known := _known(match["word"], words, match, table)) is not None:
        return scale, *known[1:]
    _, written, foreign, end, named = _further(words, match, table)
    return scale, written, foreign, end if written else at, named


def _further(words: str, match: re.Match[str], table: UnitTable | None) -> _Unit:
    """``70 million durable clicks``: a counted thing may have up to two words before it."""
    end = match.end()
    for _ in range(2 if table is not None and table.bare else 0):
        following = _NEXT_WORDS.match(words, end)
        if following is None or table is None:
            break
        end = following.end()
        if table.find(following[1]):
            return 1.0, following[1], False, end, False
    return 1.0, "", False, match.start(), True
