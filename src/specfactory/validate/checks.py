"""Checks that need more than one value: across fields, and against component lists."""

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
    """The reason to ask for review of a component that is in no list; None when it is known."""
    if compiled.contract.fields[field].component is None:
        return None
    parts = value if isinstance(value, tuple) else (value,)
    strange = [part for part in parts if compiled.component(field, part) is None]
    return f"extracted {str(strange[0])!r} but not in component_db" if strange else None
