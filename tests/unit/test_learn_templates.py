"""Templates learned from a few labelled pages, on shops that exist only here."""

from __future__ import annotations

import random
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from specfactory.extract.templates.apply import Applied
from specfactory.extract.templates.text_nodes import read_texts
from specfactory.learn import Sample, learn_template
from specfactory.model.template import Template

WORDS = "amber birch cedar delta ember fjord grove heron island jasper kelp lotus maple".split()  # noqa: SIM905


class Book:
    """One book of the shop; every number makes another."""

    def __init__(self, number: int) -> None:
        chance = random.Random(number)
        self.title = " ".join(chance.sample(WORDS, 3)).title()
        self.authors = [" ".join(chance.sample(WORDS, 2)).title() for _ in range(1 + number % 3)]
        self.price = f"${chance.randint(5, 99)}.{chance.randint(10, 99)}"
        self.isbn = str(9780000000000 + chance.randint(0, 10**9))
        self.publisher = chance.choice(WORDS).title() + " Press" if number % 4 else ""
        self.pages = str(chance.randint(90, 900))
        self.extra = [f"<tr><td>{w}</td><td>{w[::-1]}</td></tr>" for w in WORDS[: number % 5]]

    @property
    def labels(self) -> dict[str, list[str]]:
        return {
            "title": [self.title],
            "author": self.authors,
            "price": [self.price],
            "isbn": [self.isbn],
            "publisher": [self.publisher] if self.publisher else [],
            "pages": [self.pages],
        }

    @property
    def markup(self) -> str:
        publisher = (
            f"<tr><td>Publisher</td><td>{self.publisher}</td></tr>" if self.publisher else ""
        )
        authors = ", ".join(f"<a href='/author/{a[:3]}'>{a}</a>" for a in self.authors)
        return f"""<html><head><title>{self.title} | Bookery</title></head><body>
        <ul id=nav><li>Home</li><li>Fiction</li><li>$5.00 shipping</li></ul>
        <div class=main><h1>{self.title}</h1><p class=by>by {authors}</p>
        <span class=old>$120.00</span> <span class=now>{self.price}</span>
        <table><tbody>{"".join(self.extra)}{publisher}
        <tr><td>Pages</td><td>{self.pages}</td></tr>
        <tr><td>Codes</td><td>ISBN: {self.isbn} (new)</td></tr></tbody></table></div>
        <div class=foot>About us</div></body></html>"""


def sample(markup: str, labels: dict[str, list[str]] | None = None) -> Sample:
    return Sample(read_texts(LexborHTMLParser(markup)), labels or {})


def learned(labelled: int = 3, pages: int = 20) -> Applied:
    books = [Book(number) for number in range(pages)]
    samples = [
        sample(book.markup, book.labels if at < labelled else None) for at, book in enumerate(books)
    ]
    return Applied(learn_template("books.example", samples))


@pytest.fixture(scope="module")
def applied() -> Applied:
    return learned()


def found(applied: Applied, book: Book) -> dict[str, str]:
    return {
        name: answer.words for name, answer in applied.one(LexborHTMLParser(book.markup)).items()
    }


@pytest.mark.parametrize("name", ["title", "price", "pages", "isbn"])
def test_three_labelled_pages_teach_a_field_though_rows_move(applied, name):
    books = [Book(number) for number in range(100, 130)]

    assert [found(applied, b).get(name) for b in books] == [b.labels[name][0] for b in books]


def test_a_value_inside_a_text_is_cut_out_of_it(applied):
    book = Book(77)
    tree = LexborHTMLParser(book.markup)

    answer = applied.one(tree)["isbn"]

    assert answer.text == f"ISBN: {book.isbn} (new)"
    assert answer.text[answer.start : answer.end] == book.isbn


def test_a_missing_value_is_missing(applied):
    without, having = Book(104), Book(105)

    assert "publisher" not in found(applied, without)
    assert found(applied, having)["publisher"] == having.publisher


def test_all_values_of_a_list_are_found(applied):
    for number in range(100, 112):
        book = Book(number)
        answers = applied.every(LexborHTMLParser(book.markup))["author"]

        assert [answer.words for answer in answers] == book.authors


