"""Real pages with truth: python -m benchmarks.real SET DIR [--seeds N] [--json].

The pages are third parties' and never part of the project; DIR says where they are.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import real_sets
from benchmarks.report import Report, main


def options(parser: argparse.ArgumentParser) -> None:
    """What to measure, and how much of it."""
    parser.add_argument("set", choices=real_sets.names(), metavar="SET")
    parser.add_argument("dir", type=Path, metavar="DIR")
    parser.add_argument("--seeds", type=int, default=3, help="pages whose truth is learned from")
    parser.add_argument("--pages", type=int, default=0, help="test pages per site; 0 for all")
    parser.add_argument("--half", choices=("a", "b", ""), default="", help="one half of the sites")
    parser.add_argument("--sites", default="", help="only sites with these words in their name")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--wrong", action="store_true", help="list what was wrong or missed")


def run(given: argparse.Namespace) -> Report:
    """Measure one set."""
    return real_sets.measure_of(given.set)(given.dir, given)


if __name__ == "__main__":
    main(run, options)
