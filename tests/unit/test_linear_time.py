"""What took the square of a page's size no longer does; benchmarks.hostile grows everything."""

from __future__ import annotations

import pytest

from benchmarks.hostile_looks import FILE_LOOKS
from benchmarks.hostile_measured import GROWN
from tests.yardstick import within

ONCE_SQUARE = (
    ("distinct_classes", "model", 100_000),
    ("ruby", "article", 300_000),
    ("options", "classify", 200_000),
    ("pre_tabs", "substance", 100_000),
)


@pytest.mark.parametrize(("name", "look", "size"), ONCE_SQUARE)
def test_page_that_once_took_the_square_of_its_size_does_not_any_more(name, look, size):
    file = GROWN[name]
    body, looks = file.make(size), FILE_LOOKS[file.kind]
    looks[look](file.make(1_000))  # loads what it needs

    with within(yards=50):
        looks[look](body)


@pytest.mark.parametrize("kind", FILE_LOOKS)
def test_every_look_of_the_benchmark_takes_its_kind_of_file(kind):
    body = next(file.make(1_000) for file in GROWN.values() if file.kind == kind)

    for look in FILE_LOOKS[kind].values():
        look(body)  # raises where what it calls wants something else
