"""The table of attacks names tests that exist; and data never becomes code."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "internals" / "hostile-pages.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TABLE)))
ROWS = [line for line in TABLE.splitlines() if line.startswith("| ") and "|---" not in line]
CODE_OF_DATA = {"pickle", "marshal", "shelve", "dill", "jinja2", "mako", "jsonpickle"}
OURS = {  # where both sides are ours
    ("process.py", "pickle"): "questions of our own worker; what a reader answers is JSON",
    ("frames.py", "pickle"): "the same",
    ("catalogue.py", "yaml.load"): "a file of the demo, with a safe loader",
}
CALLS = {"eval", "exec", "compile", "os.system", "os.popen", "yaml.load", "yaml.unsafe_load"}


@pytest.mark.parametrize(("file", "test"), NAMED, ids=lambda name: name.rpartition("/")[2])
def test_every_test_of_the_table_exists(file, test):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))

    found = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert test in found if test else any(name.startswith("test_") for name in found)


def test_every_class_has_a_way_and_a_test():
    for row in ROWS:
        what, how, shown = (cell.strip() for cell in row.strip("|").split(" | "))

        assert what
        assert how
        assert shown == "shown by" or re.search(r"`tests/[\w/]+\.py", shown), row
    assert len(ROWS) > 40


def test_no_module_makes_code_of_data():
    found = []
    for module in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name.partition(".")[0] for alias in node.names}
                names |= {(getattr(node, "module", None) or "").partition(".")[0]}
                found += [(module.name, name) for name in names & CODE_OF_DATA]
            elif isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                shell = any(
                    key.arg == "shell" and ast.unparse(key.value) != "False"
                    for key in node.keywords
                )
                if called in CALLS or shell:
                    found.append((module.name, called))

    assert sorted(found) == sorted(OURS)
