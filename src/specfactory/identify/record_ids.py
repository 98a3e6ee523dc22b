"""Hard ids of a record: what its pages prove together, never against its own fields."""

from collections.abc import Iterable, Mapping

from specfactory.contract import CompiledContract
from specfactory.identify.hard_ids import KINDS, normal_id
from specfactory.model import FieldResult, Identity, replace

_PUBLIC = ("gtin", "isbn", "asin", "mpn")  # a SKU names a product in its own shop only


def with_agreed_ids(best: Identity, identities: Iterable[Identity]) -> Identity:
    """Hard ids of several pages; a kind of which they prove different ids is left out."""
    proving: dict[str, dict[str, Identity]] = {}
    for one in sorted(identities, key=lambda one: -one.confidence):
        for kind, code in one.hard_ids.items():
            proving.setdefault(kind, {}).setdefault(normal_id(kind, code) or code, one)
    sure = {kind: next(iter(by.values())) for kind, by in proving.items() if len(by) == 1}
    return replace(
        best,
        hard_ids={kind: one.hard_ids[kind] for kind, one in sure.items()},
        id_evidence={k: one.id_evidence[k] for k, one in sure.items() if k in one.id_evidence},
    )


def with_field_ids(
    identity: Identity, fields: Mapping[str, FieldResult], compiled: CompiledContract
) -> Identity:
    """Hard ids that agree with the fields of the same meaning: a field that differs wins."""
    ids, evidence = dict(identity.hard_ids), dict(identity.id_evidence)
    for name, result in fields.items():
        kind = KINDS.get(compiled.roles[name].code, "") if name in compiled.roles else ""
        if not kind or result.value is None:
            continue
        code = str(result.value)
        form = normal_id(kind, code)
        if kind in ids and form != normal_id(kind, ids[kind]):
            del ids[kind]
            evidence.pop(kind, None)
        if form and kind in _PUBLIC and kind in compiled.contract.identity.hard_ids:
            ids[kind] = code
            if result.chosen is not None:
                evidence[kind] = result.chosen.evidence
    return replace(identity, hard_ids=ids, id_evidence=evidence)
