"""What commands print: harmless text, aligned columns, JSON that no terminal obeys."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.entry.cli.terminal import RowStream
from specfactory.entry.cli.terminal.output import clean, json_text, shorten, shown, table
from specfactory.model import Money


@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("\x9b31mred", "red"),
        ("a\r\nb\tc", "a b c"),
        ("abc\u202egnp.exe", "abcgnp.exe"),
        ("half \ud800 a pair", "half  a pair"),
        ("[bold]54 g[/bold]", "[bold]54 g[/bold]"),
    ],
)
def test_escape_sequences_and_controls_never_reach_the_terminal(
    hostile: str, harmless: str
) -> None:
    assert clean(hostile) == harmless


@given(st.text())
def test_clean_text_is_one_line_without_controls(text: str) -> None:
    line = clean(text)

    assert len(line.splitlines()) <= 1
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in line)
    assert clean(line) == line


@given(st.text(), st.integers(min_value=1, max_value=20))
def test_shortened_text_fits(text: str, width: int) -> None:
    assert len(shorten(text, width)) <= width


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_keeps_every_character_and_shows_no_control(text: str) -> None:
    written = json_text([text])

    assert json.loads(written) == [text]
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in written)


def test_a_table_in_a_pipe_is_aligned_and_numbers_stand_right(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table(("name", "count"), [("a", 5), ("\x1b[1mlong", 1000)])

    assert capsys.readouterr().out.splitlines() == ["name  count", "a         5", "long   1000"]


def test_an_empty_table_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    table(("name",), [], empty="no records yet")

    assert capsys.readouterr().out == "no records yet\n"


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (None, "g", "unk"),
        (54, "g", "54 g"),
        (54.5, "g", "54.5 g"),
        (True, None, "yes"),
        (Money(129.9, "EUR"), None, "129.9 EUR"),
        ((127.1, 63.9, 39), "mm", "127.1 × 63.9 × 39 mm"),
        (("black", "white"), None, "black, white"),
        ("\x1b[2Jevil", None, "evil"),
    ],
)
def test_values_are_shown_in_words(value: object, unit: str | None, words: str) -> None:
    assert shown(value, unit) == words


async def _numbered(count: int) -> AsyncIterator[list[object]]:
    for number in range(count):
        yield [f"row-{number}", number]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
async def test_a_long_list_is_printed_in_parts_under_one_head(
    count: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("specfactory.entry.cli.terminal.row_stream.AT_ONCE", 2)

    await RowStream(_numbered(count), None, str).print_table(("name", "number"), "nothing")
    lines = capsys.readouterr().out.splitlines()
    await RowStream(_numbered(count), None, str).print_json()

    assert lines[:1] == (["name   number"] if count else ["nothing"])
    assert [line.split() for line in lines[1:]] == [[f"row-{n}", f"{n}"] for n in range(count)]
    assert json.loads(capsys.readouterr().out) == [[f"row-{n}", n] for n in range(count)]


async def test_a_list_that_goes_on_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    stream = RowStream(_numbered(3), 2, lambda row: row[0])

    await stream.print_table(("name", "number"), "nothing")

    assert capsys.readouterr().out.splitlines()[-1] == "and more; go on with --after row-1"
