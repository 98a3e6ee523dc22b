"""A contract drafted from examples: attribute names, and values that were seen for them.

Type, unit and allowed values are what (nearly) all examples agree on; what they do not agree
on stays a text. The draft is meant to be read and edited by a person.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from specfactory.contract.compiled import compile_contract
from specfactory.contract.drafts.from_names import wanted_contract
from specfactory.contract.field_types import FIELD_TYPES
from specfactory.contract.files import NAME
from specfactory.contract.text import normal
from specfactory.contract.values import NO_WORDS, YES_WORDS, resolve, scan
from specfactory.errors import NotDerivable, UsageError
from specfactory.model import Contract, Field, FieldType, replace

AGREEING = 0.9  # of the examples must derive under a type, before the field has it
MAX_EXAMPLES = 400  # that are looked at; more of them say nothing new
MAX_ALLOWED = 24  # values of an enumeration
UNSEEN = 0.02  # an enumeration is closed when the next value is hardly ever a new one
_FEW = 8  # examples from which nothing can be said about the next one
_MAX_WORDS = 4  # of a value of an enumeration
_CODE_DIGITS = 6  # from here on digits without a separator are a code, not a count
_LAST_UNIT = re.compile(r"\d[\s-]?([^\W\d_]+)\.?$")
_DECIMAL = re.compile(r"[-+]?\d{1,9}[.,]\d{1,9}")
_UNNAMED = re.compile(r"[^a-z0-9]+")


def contract_from_examples(
    category: str, examples: Mapping[str, Sequence[str]], title: str = "", language: str = ""
) -> Contract:
    """A draft of a contract; an attribute without examples is a text found by its name.

    Fields are named by ``field_name`` of their attribute, which is also their first label.
    ``language`` is that of the examples, by whose customs their numbers are read.
    """
    names = field_names(examples)
    fields = {name: _field(name, words, examples[words], language) for words, name in names.items()}
    fields = _claimed_once(fields)
    digest = hashlib.sha256(repr(sorted(fields.items())).encode()).hexdigest()
    made = field_name(category)
    return Contract(made, "0.1.0", title or category, fields, digest=f"draft-{digest}")


def field_name(attribute: str) -> str:
    """The attribute's words as a name of a field: ``Color(s)`` is ``color_s``."""
    plain = unicodedata.normalize("NFKD", attribute).encode("ascii", "ignore").decode()
    name = _UNNAMED.sub("_", plain.casefold()).strip("_")[:64].strip("_")
    if not NAME.fullmatch(name):  # "3D", or a name in another script
        name = f"field_{name}" if name else "field_" + attribute.encode().hex()[:16]
    return name


