"""A record held against the demo web's truth.

Where each source has its own value (a lab's measurement, a shop's price) a published value is
right when the cited source says it, and when the record keeps what every other source says:
as source dependent where they differ, and only there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from specfactory.contract import CompiledContract, value_from_json
from specfactory.demo import Trap, Truth
from specfactory.errors import UsageError
from specfactory.model import Agreement, Candidate, FieldResult, Json, Record, Value


@dataclass(frozen=True, slots=True)
class OwnValues:
    """The values that sources have of their own, of one field, on pages that were read."""

    told: Mapping[str, Value]  # host -> what it says
    kept: Mapping[str, tuple[Value, ...]]  # host -> what the record says that it says

    @property
    def lost(self) -> list[str]:
        """Hosts of which the record keeps nothing."""
        return [host for host in self.told if host not in self.kept]


def why_wrong(compiled: CompiledContract, known: Truth | None, result: FieldResult) -> str | None:
    """Why a published value is wrong; None when it is right."""
    if known is None:
        return "truth 'nothing'"
    cited = host_of(result.chosen) if result.chosen else ""
    expected = known.by_host.get(cited) if known.by_host else known.value
    if expected is None:
        return f"which does not say it; truth {dict(known.by_host)!r}"
    truth = _value(compiled, result.field, expected)
    if result.value is not None and compiled.same(result.field, result.value, truth):
        return None
    return f"truth {expected!r}"


def own_values(compiled: CompiledContract, known: Truth, record: Record, name: str) -> OwnValues:
    """What the sources that the record was made from say on their own account."""
    read = {host_of(c) for result in record.fields.values() for c in result.candidates}
    told = {h: _value(compiled, name, v) for h, v in known.by_host.items() if h in read}
    kept: dict[str, tuple[Value, ...]] = {}
    for candidate in record.fields[name].candidates:
        host = host_of(candidate)
        kept[host] = (*kept.get(host, ()), candidate.value)
    return OwnValues(told, kept)


def disputed(compiled: CompiledContract, name: str, own: OwnValues) -> bool:
    """Whether sources that the record keeps truly differ."""
    present = [value for host, value in own.told.items() if host in own.kept]
    return any(not compiled.same(name, a, b) for a, b in combinations(present, 2))


def why_unkept(compiled: CompiledContract, result: FieldResult, own: OwnValues) -> str | None:
    """What is wrong with the way a record keeps the sources' own values; None when nothing is."""
    for host, values in own.kept.items():
        truth = own.told.get(host)
        if truth is None or not any(compiled.same(result.field, v, truth) for v in values):
            return f"but keeps {values!r} for {host}, which says {truth!r}"
    says_so = result.agreement is Agreement.SOURCE_DEPENDENT
    if disputed(compiled, result.field, own) != says_so:
        return f"as {result.agreement}, truth {dict(own.told)!r}"
    return None


def fell(compiled: CompiledContract, trap: Trap, record: Record, known: Truth | None) -> bool:
    """Whether the trap's wrong value was published."""
    result = record.fields[trap.field]
    if result.value is None or why_wrong(compiled, known, result) is None:
        return False
    try:
        wrong = _value(compiled, trap.field, trap.wrong_value)
    except UsageError:  # no value of this field's type: nobody can publish it
        return False
    return compiled.same(trap.field, result.value, wrong)


def host_of(candidate: Candidate) -> str:
    """The host whose page says it."""
    return candidate.evidence.url.split("/")[2]


def _value(compiled: CompiledContract, name: str, plain: Json) -> Value:
    return value_from_json(compiled.contract.fields[name], plain)
