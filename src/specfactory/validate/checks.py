"""What only shows when a value is held against others: checks and component lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from specfactory.model import CheckResult, Value

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract


def cross_check(values: Mapping[str, Value], compiled: CompiledContract) -> tuple[CheckResult, ...]:
    """Run the contract's checks across the fields of one product."""
    return compiled.checks(values)


def component_flag(field: str, value: Value, compiled: CompiledContract) -> str | None:
    """Why a person should look at a component: it is in no list we have."""
    if compiled.contract.fields[field].component is None:
        return None
    parts = value if isinstance(value, tuple) else (value,)
    strange = [part for part in parts if compiled.component(field, part) is None]
    return f"extracted {str(strange[0])!r} but not in component_db" if strange else None
