"""A contract from the names of its fields alone: what the bundled contracts know of them."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache

from specfactory.contract.compiled import compile_contract
from specfactory.contract.files import find_contract
from specfactory.contract.text import slug
from specfactory.errors import UsageError
from specfactory.model import Contract, Field, FieldType, replace

_KNOWING = ("product", "article", "recipe", "listing", "monitor", "mouse")  # the widest first


def wanted_contract(names: Iterable[str]) -> Contract:
    """A contract of these fields; a name that no bundled contract knows is a labelled text."""
    if isinstance(names, str):
        raise UsageError(f"want is {names!r}; give a list of field names")
    fields = {name: replace(_field(name), name=name) for name in dict.fromkeys(names)}
    if not fields:
        raise UsageError("no field is wanted; give names such as price and weight")
    digest = hashlib.sha256("\0".join(fields).encode()).hexdigest()
    return Contract("wanted", "1", "What is wanted", fields, digest=f"wanted-{digest}")


def _field(name: str) -> Field:
    words = name.replace("_", " ").strip()
    if not slug(words):
        raise UsageError(f"{name!r} is no name of a field; give words such as price or weight")
    if (known := _by_name().get(slug(words))) is not None:
        return known
    for category in _KNOWING:
        contract = find_contract(category)
        match = compile_contract(contract).match_label(words)
        if match is not None:
            return contract.fields[match.field]
    return Field(name, FieldType.TEXT, labels={"en": (words,)})


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, Field]:
    """The fields of the bundled contracts; the first contract that knows a name is asked."""
    fields: dict[str, Field] = {}
    for category in _KNOWING:
        for name, field in find_contract(category).fields.items():
            fields.setdefault(slug(name), field)
    return fields
