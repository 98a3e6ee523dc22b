"""Hostile files that are no pages of HTML: each gives a body of about the size asked for."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Mapping
from typing import NamedTuple

import brotli  # type: ignore[import-untyped]
import zstandard

from benchmarks.hostile_growth import Generator


class HostileFile(NamedTuple):
    """A file that grows, and what kind of file it is, which says who looks at it."""

    kind: str
    make: Generator


def repeated(piece: bytes, head: bytes = b"", tail: bytes = b"") -> Generator:
    """A piece between a head and a tail; ``#`` in it is replaced by its number."""

    def make(size: int) -> bytes:
        times = max(1, size // len(piece))
        if b"#" not in piece:
            return head + piece * times + tail
        numbers = (b"%d" % number for number in range(times))
        return head + b"".join(piece.replace(b"#", number) for number in numbers) + tail

    return make


def squeezed(squeeze: Callable[[bytes], bytes], what: Generator) -> Generator:
    """A body that unpacks to about the size asked for."""
    return lambda size: squeeze(what(size))


_LOCATION = b"<url><loc>https://shop.example/thing-#</loc></url>"
_SITEMAP = b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
_RECORD = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
_ALL = b"User-agent: *\n"


def pdf_of(content: Callable[[int], bytes]) -> Generator:
    """A PDF of one page that draws so many bytes of content."""

    def make(size: int) -> bytes:
        drawn = content(size)
        objects = (
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R"
            b"/Resources<</Font<</F 5 0 R>>>>>>",
            b"<</Length %d>>\nstream\n%s\nendstream" % (len(drawn), drawn),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        )
        return pdf_file(objects)

    return make


def pdf_file(objects: tuple[bytes, ...]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalogue."""
    body, places = b"%PDF-1.4\n", []
    for number, given in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, given)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    trailer = b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (count, len(body))
    return b"%sxref\n0 %d\n0000000000 65535 f \n%s%s" % (body, count, table, trailer)


def _many_pages(size: int) -> bytes:
    count = max(1, size // 80)
    kids = b" ".join(b"%d 0 R" % number for number in range(3, count + 3))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
    tree = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)
    return pdf_file((b"<</Type/Catalog/Pages 2 0 R>>", tree, *[page] * count))


FILES: Mapping[str, HostileFile] = {
    # characters without a charset
    "charset_long_word": HostileFile("html", repeated(b"a", b"<p>\xff ")),
    "charset_high_bytes": HostileFile("html", repeated(b"\xe9", b"<p>")),
    "charset_words": HostileFile("html", repeated(b"caf\xe9 ", b"<p>")),
    "charset_lead_bytes": HostileFile("html", repeated(b"\x81", b"<p>")),
    "charset_pairs": HostileFile("html", repeated(b"\x8f\xbf", b"<p>")),
    "charset_escapes": HostileFile("html", repeated(b"\x1b$B", b"<p>")),
    "charset_broken_utf8": HostileFile("html", repeated(b"\xe2\x82", b"<p>")),
    "charset_nulls": HostileFile("html", repeated(b"<\x00p\x00>\x00a\x00", b"\xff\xfe")),
    "charset_declarations": HostileFile("html", repeated(b"<meta charset=x#>", b"\xff<html>")),
    "charset_unclosed": HostileFile("html", repeated(b"charset=", b"\xff<meta ")),
    "text_long_word": HostileFile("text", repeated(b"a")),
    "text_lines": HostileFile("text", repeated(b"Weight: # g\n")),
    "text_line_ends": HostileFile("text", repeated(b"\r")),
    "text_high_bytes": HostileFile("text", repeated(b"\xe9\n")),
    # JSON
    "json_page_arrays": HostileFile("json", repeated(b"[")),
    "json_page_objects": HostileFile("json", repeated(b'{"a":')),
    "json_page_products": HostileFile("json", repeated(b'{"name":"Thing #"},', b"[", b"{}]")),
    "json_page_keys": HostileFile("json", repeated(b'"k#":1,', b"{", b'"z":1}')),
    "json_page_digits": HostileFile("json", repeated(b"1", b'{"a":', b"}")),
    "json_page_escapes": HostileFile("json", repeated(b"\\u0041", b'{"name":"', b'"}')),
    # robots.txt
    "robots_line_ends": HostileFile("robots", repeated(b"\n")),
    "robots_carriage_returns": HostileFile("robots", repeated(b"\r")),
    "robots_rules": HostileFile("robots", repeated(b"Disallow: /#\n", _ALL)),
    "robots_star_rules": HostileFile("robots", repeated(b"Disallow: /*#*a*b\n", _ALL)),
    "robots_segments": HostileFile("robots", repeated(b"a*", _ALL + b"Disallow: /")),
    "robots_long_rules": HostileFile(
        "robots", repeated(b"Disallow: /" + b"a*" * 800 + b"$\n", _ALL)
    ),
    "robots_agents": HostileFile("robots", repeated(b"User-agent: a#\nDisallow: /\n")),
    "robots_names": HostileFile("robots", repeated(b"User-agent: *#\n")),
    "robots_sitemaps": HostileFile("robots", repeated(b"Sitemap: /s#.xml\n")),
    "robots_comments": HostileFile("robots", repeated(b"#")),
    "robots_colons": HostileFile("robots", repeated(b":")),
    "robots_escapes": HostileFile("robots", repeated(b"Disallow: /%e4%zz\n", _ALL)),
    # sitemaps
    "sitemap_pages": HostileFile("sitemap", repeated(_LOCATION, _SITEMAP, b"</urlset>")),
    "sitemap_unclosed": HostileFile("sitemap", repeated(b"<url><loc>a", _SITEMAP)),
    "sitemap_nested": HostileFile("sitemap", repeated(b"<url>", _SITEMAP)),
    "sitemap_locations": HostileFile("sitemap", repeated(b"<loc>/a#</loc>", _SITEMAP + b"<url>")),
    "sitemap_index": HostileFile("sitemap", repeated(b"<sitemap><loc>/#.xml</loc></sitemap>",
                                                     b"<sitemapindex>", b"</sitemapindex>")),
    "sitemap_lines": HostileFile("sitemap", repeated(b"https://shop.example/#\n")),
    "sitemap_words": HostileFile("sitemap", repeated(b"a-", b"https://shop.example/")),
    "sitemap_comments": HostileFile("sitemap", repeated(b"<!---->", _SITEMAP)),
    "sitemap_attributes": HostileFile("sitemap", repeated(b" a#='1'", b"<urlset")),
    "sitemap_spaces": HostileFile("sitemap", repeated(b"<n#:a xmlns:n#='n#'>", _SITEMAP)),
    "sitemap_squeezed": HostileFile("sitemap", squeezed(
        gzip.compress, repeated(_LOCATION, _SITEMAP, b"</urlset>"))),
    # PDF
    "pdf_words": HostileFile("pdf", pdf_of(repeated(b"(Weight) Tj ", b"BT /F 9 Tf ", b"ET"))),
    "pdf_one_word": HostileFile("pdf", pdf_of(repeated(b"a", b"BT /F 9 Tf (", b") Tj ET"))),
    "pdf_lines": HostileFile("pdf", pdf_of(repeated(b"0 -9 Td (Weight: # g) Tj ",
                                                    b"BT /F 9 Tf 9 790 Td ", b"ET"))),
    "pdf_states": HostileFile("pdf", pdf_of(repeated(b"q "))),
    "pdf_paths": HostileFile("pdf", pdf_of(repeated(b"1 1 l "))),
    "pdf_texts": HostileFile("pdf", pdf_of(repeated(b"BT ET "))),
    "pdf_pages": HostileFile("pdf", _many_pages),
    "pdf_dictionaries": HostileFile("pdf", repeated(b"<<", b"%PDF-1.4\n1 0 obj\n")),
    "pdf_arrays": HostileFile("pdf", repeated(b"[", b"%PDF-1.4\n1 0 obj\n")),
    "pdf_objects": HostileFile("pdf", repeated(b"# 0 obj\nendobj\n", b"%PDF-1.4\n")),
    "pdf_trailers": HostileFile("pdf", repeated(b"trailer<</Root 1 0 R>>\n", b"%PDF-1.4\n")),
    "pdf_streams": HostileFile("pdf", repeated(b"stream\n", b"%PDF-1.4\n1 0 obj<<>>")),
    # web archives
    "warc_records": HostileFile("warc", repeated(_RECORD)),
    "warc_squeezed_records": HostileFile("warc", repeated(gzip.compress(_RECORD))),
    "warc_empty_members": HostileFile("warc", repeated(gzip.compress(b""), gzip.compress(_RECORD))),
    "warc_marks": HostileFile("warc", repeated(b"WARC/")),
    "warc_blank_lines": HostileFile("warc", repeated(b"\r\n", _RECORD)),
    "warc_heads": HostileFile("warc", repeated(b"a: b\r\n", b"WARC/1.0\r\n")),
    "warc_magic": HostileFile("warc", repeated(b"\x1f\x8b\x08", gzip.compress(_RECORD))),
    "warc_lengths": HostileFile("warc", repeated(b"WARC/1.0\r\nContent-Length: 99999\r\n\r\n")),
    "warc_squeezed_zeros": HostileFile("warc", squeezed(gzip.compress, repeated(b"\0", _RECORD))),
    # encodings
    "gzip_empty_members": HostileFile("gzip", repeated(gzip.compress(b""))),
    "gzip_small_members": HostileFile("gzip", repeated(gzip.compress(b"a" * 2_000))),
    "gzip_empty_blocks": HostileFile("gzip", repeated(b"\0\0\0\xff\xff", gzip.compress(b"")[:10])),
    "gzip_padding": HostileFile("gzip", repeated(b"\x1f", gzip.compress(b"a"))),
    "deflate_empty_blocks": HostileFile("deflate", repeated(b"\0\0\0\xff\xff")),
    "deflate_zeros": HostileFile("deflate", squeezed(zlib.compress, repeated(b"\0" * 100))),
    "zstd_empty_frames": HostileFile("zstd", repeated(zstandard.compress(b""))),
    "zstd_small_frames": HostileFile("zstd", repeated(zstandard.compress(b"a" * 2_000))),
    "zstd_skipped_frames": HostileFile("zstd", repeated(b"P*M\x18\0\0\0\0")),
    "br_empty_blocks": HostileFile("br", repeated(b"\x06", b"\x0b")),
    "br_zeros": HostileFile("br", squeezed(brotli.compress, repeated(b"\0" * 100))),
    "gzip_in_gzip": HostileFile("gzip, gzip", squeezed(
        gzip.compress, repeated(gzip.compress(b"")))),
    "gzip_in_br": HostileFile("gzip, br", squeezed(brotli.compress, repeated(gzip.compress(b"")))),
    "zstd_in_gzip": HostileFile("zstd, gzip", squeezed(
        gzip.compress, repeated(zstandard.compress(b"")))),
}  # fmt: skip
