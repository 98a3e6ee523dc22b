"""Barcode numbers: GTINs and UPCs, told by their check digit."""

import re

_DIGITS = re.compile(r"(?<![\w-])\d(?:[\d \u00a0-]{6,20})\d(?![\w-])")
_BETWEEN = re.compile(r"[ \u00a0-]")


def is_gtin(digits: str) -> bool:
    """Tell whether the digits are a GTIN-8, -12, -13 or -14 with a right check digit."""
    if not (digits.isascii() and digits.isdigit()) or len(digits) not in (8, 12, 13, 14):
        return False
    total = 3 * sum(map(int, digits[-2::-2])) + sum(map(int, digits[-3::-2]))
    return set(digits) != {"0"} and (10 - total % 10) % 10 == int(digits[-1])


def is_upc(text: str) -> bool:
    """Tell whether a text is a UPC: twelve digits with a right check digit, no shop's own number.

    UPCs that begin with 2 or 4 are given out by shops.
    """
    bare = _BETWEEN.sub("", text.strip())
    return len(bare) == 12 and bare[0] not in "24" and is_gtin(bare)


def find_gtins(text: str) -> tuple[str, ...]:
    """The GTINs that stand in a text, each once, without blanks and hyphens."""
    codes = (_BETWEEN.sub("", match[0]) for match in _DIGITS.finditer(text))
    found: dict[str, str] = {}
    for code in codes:
        if is_gtin(code):
            found.setdefault(same_gtin(code), code)
    return tuple(found.values())


def same_gtin(code: str) -> str:
    """Form of a GTIN that is the same in all its lengths: a UPC is an EAN that begins with 0."""
    return code.lstrip("0")
