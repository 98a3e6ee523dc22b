"""Takes plain options as they were typed, without pydantic.

Newer typer loads pydantic for the first option of any type, which takes as long as all of
``spec --help``; most commands are given texts and switches, which need no conversion.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from typer import core

_PLAIN = (str, bool, int, float)  # a number that was typed is a text still, and is converted


def skip_conversion() -> None:
    """Let typer convert only what is not of its type already."""
    build = getattr(core, "build_runtime_param", None)
    if build is not None:  # older typer converts without pydantic
        typer_core: Any = core
        typer_core.build_runtime_param = partial(_Conversion, build)


class _Conversion:
    """Converts the value of one option; typer's own conversion is loaded where it is needed."""

    def __init__(self, build: Any, described: Any) -> None:
        self._build, self._described = build, described

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value as its command takes it."""
        wanted = self._described.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if wanted in _PLAIN and type(value) is wanted:
            return value
        if wanted == list[str] and isinstance(value, list | tuple):
            return list(value)
        return self._build(self._described).coerce(value, param=param, ctx=ctx)
