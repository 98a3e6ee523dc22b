"""``spec evaluate``: the accuracy of the factory on pages with truth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.records import print_reliability, reliability_json
from specfactory.entry.cli.terminal import (
    AsJson,
    print_heading,
    print_json,
    print_line,
    print_table,
    progress_bar,
    settings_from,
    shorten,
)

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract
    from specfactory.learn.truth import Evaluation, JudgedAnswer, Score

app = typer.Typer()

WIDTH = 48


@app.command("evaluate")
def evaluate_set(
    context: typer.Context,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Pages and truth.jsonl; see the guide.")
    ],
    category: Annotated[str, typer.Option(help="Which contract: see spec contract list.")],
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="TRUTH=FIELD", help="A name of the truth for a field; repeatable."
        ),
    ] = None,
    most: Annotated[int, typer.Option("--wrong", help="Wrong ones listed at the most.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Measure the factory on a folder of pages with truth: precision, recall, F1, calibration.

    An answer where the truth says that there is none counts as wrong. The threshold shown is
    the lowest confidence from which on 99% are right, and the coverage that is left there.

    Example: spec evaluate my-pages --category product --name cost=price
    """
    from specfactory.contract import compile_contract, find_contract

    settings = settings_from(context)
    compiled = compile_contract(find_contract(category, Path(settings.contracts_dir)))
    found = _evaluate(folder, compiled, _names(names or [], compiled))
    if as_json:
        print_json(_json(found))
        return
    _print_scores(found)
    print_reliability(found.pairs)
    _print_wrong(found, most)


def _names(given: list[str], compiled: CompiledContract) -> dict[str, str]:
    from specfactory.entry.cli.records import no_such_field
    from specfactory.errors import UsageError

    names = {}
    for pair in given:
        truth, equals, field = pair.partition("=")
        if not equals:
            raise UsageError(f"--name {pair!r}; give TRUTH=FIELD, such as cost=price")
        if field not in compiled.contract.fields:
            raise no_such_field(field, compiled.contract.fields)
        names[truth] = field
    return names


def _evaluate(folder: Path, compiled: CompiledContract, names: dict[str, str]) -> Evaluation:
    from specfactory.errors import UsageError
    from specfactory.learn.truth import evaluate, read_pages, truth_rows

    count = sum(1 for _ in truth_rows(folder))
    with progress_bar(count, "reading pages") as bar:
        found = evaluate(read_pages(folder), compiled, names, lambda: bar.advance(bar.task_ids[0]))
    unmet = sorted(set(names) - found.named)
    if unmet:
        raise UsageError(f"--name {unmet[0]!r}: the truth has no such name")
    if not found.judged:
        said = ", ".join(sorted(found.strange)) or "nothing"
        raise UsageError(f"nothing to measure: the truth speaks of {said}; see --name")
    return found


def _print_scores(found: Evaluation) -> None:
    rows = [_row(name, score) for name, score in sorted(found.scores.items())]
    rows.append(_row("all", found.total))
    print_table(("field", "on pages", "answered", "right", "precision", "recall", "F1"), rows)
    proven = sum(each.proven for each in found.answers)
    pages = "1 page" if found.pages == 1 else f"{found.pages} pages"
    print_line(f"{pages}; {proven} of {len(found.answers)} answers proven")
    if found.strange:
        print_line(f"no field of the contract: {', '.join(sorted(found.strange))}; see --name")


def _row(name: str, score: Score) -> tuple[object, ...]:
    return (name, score.asked, score.given, score.right, score.precision, score.recall, score.f1)


def _print_wrong(found: Evaluation, most: int) -> None:
    wrong = found.wrong
    if not wrong or most <= 0:
        return
    print_line()
    print_heading(f"Wrong or missed ({len(wrong)})")
    print_table(
        ("page", "field", "truth", "answer", "quote", "method", "also there"),
        (
            (
                shorten(each.page, 24),
                each.field,
                shorten(" | ".join(each.truth) or "none", WIDTH),
                "missed" if each.said is None else shorten(each.said, WIDTH),
                shorten(each.quote, WIDTH),
                each.method,
                shorten(" | ".join(each.also), WIDTH),
            )
            for each in wrong[:most]
        ),
    )


def _json(found: Evaluation) -> dict[str, Any]:
    return {
        "pages": found.pages,
        "fields": {name: _score_json(score) for name, score in sorted(found.scores.items())},
        "total": _score_json(found.total),
        "not_in_contract": sorted(found.strange),
        "proven": sum(each.proven for each in found.answers),
        **reliability_json(found.pairs),
        "wrong": [_wrong_json(each) for each in found.wrong],
    }


def _score_json(score: Score) -> dict[str, Any]:
    return {
        "on_pages": score.asked,
        "answered": score.given,
        "right": score.right,
        "precision": round(score.precision, 4),
        "recall": round(score.recall, 4),
        "f1": round(score.f1, 4),
    }


def _wrong_json(each: JudgedAnswer) -> dict[str, Any]:
    return {
        "page": each.page,
        "field": each.field,
        "truth": list(each.truth),
        "answer": each.said,
        "quote": each.quote,
        "method": each.method,
        "likelihood": round(each.likelihood, 4),
        "also": list(each.also),
    }
