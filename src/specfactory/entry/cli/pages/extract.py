"""``spec extract``: what one page says, with proofs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.pages.page_input import read_place
from specfactory.entry.cli.terminal import Reply, command, no_such_field, out, spec_command
from specfactory.errors import ExtractError, FetchError, UnknownSubject, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from specfactory.extract import PageCandidates
    from specfactory.model import Contract
    from specfactory.settings import Settings

    _Show = Callable[[shapes.pages.Extraction], None]

app = typer.Typer()

WIDTH = 60  # of values and quotes


@command(app, "extract")
async def extract_pages(
    settings: Settings,
    places: Annotated[list[str], "URL|FILE|ID...", "Addresses, files, - or ids of stored pages."],
    category: Annotated[str | None, "--category", "Which contract: see spec contract list."] = None,
    field: Annotated[list[str] | None, "--field F", "Only this; repeatable."] = None,
    url: Annotated[str, "--url URL", "The address that a file was taken from."] = "",
    explain: Annotated[bool, "--explain", "Show all candidates, and what was dropped."] = False,
) -> Reply:
    """Show what pages say: each field's value with the words that prove it.

    Without --category and --field, everything is shown that a page says; its kind is guessed.
    With --category, selectors written for the page's host and templates learned for it are used,
    as workers do; a file needs --url for that. Of several pages, those that cannot be read are
    named in the end (exit 1).

    Example: spec extract page.html --category product --explain
    """
    if url and len(places) > 1:
        raise UsageError("--url is the address of one file; give that file alone")
    contract = _contract(category, field, Path(settings.contracts_dir))
    if len(places) == 1:
        found, show = await _extract(settings, places[0], contract, category, field, url, explain)
        return Reply(found, show)
    read: list[tuple[shapes.pages.Extraction, _Show]] = []
    unread: list[str] = []
    for place in places:
        try:
            read.append(await _extract(settings, place, contract, category, field, url, explain))
        except (ExtractError, FetchError, UnknownSubject) as problem:
            unread.append(str(problem))

    def show_all(_: object) -> None:
        for found, show in read:
            out.heading(found.page)
            show(found)
            out.line()

    for said in unread:
        out.note(f"spec: {said}")
    return Reply([found for found, _ in read], show_all, code=1 if unread else 0)


async def _extract(
    settings: Settings,
    place: str,
    contract: Contract | None,
    category: str | None,
    field: list[str] | None,
    url: str,
    explain: bool,
) -> tuple[shapes.pages.Extraction, _Show]:
    """Read one page; give what it says, and how to show it."""
    from specfactory.contract import compile_contract
    from specfactory.extract.answers import contract_of_page, near_misses, reasons_missing
    from specfactory.orchestrate.bench import source_at
    from specfactory.orchestrate.pages import answer_for_category, page_answers

    page = await read_place(settings, place, url, category)
    if page.views.unread:
        raise ExtractError(f"{page.place}: {page.views.unread}")
    compiled = compile_contract(contract or contract_of_page(page.views))
    source = source_at(settings, compiled, page.views.page.host) if category else None
    selectors = source.selectors if source is not None else {}
    said = answer_for_category(page.views, compiled, selectors, page.templates, all_methods=True)
    answers = page_answers(said, selectors)
    wanted = field or list(compiled.contract.fields)
    lacking = [name for name in wanted if name not in answers]
    misses = near_misses(page.views, compiled, lacking) if category else {}

    fields = {
        name: shapes.pages.PageAnswer.of(
            answers[name].candidate,
            unit=compiled.contract.fields[name].unit,
            likelihood=answers[name].likelihood,
            reasons=answers[name].reasons,
            others=answers[name].others,
        )
        for name in wanted
        if name in answers
    }
    extraction = shapes.pages.Extraction.of(
        page=page.place,
        category=compiled.contract.category,
        fields=fields,
        missing=reasons_missing(page.views, compiled, answers, lacking),
        dropped=[one for one in answers.dropped if one.field in wanted],
    )
    given = {name: selector for name, selector in selectors.items() if name in wanted}
    show = partial(_explain, given, said.selected) if explain else _print

    def show_page(found: shapes.pages.Extraction) -> None:
        show(wanted, found)
        for name, miss in misses.items():
            advice = f"{spec_command()} contract label {category} {name} {quote(miss.label)}"
            out.line(f"{name}: {miss} {advice}")

    return extraction, show_page


def _contract(category: str | None, wanted: list[str] | None, contracts: Path) -> Contract | None:
    """The contract that is asked for; None: everything that a page says."""
    from specfactory.contract import find_contract
    from specfactory.contract.drafts import wanted_contract

    if category is None:
        return wanted_contract(wanted) if wanted else None
    contract = find_contract(category, contracts)
    for name in wanted or ():
        if name not in contract.fields:
            raise no_such_field(name, contract.fields)
    return contract


def _value(candidate: shapes.pages.PageCandidate, unit: str | None) -> str:
    return out.shorten(out.shown(candidate.value, unit), WIDTH)


def _print(wanted: list[str], found: shapes.pages.Extraction) -> None:
    out.table(
        ("field", "value", "likelihood", "method", "quote"),
        (
            (name, _value(answer, answer.unit), answer.likelihood, answer.method,
             out.shorten(answer.quote, WIDTH))
            for name, answer in found.fields.items()
        ),
        empty="this page says none of it",
    )  # fmt: skip
    if missing := list(found.missing):
        named = ", ".join(missing[:12]) + (" …" if len(missing) > 12 else "")
        out.line(f"{len(found.fields)} of {len(wanted)} fields; not said: {named}")


def _explain(
    selectors: Mapping[str, str],
    selected: PageCandidates,
    wanted: list[str],
    found: shapes.pages.Extraction,
) -> None:
    """Print every field's candidates, after what each selector of the source gives."""
    if selectors:
        gives = {
            one.field: f"selects {shapes.pages.words_of(one.evidence)!r}"
            for one in selected.candidates
        }
        gives |= {one.field: f"gives nothing ({one.reason})" for one in selected.dropped}
        out.heading("selectors of this source")
        for name, selector in selectors.items():
            said = out.shorten(gives.get(name, "selects nothing here"), WIDTH)
            out.line(f"  {name}: {selector}  {said}")
        out.line()
    silent = []
    for name in wanted:
        answer = found.fields.get(name)
        dropped = [one for one in found.dropped if one.field == name]
        if answer is not None:
            out.heading(f"{name} = {_value(answer, answer.unit)}")
            reasons = "; ".join(answer.reasons)
            out.line(f"  chosen with likelihood {answer.likelihood:.2f}: {reasons}")
            for each in (answer, *answer.others):
                mark, value = "*" if each is answer else " ", _value(each, answer.unit)
                quote = out.shorten(each.quote, WIDTH)
                out.line(f"  {mark} {value}  by {each.method}: {quote!r}")
        elif dropped:
            out.heading(f"{name}: no answer")
        else:
            silent.append(name)
            continue
        for one in dropped:
            out.line(f"  dropped {out.shorten(one.quote, WIDTH)!r} ({one.reason}): {one.detail}")
        out.line()
    if silent:
        out.line(f"not said on this page: {', '.join(silent)}")
