"""Whose host it is, and how far a page is trusted that came from another one."""

import pytest

from specfactory.contract import make_product
from specfactory.hosts import bears_name, owner_of
from specfactory.model import (
    Candidate,
    Evidence,
    Identity,
    Method,
    Outcome,
    Page,
    Snippet,
    Source,
    Tier,
    Verdict,
    ViewName,
)
from specfactory.orchestrate.attempts.stored_evidence import at_most, in_present_tier, source_of
from specfactory.orchestrate.pages.page_tiers import named_tier, tier_of_answer
from specfactory.store import Reading

SOURCES = (
    Source("www.acme.example", Tier.MANUFACTURER),
    Source("lab.example", Tier.LAB),
    Source("forum.example", Tier.COMMUNITY),
    Source("list.example", Tier.AGGREGATOR),
)
ACME = make_product("mouse", "Acme", "Nova 5")


@pytest.mark.parametrize(
    ("host", "owner"),
    [
        ("www.shop.example", "shop.example"),
        ("a.b.shop.co.uk:8443", "shop.co.uk"),
        ("one.github.io", "one.github.io"),  # anybody may have a name there
        ("two.myshopify.com", "two.myshopify.com"),
        ("203.0.113.5:8001", "203.0.113.5"),  # ports of one machine have one owner
        ("shop.example:8001", "shop.example"),
        ("127.0.0.1:8001", "127.0.0.1:8001"),  # the demo web: sites of their own
        ("[::1]:8001", "[::1]:8001"),
        ("localhost:8001", "localhost:8001"),
        ("shop.localhost:8001", "shop.localhost:8001"),
    ],
)
def test_a_host_belongs_to_whoever_registered_its_domain(host, owner):
    assert owner_of(host) == owner


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("acme.com", True),
        ("www.acme.com", True),
        ("shop.acme.co.uk:443", True),
        ("acme.example", True),
        ("a-cme.example", True),
        ("acme.evil.example", False),
        ("acme-shop.example", False),
        ("acmeshop.example", False),
        ("acme.github.io", False),
        ("acme.blogspot.com", False),
        ("acme.myshopify.com", False),
        ("evil.example", False),
        ("acme", False),
        ("127.0.0.1", False),
    ],
)
def test_a_brand_names_a_host_only_by_its_registered_domain(host, own):
    assert bears_name(host, "Acme") is own


def test_a_thing_without_a_brand_names_no_host():
    assert not bears_name("acme.example", "")


def answered(url, final_url, asked):
    page = Page("page-1", url, final_url, final_url.split("/")[2], asked, 0, Outcome.OK, "")
    return tier_of_answer(page, asked, SOURCES)


@pytest.mark.parametrize(
    ("url", "final_url", "asked", "tier"),
    [
        ("https://www.acme.example/x", "https://www.acme.example/y", 0, 0),
        ("https://www.acme.example/x", "https://evil.example/x", 0, 2),
        ("https://www.acme.example/x", "https://acme.evil.example/x", 0, 2),
        ("https://www.acme.example/x", "https://forum.example/x", 0, 4),
        ("https://www.acme.example/x", "https://acme.example/x", 0, 0),  # one owner
        ("https://www.acme.example/x", "https://shop.acme.example/x", 0, 0),
        ("https://forum.example/x", "https://www.acme.example/x", 4, 0),
        ("https://forum.example/x", "https://evil.example/x", 4, 4),  # a redirect raises nothing
        ("https://list.example/x", "https://lab.example/x", 3, 1),
        ("https://unknown.example/x", "https://other.example/x", 2, 2),
    ],
)
def test_tier_belongs_to_the_host_that_answered(url, final_url, asked, tier):
    tiers = tuple(Tier)
    assert answered(url, final_url, tiers[asked]) is tiers[tier]


def stored(url, final_url, tier):
    return Page("page-1", url, final_url, final_url.split("/")[2], tier, 0, Outcome.OK, "")


@pytest.mark.parametrize(
    ("page", "tier"),
    [
        (stored("https://www.acme.example/x", "https://www.acme.example/x", Tier.MANUFACTURER),
         Tier.MANUFACTURER),
        # of a time when the host was trusted more, or a redirect lent its trust
        (stored("https://forum.example/x", "https://forum.example/x", Tier.LAB), Tier.COMMUNITY),
        (stored("https://www.acme.example/x", "https://evil.example/x", Tier.MANUFACTURER),
         Tier.RETAILER),
        # from an archive: whoever made it may have written anything
        (stored("https://www.acme.example/x", "https://www.acme.example/x", Tier.RETAILER),
         Tier.RETAILER),
        (stored("https://acme.com/x", "https://acme.com/x", Tier.MANUFACTURER), Tier.MANUFACTURER),
    ],
)  # fmt: skip
def test_stored_page_follows_its_host_downwards_only(page, tier):
    assert in_present_tier(page, SOURCES).tier is tier


def test_values_of_a_stored_page_are_trusted_no_more_than_the_page():
    snippet = Snippet("page-1", ViewName.TEXT, 1, 0, 2, "54")
    tiers = (Tier.MANUFACTURER, Tier.COMMUNITY)  # the second from a comment on the page
    candidates = tuple(
        Candidate("weight", 54, Evidence("page-1", "https://a.example/", tier, Method.TABLE,
                                         (snippet,))) for tier in tiers
    )  # fmt: skip
    reading = Reading("p", "page-1", "d", Identity(Verdict.SAME, 1.0, ()), candidates)

    kept = at_most(reading, Tier.RETAILER).candidates

    assert [one.evidence.tier for one in kept] == [Tier.RETAILER, Tier.COMMUNITY]
    assert at_most(reading, Tier.MANUFACTURER) is reading


def test_owner_with_a_forum_lends_its_other_hosts_the_lower_tier():
    sources = (*SOURCES, Source("talk.acme.example", Tier.COMMUNITY))

    assert named_tier("www.acme.example", sources) is Tier.MANUFACTURER
    assert named_tier("support.acme.example", sources) is Tier.COMMUNITY
    assert named_tier("support.acme.example", SOURCES) is Tier.MANUFACTURER
    assert named_tier("support.other.example", SOURCES) is None


@pytest.mark.parametrize(
    ("url", "sources", "tier"),
    [
        ("https://acme.com/nova", (), Tier.MANUFACTURER),  # the user names it
        ("https://acme.com/nova", SOURCES, Tier.RETAILER),  # the sources say who the maker is
        ("https://acme.evil.example/nova", (), Tier.RETAILER),
        ("https://evil.example/acme/nova", (), Tier.RETAILER),
        ("https://www.acme.example@evil.example/nova", SOURCES, Tier.RETAILER),
        ("https://WWW.Acme.Example/nova", SOURCES, Tier.MANUFACTURER),
        ("https://support.acme.example/nova", SOURCES, Tier.MANUFACTURER),
        ("https://xn--cme-7cd.example/nova", (), Tier.RETAILER),  # acme with a Cyrillic a
    ],
)
def test_given_page_is_the_makers_only_where_something_says_so(url, sources, tier):
    assert source_of(url, ACME, sources).tier is tier
