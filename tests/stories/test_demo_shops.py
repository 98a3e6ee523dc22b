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

import yaml

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
