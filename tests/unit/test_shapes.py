"""Shapes: what users get as JSON has the names that the documentation gives it."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

import msgspec
import pytest

from specfactory.entry.shapes import jobs, pages, records, setup, sites
from specfactory.entry.shapes.base import Moment, Shape

DOCUMENTED = (Path(__file__).parents[2] / "docs" / "reference" / "json.md").read_text()
COMMANDS = {
    "spec record list": records.RecordRow,
    "spec record history": records.History,
    "spec explain": records.Explanation,
    "spec audit": records.AuditShape,
    "spec review list": records.ReviewShape,
    "spec review show": records.Question,
    "spec review history": records.DecisionShape,
    "spec golden list": records.GoldenRow,
    "spec golden show": records.GoldenShape,
    "spec golden reliability": records.Reliability,
    "spec evaluate": records.EvaluationShape,
    "spec run": records.RunResult,
    "spec extract": pages.Extraction,
    "spec pages list": pages.PageShape,
    "spec pages duplicates": pages.Duplicate,
    "spec pages export": pages.PagesExported,
    "spec profile": pages.PageProfile,
    "spec queue show": jobs.JobStory,
    "spec queue stats": jobs.QueueStats,
    "spec queue pages": jobs.PagesAdded,
    "spec queue clear": jobs.Cleared,
    "spec queue import": jobs.QueueImported,
    "spec deadletter analyze": jobs.DeadGroupShape,
    "spec deadletter retry-run": jobs.Retried,
    "spec deadletter purge": jobs.Purged,
    "spec coordinator": jobs.RunShape,
    "spec learn": sites.LearnShape,
    "spec templates list": sites.TemplateShape,
    "spec templates label": sites.LabelShape,
    "spec templates rollback": sites.RolledBackShape,
    "spec templates diff": sites.TemplateDifference,
    "spec heal stats": sites.HealingStats,
    "spec heal history": sites.HealingShape,
    "spec proxies list": sites.ProxyShape,
    "spec contract draft": setup.DraftShape,
    "spec contract check": setup.ContractProblem,
    "spec doctor": setup.Finding,
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_shape_has_the_names_that_are_documented(name: str) -> None:
    _, _, section = DOCUMENTED.partition(f"## `{name} --json`\n")
    documented = re.search(r"\{([^{}]*)\}", section)

    assert documented
    names = re.findall(r'"(\w+)"', documented[1])
    assert names == list(COMMANDS[name].__struct_encode_fields__)


def test_shapes_can_be_sent_by_those_who_have_no_terminal() -> None:
    names = ("records", "pages", "jobs", "sites", "setup")
    code = (
        "".join(f"import specfactory.entry.shapes.{name}\n" for name in names)
        + "import sys; print('typer' in sys.modules, 'rich' in sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert loaded.stdout == "False False\n"


class Part(Shape):
    """A part of a whole."""

    number: int


class Whole(Shape):
    """One of each kind of field."""

    job: Annotated[str, "name"]
    at: Moment
    done_at: Moment | None
    share: Annotated[float, partial(round, ndigits=2)]
    parts: list[Part]
    by_name: dict[str, Part]
    extra: str


SOURCE = SimpleNamespace(
    name="q_1", at=1_771_000_000_000, done_at=None, share=0.126,
    parts=(SimpleNamespace(number=1),), by_name={"a": SimpleNamespace(number=2)},
)  # fmt: skip


def test_a_shape_is_filled_by_names_and_types() -> None:
    whole = Whole.of(SOURCE, extra="given")

    assert msgspec.to_builtins(whole) == {
        "job": "q_1", "at": "2026-02-13T16:26:40Z", "done_at": None, "share": 0.13,
        "parts": [{"number": 1}], "by_name": {"a": {"number": 2}}, "extra": "given",
    }  # fmt: skip


def test_what_the_source_lacks_must_be_given() -> None:
    with pytest.raises(TypeError, match="extra"):
        Whole.of(SOURCE)
