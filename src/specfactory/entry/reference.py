"""Writes the pages of docs/reference from the code: ``python -m specfactory.entry.reference DIR``.

Commands, settings, events and words are declared once; these pages cannot lag behind them.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from specfactory.model import (
    OUTCOMES,
    Agreement,
    AttemptStatus,
    DecisionAction,
    FieldType,
    Level,
    Method,
    TemplateStatus,
    Tier,
    UnknownReason,
    Verdict,
    ViewName,
)

WORDS: Mapping[str, tuple[str, Iterable[Any]]] = {
    "Page outcomes": ("How a fetch ended.", OUTCOMES),
    "Reasons for unknowns": ("Why a field is `unk`.", UnknownReason),
    "Identity verdicts": ("Whether a page is about this product.", Verdict),
    "Agreement": ("How the sources of a field stand to one another.", Agreement),
    "Attempts": ("How a try at a product stands.", AttemptStatus),
    "Review decisions": ("What a person can answer.", DecisionAction),
    "Methods": ("How a candidate was found.", Method),
    "Tiers": ("How far a source is trusted.", Tier),
    "Levels": ("How much a field matters.", Level),
    "Field types": ("What kind of value a field holds.", FieldType),
    "Templates": ("How a learned template stands.", TemplateStatus),
    "Views": ("The ways in which a stored page can be looked at.", ViewName),
}
_WRITTEN = "<!-- Written by `make docs` from the code; changes here are lost. -->"


def pages() -> Mapping[str, str]:
    """Every page of the reference by its file name."""
    return {
        "commands.md": commands_page(),
        "settings.md": settings_page(),
        "events.md": events_page(),
        "outcomes.md": outcomes_page(),
    }


def write_pages(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


def commands() -> Iterator[tuple[str, Any]]:
    """Every command as typed (``spec record show``) with its typer command, groups included."""
    from typer.main import get_command

    from specfactory.entry.cli.app import app

    yield from _walk("spec", get_command(app))


def _walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for word, inner in getattr(command, "commands", {}).items():
        yield from _walk(f"{name} {word}", inner)


def commands_page() -> str:
    """All commands with their arguments and options."""
    parts = [
        "# Commands",
        "Options of `spec` itself stand before the command: `spec --config FILE record list`. "
        "Exit codes: 0 done, 1 failed, 2 misuse, 130 interrupted. "
        "What `--json` prints is in [json.md](json.md).",
    ]
    for name, command in commands():
        parts += _command_parts(name, command)
    return _page(parts)


def _command_parts(name: str, command: Any) -> Iterator[str]:
    yield f"## `{name}`"
    for paragraph in (command.help or "").split("\n\n"):
        words = " ".join(paragraph.split())
        example = words.removeprefix("Example: ")
        yield f"```\n{example}\n```" if example != words else words
    rows = [_parameter_row(each) for each in command.params if each.name != "help"]
    if rows:
        yield _table(("argument or option", "meaning"), rows)
    if inner := getattr(command, "commands", None):
        anchors = {word: f"{name} {word}".replace(" ", "-") for word in inner}
        links = (f"[`{name} {word}`](#{anchor})" for word, anchor in anchors.items())
        yield "Commands: " + ", ".join(links)


def _parameter_row(parameter: Any) -> tuple[str, str]:
    """An argument, or an option in all its spellings, with its meaning and default."""
    default, is_option = parameter.default, parameter.param_type_name == "option"
    if is_option:
        metavar = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.upper()}"
        spellings = [*parameter.opts, *parameter.secondary_opts]
        shown = ", ".join(f"`{option}{metavar}`" for option in spellings)
    else:
        spelled = parameter.metavar or parameter.name.upper()
        shown = f"`{spelled}`" if parameter.required else f"`[{spelled}]`"
    if parameter.required:
        more = " Required." if is_option else ""
    else:
        more = "" if default in (None, False, ()) or default == [] else f" Default: `{default}`."
    return shown, (parameter.help or "") + more


def settings_page() -> str:
    """All settings with their variables, defaults and limits."""
    from specfactory.settings import describe

    rows = (
        (f"`{s.path}`", f"`{s.variable}`", "empty" if s.default in ("", ()) else f"`{s.default}`",
         s.allowed, s.meaning)
        for s in describe()
    )  # fmt: skip
    return _page(
        [
            "# Settings",
            "Defaults, then `specfactory.yaml` (or the file named by `--config` or "
            "`SPEC_CONFIG`), then variables, then `--set path=value`: the later wins. "
            "`spec init` writes the file with all of these as comments.",
            _table(("setting", "variable", "default", "allowed", "meaning"), rows),
            "`SPEC_DEBUG=1` shows where an unexpected error comes from.",
        ]
    )


def events_page() -> str:
    """All events and what they carry."""
    from specfactory.declared_events import EVENTS

    rows = (
        (f"`{kind.name}`", kind.meaning, ", ".join(f"`{name}`" for name in kind.carries))
        for kind in EVENTS.values()
    )
    return _page(
        [
            "# Events",
            "Every event has a name, a time (milliseconds since 1970, UTC) and exactly these "
            "fields. Events are written in the same transaction as what they tell of.",
            _table(("event", "meaning", "carries"), rows),
        ]
    )


def outcomes_page() -> str:
    """The words in records, pages and attempts."""
    parts = ["# Words in records", "What the words in records, pages and attempts mean."]
    for title, (meaning, words) in WORDS.items():
        rows = ((f"`{word}`", OUTCOMES.get(word, word).meaning) for word in words)
        parts += [f"## {title}", meaning, _table(("word", "meaning"), rows)]
    return _page(parts)


def _page(parts: Iterable[str]) -> str:
    return "\n\n".join([_WRITTEN, *parts]) + "\n"


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reference"))
