"""A user wants shops to crawl: served by the command, relaunched while they are up."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import aiohttp
import yaml

from specfactory.demo.shops import build_shops, serve_shops

CLI = [sys.executable, "-m", "specfactory.entry.cli"]


def asked(url: str, method: str = "GET") -> str:
    """A page by address: not every system resolves ``*.localhost``."""
    parts = urlsplit(url)
    here = parts._replace(netloc=f"127.0.0.1:{parts.port}").geturl()
    request = Request(here, method=method, headers={"Host": parts.netloc})
    with urlopen(request, timeout=30) as answer:
        return answer.read().decode()


def test_shops_are_served_with_settings_and_truth_and_can_be_relaunched(tmp_path: Path) -> None:
    command = [*CLI, "demo", "shops", "--seed", "5", "--port", "0", "--products", "60",
               "--sections", "15", "--folder", str(tmp_path)]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(8)]
        try:
            index = re.findall(r"http\S+", said[0])[0]
            rows = (tmp_path / "truth" / "products.jsonl").read_text(encoding="utf-8").splitlines()
            site, offer = next(iter(json.loads(rows[0])["sites"].items()))
            before = asked(offer["url"])
            asked(f"{index}/faults/{site}/layout_change", "POST")
            after = asked(offer.get("relaunched_url", offer["url"]))
        finally:
            process.send_signal(signal.SIGINT)
            code = process.wait(timeout=60)

    settings = yaml.safe_load((tmp_path / "specfactory.yaml").read_text(encoding="utf-8"))
    assert code == 0
    assert urlsplit(offer["url"]).netloc in settings["fetch"]["allow_loopback"]
    assert len(rows) == 60
    assert before != after
    assert re.findall(r"<h1[^>]*>([^<]+)<", before) == re.findall(r"<h1[^>]*>([^<]+)<", after)


async def test_a_page_that_has_not_changed_is_not_sent_again() -> None:
    async with serve_shops(build_shops(4, 0, products=30, sections=15)) as running:
        url = f"http://127.0.0.1:{running.mall.shops[0].site.port}/"
        async with aiohttp.ClientSession() as client, client.get(url) as first:
            tag = {"If-None-Match": first.headers["ETag"]}
            date = {"If-Modified-Since": "Mon, 16 Nov 2026 08:00:00 GMT"}
            async with client.get(url, headers=tag) as same, client.get(url, headers=date) as again:
                assert (same.status, again.status) == (304, 200)


async def test_the_index_tells_who_asked_for_what_how_often() -> None:
    async with serve_shops(build_shops(4, 0, products=30, sections=15)) as running:
        index, shop = running.mall.sites[0], running.mall.shops[1].site
        async with aiohttp.ClientSession() as client:
            for path in ("/", "/cart", "/"):
                async with client.get(f"http://127.0.0.1:{shop.port}{path}"):
                    pass
            async with client.get(f"http://127.0.0.1:{index.port}/visits") as answer:
                told = (await answer.json())[shop.name]

    assert told == {"requests": 3, "addresses": 2, "twice": {"/": 2}, "forbidden": 0}
