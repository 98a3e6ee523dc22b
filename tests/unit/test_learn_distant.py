"""Templates learned without a label of the source, from records that other sources gave."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from specfactory.contract import CompiledContract, compile_contract, parse_contract
from specfactory.extract.templates.apply import Applied
from specfactory.extract.templates.text_nodes import read_texts
from specfactory.learn import Labelled, Lesson, Sample, label_page, learn_template
from specfactory.learn.page_labels import PAGE, PERSON, RECORD
from specfactory.learn.proposals import propose_templates
from specfactory.learn.unlabelled.column_measures import similarity, stems
from specfactory.learn.unlabelled.guesses import Guess, compare, guess_columns
from specfactory.learn.unlabelled.known_values import Knowledge, knowledge_of, unlabelled
from specfactory.learn.unlabelled.layout_labels import SURE, Taught, label_layout
from specfactory.learn.unlabelled.record_matching import sameness
from specfactory.model import Outcome, Page, Tier, Value
from specfactory.model.learned_templates import PageLabel
from specfactory.proof import PageViews

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
        return self.page("On the scales")

    def page(self, label: str) -> str:
        """A page that calls the weight so."""
        return f"""<html><head><title>{self.name} - Athletes</title></head><body>
        <ul><li>Home</li><li>News</li></ul><p>Seen {self.visits} times</p><h2>{self.name}</h2>
        <table><tr><td>Plays for</td><td>{self.club}</td></tr>
        <tr><td>{label}</td><td>{self.weight} kg</td></tr>
        <tr><td>Date of birth</td><td>{self.born}</td></tr></table>
        <p>All rights</p></body></html>"""


CONTRACT = """
category: athlete
version: '1'
title: Athletes
fields:
  name: {group: all, type: text, labels: {en: [name]}}
  club: {group: all, type: text, labels: {en: [club]}}
  weight: {group: all, type: number, unit: kg, units: [kg], labels: {en: [mass]}}
  birth_date: {group: all, type: text, labels: {en: [birth date]}}
"""
SOURCES = [
    [Athlete(number).record("kg") for number in range(1000, 1100)],
    [Athlete(number).record("kg.") for number in range(2000, 2100)],
]


@pytest.fixture(scope="module")
def athletes() -> CompiledContract:
    return compile_contract(parse_contract(CONTRACT, "athletes"))


def views(markup: str, name: str = "p") -> PageViews:
    url = f"https://club.example/{name}"
    page = Page(name, url, url, "club.example", Tier.RETAILER, 0, Outcome.OK, "",
                media_type="text/html")  # fmt: skip
    return PageViews(page, markup.encode())


def samples(label: str = "Weight") -> list[Sample]:
    return [Sample(read_texts(LexborHTMLParser(Athlete(n).page(label)))) for n in range(20)]


def guesses(some: list[Sample], knowledge: Knowledge) -> list[Guess]:
    return guess_columns(compare(some, knowledge))


def pages(athletes: CompiledContract, **known: dict[int, Value]) -> list[Labelled]:
    """Twenty pages; of some of them the record's values are known, by field and page."""
    return [
        label_page(
            Lesson(
                views(Athlete(n).markup, f"p{n}"),
                known={name: each[n] for name, each in known.items() if n in each},
            ),
            athletes,
        )
        for n in range(20)
    ]


def taught(athletes: CompiledContract, sources=SOURCES, **known: dict[int, Value]) -> Taught:
    return label_layout(
        pages(athletes, **known), knowledge_of(athletes.contract, sources), athletes
    )


def answers(found: Taught, athlete: Athlete) -> dict[str, str]:
    applied = Applied(learn_template("x.example", [page.sample for page in found.pages]))
    told = applied.one(LexborHTMLParser(athlete.markup))
    return {name: answer.words for name, answer in told.items()}


def labels(found: Taught, name: str) -> list[str]:
    return [value for page in found.pages for value in page.sample.labels.get(name, ())]


