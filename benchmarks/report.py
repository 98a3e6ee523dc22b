"""How every benchmark reports: figures with bars, as a table or as one JSON object."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number; ``bar`` says in words what it should be."""

    name: str
    value: float
    bar: str = ""
    met: bool | None = None


@dataclass(slots=True)
class Report:
    """What one benchmark found."""

    name: str
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def at_least(self, name: str, value: float, bar: float) -> None:
        """A figure that should not be lower than the bar."""
        self.figures.append(Figure(name, value, f">= {bar:g}", value >= bar))

    def at_most(self, name: str, value: float, bar: float) -> None:
        """A figure that should not be higher than the bar."""
        self.figures.append(Figure(name, value, f"<= {bar:g}", value <= bar))

    def plain(self, name: str, value: float) -> None:
        """A figure that is shown, without a bar."""
        self.figures.append(Figure(name, value))

    def as_json(self) -> str:
        """One object; ``figures`` maps each name to a number."""
        return json.dumps(
            {
                "benchmark": self.name,
                "figures": {figure.name: figure.value for figure in self.figures},
                "bars": {figure.name: figure.bar for figure in self.figures if figure.bar},
                "notes": self.notes,
            }
        )

    def as_table(self) -> str:
        """Lines for a person, valid as Markdown."""
        lines = ["| figure | value | bar | |", "|---|---|---|---|"]
        for figure in self.figures:
            mark = {True: "met", False: "MISSED", None: ""}[figure.met]
            lines.append(f"| {figure.name} | {figure.value:.4g} | {figure.bar} | {mark} |")
        return "\n".join([*lines, "", *(f"- {note}" for note in self.notes)])


def main(
    run: Callable[[argparse.Namespace], Report],
    options: Callable[[argparse.ArgumentParser], None] | None = None,
) -> None:
    """Parse the common options, run, and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    if options:
        options(parser)
    given = parser.parse_args()
    report = run(given)
    print(report.as_json() if given.json else report.as_table())
