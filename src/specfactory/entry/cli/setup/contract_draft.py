"""``spec contract draft``: pages in, the text of a contract out."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from specfactory.entry.cli.pages import read_place
from specfactory.entry.cli.terminal import Reply, progress_bar, spec_command
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.entry.shapes import DraftShape
    from specfactory.settings import Settings

MOST_PAGES = 50
SUFFIXES = (".html", ".htm", ".xhtml", ".pdf")
HEAD = """\
# A draft from {pages} sample pages, with the fields of the contract `{base}` where they fit.
# Strike what you do not want, set levels and ranges, and add labels of other sites.
"""


async def drafted(
    settings: Settings, places: list[str], category: str, based_on: str | None, output: Path | None
) -> Reply:
    """Draft a contract, and write it where it should go."""
    from specfactory.contract.drafts import contract_text
    from specfactory.entry.shapes import DraftShape
    from specfactory.learn import draft_contract

    if output is not None and output.exists():
        raise UsageError(f"{output} exists already; give another file, or remove it first")
    files: list[str] = []
    for place in places:
        folder = Path(place)
        if "://" in place or not folder.is_dir():
            files.append(place)
        else:
            inside = sorted(folder.iterdir())
            files += [str(file) for file in inside if file.suffix.lower() in SUFFIXES]
    if len(files) > MOST_PAGES:
        raise UsageError(f"{len(files)} pages are more than needed; give {MOST_PAGES} at the most")
    views = []
    with progress_bar(len(files), "reading pages") as bar:
        for place in files:
            views.append((await read_place(settings, place)).views)
            bar.advance(bar.task_ids[0])
    draft = draft_contract(category, views, based_on)
    contract = draft.contract
    text = HEAD.format(pages=draft.pages, base=draft.base)
    text += contract_text(contract, draft.notes())
    fields = {
        name: {**asdict(field), "seen_on": draft.seen[name][0],
               "examples": list(draft.seen[name][1])}
        for name, field in contract.fields.items()
    }  # fmt: skip
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")

    def show(shape: DraftShape) -> None:
        if output is None:
            typer.echo(shape.text, nl=False)

    check = f" in {output}; check it with: {spec_command()} contract check {output}"
    typer.echo(f"{len(contract.fields)} fields{check if output else ''}", err=True)
    return Reply(DraftShape.of(draft, category=contract.category, fields=fields, text=text), show)