@pytest.mark.parametrize("number", [300, 301, 302])
def test_records_of_other_sources_teach_a_source_that_nobody_labelled(athletes, number):
    athlete = Athlete(number)

    assert answers(taught(athletes), athlete) == {
        "name": athlete.name,
        "club": athlete.club,
        "weight": f"{athlete.weight} kg",
        "birth_date": athlete.born,
    }


def test_each_label_says_who_gave_it(athletes):
    page = taught(athletes).pages[0]

    assert page.origins["weight"] == RECORD
    assert page.sample.labels["weight"] == (f"{Athlete(0).weight} kg",)


def test_without_records_of_others_nothing_is_guessed(athletes):
    found = taught(athletes, [])

    assert not found.beliefs
    assert not labels(found, "weight")


def test_the_record_of_the_pages_own_thing_is_enough(athletes):
    weights = {n: Athlete(n).weight for n in range(6)}

    found = taught(athletes, [], weight=weights)

    assert labels(found, "weight") == [f"{Athlete(n).weight} kg" for n in range(20)]
    assert found.beliefs["weight"] > 0.8


def test_records_of_the_same_things_make_a_place_sure(athletes):
    same = [[Athlete(number).record("kg") for number in range(200)]]

    assert min(taught(athletes, same).beliefs.values()) >= SURE
    beliefs = taught(athletes).beliefs
    assert beliefs.keys() == NAMES.keys()
    # names and clubs of others occur on these pages, too; weights and dates only look alike
    assert {name for name, belief in beliefs.items() if belief >= SURE} == {"name", "club"}


def test_a_field_that_the_pages_do_not_have_is_hardly_believed(athletes):
    """Its records know it, and some column is always the likeliest."""
    bare = [
        label_page(Lesson(views(Athlete(n).markup.replace(Athlete(n).club, ""))), athletes)
        for n in range(20)
    ]
    same = [[Athlete(number).record("kg") for number in range(200)]]

    found = label_layout(bare, knowledge_of(athletes.contract, same), athletes)

    assert found.beliefs.get("club", 0.0) < SURE


def test_beside_fields_that_pages_label_a_mere_guess_teaches_nothing(athletes):
    own = [label_page(Lesson(views(Athlete(n).page("Mass"))), athletes) for n in range(20)]

    found = label_layout(own, knowledge_of(athletes.contract, SOURCES), athletes)

    assert found.beliefs.keys() == {"name", "club"}  # they are known words, not guesses
    assert not labels(found, "birth_date")
    assert labels(found, "weight") == [f"{Athlete(n).weight} kg" for n in range(20)]


def test_a_label_of_the_field_does_not_settle_what_records_of_the_same_things_deny(athletes):
    def called(n: int) -> str:
        row = f"<tr><td>Club</td><td>{Athlete(n).visits}</td></tr></table>"
        return Athlete(n).markup.replace("</table>", row)

    own = [label_page(Lesson(views(called(n), f"p{n}")), athletes) for n in range(20)]
    same = [[Athlete(number).record("kg") for number in range(200)]]

    found = label_layout(own, knowledge_of(athletes.contract, same), athletes)

    assert labels(found, "club") == [Athlete(n).club for n in range(20)]


def test_a_record_of_another_thing_with_the_same_value_does_not_poison(athletes):
    visits = {3: Athlete(3).visits}  # "Seen 31415 times" gives the value of a wrong record
    weights = {n: Athlete(n).weight for n in range(5, 10)}

    found = taught(athletes, [], weight={**weights, **visits})

    assert labels(found, "weight") == [f"{Athlete(n).weight} kg" for n in range(20)]


def test_a_place_that_records_contradict_is_believed_less(athletes):
    weights = {n: Athlete(n).weight for n in range(8)}

    right = taught(athletes, weight=weights).beliefs["weight"]
    odd = {n: Athlete(n).visits for n in range(4)}

    assert taught(athletes, weight={**weights, **odd}).beliefs["weight"] < right


