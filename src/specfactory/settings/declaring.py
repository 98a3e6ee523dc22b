"""How a setting is declared: its default, what it means, the range of a number, a text's form."""

from __future__ import annotations

from typing import Any

from specfactory.model import Described, Frozen, field


class Form(Frozen):
    """What a text has to look like, in words and as a pattern."""

    words: str
    pattern: str


HEADER = Form("one line of ASCII, such as ExampleBot/1.0 (+https://example.com/bot)",
              r"[!-~](?:[ -~]*[!-~])?")  # fmt: skip
"""What may stand in a header."""


def setting(
    default: Any,
    meaning: str,
    low: float | None = None,
    high: float | None = None,
    *,
    form: Form | None = None,
) -> Any:
    """A field of a settings class."""
    said = {"meaning": meaning, "low": low, "high": high, "form": form}
    return field(default_factory=Described(default, said))
