"""How much of a contract is filled, and what is still open."""

from collections.abc import Mapping

from specfactory.model import Contract, Coverage, FieldResult, Level

CORE = (Level.REQUIRED, Level.CRITICAL)


def coverage(contract: Contract, results: Mapping[str, FieldResult]) -> Coverage:
    """Count the filled fields and list the open ones by level."""
    open_fields: dict[Level, list[str]] = {}
    for name, field in contract.fields.items():
        result = results.get(name)
        if result is None or result.value is None:
            open_fields.setdefault(field.level, []).append(name)
    missing = {level: tuple(names) for level, names in open_fields.items()}
    total = len(contract.fields)
    return Coverage(total, total - sum(map(len, missing.values())), missing)


def open_fields(state: Coverage) -> tuple[str, ...]:
    """All unfilled fields, the most important levels first."""
    return tuple(name for level in Level for name in state.missing.get(level, ()))


def core_is_filled(state: Coverage) -> bool:
    """True when no required or critical field is open."""
    return not any(state.missing.get(level) for level in CORE)
