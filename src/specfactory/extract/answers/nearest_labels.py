"""Labels of a page that come near to a field that it gives no value for."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from specfactory.contract import FIELD_TYPES, CompiledContract
from specfactory.contract.text import normal
from specfactory.errors import NotDerivable
from specfactory.extract.labelled import open_pairs
from specfactory.model import Field, Frozen
from specfactory.proof import PageViews

_SHARED_WORDS = 1 / 3  # of the words of two labels
_ALIKE = 0.8  # spelled nearly the same
_BY_UNIT = 0.1  # a value in the field's unit says less than any word
_SHOWN = 40  # characters of a value


class NearMiss(Frozen):
    """A label that no field of the contract has, with a value that would fit one."""

    label: str
    value: str

    def __str__(self) -> str:
        value = self.value if len(self.value) <= _SHOWN else self.value[: _SHOWN - 1] + "…"
        return f"the page says `{self.label}: {value}`; add the label?"


def near_misses(
    views: PageViews, compiled: CompiledContract, fields: Iterable[str]
) -> dict[str, NearMiss]:
    """For each of the fields, the label on the page that most likely means it, if there is one.

    Its words or its spelling resemble the field's, or it is the only one with a value in the
    field's unit; the value must be one that the field takes.
    """
    strange = [pair for pair in open_pairs(views) if compiled.match_label(pair[0]) is None]
    asked = [compiled.contract.fields[name] for name in fields]
    scored: dict[tuple[str, NearMiss], float] = {}
    for field in asked:
        fitting = [pair for pair in strange if _fits(compiled, field.name, *pair, views.language)]
        near = {pair: score for pair in fitting if (score := _resemblance(pair[0], field)) > 0}
        if len(fitting) == 1 and field.unit and FIELD_TYPES[field.type].is_measured:
            near.setdefault(fitting[0], _BY_UNIT)
        scored |= {(field.name, NearMiss(*pair)): score for pair, score in near.items()}
    found: dict[str, NearMiss] = {}
    for name, miss in sorted(scored, key=lambda one: -scored[one]):
        if name not in found and miss not in found.values():  # a label means one field
            found[name] = miss
    return {field.name: found[field.name] for field in asked if field.name in found}


def _fits(compiled: CompiledContract, field: str, label: str, value: str, language: str) -> bool:
    try:
        compiled.derive(field, value, "", language)
    except NotDerivable:
        return False
    return True


def _resemblance(label: str, field: Field) -> float:
    """The share of common words with the field's names; 0 when they do not resemble each other."""
    names = [field.name.replace("_", " "), *(w for words in field.labels.values() for w in words)]
    best, mine = 0.0, set(normal(label).split())
    for name in map(normal, names):
        theirs = set(name.split())
        shared = len(mine & theirs) / max(1, len(mine | theirs))
        spelled = SequenceMatcher(None, normal(label), name).ratio()
        best = max(best, shared if shared >= _SHARED_WORDS else 0, spelled * (spelled >= _ALIKE))
    return best
