"""Words behind an amount that multiply it: "$1.2 million", "3,980万円", "₹ 45 lakh"."""

from __future__ import annotations

import re

_GAP = r"[ \u00a0\u202f\u2009]{0,2}"
_END = r"(?![^\W\d_])"
_LARGE: tuple[tuple[str, float], ...] = (
    (r"thousand|tausend|tsd\.?|тыс\.?|тысяч[аи]?|tys\.?|tis\.?|ألف|آلاف|mil(?= )|k", 1e3),
    (r"lakhs?|lacs?", 1e5),
    (r"millions?|millionen|mio\.?|mln\.?|mill\.|millones|millón|milioni|milione|milh(?:ão|ões)|"
     r"milion(?:y|ów|ů)?|miljoen|miljon(?:er)?|миллион(?:а|ов)?|млн\.?|мільйон(?:а|ів)?|milyon|"
     r"مليون|ملايين", 1e6),
    (r"crores?|cr\.?", 1e7),
    (r"billions?|bn|mrd\.?|milliarden?|milliards?|miliardi|мл(?:рд|рд\.)|миллиард(?:а|ов)?|مليار",
     1e9),
)  # fmt: skip
_GLUED = {"K": 1e3, "M": 1e6, "B": 1e9}  # with a space it may be a size
_MYRIADS = {"千": 1e3, "万": 1e4, "萬": 1e4, "만": 1e4, "億": 1e8, "亿": 1e8, "억": 1e8}
_WORDS = re.compile(
    rf"(?P<glued>[KMB]){_END}|{_GAP}(?:(?P<myriad>[{''.join(_MYRIADS)}])|(?i:"
    + "|".join(f"(?P<n{at}>{words})" for at, (words, _) in enumerate(_LARGE))
    + rf"){_END})"
)

# With one of these such words begin: told at a glance that there are none.
MULTIPLE_STARTS = frozenset("tTkKlLmMcCbBтТмМمأآ" + "".join(_MYRIADS))


def multiple_behind(words: str, at: int) -> tuple[float, int]:
    """What the words at this place multiply the number before them by, and where they end."""
    found = _WORDS.match(words, at)
    if found is None or found.lastgroup is None:
        return 1.0, at
    if found.lastgroup == "glued":
        return _GLUED[found[0]], found.end()
    if found.lastgroup == "myriad":
        return _MYRIADS[found["myriad"]], found.end()
    return _LARGE[int(found.lastgroup[1:])][1], found.end()
