"""``spec contract``: the categories, what they want, and whether a contract file is sound."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.terminal import Reply, command, out, spec_command
from specfactory.errors import ContractError, UnknownSubject, UsageError

if TYPE_CHECKING:
    from specfactory.model import Field
    from specfactory.settings import Settings

app = typer.Typer(help="Look at contracts and check your own.")

Category = Annotated[str, "CATEGORY", "Name of a contract."]
MOST_PROBLEMS = 20  # printed at once
MOST_PAGES = 50
SUFFIXES = (".html", ".htm", ".xhtml", ".pdf")
HEAD = """\
# A draft from {pages} sample pages{base}.
# Strike what you do not want, set levels and ranges, and add labels of other sites.
"""
BASE = ", with the fields of the contract `{}` where they fit"


def _limits(field: Field) -> str:
    if field.allowed:
        names = list(field.allowed)
        return " | ".join(names[:4]) + (" …" if len(names) > 4 else "")
    low = "" if field.low is None else f"{field.low:g}"
    high = "" if field.high is None else f"{field.high:g}"
    return f"{low}–{high}" if low or high else ""


CONTRACTS = ("category", "version", "title", "fields", "sources", ("from", "origin"))
FIELDS = (
    ("field", "name"),
    "group",
    "type",
    ("unit", lambda f: f.unit or ""),
    "level",
    ("limits", _limits),
    ("labels", lambda f: ", ".join(f.labels.get("en", ())[:3])),
)
SOURCES = ("host", "tier", ("known for", lambda s: ", ".join(s.groups)))
CHECKS = ("name", ("condition", "expression"), "message")


@command(app, "list")
def list_contracts(settings: Settings) -> Reply:
    """List the categories that can be worked on.

    Your own file in the contracts folder wins over a bundled one of the same name.

    Example: spec contract list
    """
    from specfactory.contract import categories, find_contract

    folder = Path(settings.contracts_dir)
    rows = []
    for name in categories(folder):
        own = (folder / f"{name}{suffix}" for suffix in (".yaml", ".yml"))
        origin = next((str(file) for file in own if file.is_file()), "bundled")
        try:
            contract = find_contract(name, folder)
        except ContractError as problem:
            rows.append(shapes.setup.ContractRow(name, origin, None, None, 0, 0, str(problem)))
            continue
        counts = len(contract.fields), len(contract.sources)
        rows.append(
            shapes.setup.ContractRow(name, origin, contract.version, contract.title, *counts, None)
        )

    def show(rows: list[shapes.setup.ContractRow]) -> None:
        out.table(CONTRACTS, rows)
        for row in rows:
            if row.problem:
                out.line(f"malformed: {row.problem}")

    return Reply(rows, show)


@command(app, "show")
def show_contract(
    settings: Settings,
    category: Category,
    group: Annotated[str | None, "--group", "Only the fields of this group."] = None,
) -> Reply:
    """Show the fields, sources and checks of a category.

    The labels shown are the English ones; --json has those of every language.

    Example: spec contract show mouse --group sensor
    """
    from dataclasses import asdict

    from specfactory.contract import find_contract

    contract = find_contract(category, Path(settings.contracts_dir))
    fields = [field for field in contract.fields.values() if group in (None, field.group)]
    if not fields:
        groups = sorted({field.group for field in contract.fields.values()})
        raise UnknownSubject("group", str(group), f"{contract.category} has {', '.join(groups)}")
    shape = shapes.setup.ContractShape.of(
        contract,
        fields={field.name: asdict(field) for field in fields},
        identity=asdict(contract.identity),
        sources=[asdict(source) for source in contract.sources],
        checks=[asdict(check) for check in contract.checks],
    )

    def show(_: object) -> None:
        out.heading(f"{contract.title} ({contract.category} {contract.version})")
        out.table(FIELDS, fields)
        if group is None:
            out.heading("Sources")
            none = "none; give pages with --url, or add sources to the settings"
            out.table(SOURCES, contract.sources, empty=none)
            out.heading("Checks")
            out.table(CHECKS, contract.checks, empty="none")

    return Reply(shape, show)


@command(app, "check")
def check_contract(files: Annotated[list[Path], "FILE...", "Contract files to check."]) -> Reply:
    """Check contract files and name every problem with its line.

    Each line says file, line, field and what is allowed; exit 1 when there is a problem.

    Example: spec contract check contracts/keyboard.yaml
    """
    from specfactory.contract import contract_problems, read_text

    problems: list[ContractError] = []
    for file in files:
        if not file.is_file():
            raise UnknownSubject("contract file", str(file), "give the path of a YAML file")
        try:
            text = read_text(file.read_bytes(), str(file))
        except ContractError as problem:
            problems.append(problem)
        else:
            problems += contract_problems(text, str(file))

    def show(_: object) -> None:
        for problem in problems[:MOST_PROBLEMS]:
            out.line(problem)
        if len(problems) > MOST_PROBLEMS:
            out.line(f"… and {len(problems) - MOST_PROBLEMS} more; --json has them all")
        faulty = {problem.file for problem in problems}
        for file in files:
            if str(file) not in faulty:
                out.line(f"{file}: sound")

    return Reply(shapes.setup.ContractProblem.all_of(problems), show, code=1 if problems else 0)


@command(app, "draft")
async def draft(
    settings: Settings,
    places: Annotated[list[str], "URL|FILE...", "Sample pages: addresses, files or folders."],
    category: Annotated[
        str, "--category", "What the pages are about; the name of the contract."
    ] = "draft",
    based_on: Annotated[
        str | None, "--based-on CATEGORY", "Take its fields where they fit."
    ] = None,
    output: Annotated[Path | None, "--output FILE", "Write there instead of to stdout."] = None,
) -> Reply:
    """Propose a contract from sample pages: fields, types, units, labels, examples.

    Three to ten pages of several sites make a good draft. Read it, strike what you do not
    want, and save it as contracts/CATEGORY.yaml.

    Example: spec contract draft pages/*.html --category kettle --output contracts/kettle.yaml
    """
    from dataclasses import asdict

    from specfactory.contract.drafts import contract_text
    from specfactory.entry.cli.pages import read_place
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
    with out.progress_bar(len(files), "reading pages") as bar:
        for place in files:
            views.append((await read_place(settings, place)).views)
            bar.advance(bar.task_ids[0])
    draft = draft_contract(category, views, based_on)
    contract = draft.contract
    text = HEAD.format(pages=draft.pages, base=BASE.format(draft.base) if draft.base else "")
    text += contract_text(contract, draft.notes())
    fields = {
        name: {**asdict(field), "seen_on": draft.seen[name][0],
               "examples": list(draft.seen[name][1])}
        for name, field in contract.fields.items()
    }  # fmt: skip
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")

    def show(shape: shapes.setup.DraftShape) -> None:
        if output is None:
            out.write(shape.text)

    check = f" in {output}; check it with: {spec_command()} contract check {output}"
    out.note(f"{len(contract.fields)} fields{check if output else ''}")
    return Reply(
        shapes.setup.DraftShape.of(draft, category=contract.category, fields=fields, text=text),
        show,
    )


@command(app, "label")
def add_to_labels(
    settings: Settings,
    category: Category,
    field: Annotated[str, "FIELD", "A field of the contract."],
    label: Annotated[str, "LABEL", "What pages call it, such as 'Product UPC'."],
    language: Annotated[str, "--language CODE", "Language of the label."] = "en",
    remove: Annotated[bool, "--remove", "Remove the label instead."] = False,
    dry_run: Annotated[bool, "--dry-run", "Only show what would change."] = False,
) -> None:
    """Add a label to a field, so that pages that use it are read, or --remove it again.

    Comments and layout of the file stay, and the change is shown. A bundled contract is copied
    to your contracts folder first, where it wins over the bundled one.

    Example: spec contract label product gtin "Product UPC"
    """
    from difflib import unified_diff

    from specfactory.contract import add_label, contract_file, read_text, remove_label

    folder = Path(settings.contracts_dir)
    file, is_own = contract_file(category, folder)
    before = read_text(file.read_bytes(), str(file))
    change = remove_label if remove else add_label
    after = change(before, str(file), field, " ".join(label.split()), language)
    target = file if is_own else folder / f"{category}.yaml"
    lines = unified_diff(before.splitlines(), after.splitlines(), str(file), str(target), "", "", 0)
    for line in lines:
        out.line(line.rstrip())
    if dry_run:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(after, encoding="utf-8")
    copied = "" if is_own else ", copied from the bundled contract"
    out.line(f"{'removed from' if remove else 'added to'} {target}{copied}")


@command(app, "schema")
def print_schema() -> None:
    """Print the JSON Schema of contract files, for editors.

    With it an editor completes names and marks mistakes while you type.

    Example: spec contract schema > contract.schema.json
    """
    from specfactory.contract import contract_schema

    out.print_json(contract_schema())
