"""Dimensions: two to four lengths in one quote, in the field's unit."""

import re

from specfactory.contract.values.numbers import Quantity, decimal_mark, scan
from specfactory.contract.values.quantities import NumberRule, settle
from specfactory.contract.values.refusal import refuse
from specfactory.contract.values.units import AS_WRITTEN, Accepted

_TIMES = re.compile(
    r"(?<=[\d\"″'´’”a-z°)])\s{0,4}(?:[xX×✕*]|\bby\b|\bpar\b|\bmal\b|\bpor\b)\s{0,4}"
    r"(?=[\d.(HWLDBTØ])"
)
_TAGS = re.compile(
    r"\b[LWHDBT](?=\d)|\s{0,3}\(?\b(?:[LWHDBTPA]|len(?:gth)?|width|height|depth|länge|breite|höhe|tiefe|longueur|"
    r"largeur|hauteur|profondeur|largo|ancho|alto|altura|longitud|lunghezza|larghezza|altezza)"
    r"\b\)?\s{0,3}[:=]?\s{0,3}",
    re.I,
)
_LINK = re.compile(r"\s*[×/,;|·]?\s*")


_Set = tuple[float, str, tuple[tuple[float, float], ...]]


def derive_dimensions(
    rule: NumberRule, words: str, label_unit: str | None = None, language: str = ""
) -> tuple[int | float, ...]:
    """Derive the lengths as written, in their order; raises NotDerivable otherwise."""
    text = _TIMES.sub(" × ", _TAGS.sub(" ", words[:400]))
    found = scan(text, decimal_mark(language), rule.table)
    if not found:
        refuse(rule.field, words, "not_a_number", "there is no number in it")
    sets = [_lengths(rule, words, chain, label_unit) for chain in _chains(text, found)]
    known = [one for one in sets if one is not None]
    if not known:
        too_few = len(found) < 2 or any(q.unit for q in found)
        code = "too_few_values" if too_few else "unit_missing"
        code = "unit_not_accepted" if any(q.foreign for q in found) else code
        refuse(rule.field, words, code, "it gives no two lengths in an accepted unit")
    best = min(known, key=lambda one: one[0])
    if not all(_agree(best, other) for other in known):
        refuse(rule.field, words, "several_values", "it gives different dimensions")
    return tuple(int(value) if value == int(value) else value for value, _ in best[2])


def _chains(text: str, found: list[Quantity]) -> list[list[Quantity]]:
    """Numbers that are multiplied or listed with one another."""
    chains = [[found[0]]]
    for here in found[1:]:
        before = chains[-1][-1]
        between = text[before.end : here.start]
        linked = _LINK.fullmatch(between) is not None
        if linked and "/" in between:  # "127 × 64 mm / 5 × 2.5 in": another unit, another set
            linked = len(chains[-1]) == 1 and before.unit == here.unit
        if linked and "×" not in between and before.unit and here.unit != before.unit:
            linked = False
        chains[-1].append(here) if linked else chains.append([here])
    return [chain for chain in chains if 2 <= len(chain) <= 4]


def _lengths(
    rule: NumberRule, words: str, chain: list[Quantity], label_unit: str | None
) -> _Set | None:
    """One set: distance of its unit from the field's, the unit, each length with its step."""
    units = {q.unit for q in chain if q.unit}
    if any(q.foreign for q in chain) or len(units) > 1:
        return None
    written = next(iter(units), "") or label_unit or ""
    unit: Accepted | None
    if rule.table is None:
        unit = None if written else AS_WRITTEN
    elif written or (rule.table.bare and rule.table.bare_unit is None):
        unit = rule.table.find(written or rule.table.unit)
    else:
        unit = rule.table.bare_unit
    if unit is None:
        return None
    settled = [settle(rule, words, q, unit) for q in chain]
    return settled[0].distance, unit.name, tuple((one.value, one.step) for one in settled)


def _agree(best: _Set, other: _Set) -> bool:
    if best[1] == other[1]:
        return best[2] == other[2]
    pairs = list(zip(best[2], other[2], strict=False))
    return len(best[2]) == len(other[2]) and all(
        abs(a - b) <= 1.01 * max(step, other_step) for (a, step), (b, other_step) in pairs
    )
