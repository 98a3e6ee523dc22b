"""How fetches end: walls and error pages told from pages that merely mention such words."""

from __future__ import annotations

import argparse
import tarfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.real_sets._pages import half, truth_rows
from benchmarks.report import Report
from specfactory.fetch import classify
from specfactory.model import FetchResponse, Outcome

_BAR = 0.95
_RIGHT = {
    "bot_block": {Outcome.BLOCKED, Outcome.CAPTCHA},
    "login": {Outcome.LOGIN_REQUIRED},
    "geo_block": {Outcome.GEO_BLOCKED},
    # what is not there, told by a page that came without its status
    "not_found": {Outcome.NOT_FOUND, Outcome.SOFT_404},
}
_BLOCKS = frozenset(
    {Outcome.BLOCKED, Outcome.CAPTCHA, Outcome.RATE_LIMITED, Outcome.GEO_BLOCKED,
     Outcome.WAITING_ROOM, Outcome.LOGIN_REQUIRED, Outcome.CONSENT_WALL}
)  # fmt: skip
_UNKNOWN_STATUS = 200  # a capture without its status is judged by what it says


@dataclass(frozen=True, slots=True)
class _Answer:
    """One capture, what it was taken for, and whether that is right."""

    row: dict[str, Any]
    outcome: Outcome
    evidence: str
    seconds: float

    @property
    def is_right(self) -> bool:
        label = str(self.row["label"])
        return self.outcome in _RIGHT.get(label, {label})


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The share classed right, and the hard negatives that were taken for a block."""
    rows = [row for row in truth_rows(folder) if given.sites in str(row.get("site"))]
    if given.half:
        rows = [row for row in rows if half(str(row.get("site"))) == given.half]
    bodies = _bodies(folder)
    answers = [_judge(bodies, row) for row in rows]
    negatives = [each for each in answers if each.row.get("hard_negative")]
    called = [each for each in negatives if each.outcome in _BLOCKS]
    report = Report("real blocks")
    report.at_most("hard_negatives_called_blocked", len(called), 0)
    report.at_least("accuracy", sum(each.is_right for each in answers) / len(answers), _BAR)
    report.notes += _notes(answers, negatives)
    if given.wrong:
        report.notes += [_line(each) for each in answers if not each.is_right]
    return report


def _bodies(folder: Path) -> dict[str, bytes]:
    """The captures by their names: in an archive, or beside the truth."""
    archive = folder / "pages.tar.xz"
    if not archive.is_file():
        return {file.name: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    with tarfile.open(archive) as tar:
        opened = ((member, tar.extractfile(member)) for member in tar if member.isfile())
        return {Path(member.name).name: file.read() for member, file in opened if file}


def _judge(bodies: dict[str, bytes], row: dict[str, Any]) -> _Answer:
    url = f"https://{row.get('host') or 'site.example'}/"
    headers = {str(k).lower(): str(v) for k, v in (row.get("headers") or {}).items()}
    headers = headers or {"content-type": "text/html"}
    body = bodies.get(Path(str(row["file"])).name, b"")
    response = FetchResponse(url, url, row.get("status") or _UNKNOWN_STATUS, headers, body)
    began = time.perf_counter()
    outcome, evidence = classify(response)[:2]
    return _Answer(row, outcome, evidence, time.perf_counter() - began)


def _notes(answers: list[_Answer], negatives: list[_Answer]) -> list[str]:
    right = Counter(str(each.row["label"]) for each in answers if each.is_right)
    labels = Counter(str(each.row["label"]) for each in answers)
    milliseconds = 1000 * sum(each.seconds for each in answers) / len(answers)
    return [
        f"{len(answers)} captures, {len(negatives)} of them hard negatives",
        ", ".join(f"{label} {right[label]} of {labels[label]}" for label in sorted(labels)),
        f"{milliseconds:.2f} ms a page",
    ]


def _line(answer: _Answer) -> str:
    row = answer.row
    return f"{row['id']} is {row['label']}, taken for {answer.outcome}: {answer.evidence}"
