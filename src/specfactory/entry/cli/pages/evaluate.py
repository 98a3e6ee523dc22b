"""``spec evaluate``: the accuracy of the factory on pages with truth."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from specfactory.entry import shapes
from specfactory.entry.cli.records import print_reliability
from specfactory.entry.cli.terminal import Reply, command, no_such_field, out
from specfactory.errors import UsageError

if TYPE_CHECKING:
    from specfactory.settings import Settings

app = typer.Typer()

WIDTH = 48
WRONG = (
    ("page", lambda w: out.shorten(w.page, 24)),
    "field",
    ("truth", lambda w: out.shorten(" | ".join(w.truth) or "none", WIDTH)),
    ("answer", lambda w: "missed" if w.answer is None else out.shorten(w.answer, WIDTH)),
    ("quote", lambda w: out.shorten(w.quote, WIDTH)),
    "method",
    ("also there", lambda w: out.shorten(" | ".join(w.also), WIDTH)),
)


@command(app, "evaluate")
def evaluate_set(
    settings: Settings,
    folder: Annotated[Path, "DIR", "Pages and truth.jsonl; see the guide."],
    category: Annotated[str, "--category", "Which contract: see spec contract list."],
    names: Annotated[
        list[str] | None, "--name TRUTH=FIELD", "A name of the truth for a field; repeatable."
    ] = None,
    most: Annotated[int, "--wrong", "Wrong ones listed at the most."] = 20,
) -> Reply:
    """Measure the factory on a folder of pages with truth: precision, recall, F1, calibration.

    An answer where the truth says that there is none counts as wrong. The threshold shown is
    the lowest confidence from which on 99% are right, and the coverage that is left there.

    Example: spec evaluate my-pages --category product --name cost=price
    """
    from specfactory.contract import compile_contract, find_contract
    from specfactory.learn.truth import evaluate, read_pages, truth_rows

    compiled = compile_contract(find_contract(category, Path(settings.contracts_dir)))
    renamed = {}
    for pair in names or ():
        truth, equals, field = pair.partition("=")
        if not equals:
            raise UsageError(f"--name {pair!r}; give TRUTH=FIELD, such as cost=price")
        if field not in compiled.contract.fields:
            raise no_such_field(field, compiled.contract.fields)
        renamed[truth] = field
    with out.progress_bar(sum(1 for _ in truth_rows(folder)), "reading pages") as bar:
        pages = read_pages(folder)
        found = evaluate(pages, compiled, renamed, lambda: bar.advance(bar.task_ids[0]))
    if unmet := sorted(set(renamed) - found.named):
        raise UsageError(f"--name {unmet[0]!r}: the truth has no such name")
    if not found.judged:
        said = ", ".join(sorted(found.strange)) or "nothing"
        raise UsageError(f"nothing to measure: the truth speaks of {said}; see --name")
    shape = shapes.records.EvaluationShape.of(
        found,
        fields=dict(sorted(found.scores.items())),
        not_in_contract=sorted(found.strange),
        proven=sum(each.proven for each in found.answers),
        **shapes.records.reliability_of(found.pairs),
    )
    return Reply(shape, partial(_print, len(found.answers), most))


def _print(answers: int, most: int, found: shapes.records.EvaluationShape) -> None:
    out.table(
        ("field", "on pages", "answered", "right", "precision", "recall", "F1"),
        (
            (name, score.on_pages, score.answered, score.right, score.precision, score.recall,
             score.f1)
            for name, score in [*found.fields.items(), ("all", found.total)]
        ),
    )  # fmt: skip
    out.line(f"{out.quantity(found.pages, 'page')}; {found.proven} of {answers} answers proven")
    if found.not_in_contract:
        out.line(f"no field of the contract: {', '.join(found.not_in_contract)}; see --name")
    print_reliability(found)
    out.section(f"Wrong or missed ({len(found.wrong)})", WRONG, found.wrong[: max(most, 0)])