def test_the_pages_own_labels_stay_where_records_agree(athletes):
    own = [label_page(Lesson(views(Athlete(n).page("Mass"))), athletes) for n in range(20)]

    found = label_layout(own, knowledge_of(athletes.contract, SOURCES), athletes)

    assert {page.origins["weight"] for page in found.pages} == {PAGE}
    assert "weight" not in found.beliefs


def test_a_persons_word_against_a_place_settles_it(athletes):
    several = pages(athletes)
    said = PageLabel("p0", "club.example", "weight", (Athlete(0).born,), "ann", 0)
    several[0] = label_page(Lesson(several[0].views, [said]), athletes)

    found = label_layout(several, knowledge_of(athletes.contract, SOURCES), athletes)

    assert labels(found, "weight") == [Athlete(0).born]
    assert found.pages[0].origins["weight"] == PERSON


def test_a_template_that_records_taught_is_as_sure_as_its_places(athletes):
    knowledge = knowledge_of(athletes.contract, SOURCES)
    found = taught(athletes)

    (proposal,) = propose_templates(
        "club.example", pages(athletes), athletes, knowledge=knowledge, adopt_at=0.9, least_pages=5
    ).proposals

    for figures in proposal.figures:
        assert figures.right == round(figures.tried * found.beliefs[figures.field])


def test_a_column_of_other_values_than_the_contracts_is_no_place(athletes):
    markup = Athlete(1).markup.replace(" kg", "")
    bare = [
        label_page(Lesson(views(markup.replace("</p>", f"{n}</p>"))), athletes) for n in range(9)
    ]

    found = label_layout(bare, knowledge_of(athletes.contract, SOURCES), athletes, least=0.0)

    assert not labels(found, "weight")


NAMES = {"name": ["name"], "club": ["club"], "weight": ["weight"], "birth_date": ["birth date"]}


def test_names_alone_find_what_is_labelled_by_them():
    likeliest = {guess.field: guess for guess in guesses(samples(), Knowledge(NAMES))}

    assert likeliest["weight"].column.values[0] == f"{Athlete(0).weight} kg"


def test_no_two_fields_are_guessed_in_one_column():
    found = guesses(samples(), Knowledge(NAMES, SOURCES))

    assert len({guess.column.at for guess in found}) == len(found) == 4


def test_an_unlikely_guess_is_no_label(athletes):
    sources = [[{"club": ["red"]}, {"club": ["blue"]}]]

    found = label_layout(
        pages(athletes), knowledge_of(athletes.contract, sources), athletes, least=1.0
    )

    assert not labels(found, "club")


def test_a_value_that_all_samples_share_is_found_when_it_is_known():
    def markup(number: int) -> str:
        athlete = Athlete(number)
        return athlete.markup.replace(athlete.club, "Hill Climbers")

    texts = [Sample(read_texts(LexborHTMLParser(markup(number)))) for number in range(20)]
    found = {guess.field: guess for guess in guesses(texts, Knowledge(NAMES, SOURCES))}

    assert set(found["club"].column.values) == {"hill climbers"}


@pytest.mark.parametrize(
    "texts", [[], [""], ["<h1>503</h1>"] * 19, ["<p>a</p>", "", "\x00", "<title>x</title>"]]
)
def test_empty_and_broken_pages_teach_nothing_and_do_no_harm(athletes, texts):
    bare = [label_page(Lesson(views(markup or "<p>")), athletes) for markup in texts]

    found = label_layout(bare, knowledge_of(athletes.contract, SOURCES), athletes, least=0.0)

    assert len(found.pages) == len(texts)


def test_records_without_values_are_no_knowledge():
    knowledge = Knowledge(NAMES, [[], [{}], [{"name": []}], [{"weight": ["-"]}]])

    assert len(guesses(samples(), knowledge)) == 4


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6), st.text(max_size=80))
def test_any_known_values_and_any_words_can_be_compared(values, words):
    page = Sample(read_texts(LexborHTMLParser(f"<p>a</p><b>{words}</b>")), {"x": values})

    known = Knowledge({"x": ["x"]}, [[{"x": values}]])
    guess_columns(compare([page, page], known, [{"x": values}] * 2))


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
