"""Commands that are advised, as they must be typed: with the settings file that was given."""

import re
import shlex
from contextvars import ContextVar
from pathlib import Path

_config: ContextVar[Path | None] = ContextVar("config", default=None)
# Advice begins its line, or stands behind a colon: other words may be those of a page.
_ADVISED = re.compile(r"(?:^|(?<=: )|(?<=, or )|(?<=, and ))spec (?=[a-z])")


def note_config(config: Path | None) -> None:
    """The settings file that this command was given; typer keeps its context to itself."""
    _config.set(config)


def spec_command() -> str:
    """The ``spec`` of this command with its settings file, for advice that can be copied."""
    config = _config.get()
    return f"spec --config {shlex.quote(str(config))}" if config else "spec"


def as_typed(words: str) -> str:
    """Words that advise commands, with the commands as they must be typed here."""
    return _ADVISED.sub(lambda _: f"{spec_command()} ", words)
