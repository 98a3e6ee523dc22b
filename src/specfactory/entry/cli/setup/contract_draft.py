"""What ``spec contract draft`` does: pages in, the text of a contract out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from specfactory.entry.cli.pages import read_place
from specfactory.entry.cli.terminal import perform, print_json, progress_bar, spec_command

if TYPE_CHECKING:
    from specfactory.learn import Draft
    from specfactory.proof import PageViews
    from specfactory.settings import Settings

MOST_PAGES = 50
_SUFFIXES = (".html", ".htm", ".xhtml", ".pdf")


def show_draft(
    settings: Settings,
    places: list[str],
    category: str,
    based_on: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Draft a contract and print or write it."""
    from specfactory.contract.drafts import contract_text
    from specfactory.learn import draft_contract

    _check_output(output)
    drafted = draft_contract(category, perform(_views(settings, places)), based_on)
    text = HEAD.format(pages=drafted.pages, base=drafted.base)
    text += contract_text(drafted.contract, drafted.notes())
    if as_json:
        print_json({**_json(drafted), "text": text})
    elif output is None:
        typer.echo(text, nl=False)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    where = (
        f" in {output}; check it with: {spec_command()} contract check {output}" if output else ""
    )
    typer.echo(f"{len(drafted.contract.fields)} fields{where}", err=True)


HEAD = """\
# A draft from {pages} sample pages, with the fields of the contract `{base}` where they fit.
# Strike what you do not want, set levels and ranges, and add labels of other sites.
"""


def _check_output(output: Path | None) -> None:
    from specfactory.errors import UsageError

    if output is not None and output.exists():
        raise UsageError(f"{output} exists already; give another file, or remove it first")


async def _views(settings: Settings, places: list[str]) -> list[PageViews]:
    from specfactory.errors import UsageError

    every = [file for place in places for file in _files(place)]
    if len(every) > MOST_PAGES:
        raise UsageError(f"{len(every)} pages are more than needed; give {MOST_PAGES} at the most")
    views = []
    with progress_bar(len(every), "reading pages") as bar:
        for place in every:
            views.append((await read_place(settings, place)).views)
            bar.advance(bar.task_ids[0])
    return views


def _files(place: str) -> list[str]:
    folder = Path(place)
    if "://" in place or not folder.is_dir():
        return [place]
    return [str(file) for file in sorted(folder.iterdir()) if file.suffix.lower() in _SUFFIXES]


def _json(drafted: Draft) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "category": drafted.contract.category,
        "pages": drafted.pages,
        "based_on": drafted.base,
        "fields": {
            name: {**asdict(field), "seen_on": drafted.seen[name][0],
                   "examples": list(drafted.seen[name][1])}
            for name, field in drafted.contract.fields.items()
        },
    }  # fmt: skip
