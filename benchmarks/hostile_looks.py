"""Everything that looks at fetched bytes, each look as one function of a body."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256

from specfactory.contract import CompiledContract, compile_contract, find_contract, make_product
from specfactory.discover.links import document_links, same_site_links
from specfactory.discover.site_search import results
from specfactory.discover.sitemaps import SiteIndex, read_sitemap
from specfactory.extract.language_model import short_list
from specfactory.extract.lists import find_records
from specfactory.extract.page import page_type
from specfactory.fetch.ladder.decoding import BrokenEncoding, EndlessEncoding, decode, make_decoders
from specfactory.fetch.outcomes import judge_body
from specfactory.fetch.robots import unwanted_use
from specfactory.fetch.robots.rules import read_robots
from specfactory.fetch.snapshots import charset_of
from specfactory.model import FetchResponse, Outcome, Page, Tier
from specfactory.orchestrate.pages.product_reading import read_product
from specfactory.orchestrate.pages.read_for_category import read_category
from specfactory.orchestrate.pages.unchanged_pages import is_built_alike, name_substance
from specfactory.orchestrate.templates import NO_TEMPLATES
from specfactory.proof import PageViews
from specfactory.store.warc import WarcReader

Look = Callable[[bytes], object]

URL = "https://shop.example/things/thing-1"
PRODUCT = make_product("product", "Acme", "Thing")
_AGENT = "specfactory"


@cache
def contract(category: str) -> CompiledContract:
    """A bundled contract."""
    return compile_contract(find_contract(category))


def page_of(body: bytes, media_type: str = "text/html") -> Page:
    """The page that a fetch would have made of a body."""
    return Page(
        "page-1", URL, URL, "shop.example", Tier.RETAILER, 1, Outcome.OK, "", 200,
        content_hash=sha256(body).hexdigest(), media_type=media_type, size_bytes=len(body),
    )  # fmt: skip


def answer_of(body: bytes = b"", media_type: str = "text/html") -> FetchResponse:
    """The answer of a server, without a charset: the body alone has to say it."""
    return FetchResponse(URL, URL, 200, {"content-type": media_type}, body)


def _category(name: str, media_type: str = "text/html") -> Look:
    def look(body: bytes) -> object:
        page = page_of(body, media_type)
        return read_category(page, body, contract(name).contract, {}, NO_TEMPLATES, False)

    return look


def _product(media_type: str = "text/html") -> Look:
    def look(body: bytes) -> object:
        given = contract("product").contract, (), page_of(body, media_type), body
        return read_product(PRODUCT, *given, True, NO_TEMPLATES, {}, False)

    return look


def _model(body: bytes) -> object:
    compiled = contract("product")
    return short_list(
        PageViews(page_of(body), body), compiled, tuple(compiled.contract.fields), 4_000
    )


def _kind(body: bytes) -> object:
    views = PageViews(page_of(body), body)
    listed = find_records(views)
    return views.trail, page_type(views, listed)


def _built_alike(body: bytes) -> object:
    return is_built_alike(page_of(body), body, page_of(body), body)


def _undo(encoding: str) -> Look:
    def look(body: bytes) -> object:
        layers, size = make_decoders(encoding), 0
        try:
            for piece in decode(layers, body):
                size += len(piece)
                if size > 10_000_000:  # as fetches end, at fetch.max_bytes
                    break
        except (BrokenEncoding, EndlessEncoding):
            pass
        return size

    return look


def _archive(body: bytes) -> object:
    return sum(1 for _ in WarcReader(io.BytesIO(body), 10_000_000))


PAGE_LOOKS: Mapping[str, Look] = {
    "classify": lambda body: judge_body(answer_of(), body),
    "charset": lambda body: charset_of(answer_of(), body, ""),
    "directives": lambda body: unwanted_use({}, body, ("noai", "noindex"), _AGENT),
    "links": lambda body: (same_site_links(body, URL), document_links(body, page_of(body))),
    "site search": lambda body: results(answer_of(), body, PRODUCT),
    "substance": lambda body: name_substance(page_of(body), body),
    "layout": _built_alike,
    "kind of page": _kind,
    "product": _product(),
    "category": _category("product"),
    "article": _category("article"),
    "model": _model,
}
"""Looks at a page of HTML."""

FILE_LOOKS: Mapping[str, Mapping[str, Look]] = {
    "html": PAGE_LOOKS,
    "text": {
        "classify": lambda body: judge_body(answer_of(media_type="text/plain"), body),
        "charset": lambda body: charset_of(answer_of(media_type="text/plain"), body, ""),
        "product": _product("text/plain"),
    },
    "json": {
        "classify": lambda body: judge_body(answer_of(media_type="application/json"), body),
        "site search": lambda body: results(
            answer_of(media_type="application/json"), body, PRODUCT
        ),
        "product": _product("application/json"),
    },
    "pdf": {
        "product": _product("application/pdf"),
        "article": _category("article", "application/pdf"),
    },
    "robots": {
        "robots": lambda body: read_robots(body, _AGENT).allows("/" + "a" * 2_000),
        "classify": lambda body: judge_body(answer_of(media_type="text/plain"), body),
    },
    "sitemap": {"sitemap": lambda body: SiteIndex(read_sitemap(body, URL).pages)},
    "gzip": {"gzip": _undo("gzip")},
    "br": {"br": _undo("br")},
    "zstd": {"zstd": _undo("zstd")},
    "deflate": {"deflate": _undo("deflate")},
    "gzip, br": {"gzip, br": _undo("gzip, br")},
    "gzip, gzip": {"gzip, gzip": _undo("gzip, gzip")},
    "zstd, gzip": {"zstd, gzip": _undo("zstd, gzip")},
    "warc": {"warc": _archive},
}
"""Looks at each kind of file."""
