"""Links out of a page, and the data sheets among them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specfactory.discover import document_links
from specfactory.discover.links import links_of, same_site_links

PAGE = "https://shop.example/mice/viper"


@pytest.mark.parametrize(
    ("href", "text"),
    [
        ("/d/viper.pdf", "Data sheet"),
        ("/d/viper.pdf", "Datenblatt herunterladen"),
        ("/d/viper.pdf", "Fiche technique (PDF, 1,2 Mo)"),
        ("/d/viper.pdf", "Ficha técnica"),
        ("/d/viper.pdf", "Scheda tecnica"),
        ("/d/viper.pdf", "製品仕様書"),
        ("/d/viper.PDF?v=2", "Technical specifications"),
        ("/d/viper-spec-sheet.pdf", "Download"),
        ("/d/Viper_Datasheet_EN.pdf", ""),
    ],
)
def test_data_sheets_are_found_in_many_languages(href, text):
    hits = document_links(f'<a href="{href}">{text}</a>', PAGE)

    assert [(hit.url, hit.title, hit.way) for hit in hits] == [
        ("https://shop.example" + href, text, "link")
    ]


@pytest.mark.parametrize(
    ("href", "text"),
    [
        ("/d/viper.pdf", "User manual"),
        ("/d/viper.pdf", "Bedienungsanleitung"),
        ("/d/warranty.pdf", "Read more"),
        ("/d/doc.pdf", "Declaration of conformity"),
        ("/datasheet.html", "Data sheet"),
        ("mailto:a@b.example", "Data sheet.pdf"),
        ("javascript:open('x.pdf')", "Data sheet"),
    ],
)
def test_other_documents_and_other_links_are_not(href, text):
    assert document_links(f'<a href="{href}">{text}</a>', PAGE) == []


def test_data_sheets_come_before_nameless_documents_and_few_are_enough():
    links = [f'<a href="/x{n}.pdf">PDF</a>' for n in range(20)]
    hits = document_links("".join([*links, '<a href="/s.pdf">Spec sheet</a>']), PAGE)

    assert len(hits) == 5
    assert hits[0].url.endswith("/s.pdf")


def test_links_are_absolute_unique_and_of_the_same_site():
    html = """<base href="/mice/">
        <a href="a#top"><img alt="Picture of A"></a> <a href="a">A</a> <a href="/b?c=1">B</a>
        <a href="https://www.shop.example/c">C</a> <a href="//other.example/d">D</a>
        <a href="#here">Here</a> <a href="  ">Blank</a> <a href="http://[bad">Bad</a>"""

    assert [(link.url, link.text) for link in same_site_links(html, PAGE)] == [
        ("https://shop.example/mice/a", "Picture of A"),
        ("https://shop.example/b?c=1", "B"),
        ("https://www.shop.example/c", "C"),
    ]


def test_number_of_links_is_capped():
    assert len(list(links_of("<a href=/x>y</a>" * 10_000, PAGE))) == 3000


@settings(deadline=None)
@given(st.text(max_size=60), st.binary(max_size=200))
def test_any_page_is_read_without_trouble(href, noise):
    html = b"<a href='" + href.encode("utf-8", "replace") + b"'>x</a>" + noise

    assert all(link.url.startswith("http") for link in links_of(html, PAGE))


def test_a_long_base_address_is_gone_over_for_few_links():
    page = "<base href='/{}'>" + "".join(f"<a href=p{number}>" for number in range(3_000))
    short, long = page.format("a/" * 20), page.format("a/" * 5_000)

    assert len(list(links_of(short, PAGE))) == 3_000
    assert 10 < len(list(links_of(long, PAGE))) < 100