def test_one_labelled_page_is_enough_for_what_stands_alone():
    applied = learned(labelled=1)
    books = [Book(number) for number in range(100, 120)]

    for name in ("title", "price", "pages"):
        assert [found(applied, b).get(name) for b in books] == [b.labels[name][0] for b in books]


def page(title: str, top: str, below: str) -> str:
    return (
        f"<body><h1>{title}</h1><div class=a><b>{top}</b></div><div class=z><i>{below}</i></div>"
        "<p>Terms and conditions</p></body>"
    )


def test_what_never_changes_is_not_taken_for_the_value():
    markups = [page(f"Thing {n}", "4 stars", f"{n % 7} stars") for n in range(4, 24)]
    samples = [sample(m, {"rating": ["4 stars"]} if not at else None)
               for at, m in enumerate(markups)]  # fmt: skip
    applied = Applied(learn_template("x.example", samples))

    answer = applied.one(LexborHTMLParser(page("Thing 99", "4 stars", "2 stars")))["rating"]

    assert answer.words == "2 stars"


def test_parts_in_different_places_are_all_found():
    def address(n: int) -> str:
        return page(f"Inn {n}", f"{n} Harbour Street", f"{10000 + n} Portville")

    samples = [
        sample(address(n), {"address": [f"{n} Harbour Street", f"{10000 + n} Portville"]} if n < 3
               else None)
        for n in range(20)
    ]  # fmt: skip
    applied = Applied(learn_template("x.example", samples))

    answers = applied.every(LexborHTMLParser(address(55)))["address"]

    assert [answer.words for answer in answers] == ["55 Harbour Street", "10055 Portville"]


def test_a_template_is_the_same_after_being_stored(applied):
    stored = msgspec.json.encode(applied.template)

    again = msgspec.json.decode(stored, type=Template)

    assert again == applied.template
    assert found(Applied(again), Book(42)) == found(applied, Book(42))


def test_learning_twice_gives_the_same_template():
    assert learned(pages=6).template.id == learned(pages=6).template.id


def test_the_quick_ways_find_what_the_vote_finds(applied):
    template = applied.template
    fields = tuple(replace(field, probes=()) for field in template.fields)
    voting = Applied(replace(template, fields=fields))

    assert any(f.probes for f in template.fields)
    for number in range(200, 230):
        assert found(applied, Book(number)) == found(voting, Book(number))


def test_error_pages_among_the_samples_do_no_harm():
    books = [Book(number) for number in range(3)]
    errors = ["<h1>503</h1>", "", "<html><body>Page not found</body></html>", "\x00\xff"]
    samples = [sample(b.markup, b.labels) for b in books] + [sample(e) for e in errors * 4]
    applied = Applied(learn_template("x.example", samples))

    assert found(applied, Book(50))["price"] == Book(50).price
    assert applied.one(LexborHTMLParser("<h1>503</h1>")) == {}
    assert applied.one(None) == {}


def test_nothing_known_teaches_nothing():
    template = learn_template("x.example", [sample(Book(n).markup) for n in range(4)])

    assert template.fields == ()


def test_a_label_that_is_not_on_its_page_teaches_nothing():
    samples = [sample(Book(n).markup, {"colour": ["ultramarine"]}) for n in range(3)]

    assert learn_template("x.example", samples).fields == ()


def test_contradicting_labels_give_no_crash_and_no_invention():
    right = [sample(Book(n).markup, Book(n).labels) for n in range(5)]
    wrong = sample(Book(5).markup, {"price": [Book(5).pages]})
    applied = Applied(learn_template("x.example", [*right, wrong]))

    assert found(applied, Book(60))["price"] == Book(60).price


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet="<>/abdivtr \"'=&;#0", max_size=300))
def test_any_markup_can_be_learned_from_and_read(markup):
    samples = [sample(markup, {"x": ["a", "b"]}), sample(markup)]
    applied = Applied(learn_template("x.example", samples))

    applied.one(LexborHTMLParser(markup or "<p>"))
    applied.every(LexborHTMLParser(markup or "<p>"))


def test_a_hostile_page_is_read_in_bounded_time():
    nested = "<div>" * 3000 + "x" + "<p>y" * 20_000

    assert len(read_texts(LexborHTMLParser(nested)).texts) <= 6_000
