"""Numbers as pages write them: digits, separators, multipliers; never guessed.

``scan`` finds the quantities of a text. A shape that two conventions read differently
("8.000") keeps both readings until the language or the field's range settles it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from specfactory.contract.text import word_set
from specfactory.contract.values.multipliers import MULTIPLIERS, MYRIADS
from specfactory.contract.values.units import ORDINARY_WORDS, UnitTable, is_unit


class Reading(NamedTuple):
    """One way to read a number; ``decimals`` says how exactly it was written."""

    value: float
    decimals: int


class Quantity(NamedTuple):
    """A number on a page with the unit behind it."""

    readings: tuple[Reading, ...]
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
_BEHIND = re.compile(
    r"[\s\u00a0\u202f\u2009\u200a]{0,3}[-‐‑]?\s?"
    r"(?P<word>[^\W\d_]+(?:[./·'^-][^\W\d_]+)*(?:\^?[²³]|\^?(?<![xX])[23](?!\d))?"
    r"(?:/1[.,]?000\s?h\b|/\([^()\s]{1,12}\)|\.|\([aA]\))?|%|°[CFcf]?|[″\"”“„′℃℉㎡]|''|')"
    r"(?P<glued>\d)?"
)
_NEXT_WORDS = re.compile(r"[\s\u00a0-]{1,3}([^\W\d_]+(?:/[^\W\d_]+)?[²³]?)")
_PLUS_MINUS = re.compile(r"(?:±|\+\s?/\s?[-−–]|\+-)\s?$")
_GLUED_X = frozenset({"x", "X", "×"})

_COMMA_LANGUAGES = word_set(
    "de es it pt nl pl cs sk sl hr sr bs ru uk bg sv da no nb nn fi is el tr ro hu et lv lt ca eu "
    "gl id vi sq mk be ka az hy"
)
_POINT_LANGUAGES = word_set("en ja zh ko th he iw hi ms tl fil ga cy mt ur bn ta te")
_POINT_REGIONS = word_set(
    "de-ch de-li it-ch es-mx es-us es-pr es-gt es-hn es-ni es-pa es-pe es-sv es-do es-419"
)


def decimal_mark(language: str) -> str:
    """``.`` or ``,`` as the language writes decimals; "" when it is not known."""
    tag = language.casefold().replace("_", "-")
    if tag in _POINT_REGIONS:
        return "."
    primary = tag.partition("-")[0]
    if primary in _COMMA_LANGUAGES:
        return ","
    if primary in _POINT_LANGUAGES:
        return "."
    return "fr" if primary == "fr" else ""


def readings(digits: str, mark: str) -> tuple[Reading, ...]:
    """All readings of a digit string; none when its shape is that of no number."""
    if len(digits) > MAX_DIGITS:
        return ()
    if digits.isdigit():
        return (Reading(float(digits), 0),)
    if _ARABIC_DECIMAL in digits or _ARABIC_GROUP in digits:
        return _arabic(digits)
    for space in _SPACES + "'’":
        if space in digits:
            return _grouped(digits, space, mark)
    point, comma = digits.count("."), digits.count(",")
    if point and comma:
        decimal, group = (".", ",") if digits.rfind(".") > digits.rfind(",") else (",", ".")
        return _decimal(digits, decimal, group)
    separator = "." if point else ","
    if point + comma > 1:
        return _groups(digits, separator)
    return _single(digits, separator, mark)


def _arabic(digits: str) -> tuple[Reading, ...]:
    """Marks that leave no doubt: one groups, the other parts the decimals."""
    whole, _, rest = digits.partition(_ARABIC_DECIMAL)
    plain = whole.replace(_ARABIC_GROUP, "")
    is_whole = whole.isdigit() or _is_grouping(whole.split(_ARABIC_GROUP))
    if not is_whole or not (rest or "0").isdigit():
        return ()
    return (Reading(float(f"{plain}.{rest or 0}"), len(rest)),)


def _grouped(digits: str, space: str, mark: str) -> tuple[Reading, ...]:
    whole, separator, rest = digits, "", ""
    for candidate in ".,":
        if candidate in digits:
            whole, separator, rest = digits.partition(candidate)
    if not _is_grouping(whole.split(space)) or (separator and not rest.isdigit()):
        return ()
    plain = whole.replace(space, "")
    return (Reading(float(f"{plain}.{rest or 0}"), len(rest)),)


def _decimal(digits: str, decimal: str, group: str) -> tuple[Reading, ...]:
    whole, _, rest = digits.rpartition(decimal)
    if decimal in whole or not _is_grouping(whole.split(group)):
        return ()
    return (Reading(float(f"{whole.replace(group, '')}.{rest}"), len(rest)),)


def _groups(digits: str, separator: str) -> tuple[Reading, ...]:
    parts = digits.split(separator)
    if not _is_grouping(parts) and not (separator == "," and _is_indian(parts)):
        return ()
    return (Reading(float("".join(parts)), 0),)


def _single(digits: str, separator: str, mark: str) -> tuple[Reading, ...]:
    whole, _, rest = digits.partition(separator)
    as_decimal = Reading(float(f"{whole or 0}.{rest}"), len(rest))
    if len(rest) != 3 or len(whole) > 3 or whole[:1] in ("0", ""):
        return (as_decimal,)
    as_group = Reading(float(whole + rest), 0)
    if mark == "fr":  # groups with spaces; a point is either a foreign decimal or a foreign group
        return (as_decimal,) if separator == "," else (as_group, as_decimal)
    if not mark:
        return (as_group, as_decimal)
    return (as_decimal,) if separator == mark else (as_group,)


def _is_grouping(parts: list[str]) -> bool:
    first, *rest = parts
    if not first.isdigit() or len(first) > 3:
        return False
    return all(len(part) == 3 and part.isdigit() for part in rest)


def _is_indian(parts: list[str]) -> bool:
    *twos, last = parts[1:]
    return 1 <= len(parts[0]) <= 2 and len(last) == 3 and all(len(part) == 2 for part in twos)


def raised(digits: str) -> int:
    """The number that raised digits write."""
    return int(digits.translate(_LOWERED))


def scan(words: str, mark: str, table: UnitTable | None) -> list[Quantity]:
    """The quantities of a text, in order; model tokens such as ``PAW3395`` or ``3D`` are none."""
    found: list[Quantity] = []
    for match in NUMBER.finditer(words):
        if _PLUS_MINUS.search(words, max(0, match.start() - 4), match.start()):
            found = _spread(found, words, match, table)
            continue
        found.extend(_quantities(words, match, mark, table))
    return found


def _quantities(
    words: str, match: re.Match[str], mark: str, table: UnitTable | None
) -> Iterator[Quantity]:
    digits = match["digits"]
    read = _drop_spaces(digits, match, mark)
    if read is None:  # "2 125 Hz": a number and then another
        *first, last = digits.split(" ")
        for part in first:
            yield Quantity(readings(part, mark), 1.0, "", False, match.start(), match.start())
        read = readings(last, mark)
    if not read:
        return
    if match["sign"]:
        read = tuple(Reading(-r.value, r.decimals) for r in read)
    unit = _unit_behind(words, match.end(), table)
    if unit is not None:
        scale, written, foreign, end, named = unit
        yield Quantity(
            read, scale, written, foreign, match.start(), end, match["power"] or "", named
        )


def _drop_spaces(digits: str, match: re.Match[str], mark: str) -> tuple[Reading, ...] | None:
    """Readings of the whole; None when a plain space parts two numbers instead of grouping."""
    read = readings(digits, mark)
    if " " not in digits:
        return read
    return read if read and (mark != "." or match.start() == 0) else None


def _spread(
    found: list[Quantity], words: str, match: re.Match[str], table: UnitTable | None
) -> list[Quantity]:
    """``54 ± 2 g``: the spread is no value, but its unit is that of the number before."""
    if found and not found[-1].unit:
        unit = _unit_behind(words, match.end(), table)
        if unit is not None and unit[1]:
            last = found.pop()
            found.append(last._replace(unit=unit[1], foreign=unit[2], end=unit[3]))
    return found


_Unit = tuple[float, str, bool, int, bool]


def _unit_behind(words: str, at: int, table: UnitTable | None) -> _Unit | None:
    """Multiplier, unit as written, whether foreign, where it ends, whether a word stands there.

    None when letters that are no unit are glued to the digits: that is a model token.
    """
    match = _BEHIND.match(words, at)
    if match is None:
        return 1.0, "", False, at, False
    word, glued = match["word"], match.start("word") == at
    unspaced = _UNSPACED_WORD.match(word) is not None
    if match["glued"] and not unspaced:
        return _before_digit(word, at, glued)
    if (known := _known(word, words, match, table)) is not None:
        return known
    if (scale := _multiplier(word)) is not None:
        return _after_multiplier(words, match.end(), scale, table)
    if unspaced and word[0] in MYRIADS:  # "2420万画素"
        return _after_multiplier(words, match.start("word") + 1, MYRIADS[word[0]], table)
    if glued and (split := _split_multiplier(word, table)):
        return split[0], split[1], False, match.end(), False
    if glued and not unspaced and word not in _GLUED_X and not word.startswith(("'", '"')):
        return None
    return _further(words, match, table)


def _before_digit(word: str, at: int, glued: bool) -> _Unit | None:
    if glued and word not in _GLUED_X:
        return None
    return 1.0, "", False, at, word not in _GLUED_X


def _known(word: str, words: str, match: re.Match[str], table: UnitTable | None) -> _Unit | None:
    """The word, or the word with the next one, as a unit: the field's own first."""
    end, bare = match.end("word"), word.rstrip(".")
    following = _NEXT_WORDS.match(words, end)
    if table is not None:
        longer = _several_words(word, words, end, table) if following and table.words > 1 else None
        if longer is not None:
            return longer
        if table.find(bare):
            return 1.0, bare, False, end, False
    if is_unit(bare) and not _is_plain_word(bare, following, table):
        return 1.0, bare, True, end, False
    unmarked = bare.rstrip(RAISED)
    if unmarked != bare and table is not None and table.find(unmarked):  # "54 g²": a footnote
        return 1.0, unmarked, False, end, False
    return None


