"""A contract as the text of its file, such as a person would have written it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from specfactory.contract.files import FIELD_KEYS
from specfactory.model import Contract, Field, Level, Tolerance

_WIDTH = 4096  # one line for one thing; yaml would fold long lists


def contract_text(contract: Contract, notes: Mapping[str, str] | None = None) -> str:
    """The file of a contract; ``notes`` stand as comments above their fields."""
    head = {"category": contract.category, "version": contract.version, "title": contract.title}
    lines = [f"{key}: {_inline(value)}" for key, value in head.items()]
    if contract.components:
        lines += ["components:", *_components(contract)]
    lines.append("fields:")
    for field in contract.fields.values():
        lines += _field_lines(field, (notes or {}).get(field.name, ""))
    return "\n".join(lines) + "\n"


def _components(contract: Contract) -> Iterator[str]:
    for name, known in contract.components.items():
        yield f"  {name}: {_inline({value: list(words) for value, words in known.items()})}"


def _field_lines(field: Field, note: str) -> Iterator[str]:
    for line in note.splitlines():
        yield f"  # {line}".rstrip()
    yield f"  {field.name}:"
    for key, value in _entries(field).items():
        yield f"    {key}: {_inline(value)}"


def _entries(field: Field) -> dict[str, Any]:
    """What is said of a field, in the order of the files; what is usual is left out."""
    said: dict[str, Any] = {
        "group": field.group if field.group != "general" else None,
        "type": field.type.value,
        "unit": field.unit,
        "units": list(field.units),
        "level": field.level.value if field.level is not Level.OPTIONAL else None,
        "labels": {language: list(words) for language, words in field.labels.items()},
        "range": None if field.low is field.high is None else [field.low, field.high],
        "tolerance": _tolerance(field.tolerance),
        "tiers": [tier.value for tier in field.tiers],
        "source_dependent": field.source_dependent or None,
        "structured": list(field.structured),
        "patterns": list(field.patterns),
        "allowed": {value: list(words) for value, words in field.allowed.items()},
        "component": field.component,
        "hint": field.hint,
    }
    return {key: said[key] for key in FIELD_KEYS if said[key] not in (None, "", [], {})}


def _tolerance(given: Tolerance) -> dict[str, float] | None:
    found = {"absolute": given.absolute, "relative": given.relative}
    return {name: share for name, share in found.items() if share} or None


def _inline(value: Any) -> str:
    """One line of YAML."""
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=_WIDTH,
                          sort_keys=False)  # fmt: skip
    return text.removesuffix("...\n").strip()
