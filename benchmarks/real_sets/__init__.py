"""Sets of real pages with truth: a module per set, named as the set is named.

Each has ``measure(folder, given) -> Report``; a new set is a new module here.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import cast

from benchmarks.report import Report

Measure = Callable[[Path, argparse.Namespace], Report]


def names() -> list[str]:
    """The sets that can be measured; modules that begin with an underscore are shared parts."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def measure_of(name: str) -> Measure:
    """The measure of a set."""
    return cast(Measure, importlib.import_module(f"{__name__}.{name}").measure)
