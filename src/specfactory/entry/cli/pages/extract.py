"""``spec extract``: what one page says, with proofs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.pages.page_input import read_place
from specfactory.entry.cli.terminal import (
    AsJson,
    perform,
    print_heading,
    print_json,
    print_line,
    print_table,
    settings_from,
    shorten,
    shown,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from specfactory.contract import CompiledContract
    from specfactory.extract import PageAnswers
    from specfactory.extract.templates import Selected
    from specfactory.model import Answer, Candidate
    from specfactory.settings import Settings

app = typer.Typer()

QUOTE_WIDTH = 60
VALUE_WIDTH = 60


@app.command("extract")
def extract_page(
    context: typer.Context,
    place: Annotated[
        str,
        typer.Argument(metavar="URL|FILE|ID", help="An address, a file, - or a stored page's id."),
    ],
    category: Annotated[
        str | None, typer.Option(help="Which contract: see spec contract list.")
    ] = None,
    field: Annotated[
        list[str] | None, typer.Option("--field", metavar="F", help="Only this; repeatable.")
    ] = None,
    url: Annotated[
        str, typer.Option(metavar="URL", help="The address that a file was taken from.")
    ] = "",
    explain: Annotated[
        bool, typer.Option("--explain", help="Show all candidates, and what was dropped.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what one page says: each field's value with the words that prove it.

    Without --category, the fields named with --field are looked for as they are. With it,
    selectors written for the page's host are used, as workers do; a file needs --url for that.

    Example: spec extract page.html --category product --explain
    """
    from specfactory.errors import ExtractError
    from specfactory.orchestrate.pages import answer_for_category, page_answers

    settings = settings_from(context)
    compiled = _compiled(category, field, Path(settings.contracts_dir))
    page = perform(read_place(settings, place, url, category))
    if page.views.unread:
        raise ExtractError(f"{page.place}: {page.views.unread}")
    selectors = _selectors(settings, compiled, page.views.page.host) if category else {}
    said = answer_for_category(page.views, compiled, selectors, page.templates, all_methods=True)
    answers = page_answers(said, selectors)
    wanted = field or list(compiled.contract.fields)
    if as_json:
        print_json(_json(page.place, answers, compiled, wanted))
    elif explain:
        _explain_selectors(selectors, said.selected, wanted)
        _explain(answers, compiled, wanted)
    else:
        _print(answers, compiled, wanted)


def _compiled(category: str | None, wanted: list[str] | None, contracts: Path) -> CompiledContract:
    from specfactory.contract import compile_contract, find_contract
    from specfactory.contract.drafts import wanted_contract
    from specfactory.entry.cli.records import no_such_field
    from specfactory.errors import UsageError

    if category is None and not wanted:
        raise UsageError("say what is wanted: --category product, or --field price --field weight")
    if category is None:
        return compile_contract(wanted_contract(wanted or ()))
    contract = find_contract(category, contracts)
    for name in wanted or ():
        if name not in contract.fields:
            raise no_such_field(name, contract.fields)
    return compile_contract(contract)


def _selectors(settings: Settings, compiled: CompiledContract, host: str) -> Mapping[str, str]:
    """The selectors that a person wrote for a host."""
    from specfactory.orchestrate.bench import source_at

    source = source_at(settings, compiled, host)
    return source.selectors if source is not None else {}


def _print(answers: PageAnswers, compiled: CompiledContract, wanted: list[str]) -> None:
    rows = [_row(answers[name], compiled) for name in wanted if name in answers]
    print_table(
        ("field", "value", "likelihood", "method", "quote"), rows, empty="this page says none of it"
    )
    missing = [name for name in wanted if name not in answers]
    if missing:
        named = ", ".join(missing[:12]) + (" …" if len(missing) > 12 else "")
        print_line(f"{len(rows)} of {len(wanted)} fields; not said: {named}")


