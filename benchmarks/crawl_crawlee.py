"""Crawlee with Parsel: a handler with the ten selectors, its rows pushed to its dataset.

Its queue and its dataset are kept as it keeps them unless told otherwise: in files. With
``--in-memory`` both are in memory, nothing would survive the process, and the dataset is written
out at the end. It is as it comes, but for its log, which is off, and the number of requests at
once, which is that of all.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import FileSystemStorageClient, MemoryStorageClient, StorageClient

from benchmarks.crawl_race import AT_ONCE, Entry, Row, contend
from benchmarks.crawl_site import SELECTORS

_QUERIES = {field: f"{selector}::text" for field, selector in SELECTORS.items()}


def crawl(entry: Entry) -> None:
    """Crawl into its dataset."""
    os.environ["CRAWLEE_STORAGE_DIR"] = str(entry.folder)
    asyncio.run(_crawl(entry))


async def _crawl(entry: Entry) -> None:
    storage: StorageClient = FileSystemStorageClient()
    if entry.in_memory:
        storage = MemoryStorageClient()
    crawler = ParselCrawler(
        storage_client=storage,
        concurrency_settings=ConcurrencySettings(
            min_concurrency=AT_ONCE, desired_concurrency=AT_ONCE, max_concurrency=AT_ONCE
        ),
        configure_logging=False,
    )

    @crawler.router.default_handler
    async def handle(context: ParselCrawlingContext) -> None:
        css = context.selector.css
        row = {field: (css(query).get() or "").strip() for field, query in _QUERIES.items()}
        await context.push_data({"url": context.request.url, **row})

    await crawler.run(list(entry.urls))
    if entry.in_memory:
        await crawler.export_data(entry.folder / "items.json")


def stored(folder: Path) -> Iterator[Row]:
    """What was kept."""
    exported = folder / "items.json"
    if exported.exists():
        yield from json.loads(exported.read_text(encoding="utf-8"))
    for file in folder.glob("datasets/default/0*.json"):
        yield json.loads(file.read_text(encoding="utf-8"))


if __name__ == "__main__":
    contend(crawl)
