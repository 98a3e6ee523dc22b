"""Markup that nests too deep is cut off; what only looks like it is left alone."""

import pytest

from specfactory.model import Tier
from specfactory.proof.text.depth_guard import (
    FEW_CHARACTERS,
    MAX_ATTRIBUTES,
    MAX_DEPTH,
    cut_at_attributes,
    cut_at_depth,
    cut_at_own_tags,
    cut_excess,
)
from tests.sample import page_views
from tests.yardstick import within

MUCH = "<p>a</p>" * 6_000  # from so many tags on, a page is looked at


def test_page_is_cut_where_it_nests_too_deep():
    assert cut_at_depth("<div>" * 100_000 + "x") == "<div>" * MAX_DEPTH


@pytest.mark.parametrize(
    "harmless",
    [
        "<script>" + "'<div><span>' + " * 6_000 + "</script>",
        "<STYLE>" + "<div>" * 6_000 + "</Style>",
        "<!--" + "<div>" * 6_000 + "-->",
        '<div title="<div><span>"></div>' * 3_000,
        "<div title='<div><span>'></div>" * 3_000,
        "<svg><path d='x'/><g><circle/></g></svg>" * 3_000,
        "<br>" * 3_000 + "<img src=x>" * 3_000,
        "<li>a" * 3_000,
        "<div>" * MAX_DEPTH + "</div>" * MAX_DEPTH,
    ],
    ids=lambda page: page[:12],
)
def test_what_only_looks_deep_is_left_as_it_is(harmless):
    page = MUCH + harmless + "<p>Weight: 54 g</p>"

    assert cut_at_depth(page) == page


@pytest.mark.parametrize(
    "hostile",
    ["<" * 2_000_000, '<a "' * 500_000, "<a " + "\"'" * 1_000_000, "<script>" * 200_000,
     "<p " + "a='>' b=<i> c/" * 300_000, "<p a='" * 500_000, "<b\n=" * 500_000,
     "<!--" * 500_000, "<a b='" * 500_000, "</div>" * 300_000, "<svg/>" * 300_000],
    ids=lambda page: page[:8],
)  # fmt: skip
def test_nothing_takes_long(hostile):
    with within(yards=100):
        cut_excess(hostile)


LONG = "<p>a</p>" * (FEW_CHARACTERS // 8)


@pytest.mark.parametrize(
    "name",
    ["a{}", "a{}='>'", 'a{}="<p>"', "a{}=x", "a{} = 'x y'", "a{}/", "<a{}", "a{}'", "a{}=\n'>'"],
)  # fmt: skip
def test_page_is_cut_at_a_tag_with_too_many_attributes(name):
    many = " ".join(name.format(n) for n in range(MAX_ATTRIBUTES + 1))

    assert cut_at_attributes(f"{LONG}<p class=x {many}>54 g") == LONG


@pytest.mark.parametrize(
    "harmless",
    [
        "<script>for (i = 0; i <n; i++) {" + "a b c " * 2_000 + "}</script>",
        "<!-- <p " + "a b c " * 2_000 + "-->",
        "<p title='" + "a b c " * 2_000 + "'>",
        "<p>" + "a b c " * 2_000 + "</p>",
        "<p " + "".join(f"a{n} " for n in range(MAX_ATTRIBUTES - 1)) + ">",
        "1 < 2 " + "a b c " * 2_000,
    ],
    ids=lambda page: page[:12],
)
def test_what_only_looks_adorned_is_left_as_it_is(harmless):
    page = LONG + harmless + "<p>Weight: 54 g</p>"

    assert cut_at_attributes(page) == page


@pytest.mark.parametrize("piece", ["<body a{}=1>", "<HTML b{}='<'>", "<body/c{}>"])
def test_page_is_cut_where_its_own_tags_are_too_many(piece):
    crowd = LONG + "".join(piece.format(at) for at in range(50_000))

    kept = cut_at_own_tags(crowd)

    assert crowd.startswith(kept)
    assert LONG < kept < crowd
    assert len(kept) <= len(LONG) + 25_100


@pytest.mark.parametrize(
    "harmless",
    ["<!--" + "<body a=1>" * 20_000 + "-->",
     "<script>'<body a=1>'</script>" * 12_000,
     "<body class='a b'>" * 100],
    ids=lambda page: page[:12],
)  # fmt: skip
def test_crowd_that_costs_nothing_is_left_as_it_is(harmless):
    page = LONG + harmless + "<p>Weight: 54 g</p>"

    with within(yards=100):
        assert cut_at_own_tags(page) == page


@pytest.mark.parametrize(
    "options",
    ["<option>a {}</option>", "<option selected>a {}", "<optgroup><OPTION>a {}</optgroup>",
     "<!--<select>--><option>a {}"],
)  # fmt: skip
@pytest.mark.parametrize("opening", ["<select>", "<SELECT size=4>", "<select\nname=x>"])
def test_many_options_of_one_list_are_all_read_in_linear_time(opening, options):
    many = "".join(options.format(number) for number in range(30_000))

    with within(yards=30):
        views = page_views("many", "shop.example", Tier.RETAILER, f"{opening}{many}".encode())
        text = views.tree.root.text()

    assert "a 0" in text
    assert "a 29999" in text
