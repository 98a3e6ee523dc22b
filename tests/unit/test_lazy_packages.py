"""Faces that load their modules on first use give every name that they list."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
LAZY = sorted(
    ".".join(file.parent.relative_to(SOURCE).parts)
    for file in SOURCE.rglob("__init__.py")
    if "lazy_face(__name__)" in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", LAZY)
def test_everything_that_is_exported_is_there(name):
    package = import_module(name)

    for exported in package.__all__:
        assert getattr(package, exported) is not None
    with pytest.raises(AttributeError):
        _ = package.nothing_of_that_name


@pytest.mark.parametrize("name", LAZY)
def test_no_module_hides_a_name_that_is_loaded_late(name):
    package = import_module(name)
    folder = Path(package.__file__).parent
    parts = {file.stem for file in folder.glob("*.py")} | {file.name for file in folder.iterdir()}

    assert not parts & set(package.__all__)


def test_lazy_faces_are_found():
    assert "specfactory.extract" in LAZY
    assert len(LAZY) > 10


def test_what_the_makefile_imports_is_there():
    makefile = (SOURCE.parent / "Makefile").read_text(encoding="utf-8")
    imported = re.findall(r"from (specfactory[\w.]*) import (\w+)", makefile)

    assert imported
    for module, name in imported:
        assert hasattr(import_module(module), name), f"{module}.{name}"
