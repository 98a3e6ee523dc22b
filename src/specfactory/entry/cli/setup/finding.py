"""What ``spec doctor`` says of one thing that it looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: ok, warn (works without) or fail (needed)."""

    check: str
    state: str
    found: str
    mend: str = ""
