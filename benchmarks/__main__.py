"""Run every benchmark in a process of its own and write benchmarks/results.md."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

BENCHMARKS = ("golden", "queue", "chaos")
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
    for name in BENCHMARKS:
        print(f"== {name}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{name}", "--json"],
            stdout=subprocess.PIPE,
            text=True,
        )
        failed += done.returncode != 0
        parts += ["", f"## {name}", "", _table(done.stdout) if done.returncode == 0 else "failed"]
    RESULTS.write_text("\n".join(parts) + "\n", encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))
    return 1 if failed else 0


def _table(output: str) -> str:
    found = json.loads(output.strip().splitlines()[-1])
    lines = ["| figure | value | bar |", "|---|---|---|"]
    for name, value in found["figures"].items():
        lines.append(f"| {name} | {value:.4g} | {found['bars'].get(name, '')} |")
    return "\n".join([*lines, "", *(f"- {note}" for note in found["notes"])])


if __name__ == "__main__":
    sys.exit(main())
