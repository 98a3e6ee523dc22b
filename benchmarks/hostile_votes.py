"""Staged pages that vote more than once, speak for another host or are about another thing."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.hostile_staged import MAKER, SHOPS, Staged, page_of, table_of

NAME = "Acme Nova 5"

CASES: Sequence[Staged] = (
    Staged(
        "a lone voice", "one shop says otherwise",
        {
            f"https://{MAKER}/nova-5": page_of(NAME, table_of(weight="54 g", sensor="PAW3950")),
            f"https://{SHOPS[0]}/nova-5": page_of(NAME, table_of(weight="99 g", colour="black")),
        },
        refused={"weight": [99]}, wanted={"weight": 54},
    ),
)  # fmt: skip
