"""``spec contract``: the categories, what they want, and whether a contract file is sound."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    print_heading,
    print_json,
    print_line,
    print_table,
    settings_from,
)

if TYPE_CHECKING:
    from specfactory.errors import ContractError
    from specfactory.model import Contract, Field

app = typer.Typer(help="Look at contracts and check your own.")

Category = Annotated[str, typer.Argument(metavar="CATEGORY", help="Name of a contract.")]


@app.command("list")
def list_contracts(context: typer.Context, as_json: AsJson = False) -> None:
    """List the categories that can be worked on.

    Your own file in the contracts folder wins over a bundled one of the same name.

    Example: spec contract list
    """
    from specfactory.contract import categories

    folder = Path(settings_from(context).contracts_dir)
    rows = [_summary(name, folder) for name in categories(folder)]
    if as_json:
        print_json(rows)
        return
    columns = ("category", "version", "title", "fields", "sources", "from")
    print_table(columns, ([row[name] for name in columns] for row in rows))
    for row in rows:
        if row["problem"]:
            print_line(f"malformed: {row['problem']}")


def _summary(category: str, folder: Path) -> dict[str, Any]:
    """One contract in short; a malformed one is listed with its problem."""
    from specfactory.contract import find_contract
    from specfactory.errors import ContractError

    row: dict[str, Any] = {"category": category, "from": _origin(category, folder)}
    try:
        contract = find_contract(category, folder)
    except ContractError as problem:
        return {**row, "version": None, "title": None, "fields": 0, "sources": 0,
                "problem": str(problem)}  # fmt: skip
    return {
        **row,
        "version": contract.version,
        "title": contract.title,
        "fields": len(contract.fields),
        "sources": len(contract.sources),
        "problem": None,
    }


def _origin(category: str, folder: Path) -> str:
    own = (folder / f"{category}{suffix}" for suffix in (".yaml", ".yml"))
    return next((str(file) for file in own if file.is_file()), "bundled")


@app.command("show")
def show_contract(
    context: typer.Context,
    category: Category,
    group: Annotated[
        str | None, typer.Option("--group", help="Only the fields of this group.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the fields, sources and checks of a category.

    The labels shown are the English ones; --json has those of every language.

    Example: spec contract show mouse --group sensor
    """
    from specfactory.contract import find_contract

    contract = find_contract(category, Path(settings_from(context).contracts_dir))
    fields = _fields_of(contract, group)
    if as_json:
        print_json(_contract_json(contract, fields))
    else:
        _print_contract(contract, fields, everything=group is None)


def _fields_of(contract: Contract, group: str | None) -> list[Field]:
    from specfactory.errors import UnknownSubject

    fields = [field for field in contract.fields.values() if group in (None, field.group)]
    if not fields:
        groups = sorted({field.group for field in contract.fields.values()})
        raise UnknownSubject("group", str(group), f"{contract.category} has {', '.join(groups)}")
    return fields


def _print_contract(contract: Contract, fields: list[Field], *, everything: bool) -> None:
    print_heading(f"{contract.title} ({contract.category} {contract.version})")
    print_table(
        ("field", "group", "type", "unit", "level", "limits", "labels"),
        (
            (
                field.name,
                field.group,
                field.type.value,
                field.unit or "",
                field.level.value,
                _limits(field),
                ", ".join(field.labels.get("en", ())[:3]),
            )
            for field in fields
        ),
    )
    if everything:
        _print_sources_and_checks(contract)


def _print_sources_and_checks(contract: Contract) -> None:
    print_heading("Sources")
    print_table(
        ("host", "tier", "known for"),
        ((s.host, s.tier.value, ", ".join(s.groups)) for s in contract.sources),
        empty="none; give pages with --url, or add sources to the settings",
    )
    print_heading("Checks")
    print_table(
        ("name", "condition", "message"),
        ((check.name, check.expression, check.message) for check in contract.checks),
        empty="none",
    )


def _limits(field: Field) -> str:
    if field.allowed:
        names = list(field.allowed)
        return " | ".join(names[:4]) + (" …" if len(names) > 4 else "")
    low = "" if field.low is None else f"{field.low:g}"
    high = "" if field.high is None else f"{field.high:g}"
    return f"{low}–{high}" if low or high else ""


def _contract_json(contract: Contract, fields: list[Field]) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "category": contract.category,
        "version": contract.version,
        "title": contract.title,
        "digest": contract.digest,
        "fields": {field.name: asdict(field) for field in fields},
        "identity": asdict(contract.identity),
        "sources": [asdict(source) for source in contract.sources],
        "components": {
            name: {value: list(synonyms) for value, synonyms in known.items()}
            for name, known in contract.components.items()
        },
        "checks": [asdict(check) for check in contract.checks],
        "respect": list(contract.respect),
    }


MOST_PROBLEMS = 20  # printed at once


@app.command("check")
def check_contract(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Contract files to check.")
    ],
    as_json: AsJson = False,
) -> None:
    """Check contract files and name every problem with its line.

    Each line says file, line, field and what is allowed; exit 1 when there is a problem.

    Example: spec contract check contracts/keyboard.yaml
    """
    problems = [problem for file in files for problem in _problems(file)]
    if as_json:
        print_json([_problem_json(problem) for problem in problems])
    else:
        _print_problems(files, problems)
    if problems:
        raise typer.Exit(1)


def _print_problems(files: list[Path], problems: list[ContractError]) -> None:
    for problem in problems[:MOST_PROBLEMS]:
        print_line(problem)
    if len(problems) > MOST_PROBLEMS:
        print_line(f"… and {len(problems) - MOST_PROBLEMS} more; --json has them all")
    faulty = {problem.file for problem in problems}
    for file in files:
        if str(file) not in faulty:
            print_line(f"{file}: sound")


def _problems(file: Path) -> list[ContractError]:
    from specfactory.contract import contract_problems, read_text
    from specfactory.errors import ContractError, UnknownSubject

    if not file.is_file():
        raise UnknownSubject("contract file", str(file), "give the path of a YAML file")
    try:
        text = read_text(file.read_bytes(), str(file))
    except ContractError as problem:
        return [problem]
    return contract_problems(text, str(file))


def _problem_json(problem: ContractError) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line,
        "where": problem.where,
        "problem": problem.problem,
    }


@app.command("draft")
def draft(
    context: typer.Context,
    places: Annotated[
        list[str],
        typer.Argument(metavar="URL|FILE...", help="Sample pages: addresses, files or folders."),
    ],
    category: Annotated[
        str, typer.Option(help="What the pages are about; the name of the contract.")
    ] = "draft",
    based_on: Annotated[
        str | None,
        typer.Option("--based-on", metavar="CATEGORY", help="Take its fields where they fit."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write there instead of to stdout."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Propose a contract from sample pages: fields, types, units, labels, examples.

    Three to ten pages of several sites make a good draft. Read it, strike what you do not
    want, and save it as contracts/CATEGORY.yaml.

    Example: spec contract draft pages/*.html --category kettle --output contracts/kettle.yaml
    """
    from specfactory.entry.cli.setup.contract_draft import show_draft

    show_draft(settings_from(context), places, category, based_on, output, as_json)


@app.command("schema")
def print_schema() -> None:
    """Print the JSON Schema of contract files, for editors.

    With it an editor completes names and marks mistakes while you type.

    Example: spec contract schema > contract.schema.json
    """
    from specfactory.contract import contract_schema

    print_json(contract_schema())
