"""Pages are labelled by whoever knows; layouts get templates; a person sees doubtful ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.extract.templates.apply import Applied
from specfactory.extract.templates.page_shape import choose_fitting, shape_of
from specfactory.learn import Labelled, Lesson, label_page, propose_templates
from specfactory.learn.page_labels import MARKUP, PAGE, PERSON
from specfactory.learn.proposals import TemplateProposal, without_fields
from specfactory.model import Outcome, Page, Tier
from specfactory.model.learned_templates import PageLabel
from specfactory.proof import PageViews


@pytest.fixture(scope="module")
def mouse() -> CompiledContract:
    bundled = find_contract("mouse")
    names = ("product_name", "weight", "length", "sensor", "max_dpi")
    fields = {name: replace(bundled.fields[name], component=None) for name in names}
    return compile_contract(replace(bundled, fields=fields, checks=(), components={}, digest=""))


def views(markup: str, name: str = "p") -> PageViews:
    url = f"https://shop.example/{name}"
    page = Page(name, url, url, "shop.example", Tier.RETAILER, 0, Outcome.OK, "",
                media_type="text/html")  # fmt: skip
    return PageViews(page, markup.encode())


def table(n: int, weight: str = "", rows: str = "") -> str:
    row = f"<tr><th>Weight</th><td>{weight or f'{50 + n} g'}</td></tr>"
    return (
        f"<html lang=en><head><title>Mouse {n}</title></head><body><nav><a>Home</a><a>Mice</a>"
        f"</nav><main><h1>Mouse {n}</h1><p class=lead>Light</p><table>{row}"
        f"<tr><th>Length</th><td>{110 + n} mm</td></tr>{rows}</table></main>"
        "<footer><p>Imprint</p></footer></body></html>"
    )


def said(field: str, value: str, actor: str = "ann") -> PageLabel:
    return PageLabel("p", "shop.example", field, (value,), actor, 0)


def labels(page: Labelled) -> dict[str, tuple[tuple[str, ...], str]]:
    return {name: (tuple(v), page.origins[name]) for name, v in page.sample.labels.items()}


def test_a_label_on_the_page_teaches(mouse):
    page = label_page(Lesson(views(table(4))), mouse)

    assert labels(page)["weight"] == (("54 g",), PAGE)


def test_pages_to_learn_from_are_kept_parsed_and_no_more(mouse):
    pages = [label_page(Lesson(views(table(n), f"p{n}")), mouse) for n in range(12)]

    held = [set(vars(page.views)) for page in pages]
    (proposal,) = propose_templates(
        "shop.example", pages, mouse, adopt_at=0.9, least_pages=5
    ).proposals

    assert {name for names in held for name in names} & {"tree", "outline", "unseen"} == {"tree"}
    assert [set(vars(page.views)) for page in pages] == held
    assert {one.field for one in proposal.figures if not one.left_out} >= {"weight", "length"}


def test_a_persons_word_comes_before_the_pages_own(mouse):
    page = label_page(Lesson(views(table(4)), [said("weight", "114 mm")]), mouse)

    assert labels(page)["weight"] == (("114 mm",), PERSON)


def test_persons_who_contradict_each_other_are_both_not_believed(mouse):
    both = [said("weight", "54 g"), said("weight", "114 mm", "bob")]

    page = label_page(Lesson(views(table(4)), both), mouse)

    assert "weight" not in page.sample.labels
    assert page.conflicts[0].said == (("ann", ("54 g",)), ("bob", ("114 mm",)))


def test_persons_who_say_the_same_do_not_contradict_each_other(mouse):
    both = [said("weight", "54 g"), said("weight", " 54 G ", "bob")]

    page = label_page(Lesson(views(table(4)), both), mouse)

    assert not page.conflicts
    assert page.origins["weight"] == PERSON


def test_a_page_that_contradicts_the_record_teaches_nothing_about_the_field(mouse):
    page = label_page(Lesson(views(table(4)), known={"weight": 99}), mouse)

    assert "weight" not in page.sample.labels
    assert "length" in page.sample.labels


def test_where_the_values_of_the_record_stand_is_noted(mouse):
    markup = table(4).replace("<th>Weight</th>", "<th>Heft</th>")

    page = label_page(Lesson(views(markup), known={"weight": 54}), mouse)

    assert page.matched == {"weight": ("54 g",)}
    assert "weight" not in page.sample.labels


def test_a_value_at_too_many_places_tells_nothing(mouse):
    rows = "".join(f"<tr><th>Odd {n}</th><td>54 g</td></tr>" for n in range(6))
    markup = table(4, rows=rows).replace("<th>Weight</th>", "<th>Heft</th>")

    page = label_page(Lesson(views(markup), known={"weight": 54}), mouse)

    assert not page.matched


def test_structured_data_names_the_text_that_says_the_same(mouse):
    data = (
        '<script type="application/ld+json">{"@type": "Product", "name": "Mouse 4", '
        '"additionalProperty": [{"@type": "PropertyValue", "name": "Weight", "value": "54 g"}]}'
        "</script>"
    )
    markup = table(4).replace("<th>Weight</th>", "<th>Heft</th>").replace("</main>", data)

    page = label_page(Lesson(views(markup)), mouse)

    assert labels(page)["weight"] == (("54 g",), MARKUP)


def test_a_distrusted_field_is_learned_from_persons_only(mouse):
    page = label_page(Lesson(views(table(4)), known={"weight": 54}), mouse, {"weight"})
    told = label_page(Lesson(views(table(4)), [said("weight", "54 g")]), mouse, {"weight"})

    assert not {"weight"} & {*page.sample.labels, *page.matched}
    assert told.origins["weight"] == PERSON


def learned(markups: list[str], mouse: CompiledContract, **lessons: object):
    pages = [
        label_page(Lesson(views(markup, f"p{at}")), mouse) for at, markup in enumerate(markups)
    ]
    return propose_templates("shop.example", pages, mouse, adopt_at=0.9, least_pages=5)


@pytest.fixture(scope="module")
def proposal(mouse: CompiledContract) -> TemplateProposal:
    rows = "<tr><th>Sensor</th><td>PAW{}</td></tr>"
    markups = [table(n, rows=rows.format(3300 + n) if n % 3 else "") for n in range(18)]
    (found,) = learned(markups, mouse).proposals
    return found


def test_a_layout_gets_a_template_with_figures_and_quotes(proposal):
    weight = next(one for one in proposal.figures if one.field == "weight")

    assert (weight.right, weight.tried) == (13, 13)
    assert (weight.pages, weight.filled, weight.valid) == (18, 18, 18)
    assert weight.quotes == ("50 g", "51 g")
    assert proposal.lower_bound >= 0.9
    assert not proposal.doubts


def test_where_the_label_is_missing_the_value_is_missing(proposal, mouse):
    sensor = next(one for one in proposal.figures if one.field == "sensor")

    assert (sensor.filled, sensor.left_out) == (12, "")


def test_a_template_fits_its_layout_and_no_other(proposal):
    applied = Applied(proposal.template)
    other = "<html><body><article><h2>News</h2><section><p>One.</p><p>Two.</p></section></article>"

    assert choose_fitting([applied], views(table(77))) is applied
    assert choose_fitting([applied], views(other)) is None


def test_a_page_that_names_itself_in_a_class_keeps_its_shape():
    plain, odd = views(table(1)), views(table(1).replace("<body>", '<body class="page-x">'))
    one, two = shape_of(plain.outline), shape_of(odd.outline)

    assert one == two


def test_error_pages_that_look_like_good_ones_teach_nothing(mouse):
    error = (
        "<html><head><title>Oops</title></head><body><nav><a>Home</a><a>Mice</a></nav><main>"
        "<h1>Something went sideways</h1><div><p>Item {} is not here.</p><ul><li>Back</li></ul>"
        "</div></main><footer><p>Imprint</p></footer></body></html>"
    )

    found = learned([table(1), *(error.format(n) for n in range(19))], mouse)

    assert not found.proposals
    assert found.left_out == {
        "says the same as another page": 18, "its layout has too few pages": 2
    }  # fmt: skip


def test_a_field_that_few_pages_say_is_left_out_and_says_why(mouse):
    rows = "<tr><th>Sensor</th><td>PAW3399</td></tr>"

    (found,) = learned([table(n, rows=rows if n < 2 else "") for n in range(12)], mouse).proposals

    sensor = next(one for one in found.figures if one.field == "sensor")
    assert sensor.left_out == "only 2 pages say it"
    assert "sensor" not in {one.field for one in found.template.fields}


def test_contradictory_labels_put_a_template_to_review(mouse):
    both = [said("weight", "54 g"), said("weight", "114 mm", "bob")]
    pages = [label_page(Lesson(views(table(n), f"p{n}")), mouse) for n in range(12)]
    pages[4] = label_page(Lesson(views(table(4)), both), mouse)

    found = propose_templates("shop.example", pages, mouse, adopt_at=0.9, least_pages=5)

    assert found.proposals[0].doubts == ("persons contradict each other about weight",)
    assert found.conflicts[0].field == "weight"


def test_three_labelled_pages_teach_a_field_that_the_contract_cannot_name(mouse):
    markups = [table(n).replace("<th>Weight</th>", "<th>Heft</th>") for n in range(12)]
    pages = [
        label_page(
            Lesson(views(m, f"p{n}"), [said("weight", f"{50 + n} g")] if n < 3 else []), mouse
        )
        for n, m in enumerate(markups)
    ]

    (found,) = propose_templates("x", pages, mouse, adopt_at=0.9, least_pages=5).proposals
    weight = next(one for one in found.figures if one.field == "weight")
    answers = Applied(found.template).one(views(markups[11]).tree)

    assert (weight.right, weight.tried, weight.origins) == (3, 3, (PERSON,))
    assert answers["weight"].words == "61 g"


def test_a_template_without_some_fields_finds_the_others_as_before(proposal):
    fewer = without_fields(proposal.template, {"weight"})
    tree = views(table(7)).tree

    before, after = Applied(proposal.template).one(tree), Applied(fewer).one(tree)

    assert "weight" not in after
    assert after["length"].words == before["length"].words == "117 mm"
    assert len(fewer.features) < len(proposal.template.features)


@pytest.fixture(scope="module")
def shop() -> CompiledContract:
    bundled = find_contract("product")
    fields = {name: bundled.fields[name] for name in ("name", "price", "availability", "gtin")}
    return compile_contract(replace(bundled, fields=fields, checks=(), digest=""))


def offer(n: int) -> str:
    """A page whose currency stands in an element of its own."""
    stock = "Auf Lager" if n % 2 else "Ausverkauft"
    return (
        f"<html lang=de><head><title>Kocher {n}</title></head><body><main><h1>Kocher {n}</h1>"
        f"<div class=p1><span>{30 + n}.{10 + n}</span><span>€</span></div><p class=p2>{stock}</p>"
        f"<div><p>Kocht Wasser Nummer {n}</p></div></main></body></html>"
    )


def proposed(lessons: list[Lesson], compiled: CompiledContract) -> TemplateProposal:
    pages = [label_page(lesson, compiled) for lesson in lessons]
    learning = propose_templates("shop.example", pages, compiled, adopt_at=0.9, least_pages=5)
    (made,) = learning.proposals
    return made


def test_an_amount_is_learned_whose_currency_stands_beside_it(shop):
    made = proposed([Lesson(views(offer(n), f"p{n}")) for n in range(12)], shop)

    price = next(one for one in made.figures if one.field == "price")
    assert (price.left_out, price.filled) == ("", 12)
    assert price.quotes[0] == "30.10€"


def test_values_of_a_truth_are_found_in_the_words_of_the_page(shop):
    lessons = [
        Lesson(views(offer(n), f"p{n}"), truth={
            "price": (f"{30 + n}.{10 + n} EUR",), "gtin": (),
            "availability": ("in stock" if n % 2 else "out of stock",),
        })
        for n in range(12)
    ]  # fmt: skip

    made = proposed(lessons, shop)

    assert {one.field for one in made.figures if not one.left_out} == {"price", "availability"}
    assert made.doubts == ()
    assert next(one for one in made.figures if one.left_out).left_out == "no page says it"


def test_where_nothing_can_be_learned_every_field_has_its_reason(mouse):
    contract = replace(mouse.contract, fields={"weight": mouse.contract.fields["weight"]})
    compiled = compile_contract(replace(contract, digest=""))
    silent = [table(n).replace("Weight", "Item") for n in range(6)]
    pages = [
        label_page(Lesson(views(one, f"p{at}")), compiled)
        for at, one in enumerate((*silent, table(8), table(9)))
    ]

    learning = propose_templates("shop.example", pages, compiled, adopt_at=0.9, least_pages=5)

    assert learning.proposals == ()
    assert learning.refused == {"weight": "only 2 pages say it"}
