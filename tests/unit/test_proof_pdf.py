"""The PDF view: lines and columns as printed."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from specfactory.proof.text import pdf_view
from tests.pages import page_views, tiny_pdf


def pdf_text(lines):
    return page_views(tiny_pdf(lines), media_type="application/pdf").pdf


def test_cells_of_a_line_are_separated_by_a_tab_whatever_order_they_are_drawn_in():
    assert pdf_text([[(50, "Data sheet")], [(50, "Weight"), (300, "54 g")],
                     [(50, "Maximum speed"), (300, "11.1 m/s")]]) == (
        "Data sheet\nWeight\t54 g\nMaximum speed\t11.1 m/s")  # fmt: skip


def test_a_pdf_has_no_other_text_and_is_named_by_its_first_line():
    views = page_views(
        tiny_pdf([[(50, "Viper V3 Pro")], [(50, "x")]]), media_type="application/pdf"
    )

    assert (views.source, views.text, views.items) == ("", "", ())
    assert (views.title, views.h1) == ("Viper V3 Pro", "Viper V3 Pro")


def test_other_pages_have_no_pdf_view():
    assert page_views("<p>x</p>").pdf == ""


def test_a_broken_pdf_is_empty():
    assert page_views(tiny_pdf([[(50, "x")]])[:200], media_type="application/pdf").pdf == ""
    assert page_views(b"%PDF-1.4 nothing", media_type="application/pdf").pdf == ""


def test_a_pdf_that_says_nothing_tells_why():
    broken = page_views(b"%PDF-1.4 garbage", media_type="application/pdf").unread
    assert broken.startswith("the PDF cannot be read: ")
    assert "has no text" in page_views(tiny_pdf([[]]), media_type="application/pdf").unread
    assert page_views(tiny_pdf([[(50, "x")]]), media_type="application/pdf").unread == ""
    assert page_views("").unread == ""


def test_pdfs_are_read_one_at_a_time_as_the_library_dies_of_two(monkeypatch):
    meeting, met = threading.Barrier(2), []

    def pages(body):
        with suppress(threading.BrokenBarrierError):
            meeting.wait(0.1)
            met.append(body)
        yield ""

    monkeypatch.setattr(pdf_view, "_pages", pages)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(pdf_view.read_pdf, [b"1", b"2"]))

    assert met == []


@given(st.binary(max_size=200))
def test_garbage_after_the_mark_of_a_pdf_never_raises(body):
    assert isinstance(page_views(b"%PDF-1.5\n" + body).pdf, str)
