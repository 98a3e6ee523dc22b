"""The tiny PDF writer."""

from __future__ import annotations

import pypdfium2
from hypothesis import given
from hypothesis import strategies as st

from specfactory.demo.drawing.pdf import PdfLine, write_pdf


def texts(body: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(body)]


def test_labels_and_values_are_read_back_side_by_side():
    body = write_pdf("Sheet", [PdfLine("Weight", "54 g (approx.)"), PdfLine("Angle", "45°")], "end")

    assert "Weight 54 g (approx.)" in texts(body)[0]
    assert "Angle 45°" in texts(body)[0]


def test_many_lines_take_several_pages():
    pages = texts(write_pdf("Sheet", [PdfLine(f"Row {n}", str(n)) for n in range(100)], "end"))

    assert len(pages) == 3
    assert "Row 99" in pages[-1]
    assert "Row 99" not in pages[0]


def test_a_sheet_without_lines_is_still_a_pdf():
    assert len(texts(write_pdf("Sheet", [], "end"))) == 1


@given(st.text(alphabet="abcXYZ019()\\ .", min_size=1, max_size=30).filter(lambda t: t.strip()))
def test_brackets_and_backslashes_survive(words):
    read = texts(write_pdf(words, [PdfLine("Label", words)], "end"))[0]

    assert "".join(words.split()) in "".join(read.split())
