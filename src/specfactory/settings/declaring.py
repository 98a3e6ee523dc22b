"""Declaration of a setting: default, meaning, range of a number, form of a text."""

from typing import Any

from specfactory.model import Described, Frozen, field


class Form(Frozen):
    """The form of a text, or of each in a list, in words and as a pattern."""

    words: str
    pattern: str


HEADER = Form("one line of ASCII, such as ExampleBot/1.0 (+https://example.com/bot)",
              r"[!-~](?:[ -~]*[!-~])?")  # fmt: skip
"""The value of an HTTP header."""
PLACES = Form("a list of HOST:PORT, such as [localhost:8600]; `spec demo web` writes its own",
              r"[^\s:/@*]+:\d{1,5}|\[[0-9A-Fa-f:.]+\]:\d{1,5}")  # fmt: skip
"""Hosts, each with its port."""
VARIABLE = Form("the name of an environment variable, such as MODEL_KEY",
                r"(?:[A-Za-z_][A-Za-z0-9_]*)?")  # fmt: skip
"""The name of an environment variable, or nothing."""


def setting(
    default: Any,
    meaning: str,
    low: float | None = None,
    high: float | None = None,
    *,
    form: Form | None = None,
    discreet: bool = False,
) -> Any:
    """A field of a settings class; no message quotes a ``discreet`` one, it may hold a key."""
    metadata = {"meaning": meaning, "low": low, "high": high, "form": form, "discreet": discreet}
    return field(default_factory=Described(default, metadata))
