"""``spec init``: a commented settings file."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import print_line

if TYPE_CHECKING:
    from specfactory.settings import SettingInfo

app = typer.Typer()


@app.command("init")
def write_settings(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to write specfactory.yaml.")
    ] = Path(),
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite a settings file that is there.")
    ] = False,
) -> None:
    """Write a commented specfactory.yaml with every default.

    Every setting is a comment, so nothing changes until you take its # away.

    Example: spec init
    """
    from specfactory.errors import UsageError
    from specfactory.settings import FILE_NAME, describe

    file = folder / FILE_NAME
    if file.exists() and not force:
        raise UsageError(f"{file} is there already; nothing was changed (--force overwrites it)")
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(settings_text(describe()), encoding="utf-8")
    spec = "spec" if file == Path(FILE_NAME) else f"spec --config {shlex.quote(str(file))}"
    print_line(f"wrote {file}; next: {spec} doctor")


def settings_text(settings: Iterator[SettingInfo]) -> str:
    """The settings file, commented throughout."""
    return "\n".join([*_HEAD, *_lines(settings)]) + "\n"


_HEAD = (
    "# Settings of Spec Factory. To change one, take away the # before its name; the value",
    "# shown is the default. A variable wins over this file (SPEC_FETCH_TIMEOUT_SECONDS is",
    "# fetch.timeout_seconds), and --set on the command line wins over both.",
    "",
)


def _lines(settings: Iterator[SettingInfo]) -> Iterator[str]:
    open_section = ""
    for setting in settings:
        section, _, name = setting.path.rpartition(".")
        if section != open_section:
            yield from ("", f"{section}:") if section else ("",)
            open_section = section
        indent = "  " if section else ""
        yield from wrap(_meaning(setting), 96, initial_indent=indent + "# ",
                        subsequent_indent=indent + "#   ", break_long_words=False)  # fmt: skip
        yield f"{indent}#{name}: {_yaml(setting.default)}"


def _meaning(setting: SettingInfo) -> str:
    return setting.meaning + ("" if setting.allowed == "text" else f" – {setting.allowed}")


def _yaml(default: Any) -> str:
    import json

    return "[]" if default == () else json.dumps(default)
