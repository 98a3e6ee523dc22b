"""A contract as the text of its file, such as a person would have written it."""

from collections.abc import Mapping
from typing import Any

import yaml
from msgspec import to_builtins

from specfactory.contract.files import FIELD_KEYS
from specfactory.model import Contract, Field, Frozen, IdentityRules, Source

_WIDTH = 4096  # one line for one thing; yaml would fold long lists


def contract_text(contract: Contract, notes: Mapping[str, str] | None = None) -> str:
    """The file of a contract; ``notes`` stand as comments above their fields."""
    head = {"category": contract.category, "version": contract.version, "title": contract.title}
    lines = [f"{key}: {_inline(value)}" for key, value in head.items()]
    if contract.units:
        own = {name: list(words) for name, words in contract.units.items()}
        lines.append(f"units: {_inline(own)}")
    lines += ["identity:", *_block(contract.identity, IdentityRules(hard_ids=("?",)))]
    if contract.sources:
        lines.append("sources:")
        usual = Source("?", contract.sources[0].tier)
        for source in contract.sources:
            told = {**{"host": source.host, "tier": str(source.tier)}, **_unusual(source, usual)}
            lines.append(f"  - {_inline(told)}")
    if contract.components:
        lines.append("components:")
        for name, known in contract.components.items():
            listed = {value: list(words) for value, words in known.items()}
            lines.append(f"  {_inline(name)}: {_inline(listed)}")
    lines.append("fields:")
    for field in contract.fields.values():
        note = (notes or {}).get(field.name, "")
        if note:  # words of pages, in which YAML allows no control characters
            lines.append("  # " + "".join(filter(str.isprintable, note)))
        lines.append(f"  {_inline(field.name)}:")
        lines += [f"    {key}: {_inline(value)}" for key, value in _entries(field).items()]
    return "\n".join(lines) + "\n"


def _unusual(thing: Frozen, usual: Frozen) -> dict[str, Any]:
    plain, default = to_builtins(thing), to_builtins(usual)
    return {key: value for key, value in plain.items() if value != default[key]}


def _block(thing: Frozen, usual: Frozen) -> list[str]:
    return [f"  {key}: {_inline(value)}" for key, value in _unusual(thing, usual).items()]


def _entries(field: Field) -> dict[str, Any]:
    """Entries of a field in the order of the files, without defaults."""
    plain, usual = to_builtins(field), to_builtins(Field(field.name, field.type))
    for entries in (plain, usual):
        entries["range"] = [entries["low"], entries["high"]]
        entries["tolerance"] = {
            name: share for name, share in entries["tolerance"].items() if share
        }
    telling = (key for key in FIELD_KEYS if key == "type" or plain[key] not in (usual[key], ""))
    return {key: plain[key] for key in telling}


def _inline(value: Any) -> str:
    """One line of YAML."""
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=_WIDTH,
                          sort_keys=False)  # fmt: skip
    return text.removesuffix("...\n").strip()