def field_names(attributes: Iterable[str]) -> dict[str, str]:
    """A name for every attribute, no two alike."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for attribute in attributes:
        if not attribute.strip():
            raise UsageError("an attribute without a name; give words such as Color or Weight")
        name, count = field_name(attribute), 2
        while name in taken:
            name, count = f"{field_name(attribute)[:60]}_{count}", count + 1
        names[attribute] = name
        taken.add(name)
    return names


def _field(name: str, attribute: str, values: Sequence[str], language: str) -> Field:
    """Draft a field from its examples and from a field of that name in the bundled contracts."""
    seen = [" ".join(value.split()) for value in values[:MAX_EXAMPLES] if value.strip()]
    label = attribute.replace("_", " ").strip()
    known = next(iter(wanted_contract([label]).fields.values()))
    if not seen:
        return Field(name, FieldType.TEXT, labels={"en": (label,)}, structured=known.structured)
    drafts = (draft for draft in _drafts(name, seen) if _agree(draft, seen, language))
    made = next(drafts, Field(name, FieldType.TEXT))
    # the other names of a field of its kind are its names, too
    measured = (FieldType.NUMBER, FieldType.INTEGER)
    if made.type in measured and known.type in measured:
        alike = _dimension(made.unit) == _dimension(known.unit)
    else:
        worded = all("component" in FIELD_TYPES[one.type].options for one in (made, known))
        alike = worded or made.type is known.type
    others = known.labels if alike else {}
    mine = (label, *(other for other in others.get("en", ()) if normal(other) != normal(label)))
    structured = known.structured if others else ()
    return replace(made, labels={**others, "en": mine}, structured=structured)


def _claimed_once(fields: dict[str, Field]) -> dict[str, Field]:
    """A label names one field: first its own attribute, then whoever comes first."""
    owners = {normal(field.labels["en"][0]): name for name, field in reversed(fields.items())}
    kept: dict[str, Field] = {}
    for name, field in fields.items():
        labels = {
            language: tuple(w for w in words if owners.setdefault(normal(w), name) == name)
            for language, words in field.labels.items()
        }
        labels = {language: words for language, words in labels.items() if words}
        kept[name] = replace(field, labels=labels)
    return kept


def _agree(field: Field, values: list[str], language: str) -> bool:
    """Tell whether nearly all examples derive under this draft."""
    compiled = compile_contract(Contract("draft", "0", "draft", {field.name: field}))
    derived = 0
    for value in values:
        with suppress(NotDerivable):
            compiled.derive(field.name, value, "", language)
            derived += 1
    return derived >= AGREEING * len(values)


def _drafts(name: str, values: list[str]) -> Iterator[Field]:
    """Fields the examples may be of, the most telling type first."""
    forms = {normal(value) for value in values}
    if forms <= (YES_WORDS | NO_WORDS) and not all(form.isdigit() for form in forms):
        yield Field(name, FieldType.BOOLEAN)
    yield Field(name, FieldType.PRICE)
    if not all(value.isdigit() for value in values):  # a bare number such as 2012 may be anything
        yield Field(name, FieldType.DATE)
    if unit := _common_unit(values):
        yield Field(name, FieldType.DIMENSIONS, unit=unit)
        yield Field(name, FieldType.NUMBER, unit=unit)
    bare = [value for value in values if value.lstrip("-").replace(",", "").isdigit()]
    coded = any(len(v) >= _CODE_DIGITS or (len(v) > 1 and v.startswith("0")) for v in bare)
    if len(bare) >= AGREEING * len(values) and not coded:
        yield Field(name, FieldType.INTEGER)
    if sum(_DECIMAL.fullmatch(value) is not None for value in values) > len(values) / 2:
        yield Field(name, FieldType.NUMBER)
    if (listed := _enumeration(name, values)) is not None:
        yield listed


def _enumeration(name: str, values: list[str]) -> Field | None:
    """Few values, none of them rare: they are all there are."""
    spelled: dict[str, Counter[str]] = {}
    for value in values:
        spelled.setdefault(normal(value), Counter())[value] += 1
    longest = max(len(form.split()) for form in spelled)
    if len(spelled) < 2 or len(spelled) > MAX_ALLOWED or longest > _MAX_WORDS or "" in spelled:
        return None
    # the share of values seen once is how likely the next one is new (Good and Turing)
    new = sum(sum(counts.values()) == 1 for counts in spelled.values())
    if len(values) < _FEW or new > UNSEEN * len(values):
        return None
    allowed = {counts.most_common(1)[0][0]: () for counts in spelled.values()}
    return Field(name, FieldType.ENUMERATION, allowed=allowed)


def _common_unit(values: list[str]) -> str | None:
    """The unit most examples are written in, where nearly all have one of its dimension."""
    units = Counter[str]()
    for value in values:
        written = {q.unit for q in scan(value, "", None) if q.unit}
        if (last := _LAST_UNIT.search(value)) is not None:
            written.add(last[1])  # "12 in": at the end it is no mere word
        units.update(unit.name for word in written if (unit := resolve(word)))
    if not units:
        return None
    best = units.most_common(1)[0][0]
    alike = sum(n for unit, n in units.items() if _dimension(unit) == _dimension(best))
    return best if alike >= AGREEING * len(values) else None


def _dimension(unit: str | None) -> str:
    found = resolve(unit) if unit else None
    return found.dimension if found else ""
