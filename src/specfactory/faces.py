"""Faces: a package lists its public names once, and loads the module of each on first use."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

_IMPORT = re.compile(r"^    from ([\w.]+) import (\([^)]*\)|.+)$", re.M)


def lazy_face(package: str) -> Callable[[str], Any]:
    """Make a package's ``__getattr__`` and ``__all__`` out of its imports for type checkers.

    Type checkers need those imports written out, so they serve as the list for both: loading a
    whole room for one of its names would double the start of every command.
    """
    spec = sys.modules[package].__spec__
    source = spec.loader.get_source(package) if spec and spec.loader else ""  # type: ignore[attr-defined]
    places: dict[str, tuple[str, str]] = {}
    for module, names in _IMPORT.findall(source):
        for name in filter(None, (part.strip() for part in names.strip("()").split(","))):
            real, _, alias = name.partition(" as ")
            places[alias or real] = (module, real)

    sys.modules[package].__all__ = list(places)  # type: ignore[attr-defined]

    def load(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, real = places[name]
        if module == ".":  # a module is itself the public name
            value = import_module(f".{real}", package)
        else:
            value = getattr(import_module(module, package), real)
        setattr(sys.modules[package], name, value)
        return value

    return load