def _several_words(word: str, words: str, end: int, table: UnitTable) -> _Unit | None:
    """``inches per second``: the longest unit of several words that starts here."""
    best: _Unit | None = None
    written = word
    for _ in range(table.words - 1):
        following = _NEXT_WORDS.match(words, end)
        if following is None:
            break
        written, end = f"{written} {following[1]}", following.end()
        if table.find(written):
            best = (1.0, written, False, end, False)
    return best


def _is_plain_word(word: str, following: re.Match[str] | None, table: UnitTable | None) -> bool:
    """``in`` is a word as well as a unit, and so are one-letter multipliers."""
    if word in ("k", "K", "M"):
        return True
    return (following is not None or table is None) and word.casefold() in ORDINARY_WORDS


def _multiplier(word: str) -> float | None:
    if word == "m":
        return None
    return MULTIPLIERS.get(word) or MULTIPLIERS.get(word.rstrip(".").casefold())


def _after_multiplier(words: str, at: int, scale: float, table: UnitTable | None) -> _Unit:
    match = _BEHIND.match(words, at)
    if match is None or match["glued"]:
        return scale, "", False, at, match is not None
    if (known := _known(match["word"], words, match, table)) is not None:
        return scale, *known[1:]
    _, written, foreign, end, named = _further(words, match, table)
    return scale, written, foreign, end if written else at, named


def _split_multiplier(word: str, table: UnitTable | None) -> tuple[float, str] | None:
    """``26KDPI``: a multiplier glued to the unit."""
    scale = MULTIPLIERS.get(word[:1]) or MULTIPLIERS.get(word[:1].casefold())
    if scale is None or word[:1] == "m" or table is None or not table.find(word[1:]):
        return None
    return scale, word[1:]


def _further(words: str, match: re.Match[str], table: UnitTable | None) -> _Unit:
    """``70 million durable clicks``: a counted thing may have up to two words before it."""
    at = match.end()
    if table is not None and table.bare:
        end = at
        for _ in range(2):
            following = _NEXT_WORDS.match(words, end)
            if following is None:
                break
            end = following.end()
            if table.find(following[1]):
                return 1.0, following[1], False, end, False
    return 1.0, "", False, match.start(), True
