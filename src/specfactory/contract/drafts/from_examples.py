"""A contract drafted from examples: attribute names, and values that were seen for them.

Type, unit and allowed values are what (nearly) all examples agree on; what they do not agree
on stays a text. The draft is meant to be read and edited by a person.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from specfactory.contract.compiled import CompiledContract, compile_contract
from specfactory.contract.drafts.from_names import wanted_contract
from specfactory.contract.files import NAME
from specfactory.contract.text import normal
from specfactory.contract.values import NO_WORDS, YES_WORDS, resolve, scan
from specfactory.errors import NotDerivable, UsageError
from specfactory.model import Contract, Field, FieldType

AGREEING = 0.9  # of the examples must derive under a type, before the field has it
MAX_EXAMPLES = 400  # that are looked at; more of them say nothing new
MAX_ALLOWED = 24  # values of an enumeration
UNSEEN = 0.02  # an enumeration is closed when the next value is hardly ever a new one
_FEW = 8  # examples from which nothing can be said about the next one
_MAX_WORDS = 4  # of a value of an enumeration
_CODE_DIGITS = 6  # from here on digits without a separator are a code, not a count
_LAST_UNIT = re.compile(r"\d[\s-]?([^\W\d_]+)\.?$")
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
    """What the examples say, with what the bundled contracts know of such a field."""
    seen = [" ".join(value.split()) for value in values[:MAX_EXAMPLES] if value.strip()]
    label = attribute.replace("_", " ").strip()
    known = next(iter(wanted_contract([label]).fields.values()))
    if not seen:
        return Field(name, FieldType.TEXT, labels={"en": (label,)}, structured=known.structured)
    drafts = (draft(name, seen) for draft in _DRAFTS)
    made = next((draft for draft in drafts if draft and _agree(draft, seen, language)), None)
    made = made or Field(name, FieldType.TEXT)
    return _labelled(made, label, known)


def _labelled(made: Field, label: str, known: Field) -> Field:
    """The field under its attribute's name, and under the other names of a field of its kind."""
    others = known.labels if _alike(made, known) else {}
    mine = (label, *(other for other in others.get("en", ()) if normal(other) != normal(label)))
    structured = known.structured if others else ()
    return Field(
        made.name, made.type, unit=made.unit, labels={**others, "en": mine},
        allowed=made.allowed, structured=structured,
    )  # fmt: skip


def _alike(made: Field, known: Field) -> bool:
    measured = (FieldType.NUMBER, FieldType.INTEGER)
    if made.type in measured and known.type in measured:
        return _dimension(made.unit) == _dimension(known.unit)
    worded = (FieldType.TEXT, FieldType.ENUMERATION, FieldType.LIST)
    return made.type is known.type or (made.type in worded and known.type in worded)


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
        kept[name] = Field(
            name, field.type, unit=field.unit, labels=labels, allowed=field.allowed,
            structured=field.structured,
        )  # fmt: skip
    return kept


def _agree(field: Field, values: list[str], language: str) -> bool:
    """Whether nearly all examples derive under this draft."""
    compiled = compile_contract(Contract("draft", "0", "draft", {field.name: field}))
    derived = sum(_derives(compiled, field.name, value, language) for value in values)
    return derived >= AGREEING * len(values)


def _derives(compiled: CompiledContract, name: str, value: str, language: str) -> bool:
    try:
        compiled.derive(name, value, "", language)
    except NotDerivable:
        return False
    return True


def _boolean(name: str, values: list[str]) -> Field | None:
    forms = {normal(value) for value in values}
    said = forms <= (YES_WORDS | NO_WORDS) and not all(form.isdigit() for form in forms)
    return Field(name, FieldType.BOOLEAN) if said else None


def _price(name: str, values: list[str]) -> Field | None:
    return Field(name, FieldType.PRICE)


def _date(name: str, values: list[str]) -> Field | None:
    # A bare number such as 2012 may be anything.
    return None if all(v.isdigit() for v in values) else Field(name, FieldType.DATE)


def _dimensions(name: str, values: list[str]) -> Field | None:
    unit = _common_unit(values)
    return Field(name, FieldType.DIMENSIONS, unit=unit) if unit else None


def _measure(name: str, values: list[str]) -> Field | None:
    unit = _common_unit(values)
    return Field(name, FieldType.NUMBER, unit=unit) if unit else None


def _count(name: str, values: list[str]) -> Field | None:
    bare = [value for value in values if value.lstrip("-").replace(",", "").isdigit()]
    if len(bare) < AGREEING * len(values) or any(_is_code(value) for value in bare):
        return None
    return Field(name, FieldType.INTEGER)


def _number(name: str, values: list[str]) -> Field | None:
    plain = re.compile(r"[-+]?\d{1,9}[.,]\d{1,9}")
    written = sum(plain.fullmatch(value) is not None for value in values)
    return Field(name, FieldType.NUMBER) if written > len(values) / 2 else None


def _enumeration(name: str, values: list[str]) -> Field | None:
    """Few values, none of them rare: they are all there are.

    The share of values seen once is how likely the next one is new (Good and Turing).
    """
    spelled: dict[str, Counter[str]] = {}
    for value in values:
        spelled.setdefault(normal(value), Counter())[value] += 1
    longest = max(len(form.split()) for form in spelled)
    if len(spelled) < 2 or len(spelled) > MAX_ALLOWED or longest > _MAX_WORDS or "" in spelled:
        return None
    new = sum(sum(counts.values()) == 1 for counts in spelled.values())
    if len(values) < _FEW or new > UNSEEN * len(values):
        return None
    allowed = {counts.most_common(1)[0][0]: () for counts in spelled.values()}
    return Field(name, FieldType.ENUMERATION, allowed=allowed)


_DRAFTS: tuple[Callable[[str, list[str]], Field | None], ...] = (
    _boolean, _price, _date, _dimensions, _measure, _count, _number, _enumeration,
)  # fmt: skip


def _is_code(digits: str) -> bool:
    return len(digits) >= _CODE_DIGITS or (len(digits) > 1 and digits.startswith("0"))


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
