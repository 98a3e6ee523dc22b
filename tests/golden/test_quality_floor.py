"""The floor under the whole line: what is published on the demo web is right, and proven."""

from __future__ import annotations

from benchmarks.golden import Count, measure


def test_ten_products_of_a_fixed_seed_are_right_proven_and_covered() -> None:
    count = Count()

    measure(20, 10, count)
    assert count.products == 10
    assert count.right / (count.right + len(count.wrong)) >= 0.99, count.wrong
    assert count.proven == count.published
    assert count.reachable / count.products >= 100
    assert count.covered / count.reachable >= 0.95, count.missed
    assert count.traps > 100
    assert count.trapped == []
