"""The limit: aiohttp in a loop, nothing read, nothing kept."""

from __future__ import annotations

import asyncio

import aiohttp

from benchmarks.crawl_race import AT_ONCE, Entry, contend


def crawl(entry: Entry) -> None:
    """Fetch everything and throw it away."""
    asyncio.run(_crawl(entry))


async def _crawl(entry: Entry) -> None:
    left = iter(entry.urls)
    async with aiohttp.ClientSession() as session:

        async def work() -> None:
            for url in left:
                async with session.get(url) as answer:
                    await answer.read()

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))


if __name__ == "__main__":
    contend(crawl)
