"""The environment that has the peers in it."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def go_on_with(peers: Iterable[str], module: str) -> None:
    """Go on in the environment that has these peers in it; ``make peers`` makes it."""
    if all(importlib.util.find_spec(peer) for peer in peers):
        return
    python = ROOT / ".venv-bench" / "bin" / "python"
    if Path(sys.prefix) == python.parent.parent:
        raise SystemExit("the peers are not installed; say: make clean, then make bench")
    made = subprocess.run(["make", "--silent", "peers"], cwd=ROOT, stdout=sys.stderr)
    if made.returncode != 0:
        raise SystemExit("`make peers` failed; there is nobody to be held against")
    os.execv(python, [str(python), "-m", module, *sys.argv[1:]])
