"""The figure of the politeness benchmark: the most requests in any second."""

import pytest

from benchmarks.politeness import Outing


@pytest.mark.parametrize(
    ("times", "worst"),
    [
        ([5.0], 1),
        ([0.0, 1.0], 2),
        ([0.0, 1.001], 1),
        ([number / 10 for number in range(100)], 11),
        ([0.0, 0.9, 1.0, 1.1, 1.85, 3.0], 4),  # between two full seconds
    ],
)
def test_worst_second_is_found_wherever_it_begins(times, worst):
    assert Outing(times, 0, 0).worst_second == worst
