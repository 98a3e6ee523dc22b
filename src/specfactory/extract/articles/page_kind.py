"""What kind of page its structured data says it is: news, an article, or a page like any other."""

from __future__ import annotations

from specfactory.extract.learned import Seen
from specfactory.proof import PageViews


def kind_of_page(views: PageViews) -> Seen:
    """Whether the page calls itself news or an article, or a page of a site like any other."""
    types = {item.type for item in views.items}
    article = any(name.lower().endswith(("article", "posting")) for name in types)
    return {
        "page_news": float(any(name.endswith("NewsArticle") for name in types)),
        "page_article": float(article),
        "page_plain": float(not article and "website" in types),
    }
