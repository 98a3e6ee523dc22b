"""Types of pages: told by what they declare, say and repeat, with the reasons."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specfactory.extract.lists import find_records
from specfactory.extract.page import page_type
from specfactory.extract.page.page_features import TYPES
from specfactory.extract.page.page_types import TypeWeights
from specfactory.model import replace
from specfactory.proof import PageViews
from tests.pages import page_views

PROSE = (
    "<p>" + "The old harbour was quiet that morning, and nobody had come to buy fish. " * 6 + "</p>"
)
POST = "<div class=post><i class=avatar>Ann</i><p>I had this, my fix was simple.</p>Reply</div>"
CARD = "<div class=product-card><h3><a href=/products/{0}>Mouse {0}</a></h3>$ {0}9.90</div>"
PAGES = {
    "article": ("/blog/2024/how-we-saved-the-harbour", "How we saved the harbour", PROSE * 9),
    "product": (
        "/products/viper-v3",
        "Viper V3",
        '<script type="application/ld+json">{"@type": "Product", "name": "Viper V3", "offers": '
        '{"price": "129.90"}}</script><b>$ 129.90</b><button>Add to cart</button><p>In stock</p>',
    ),
    "collection": (
        "/collections/mice",
        "Mice",
        "Sort by Filters 24 products" + "".join(CARD.format(at) for at in range(24)),
    ),
    "forum": ("/forum/threads/scroll-wheel.123/", "Scroll wheel stopped?", POST * 12),
    "documentation": (
        "/docs/reference/configuration.html",
        "Configuration reference",
        "On this page " + "<h2>Options</h2><p>Parameters</p><pre><code>x = 1</code></pre>" * 12,
    ),
}


def typed(kind):
    path, title, body = PAGES[kind]
    views = page_views(f"<title>{title}</title><h1>{title}</h1>{body}")
    url = f"https://some.example{path}"
    views = PageViews(replace(views.page, url=url, final_url=url), views.source.encode())
    return page_type(views, find_records(views))


@pytest.mark.parametrize("kind", PAGES)
def test_a_plain_page_of_a_type_is_told_with_reasons(kind):
    found = typed(kind)

    assert found.type == kind
    assert found.likelihood > 0.5
    assert 1 <= len(found.reasons) <= 3


def test_the_reason_is_what_the_page_shows():
    assert "structured data says what it is about: product" in typed("product").reasons


@given(st.dictionaries(st.sampled_from(["url forum", "prices", "nonsense"]), st.floats(0, 9)))
def test_a_likelihood_is_that_of_the_likeliest_of_all_types(features):
    weights = TypeWeights(
        (0.0,) * 7, {"url forum": (0, 0, 0, 0, 2, 0, 0), "prices": (0, 3, *[0] * 5)}
    )

    found = weights.judge(features)

    assert found.type in TYPES
    assert 1 / 7 <= found.likelihood <= 1


def test_an_empty_page_has_a_type_and_no_certainty():
    views = page_views("")

    assert page_type(views, find_records(views)).likelihood < 0.9
