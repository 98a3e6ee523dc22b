"""A good page or file of every kind that is hostile elsewhere: it still gives what it gave."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Mapping
from functools import partial

import brotli  # type: ignore[import-untyped]
import zstandard

from benchmarks.hostile_files import pdf_of, repeated
from benchmarks.hostile_looks import URL, answer_of, contract, page_of
from specfactory.contract import value_to_json
from specfactory.discover.sitemaps import read_sitemap
from specfactory.extract.answers import answer_page
from specfactory.fetch.ladder.decoding import decode, make_decoders
from specfactory.fetch.outcomes import judge_body
from specfactory.fetch.robots.rules import read_robots
from specfactory.fetch.snapshots import charset_of
from specfactory.model import Outcome
from specfactory.proof import PageViews
from specfactory.store.warc import WarcReader

Good = Callable[[], bool]

_NAME = "<title>Acme Thing</title><h1>Acme Thing</h1>"
_LD = (
    '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",'
    '"name":"Acme Thing","sku":"AC-1","weight":"54 g"}</script>'
)
_MICRODATA = (
    '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Acme Thing</b>'
    '<i itemprop="sku">AC-1</i></div>'
)
_RDFA = (
    '<div vocab="https://schema.org/" typeof="Product"><b property="name">Acme Thing</b>'
    '<i property="sku">AC-1</i></div>'
)
_SKU = "<table><tr><th>SKU</th><td>AC-1</td></tr></table>"
_MANY_OPTIONS = "<select>" + "<option>Red</option>" * 3_000 + "</select>"
_RECORD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 4\r\n\r\ngood\r\n\r\n"


def _says(
    body: str | bytes, field: str = "sku", value: str = "AC-1", kind: str = "text/html"
) -> bool:
    raw = body if isinstance(body, bytes) else body.encode()
    answers = answer_page(PageViews(page_of(raw, kind), raw), contract("product"))
    return field in answers and value_to_json(answers[field].candidate.value) == value


def _unpacks(encoding: str, packed: bytes) -> bool:
    return b"".join(decode(make_decoders(encoding), packed)) == b"good"


def _names_charset() -> bool:
    body = "<p>Größe und Länge für Geräte, Gehäuse und Zubehör</p>".encode("cp1252")
    return charset_of(answer_of(), body, "") == "cp1252"


def _robots() -> bool:
    rules = read_robots(b"User-agent: *\nDisallow: /shut*er$\nAllow: /\n", "specfactory")
    return rules.allows("https://shop.example/open") and not rules.allows(
        "https://shop.example/shutter"
    )


GOOD_PAGES: Mapping[str, Good] = {
    "table": partial(_says, f"{_NAME}{_SKU}"),
    "definition list": partial(_says, f"{_NAME}<dl><dt>SKU<dd>AC-1</dl>"),
    "pair": partial(_says, f"{_NAME}<div><span>SKU</span><span>AC-1</span></div>"),
    "line": partial(_says, f"{_NAME}<p><b>SKU:</b> AC-1<br><b>Brand:</b> Acme</p>"),
    "JSON-LD": partial(_says, f"{_NAME}{_LD}"),
    "microdata": partial(_says, _MICRODATA),
    "RDFa": partial(_says, _RDFA),
    "details": partial(_says, f"{_NAME}<details><summary>More</summary>{_SKU}</details>"),
    "behind many options": partial(_says, f"{_NAME}{_MANY_OPTIONS}{_SKU}"),
    "in many boxes": partial(_says, f"{_NAME}{'<div>' * 300}{_SKU}{'</div>' * 300}"),
    "among many classes": partial(
        _says, _NAME + "".join(f"<p class=c{at}>word {at}</p>" for at in range(500)) + _SKU
    ),
    "PDF": lambda: "SKU: AC-1" in PageViews(
        page_of(body := pdf_of(repeated(b"(SKU: AC-1) Tj ", b"BT /F 9 Tf ", b"ET"))(10),
                "application/pdf"), body).pdf,
    "outcome": lambda: judge_body(
        answer_of(), (_NAME + "<p>Many good words about it.</p>" * 50).encode()
    ).end.outcome is Outcome.OK,
    "charset": _names_charset,
    "robots.txt": _robots,
    "sitemap": lambda: read_sitemap(b"<urlset><url><loc>/a</loc></url></urlset>", URL).pages
    == ("https://shop.example/a",),
    "sitemap, squeezed": lambda: len(read_sitemap(gzip.compress(b"/a\n/b\n"), URL).pages) == 2,
    "gzip": lambda: _unpacks("gzip", gzip.compress(b"go") + gzip.compress(b"od")),
    "deflate": lambda: _unpacks("deflate", zlib.compress(b"good")),
    "brotli": lambda: _unpacks("br", brotli.compress(b"good")),
    "zstd": lambda: _unpacks("zstd", zstandard.compress(b"go") + zstandard.compress(b"od")),
    "gzip in brotli": lambda: _unpacks("gzip, br", brotli.compress(gzip.compress(b"good"))),
    "web archive": lambda: [r.block for r in WarcReader(io.BytesIO(_RECORD * 2), 99)]
    == [b"good"] * 2,
    "web archive, squeezed": lambda: [
        r.block for r in WarcReader(io.BytesIO(gzip.compress(_RECORD) * 2), 99)
    ] == [b"good"] * 2,
}  # fmt: skip
"""Each is True where the good page gives what it should."""
