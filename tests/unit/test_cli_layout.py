"""Text and tables fit the terminal, and no word is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from specfactory.entry.cli.terminal import output
from specfactory.entry.cli.terminal.output import table, text
from specfactory.entry.cli.terminal.text_layout import wrap

COLUMNS = ("id", "since", "host", "diagnosis", "reason")
ROWS = [
    (7, "2026-02-12T10:35:00Z", "shop.example:8080", "connection_failure",
     "no connection to the host, or it breaks; the last 5 visits ended as network_error"),
    (112, "2026-02-12T11:00:00Z", "店.example", "soft_block",
     "https://shop.example/a/long/path/without/any/space/in/it?and=a&query=too"),
]  # fmt: skip
WORDS = ("connection", "network_error", "visits", "2026-02-12T", "soft_block")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(output, "on_terminal", lambda: True)
    return monkeypatch


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_table_fits_the_terminal_with_its_words_whole(
    width: int, terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.setenv("COLUMNS", str(width))

    table(COLUMNS, ROWS)

    said = capsys.readouterr().out
    assert max(map(cell_len, said.splitlines())) <= width
    assert all(word in said for word in WORDS)
    assert "…" not in said


def test_where_columns_find_no_room_each_row_is_a_list(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.setenv("COLUMNS", "40")

    table(COLUMNS, [*ROWS, (8, None, "b.example", "", "")])

    said = capsys.readouterr().out
    assert said.startswith("id: 7\nsince: 2026-02-12T10:35:00Z\nhost: shop.example:8080\n")
    assert said.endswith("\n\nid: 8\nhost: b.example\n")


def test_rows_that_would_stand_as_towers_are_lists(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.setenv("COLUMNS", "80")
    long = "one reason after another " * 20

    table(("a", "b", "why"), [("x" * 30, "y" * 30, long)])
    listed = capsys.readouterr().out
    table(("a", "b", "why"), [("x" * 30, "y" * 30, long), *[("x", "y", "short")] * 9])

    assert listed.startswith("a: xxx")
    assert "a: x" not in capsys.readouterr().out


def test_long_text_goes_on_under_its_beginning(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.setenv("COLUMNS", "24")

    text("the last visits ended as blocked", indent="  ", mark="- ")

    assert capsys.readouterr().out == "  - the last visits\n    ended as blocked\n"


def test_in_a_pipe_text_stays_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    text("word " * 99, mark="- ")

    assert capsys.readouterr().out.count("\n") == 1


texts = st.text(st.sampled_from("ab \t\n-_/.:店é\u0301"), max_size=60)


@given(texts, st.integers(2, 30))
def test_wrapped_lines_are_narrow_enough_and_lose_nothing(text: str, width: int) -> None:
    lines = wrap(text, width)

    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(texts, st.integers(2, 30))
def test_words_that_find_room_are_not_broken(text: str, width: int) -> None:
    whole = [word for word in text.split() if cell_len(word) <= width]

    lines = wrap(text, width)

    if all(cell_len(word) <= width for word in text.split()):
        assert " ".join(lines).split() == whole
