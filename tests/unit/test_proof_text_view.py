"""The text view, version 1: pinned character for character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages import page_views
from tests.yardstick import within


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("<div>a <b>b</b>  c\n\t d</div>", "a b c d"),
        ("<p>a<br>b<br/>c</p>", "a\nb\nc"),
        ("<ul><li>x</li><li>y</li></ul>", "x\ny"),
        ("<table><tr><th>Weight</th><td>54 g</td></tr><tr><td>L</td><td>1</td></tr></table>",
         "Weight\t54 g\nL\t1"),
        ("<table><tr><td><p>a</p><p>b</p></td><td><div>c</div></td></tr></table>", "a\nb\tc"),
        ("<table><tr><td>a</td><td><table><tr><td>b</td><td>c</td></tr></table></td></tr></table>",
         "a\tb\tc"),
        ("129<sup>90</sup> and m<sup>2</sup>, CO<sub>2</sub>", "129⁹⁰ and m², CO₂"),
        ("129<span>90</span>", "129\u200a90"),
        ("<sup>9</sup><sup>0</sup>", "⁹\u200a⁰"),
        ("54<span>g</span>", "54g"),
        ("12<!-- -->90", "1290"),
        ("54&nbsp;g &amp; 5&gt;4", "54\u00a0g & 5>4"),
        ("Ge&shy;wicht&#8203; 1", "Gewicht 1"),
        ("a<script>1</script><style>x</style><template>t</template><noscript>n</noscript>b", "ab"),
        ("<pre>a\n  b\tc</pre>", "a\nb\tc"),
        ("<div hidden>tab</div><p>x</p>", "tab\nx"),
        ("<p><!-- Weight: 12 g -->x</p>", "x"),
        ("<dl><dt>A<dd>b<dt>C<dd>d</dl>", "A\nb\nC\nd"),
        ("<p> \n </p><p>&nbsp;</p><p>x</p>", "x"),
    ],
)  # fmt: skip
def test_text_is_what_a_person_reads(markup, text):
    assert (
        page_views(f"<html><head><title>T</title></head><body>{markup}</body></html>").text == text
    )


def test_every_element_knows_where_its_words_stand():
    views = page_views("<body><table><tr><th> Weight <td><b>54</b> g<tr><td><td> </table><p>x")

    read = {
        node.tag: views.text[slice(*span)]
        for node in views.tree.body.traverse()
        if (span := views.span(node))
    }

    assert read["th"] == "Weight"
    assert read["td"] == "54 g"
    assert read["b"] == "54"
    assert read["p"] == "x"
    assert views.span(views.tree.css("td")[-1]) is None


def test_hidden_and_struck_parts_are_marked_with_what_is_inside_them():
    views = page_views(
        "<div style='color:red; display : none'><p>a</p></div><p hidden>b</p>"
        "<del><b>c</b></del><p aria-hidden=true>d</p>"
    )

    marks = {views.outline.words(e): (e.hidden, e.struck) for e in views.outline.elements}

    assert marks["a"] == (True, False)
    assert marks["b"] == (True, False)
    assert marks["c"] == (False, True)
    assert marks["d"] == (False, False)


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 100_000 + "x",
        "<ul><li>" * 50_000 + "x",
        "<b>" * 100_000 + "x",
        "<span>1</span>" * 700_000,
        "x <a =\"'" * 1_000_000,
        '<script type="application/ld+json">' + "[" * 1_000_000,
        "<table><tr><td>" * 30_000,
        "&" * 3_000_000,
    ],
    ids=["divs", "lists", "bold", "10 MB", "quotes", "brackets", "tables", "entities"],
)
def test_hostile_pages_take_bounded_time(body):
    with within(yards=200):
        views = page_views(body)
        _ = views.text, views.items, views.title, views.h1, views.language, views.breadcrumbs


@given(st.text(alphabet=st.sampled_from("<>/=\"' adivtrsp59&;!-\x00\n"), max_size=200))
def test_any_markup_gives_spans_inside_the_text(markup):
    views = page_views(markup)

    for element in views.outline.elements:
        assert -1 <= element.start <= element.end <= len(views.text)
        assert views.outline.words(element) == views.outline.words(element).strip(" \n\t")


@given(st.binary(max_size=300))
def test_no_bytes_raise(body):
    views = page_views(body)

    _ = views.text, views.pdf, views.items, views.title, views.h1, views.canonical_url
    assert isinstance(views.language, str)
    assert isinstance(views.breadcrumbs, tuple)


def test_the_page_says_what_it_is():
    views = page_views(
        "<html lang='de-AT'><head><title> Viper \n V3 </title><link rel=canonical"
        " href='/c?a=1&amp;b'>"
        "</head><body><nav aria-label=Breadcrumb><a href=/>Home</a> &gt; <a href=/m>Mice</a></nav>"
        "<h1 hidden>no</h1><h1>Viper <em>V3</em></h1></body></html>"
    )

    assert views.language == "de"
    assert views.title == "Viper V3"
    assert views.h1 == "Viper V3"
    assert views.canonical_url == "https://shop.example/c?a=1&b"
    assert views.breadcrumbs == ("Home", "Mice")


def test_language_is_guessed_by_common_words_when_it_is_not_declared():
    text = "Die Maus ist mit der Hand und für das Spiel von einer Firma, die nicht auf sie wartet. "

    assert page_views(f"<p>{text * 2}</p>").language == "de"
    assert page_views("<p>54 g</p>").language == ""


def test_a_page_blank_without_scripts_is_read_as_readers_without_them_do():
    told = "The firmware update mended the wheel. " * 20
    shell = "<body><div id=root></div><noscript><h1>Wheel</h1><p>{}</p></noscript></body>"

    views = page_views(shell.format(told))

    assert views.text == f"Wheel\n{told.strip()}"
    assert views.text[slice(*views.span(views.tree.css_first("h1")))] == "Wheel"
    assert page_views(shell.format("Please turn scripts on.")).text == ""


def test_what_is_for_readers_without_scripts_is_dropped_beside_a_page_that_reads():
    told, other = "The wheel is loose. " * 40, "Without scripts the wheel is not shown. " * 40

    assert page_views(f"<p>{told}</p><noscript>{other}</noscript>").text == told.strip()
