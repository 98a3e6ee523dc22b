"""Scrapy: a spider with the ten selectors, its items by its own feed export into JSON lines.

It is as it comes, but for politeness: no pause, no robots.txt, as many requests at once as all
have. Its log, which would say something of every page, is off.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess

from benchmarks.crawl_race import AT_ONCE, Entry, Row, contend
from benchmarks.crawl_site import SELECTORS

_QUERIES = {field: f"{selector}::text" for field, selector in SELECTORS.items()}


class Shop(scrapy.Spider):
    """Takes ten values from each page."""

    name = "shop"
    urls: list[str]

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """All pages."""
        for url in self.urls:
            yield scrapy.Request(url)

    def parse(self, response: Any, **_: Any) -> Iterator[dict[str, Any]]:
        """The item of a page."""
        item = {field: response.css(query).get("").strip() for field, query in _QUERIES.items()}
        yield {"url": response.url, **item}


def crawl(entry: Entry) -> None:
    """Crawl into items.jl."""
    crawler = CrawlerProcess(
        settings={
            "CONCURRENT_REQUESTS": AT_ONCE,
            "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": False,
            "LOG_ENABLED": False,
            "FEEDS": {entry.folder / "items.jl": {"format": "jsonlines"}},
        }
    )
    crawler.crawl(Shop, urls=entry.urls)
    crawler.start()


def stored(folder: Path) -> Iterator[Row]:
    """What was kept."""
    for line in (folder / "items.jl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


if __name__ == "__main__":
    contend(crawl)
