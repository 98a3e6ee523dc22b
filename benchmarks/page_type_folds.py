"""Weights of page types without a part of the sites, to judge pages that were learned from."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from specfactory.extract.page.page_types import TypeWeights

FOLDS = 10
PLACE = Path(__file__).with_name("page_type_folds.json")


def site_key(site: str) -> str:
    """A site in the list of those that were learned from, without its name."""
    return hashlib.sha256(site.encode()).hexdigest()[:12]


def fold_of(site: str) -> int:
    """The fold of a site, by its name alone."""
    return int(site_key(site), 16) % FOLDS


def weights_without(site: str) -> TypeWeights | None:
    """Weights that never saw a site; None where the shipped ones did not either."""
    kept = _kept()
    return TypeWeights(**kept["folds"][fold_of(site)]) if site_key(site) in kept["sites"] else None


@cache
def _kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(PLACE.read_text())
    return found
