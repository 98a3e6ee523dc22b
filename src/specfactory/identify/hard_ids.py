"""Ids that name exactly one product: GTIN and ISBN with their checksums, ASIN, MPN, SKU."""

import re
from collections.abc import Mapping

from specfactory.contract.text import is_gtin

_SEPARATORS = re.compile(r"[\s\-./_]+")
_ASIN = re.compile(r"B0[A-Z0-9]{8}|\d{9}[\dX]")
_PART = re.compile(r"[A-Z0-9]{3,40}")
KINDS: Mapping[str, str] = {
    "gtin": "gtin", "gtin8": "gtin", "gtin12": "gtin", "gtin13": "gtin", "gtin14": "gtin",
    "ean": "gtin", "ean13": "gtin", "upc": "gtin", "isbn": "isbn", "isbn13": "isbn",
    "asin": "asin", "mpn": "mpn", "sku": "sku", "model_number": "mpn",
}  # fmt: skip


def normal_id(kind: str, text: str) -> str | None:
    """The id in its one form, or None when it is none: a GTIN must pass its checksum."""
    bare = _SEPARATORS.sub("", text).upper()
    match KINDS.get(kind.casefold(), kind):
        case "gtin":
            if len(bare) == 8:
                return bare if is_gtin(bare) else None
            return bare.lstrip("0").zfill(13) if is_gtin(bare) else None
        case "isbn":
            if len(bare) == 13 and bare.startswith(("978", "979")):
                return bare if is_gtin(bare) else None
            if not re.fullmatch(r"\d{9}[\dX]", bare):
                return None
            digits = [10 if char == "X" else int(char) for char in bare]
            if sum(digit * (10 - at) for at, digit in enumerate(digits)) % 11:
                return None
            stem = "978" + bare[:9]
            return next(stem + str(check) for check in range(10) if is_gtin(stem + str(check)))
        case "asin":
            return bare if _ASIN.fullmatch(bare) else None
        case _:
            return bare if _PART.fullmatch(bare) and any(c.isdigit() for c in bare) else None


def same_id(kind: str, ours: str, theirs: str) -> bool | None:
    """True: the same id; False: ids that contradict each other; None: they say nothing.

    Shops have their own SKUs, and part numbers end in letters for a region: such ids only
    contradict when they are written in the same scheme and differ in a digit.
    """
    if normal_id(kind, ours) == normal_id(kind, theirs):
        return True
    if KINDS.get(kind, kind) in ("gtin", "isbn", "asin"):
        return False
    same_start = ours.strip()[:2].upper() == theirs.strip()[:2].upper()
    same_scheme = same_start and _scheme(ours) == _scheme(theirs)
    return False if same_scheme and re.findall(r"\d+", ours) != re.findall(r"\d+", theirs) else None


def _scheme(text: str) -> str:
    return re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", text.strip().upper()))