def _row(answer: Answer, compiled: CompiledContract) -> tuple[object, ...]:
    candidate = answer.candidate
    unit = compiled.contract.fields[answer.field].unit
    return (
        answer.field,
        shorten(shown(candidate.value, unit), VALUE_WIDTH),
        answer.likelihood,
        candidate.evidence.method.value,
        shorten(_quote(candidate), QUOTE_WIDTH),
    )


def _explain_selectors(selectors: Mapping[str, str], selected: Selected, wanted: list[str]) -> None:
    """What each selector of the source gives on this page."""
    given = {name: selector for name, selector in selectors.items() if name in wanted}
    found = {one.field: f"selects {_quote(one)!r}" for one in selected.candidates}
    found |= {one.field: f"gives nothing ({one.reason})" for one in selected.dropped}
    if given:
        print_heading("selectors of this source")
    for name, selector in given.items():
        said = shorten(found.get(name, "selects nothing here"), QUOTE_WIDTH)
        print_line(f"  {name}: {selector}  {said}")
    if given:
        print_line()


def _explain(answers: PageAnswers, compiled: CompiledContract, wanted: list[str]) -> None:
    dropped = {name: [d for d in answers.dropped if d.field == name] for name in wanted}
    silent = [name for name in wanted if name not in answers and not dropped[name]]
    for name in wanted:
        if name not in silent:
            _explain_field(name, answers, compiled)
            for each in dropped[name]:
                quote = shorten(each.quote, QUOTE_WIDTH)
                print_line(f"  dropped {quote!r} ({each.reason}): {each.detail}")
            print_line()
    if silent:
        print_line(f"not said on this page: {', '.join(silent)}")


def _explain_field(name: str, answers: PageAnswers, compiled: CompiledContract) -> None:
    unit = compiled.contract.fields[name].unit
    answer = answers.get(name)
    if answer is None:
        print_heading(f"{name}: no answer")
        return
    print_heading(f"{name} = {shorten(shown(answer.candidate.value, unit), VALUE_WIDTH)}")
    print_line(f"  chosen with likelihood {answer.likelihood:.2f}: {'; '.join(answer.reasons)}")
    for mark, candidate in (("*", answer.candidate), *((" ", other) for other in answer.others)):
        value = shorten(shown(candidate.value, unit), VALUE_WIDTH)
        method = candidate.evidence.method.value
        print_line(f"  {mark} {value}  by {method}: {shorten(_quote(candidate), QUOTE_WIDTH)!r}")


def _quote(candidate: Candidate) -> str:
    from specfactory.proof import reading

    return " ".join(map(reading, candidate.evidence.values))


def _json(
    place: str, answers: PageAnswers, compiled: CompiledContract, wanted: list[str]
) -> dict[str, Any]:
    from specfactory.extract.answers import why_missing

    return {
        "page": place,
        "category": compiled.contract.category,
        "fields": {
            name: _answer_json(answers[name], compiled) for name in wanted if name in answers
        },
        "missing": {name: why_missing(name, answers) for name in wanted if name not in answers},
        "dropped": [
            {"field": d.field, "reason": d.reason, "detail": d.detail, "quote": d.quote}
            for d in answers.dropped
            if d.field in wanted
        ],
    }


def _answer_json(answer: Answer, compiled: CompiledContract) -> dict[str, Any]:
    return {
        **_candidate_json(answer.candidate),
        "unit": compiled.contract.fields[answer.field].unit,
        "likelihood": round(answer.likelihood, 4),
        "reasons": list(answer.reasons),
        "others": [_candidate_json(other) for other in answer.others],
    }


def _candidate_json(candidate: Candidate) -> dict[str, Any]:
    from specfactory.contract import value_to_json

    evidence = candidate.evidence
    return {
        "value": value_to_json(candidate.value),
        "method": evidence.method.value,
        "quote": _quote(candidate),
        "label": evidence.label.quote if evidence.label else None,
        "subject": candidate.subject,
        "spans": [
            {"view": s.view, "view_version": s.view_version, "start": s.start, "end": s.end}
            for s in evidence.values
        ],
    }
