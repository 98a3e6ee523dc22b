"""Time and JSON, as everything here writes them."""

from __future__ import annotations

from typing import Any, TypeAlias

Instant: TypeAlias = int
Json: TypeAlias = Any
