"""How a setting is declared: its default, what it means, and the range of a number."""

from __future__ import annotations

import dataclasses
from typing import Any


def setting(default: Any, meaning: str, low: float | None = None, high: float | None = None) -> Any:
    """A field of a settings class."""
    return dataclasses.field(
        default=default, metadata={"meaning": meaning, "low": low, "high": high}
    )
