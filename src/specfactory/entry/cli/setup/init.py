"""``spec init``: a commented settings file."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry.cli.terminal import command, out
from specfactory.errors import UsageError
from specfactory.private_files import replacing

if TYPE_CHECKING:
    from specfactory.settings import SettingInfo

app = typer.Typer()

HEAD = """\
# Settings of Spec Factory. To change one, take away the # before its name; the value
# shown is the default. A variable wins over this file (SPEC_FETCH_TIMEOUT_SECONDS is
# fetch.timeout_seconds), and --set on the command line wins over both.

"""


@command(app, "init")
def write_settings(
    folder: Annotated[Path, "FOLDER", "Where to write specfactory.yaml."] = Path(),
    force: Annotated[bool, "--force", "Overwrite a settings file that is there."] = False,
) -> None:
    """Write a commented specfactory.yaml with every default.

    Every setting is a comment, so nothing changes until you take its # away.

    Example: spec init
    """
    from specfactory.settings import FILE_NAME, describe

    file = folder / FILE_NAME
    if file.exists() and not force:
        raise UsageError(f"{file} is there already; nothing was changed (--force overwrites it)")
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(file.resolve(), private=True) as part:  # passwords of proxies come into it
        part.write_text(settings_text(describe()), encoding="utf-8")
    spec = "spec" if file == Path(FILE_NAME) else f"spec --config {shlex.quote(str(file))}"
    out.line(f"wrote {file}; next: {spec} doctor")


def settings_text(settings: Iterator[SettingInfo]) -> str:
    """The settings file, commented throughout."""
    lines, open_section = list[str](), ""
    for setting in settings:
        section, _, name = setting.path.rpartition(".")
        if section != open_section:
            lines += ["", f"{section}:"] if section else [""]
            open_section = section
        indent = "  " if section else ""
        meaning = setting.meaning + ("" if setting.allowed == "text" else f" – {setting.allowed}")
        lines += wrap(meaning, 96, initial_indent=indent + "# ",
                      subsequent_indent=indent + "#   ", break_long_words=False)  # fmt: skip
        default = "[]" if setting.default == () else json.dumps(setting.default)
        lines.append(f"{indent}#{name}: {default}")
    return HEAD + "\n".join(lines) + "\n"
