"""Packages that load their parts when they are asked for give all that they promise."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

PACKAGES = ("extract", "observe", "orchestrate", "queue")


@pytest.mark.parametrize("name", PACKAGES)
def test_everything_that_is_exported_is_there(name):
    package = import_module(f"specfactory.{name}")

    for exported in package.__all__:
        assert getattr(package, exported) is not None
    with pytest.raises(AttributeError):
        _ = package.nothing_of_that_name


@pytest.mark.parametrize("name", PACKAGES)
def test_no_part_hides_a_name_that_is_loaded_late(name):
    package = import_module(f"specfactory.{name}")
    parts = {file.stem for file in Path(package.__file__).parent.glob("*.py")}

    assert not parts & package._PLACES.keys()
