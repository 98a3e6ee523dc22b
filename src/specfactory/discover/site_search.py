"""A source's own search page, asked for a product."""

import re
from dataclasses import replace
from html import unescape
from urllib.parse import quote, urlsplit

from specfactory.discover.links import same_site_links
from specfactory.discover.sitemaps import MAX_HITS, Get
from specfactory.discover.slugs import Wanted, resemblance, site_of, slug_of, wanted, words_of
from specfactory.errors import Unreadable
from specfactory.model import FetchResponse, Product, Source
from specfactory.ports import Hit, Readers

WAY = "site_search"
_FEW_TAGS = 600  # a link is compared with the product, which takes longer than a look at a tag
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,300})", re.IGNORECASE)


class SiteSearch:
    """Finds products by the search URL that their source names."""

    def __init__(self, get: Get, readers: Readers) -> None:
        self._get, self._readers = get, readers

    async def search(self, product: Product, source: Source | None) -> list[Hit]:
        """Results that resemble the product, in the order of the results page."""
        if source is None or not source.search or "{query}" not in source.search:
            return []
        # Brand and model, then the model alone: variants are distinguished later.
        for query in dict.fromkeys((f"{product.brand} {product.model}".strip(), product.model)):
            url = source.search.replace("{query}", quote(query, safe=""))
            response = await self._get(url)
            bare, body = replace(response, body=b"", dom=b""), response.body
            quick = body.count(b"<") <= _FEW_TAGS
            try:
                hits = await self._readers.run(results, bare, body, product, quick=quick)
            except Unreadable:
                continue
            if hits:
                return hits
        return []


Result = tuple[float, Hit]  # how much it resembles the product


def results(response: FetchResponse, body: bytes, product: Product) -> list[Hit]:
    """The results on a search page that resemble the product; none when it failed."""
    if response.failure is not None or response.status != 200 or not body:
        return []
    want = wanted(product)
    found: dict[str, Result] = {}
    if (direct := _direct(response, body, want)) is not None:
        found[direct[1].url] = direct
    search = urlsplit(response.final_url)
    for link in same_site_links(body, response.final_url):
        here = urlsplit(link.url)
        # Facets and further pages of the search repeat the query and are no results.
        repeats = here.path == search.path and bool(here.query) and bool(search.query)
        if link.url == response.final_url or repeats:
            continue
        by_text = resemblance(want, words_of(link.text))
        score = max(by_text, resemblance(want, words_of(slug_of(link.url))))
        if score > 0:
            found.setdefault(link.url, (score, Hit(link.url, link.text, WAY)))
    best = sorted(found.values(), key=lambda result: -result[0])[:MAX_HITS]
    return [result[1] for result in found.values() if result in best]


def _direct(response: FetchResponse, body: bytes, want: Wanted) -> Result | None:
    """The product page that a search redirects to when it is the only result."""
    if not response.redirects or site_of(urlsplit(response.url).netloc) != site_of(
        urlsplit(response.final_url).netloc
    ):
        return None
    if urlsplit(response.final_url).path == urlsplit(response.url).path:
        return None
    score = resemblance(want, words_of(urlsplit(response.final_url).path))
    title = _TITLE.search(body[:50_000].decode("utf-8", "replace"))
    words = unescape(title.group(1)).strip() if title else ""
    return (score, Hit(response.final_url, words, WAY)) if score > 0 else None
