"""A source's sitemaps, read once for many products.

Their files are read safely: XML without entities, gzip within limits, or plain text.
"""

import asyncio
import io
import re
import time
import zlib
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import islice
from urllib.parse import urljoin, urlsplit

from specfactory.discover.slugs import Wanted, resemblance, site_of, slug_of, wanted, words_of
from specfactory.errors import Unreadable
from specfactory.model import FetchResponse, Frozen, Product, Source
from specfactory.ports import Hit, Readers

Get = Callable[[str], Awaitable[FetchResponse]]

WAY = "sitemap"
MAX_HITS = 10
_MAX_FILES = 25
MAX_FILE_BYTES = 50_000_000  # as the sitemap protocol has it
MAX_URLS = 50_000  # in one file, as the protocol has it
_MAX_URL_LENGTH = 2_048
_GZIP = b"\x1f\x8b"
_MAX_DEPTH = 3
_MAX_PAGES = 100_000
_MAX_SECONDS = 120.0
_MAX_SITES = 200
_KEEP_SECONDS = 6 * 3600.0
_SITEMAP_LINE = re.compile(r"^[ \t]*+site-?map[ \t]*+:[ \t]*+(\S+)", re.IGNORECASE | re.MULTILINE)
_PRODUCT_FILE = re.compile(r"product|produkt|produit|item|catalog|artikel|pdp|device|review")
_OTHER_FILE = re.compile(r"image|video|news|blog|author|tag|categor|store|job|career|forum")


class SiteIndex:
    """The pages of one site, indexed by the words of their URLs."""

    def __init__(self, urls: tuple[str, ...]) -> None:
        self.urls = urls
        self._words = [words_of(slug_of(url)) for url in urls]
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, words in enumerate(self._words):
            for word in set(words):
                self._places[word].append(place)

    def find(self, want: Wanted, max_hits: int) -> list[str]:
        """URLs that resemble the product, the likeliest first, short ones before long ones."""
        near = set[int]().union(*(self._places.get(word, ()) for word in want.model))
        if not near and len(want.compact) >= 4:  # some sites run the words together
            near = {n for n, words in enumerate(self._words) if want.compact in "".join(words)}
        scored = (
            (-resemblance(want, self._words[place]), len(self.urls[place]), self.urls[place])
            for place in near
        )
        return [url for score, _, url in sorted(scored)[:max_hits] if score < 0]


class Sitemaps:
    """Finds products by the URLs that their source lists for crawlers."""

    def __init__(
        self, get: Get, readers: Readers, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._get, self._readers, self._monotonic = get, readers, monotonic
        self._kept: dict[str, tuple[float, SiteIndex]] = {}
        self._reading: dict[str, asyncio.Lock] = {}

    async def search(self, product: Product, source: Source | None) -> list[Hit]:
        """Listed pages whose URLs resemble the product, the likeliest first."""
        if source is None:
            return []
        index = await self._index(source)
        found = await asyncio.to_thread(index.find, wanted(product), MAX_HITS)
        return [Hit(url, "", WAY) for url in found]

    async def pages(self, source: Source) -> tuple[str, ...]:
        """All pages that the source lists."""
        return (await self._index(source)).urls

    async def _index(self, source: Source) -> SiteIndex:
        """The site's index, read once; concurrent callers wait for the first."""
        async with self._reading.setdefault(source.origin, asyncio.Lock()):
            until, index = self._kept.get(source.origin, (0.0, None))
            if index is None or until <= self._monotonic():
                pages = await self._read_site(source)
                index = await asyncio.to_thread(SiteIndex, pages)
                if len(self._kept) >= _MAX_SITES:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[source.origin] = (self._monotonic() + _KEEP_SECONDS, index)
            return index

    async def _read_site(self, source: Source) -> tuple[str, ...]:
        """Walk the site's sitemaps, the promising files first, within the caps."""
        site, pages = site_of(source.host), dict[str, None]()
        began, seen = self._monotonic(), set[str]()
        waiting = deque((url, 0) for url in await self._roots(source))
        while waiting and len(seen) < _MAX_FILES and len(pages) < _MAX_PAGES:
            if self._monotonic() - began > _MAX_SECONDS:
                break
            url, depth = waiting.popleft()
            if url in seen:
                continue
            seen.add(url)
            response = await self._get(url)
            if response.failure is not None or response.status != 200:
                continue
            try:
                body = response.body
                quick = not body.startswith(_GZIP)
                file = await self._readers.run(read_sitemap, body, response.final_url, quick=quick)
            except Unreadable:
                continue  # one file less
            pages.update(dict.fromkeys(await asyncio.to_thread(_of_site, site, file.pages)))
            if depth < _MAX_DEPTH:
                waiting.extend((child, depth + 1) for child in file.files)
        return tuple(pages)[:_MAX_PAGES]

    async def _roots(self, source: Source) -> list[str]:
        if source.sitemap:
            return [source.sitemap]
        robots = await self._get(f"{source.origin}/robots.txt")
        named: list[str] = []
        if robots.failure is None and robots.status == 200:
            with suppress(Unreadable):
                named = await self._readers.run(named_sitemaps, robots.body, quick=True)
        return named or [f"{source.origin}/sitemap.xml"]


def named_sitemaps(robots: bytes) -> list[str]:
    """The first sitemaps that a robots.txt names."""
    lines = _SITEMAP_LINE.finditer(robots[:500_000].decode("utf-8", "replace"))
    return [line[1] for line in islice(lines, _MAX_FILES)]


def _of_site(site: str, pages: tuple[str, ...]) -> list[str]:
    return [page for page in pages if site_of(urlsplit(page).netloc) == site]


def _promise(url: str) -> int:
    """Files that list products come first, those that list pictures or news last."""
    name = urlsplit(url).path.lower()
    if _PRODUCT_FILE.search(name):
        return 0
    return 2 if _OTHER_FILE.search(name) else 1


class SitemapFile(Frozen):
    """Contents of one file: pages, or further files."""

    pages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()  # the promising ones first


def read_sitemap(body: bytes, url: str) -> SitemapFile:
    """Read a sitemap, a sitemap index or a list of URLs; what is broken or hostile is empty."""
    if body.startswith(_GZIP):
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
    return SitemapFile(
        _clean(pages, url), tuple(sorted(_clean(files, url), key=_promise)[:_MAX_FILES])
    )


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
