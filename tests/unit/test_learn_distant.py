"""Templates learned without a label of the source, from records that other sources gave."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from specfactory.extract.template_nodes import PageTexts, read_texts
from specfactory.extract.templates import Applied
from specfactory.learn import learn_template
from specfactory.learn.distant import guess_fields, known_labels
from specfactory.learn.joins import sameness
from specfactory.learn.known_values import Knowledge, unlabelled
from specfactory.learn.likeness import similarity, stems

FIRST = "Ada Bela Cyril Dora Emil Flora Greta Hugo Ines Jonas Klara Leo Mira Nils Olga".split()  # noqa: SIM905
LAST = "Ash Birch Cedar Dale Elm Fern Grove Heath Iris Juniper Kelp Lark Moor Nettle".split()  # noqa: SIM905
CLUBS = ("Harbour Rowers", "Hill Climbers", "River Swimmers", "Forest Runners", "Lake Skaters")


class Athlete:
    """One athlete; every number makes another."""

    def __init__(self, number: int) -> None:
        chance = random.Random(number)
        self.name = f"{chance.choice(FIRST)} {chance.choice(LAST)}"
        self.club = chance.choice(CLUBS)
        self.weight = chance.randint(48, 110)
        self.born = f"{chance.randint(1, 28)}.{chance.randint(1, 12)}.{chance.randint(1970, 2004)}"
        self.visits = chance.randint(1000, 90000)

    def record(self, unit: str) -> dict[str, list[str]]:
        return {
            "name": [self.name],
            "club": [self.club],
            "weight": [f"{self.weight} {unit}"],
            "birth_date": [self.born],
        }

    @property
    def markup(self) -> str:
        return f"""<html><head><title>{self.name} - Athletes</title></head><body>
        <ul><li>Home</li><li>News</li></ul><p>Seen {self.visits} times</p><h2>{self.name}</h2>
        <table><tr><td>Plays for</td><td>{self.club}</td></tr>
        <tr><td>Weight</td><td>{self.weight} kg</td></tr>
        <tr><td>Date of birth</td><td>{self.born}</td></tr></table>
        <p>All rights</p></body></html>"""


NAMES = {"name": ["name"], "club": ["club"], "weight": ["weight"], "birth_date": ["birth date"]}
SOURCES = [
    [Athlete(number).record("kg") for number in range(1000, 1100)],
    [Athlete(number).record("kg.") for number in range(2000, 2100)],
]


def pages(count: int = 20) -> list[PageTexts]:
    return [read_texts(LexborHTMLParser(Athlete(number).markup)) for number in range(count)]


def answers(knowledge: Knowledge, athlete: Athlete) -> dict[str, str]:
    samples = known_labels(pages(), knowledge, 0.0)
    applied = Applied(learn_template("x.example", samples))
    found = applied.one(LexborHTMLParser(athlete.markup))
    return {name: answer.words for name, answer in found.items()}


@pytest.mark.parametrize("number", [300, 301, 302])
def test_records_of_other_sources_teach_a_source_that_nobody_labelled(number):
    athlete = Athlete(number)

    assert answers(Knowledge(NAMES, SOURCES), athlete) == {
        "name": athlete.name,
        "club": athlete.club,
        "weight": f"{athlete.weight} kg",
        "birth_date": athlete.born,
    }


def test_names_alone_find_what_is_labelled_by_them():
    athlete = Athlete(300)

    assert answers(Knowledge(NAMES), athlete)["weight"] == f"{athlete.weight} kg"


def test_no_two_fields_are_guessed_in_one_column():
    guesses = guess_fields(pages(), Knowledge(NAMES, SOURCES))

    assert len({guess.column.at for guess in guesses}) == len(guesses) == 4


def test_an_unlikely_guess_is_no_label():
    knowledge = Knowledge({"colour": ["colour"]}, [[{"colour": ["red"]}, {"colour": ["blue"]}]])

    assert not any(sample.labels for sample in known_labels(pages(), knowledge, 1.0))


def test_a_value_that_all_samples_share_is_found_when_it_is_known():
    def markup(number: int) -> str:
        athlete = Athlete(number)
        return athlete.markup.replace(athlete.club, "Hill Climbers")

    texts = [read_texts(LexborHTMLParser(markup(number))) for number in range(20)]

    samples = known_labels(texts, Knowledge(NAMES, SOURCES), 0.0)

    assert {v for s in samples for v in s.labels.get("club", ())} == {"Hill Climbers"}


@pytest.mark.parametrize(
    "texts",
    [[], [""], ["<h1>503</h1>"] * 19, ["<p>a</p>", "", "\x00", "<title>x</title>"]],
)
def test_empty_and_broken_pages_teach_nothing_and_do_no_harm(texts):
    read = [read_texts(LexborHTMLParser(markup or "<p>")) for markup in texts]

    samples = known_labels(read, Knowledge(NAMES, SOURCES), 0.0)

    assert len(samples) == len(texts)


def test_records_without_values_are_no_knowledge():
    knowledge = Knowledge(NAMES, [[], [{}], [{"name": []}], [{"weight": ["-"]}]])

    assert len(guess_fields(pages(), knowledge)) == 4


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6), st.text(max_size=80))
def test_any_known_values_and_any_words_can_be_compared(values, words):
    page = read_texts(LexborHTMLParser(f"<p>a</p><b>{words}</b>"))

    known_labels([page, page], Knowledge({"x": ["x"]}, [[{"x": values}]]), 0.0)


def test_numbers_that_differ_are_never_the_same():
    assert sameness("6 ft 5 in", "6-5") > 0
    assert sameness("6 ft 5 in", "6-6") == 0
    assert sameness("205 lbs", "205") > 0


def test_a_label_in_the_text_is_no_part_of_the_value():
    assert unlabelled("publisher: knopf") == "knopf"
    assert unlabelled("10:30") == "10:30"


def test_a_label_with_more_words_is_less_like_a_name():
    name = stems("price")

    assert similarity(name, stems("Price:")) == 1
    assert 0 < similarity(name, stems("List price")) < 1
    assert similarity(name, stems("Weight")) == 0
