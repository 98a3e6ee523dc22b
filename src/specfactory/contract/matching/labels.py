"""Labels: what a page calls a field, brought to a normal form and looked up."""

import re
from collections.abc import Mapping

from specfactory.contract.text import normal
from specfactory.contract.values import UnitTable, is_unit, resolve
from specfactory.model import Contract, Field, Frozen
from specfactory.word_lists import read_lists, word_set

MAX_LABEL = 120

_FOOTNOTE = re.compile(r"(?:\s*(?:[*†‡§¹²³⁴⁵⁶⁷⁸⁹⁰]|\[\d{1,3}\]))+\s*[:：]?\s*$")
_BRACKET = re.compile(r"[(\[]([^()\[\]]{0,60})[)\]]")
_PUNCTUATION = re.compile(r"[^\w#+%°]+")
_SECTION = re.compile(r"\s*[>›»]\s*")
_AXES = re.compile(r"(?:[lwhdbt]|length|width|height|depth|länge|breite|höhe|tiefe|x|by|and|\s)+")
_LAST_UNIT = re.compile(r"(?P<sure>(?:,\s*|\s+(?:in|en|à)\s+))?(?P<unit>\S+)$")
_LISTS = read_lists("contract/matching/data/label_words.txt")
_NEUTRAL = frozenset(("", *_LISTS["neutral"]))
_THING_OF = {
    word: number for number, words in enumerate(_LISTS["things"]) for word in words.split()
}
_SIZES = frozenset({"mass", "length"})
_SHARED = word_set(*_LISTS["shared"])
_PARCEL = word_set(*_LISTS["parcel"])
_BARCODE = word_set(*_LISTS["barcode"])
_BARCODE_HINT = re.compile("upc|ean|gtin|barcode", re.IGNORECASE)
_BARCODE_LABEL = 4  # words of a label
_PARCEL_SIZES = _SIZES | {"volume"}


class LabelMatch(Frozen):
    """A field that a label names, how surely, and the unit the label carries."""

    field: str
    score: float
    unit: str | None = None


def label_key(label: str) -> str:
    """The form under which a label is looked up."""
    return _PUNCTUATION.sub(" ", normal(_FOOTNOTE.sub("", label))).replace("_", " ").strip()


def split_section(label: str) -> tuple[str, str]:
    """``Cable > Length`` is the label ``Length`` in the section ``Cable``."""
    section, *rest = _SECTION.split(label, maxsplit=1)
    return (label_key(section), label_key(rest[0])) if rest else ("", label_key(label))


def label_claims(contract: Contract) -> dict[tuple[str, str], list[str]]:
    """(section, label) -> the fields that claim it by their labels."""
    claims: dict[tuple[str, str], list[str]] = {}
    for field in contract.fields.values():
        for label in (label for labels in field.labels.values() for label in labels):
            owners = claims.setdefault(split_section(label), [])
            if field.name not in owners:
                owners.append(field.name)
    return claims


