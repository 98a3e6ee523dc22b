"""Run every benchmark in a process of its own and write benchmarks/results.md.

Those on real pages run only where SPEC_REAL_DATA names the folder of their sets.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks import real_sets

BENCHMARKS = (
    "house", "golden", "commands", "queue", "chaos", "crawl", "politeness", "healing", "export",
    "hostile",
)  # fmt: skip
WHOLE = ("calibration", "speed")  # measured over the folder of all sets
RESULTS = Path(__file__).parent / "results.md"


def main() -> int:
    """Run them all; the exit code is 1 when one of them could not be run."""
    parts = [
        "# Figures",
        "",
        f"Measured on {platform.machine()} with Python {platform.python_version()}; "
        "each figure compares with a truth, a limit or a peer in the same run.",
    ]
    failed = 0
    for title, arguments in _chosen():
        print(f"== {title}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", *arguments, "--json"], stdout=subprocess.PIPE, text=True
        )
        failed += done.returncode != 0
        parts += ["", f"## {title}", "", _table(done.stdout) if done.returncode == 0 else "failed"]
    RESULTS.write_text("\n".join(parts) + "\n", encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))
    return 1 if failed else 0


def _chosen() -> Iterator[tuple[str, list[str]]]:
    for name in BENCHMARKS:
        yield name, [f"benchmarks.{name}"]
    if folder := os.environ.get("SPEC_REAL_DATA"):
        for name in real_sets.names():
            place = Path(folder) if name in WHOLE else Path(folder) / name
            if place.is_dir():
                yield f"real {name}", ["benchmarks.real", name, str(place)]


def _table(output: str) -> str:
    found = json.loads(output.strip().splitlines()[-1])
    lines = ["| figure | value | bar |", "|---|---|---|"]
    for name, value in found["figures"].items():
        lines.append(f"| {name} | {value:.4g} | {found['bars'].get(name, '')} |")
    return "\n".join([*lines, "", *(f"- {note}" for note in found["notes"])])


if __name__ == "__main__":
    sys.exit(main())
