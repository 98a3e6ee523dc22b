"""Hard ids of a record: what its pages prove together, never against its own fields."""

from collections.abc import Iterable, Mapping

from specfactory.contract import CompiledContract
from specfactory.identify import KINDS, normal_id
from specfactory.model import FieldResult, Identity


def agreed_ids(identities: Iterable[Identity]) -> dict[str, str]:
    """The hard ids of several pages; a kind of which they prove different ids is left out."""
    found: dict[str, dict[str, str]] = {}
    for identity in sorted(identities, key=lambda one: -one.confidence):
        for kind, code in identity.hard_ids.items():
            found.setdefault(kind, {}).setdefault(normal_id(kind, code) or code, code)
    return {kind: next(iter(codes.values())) for kind, codes in found.items() if len(codes) == 1}


def with_field_ids(
    ids: Mapping[str, str], fields: Mapping[str, FieldResult], compiled: CompiledContract
) -> dict[str, str]:
    """Hard ids that agree with the fields of the same meaning: a field that differs wins."""
    agreed = dict(ids)
    for name, result in fields.items():
        kind = KINDS.get(compiled.roles[name].code, "") if name in compiled.roles else ""
        if not kind or result.value is None:
            continue
        code = str(result.value)
        form = normal_id(kind, code)
        if kind in agreed and form != normal_id(kind, agreed[kind]):
            del agreed[kind]
        if form is not None and kind in ("gtin", "isbn", "asin", "mpn"):
            agreed[kind] = code
    return agreed