class LabelIndex:
    """All labels of a contract, for lookup."""

    def __init__(
        self, contract: Contract, tables: Mapping[str, UnitTable | None], barcode: str = ""
    ) -> None:
        self._tables = tables
        self._barcode = barcode
        self._claims = {key: owners[0] for key, owners in label_claims(contract).items()}
        for name in contract.fields:
            self._claims.setdefault(("", label_key(name)), name)
        self._groups = {name: label_key(field.group) for name, field in contract.fields.items()}
        self._shared = {
            name
            for name, table in tables.items()
            if table is not None and (unit := resolve(table.unit)) and unit.dimension in _SIZES
        }
        self._sized = {
            name
            for name, table in tables.items()
            if table is not None and (unit := resolve(table.unit))
            if unit.dimension in _PARCEL_SIZES and not _asks_for_parcel(contract.fields[name])
        }
        self._known: dict[tuple[str, str], LabelMatch | None] = {}

    def match(self, label: str, section: str = "") -> LabelMatch | None:
        """The field that the label names in its section, or None."""
        try:
            return self._known[label, section]
        except KeyError:
            if len(self._known) > 20_000:
                self._known.clear()
            found = None if len(label) > MAX_LABEL else self._match(label, label_key(section))
            return self._known.setdefault((label, section), found)

    def is_parcels(self, field: str, words: str) -> bool:
        """Tell whether words give the size or weight of a parcel to a field that asks for none."""
        return field in self._sized and not _PARCEL.isdisjoint(label_key(words).split())

    def _match(self, label: str, section: str) -> LabelMatch | None:
        if name := self._owner(label_key(label), section):
            return LabelMatch(name, 1.0, label_unit(label, self._tables[name]))
        brackets = _BRACKET.findall(label)
        base = _BRACKET.sub(" ", label)
        if brackets and (name := self._owner(label_key(base), section)):
            table = self._tables[name]
            if all(_is_aside(part, table) for part in brackets):
                return LabelMatch(name, 0.95, label_unit(label, table))
        # "Weight, g" and "Length in mm": the unit stands behind the label
        plain = _FOOTNOTE.sub("", label).strip(" :")
        if self._barcode and names_barcode(plain):
            return LabelMatch(self._barcode, 0.9)
        match = _LAST_UNIT.search(plain)
        if match is None or not match.start():
            return None
        name = self._owner(label_key(plain[: match.start()]), section)
        table = self._tables[name] if name else None
        if name is None or table is None or not table.find(match["unit"]):
            return None
        return LabelMatch(name, 0.95, match["unit"])

    def _owner(self, key: str, section: str) -> str | None:
        if not key:
            return None
        if section:
            within = self._claims.get((section, key)) or self._claims.get(("", f"{section} {key}"))
            if within:
                return within
        name = self._claims.get(("", key))
        if not name or not section:
            return name
        if name not in self._shared and not _SHARED.issuperset(key.split()):
            return name
        # a section about another thing that has such a property, too
        things = {_THING_OF[word] for word in section.split() if word in _THING_OF}
        own = f"{key} {self._groups[name]} {label_key(name)}"
        is_own = any(word in own for word, thing in _THING_OF.items() if thing in things)
        return name if is_own or not things else None


def names_barcode(label: str) -> bool:
    """Tell whether a label names a barcode in whatever words: "Product UPC", "EAN / GTIN"."""
    if not hints_barcode(label):
        return False
    words = label_key(label).split()
    return len(words) <= _BARCODE_LABEL and not _BARCODE.isdisjoint(words)


def hints_barcode(words: str) -> bool:
    """A fast check that rules out most words."""
    return _BARCODE_HINT.search(words) is not None


def _asks_for_parcel(field: Field) -> bool:
    named = (
        field.name,
        field.group,
        *(label for labels in field.labels.values() for label in labels),
    )
    return any(not _PARCEL.isdisjoint(label_key(words).split()) for words in named)


def _is_aside(part: str, table: UnitTable | None) -> bool:
    """A bracket that says nothing about which field it is: a unit, an order of axes, approx."""
    key = label_key(part)
    if key in _NEUTRAL or is_unit(part.strip()) or _AXES.fullmatch(key):
        return True
    return table is not None and (
        table.find(part.strip()) is not None or bool(_inside(part, table))
    )


def label_unit(label: str, table: UnitTable | None) -> str | None:
    """The unit that a label carries for its values, as written there."""
    if table is None or not label:
        return None
    for part in (found.strip(" .") for found in _BRACKET.findall(label)):
        if table.find(part) or is_unit(part):
            return str(part)
        if inside := _inside(part, table):
            return inside
    match = _LAST_UNIT.search(_FOOTNOTE.sub("", label).strip(" :"))
    if match is None or not match.start() or not table.find(match["unit"]):
        return None
    return (
        match["unit"] if match["sure"] or len(match["unit"]) > 2 or match["unit"] == "Hz" else None
    )


def _inside(part: str, table: UnitTable) -> str | None:
    """The one unit named in a bracket such as ``L x W x H, in mm``."""
    words = [word for word in re.split(r"[\s,;/|]+", part) if table.exact.get(word)]
    if len(words) > 1:
        words = [word for word in words if word != "in"]
    units = {table.exact[word] for word in words}
    return words[0] if len(units) == 1 else None
