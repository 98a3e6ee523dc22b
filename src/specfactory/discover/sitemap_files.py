"""Sitemap files, read safely: XML without entities, gzip within limits, or plain text. Pure."""

import io
import zlib
from urllib.parse import urljoin, urlsplit

from specfactory.model import Frozen

MAX_FILE_BYTES = 50_000_000  # as the sitemap protocol has it
MAX_URLS = 50_000  # in one file, as the protocol has it
_MAX_URL_LENGTH = 2_048


class SitemapFile(Frozen):
    """Contents of one file: pages, or further files."""

    pages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def read_sitemap(body: bytes, url: str) -> SitemapFile:
    """Read a sitemap, a sitemap index or a list of URLs; what is broken or hostile is empty."""
    if body.startswith(b"\x1f\x8b"):
        step = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            body = step.decompress(body, MAX_FILE_BYTES)
        except zlib.error:
            return SitemapFile()
        if step.unconsumed_tail:  # larger than the protocol allows
            return SitemapFile()
    body = body.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not body.startswith(b"<"):
        lines = body[:MAX_FILE_BYTES].decode("utf-8", "replace").splitlines()
        return SitemapFile(pages=_clean(lines, url))
    if b"<!DOCTYPE" in body[:100_000] or b"<!ENTITY" in body:
        return SitemapFile()  # no sitemap needs either; bombs do
    return _read_xml(body, url)


def _read_xml(body: bytes, url: str) -> SitemapFile:
    from lxml import etree  # takes a while, and most processes read no sitemap

    pages: list[str] = []
    files: list[str] = []
    entries = etree.iterparse(
        io.BytesIO(body),
        tag=("{*}url", "{*}sitemap"),
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        for _, entry in entries:
            place = entry.findtext("{*}loc") or ""
            (files if etree.QName(entry).localname == "sitemap" else pages).append(place)
            entry.clear()
            while entry.getprevious() is not None:
                del entry.getparent()[0]
            if len(pages) + len(files) >= MAX_URLS:
                break
    except etree.XMLSyntaxError:
        pass  # what came before the break counts
    return SitemapFile(_clean(pages, url), _clean(files, url))


def _clean(places: list[str], base_url: str) -> tuple[str, ...]:
    cleaned: dict[str, None] = {}
    for place in map(str.strip, places[:MAX_URLS]):
        if not place or len(place) > _MAX_URL_LENGTH or " " in place:
            continue
        try:
            url = place if place.startswith(("http://", "https://")) else urljoin(base_url, place)
            if urlsplit(url).scheme in ("http", "https"):
                cleaned[url] = None
        except ValueError:
            continue
    return tuple(cleaned)
