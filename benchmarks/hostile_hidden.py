"""Staged pages that hold what no reader can ever see."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.hostile_staged import MAKER, Staged, page_of, table_of

NAME = "Acme Nova 5"

CASES: Sequence[Staged] = (
    Staged(
        "hidden element", "hidden attribute",
        {f"https://{MAKER}/nova-5": page_of(
            NAME, f"<div hidden>{table_of(weight='99 g')}</div>", table_of(polling_rate="1000 Hz")
        )},
        refused={"weight": [99]}, wanted={"polling_rate": 1000},
    ),
)  # fmt: skip
