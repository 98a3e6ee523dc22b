"""Crawled text never speaks to a terminal: what prints goes through one room."""

import ast
import io
import sys
from pathlib import Path

import pytest

from specfactory.control_characters import visible_controls, without_controls
from specfactory.entry.cli.terminal import out

ENTRY = Path(out.__file__).parents[2]
ROOM = ENTRY / "cli" / "terminal"
OWN_WORDS = {
    "cli/__init__.py": "the last resort for errors, cleaned there",
    "cli/app.py": "the version",
    "cli/pages/stored_pages.py": "bytes of a page, refused on a terminal",
}
HOSTILE = "a\x1b]0;title\x07\x1b[2J\x9b31m\x00\r\x7f\u202eb\u2066\u2028c\x85"


class _Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal() -> _Tty:
    return _Tty()


def prints(tree: ast.AST) -> list[int]:
    """Lines that write to a stream on their own account."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            loud = called in ("print", "typer.echo", "typer.secho", "click.echo")
            if loud or called.endswith(("stdout.write", "stderr.write", "stdout.buffer.write")):
                found.append(node.lineno)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.stdout":
            parent_uses = {"flush", "encoding", "fileno", "isatty", "reconfigure"}
            if not any(
                isinstance(other, ast.Attribute)
                and other.value is node
                and other.attr in parent_uses
                for other in ast.walk(tree)
            ):
                found.append(node.lineno)
    return found


@pytest.mark.parametrize(
    "module",
    [
        module
        for module in sorted(ENTRY.rglob("*.py"))
        if ROOM not in module.parents and str(module.relative_to(ENTRY)) not in OWN_WORDS
    ],
    ids=lambda module: str(module.relative_to(ENTRY)),
)
def test_commands_print_through_the_room_that_cleans(module):
    assert prints(ast.parse(module.read_text(encoding="utf-8"))) == []


def obeyed(text: str) -> list[str]:
    """Control and direction characters in a text, but line feeds."""
    return [c for c in text if c != "\n" and not c.isprintable()]


def test_what_could_be_a_file_is_harmless_on_a_terminal(terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdout", terminal)
    out.stdout().write(HOSTILE + "\n")
    out.write(HOSTILE)

    assert obeyed(terminal.getvalue()) == []
    assert "\\u001b" in terminal.getvalue()


def test_lines_notes_and_json_are_harmless_on_a_terminal(terminal, monkeypatch):
    beside = _Tty()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setattr(sys, "stderr", beside)

    out.line(HOSTILE)
    out.text(HOSTILE)
    out.note(HOSTILE)
    out.print_json({"quote": HOSTILE})

    assert obeyed(terminal.getvalue() + beside.getvalue()) == []
    assert (terminal.getvalue().count("31m"), beside.getvalue()) == (1, "a b c \n")


def test_a_cell_keeps_its_lines_and_loses_its_controls():
    assert without_controls(HOSTILE) == "a]0;title[2J31m\nb\nc\n"
    assert without_controls("54\u00a0g – Ünïcode") == "54\u00a0g – Ünïcode"
    assert visible_controls("a\tb\n") == "a\tb\n"
