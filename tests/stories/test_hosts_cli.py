"""A user types a host as it comes: in capitals, as an address, without its port."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml

from tests.little_server import Answering, serving
from tests.stories.desk import Desk

PAGE = b"<title>Mouse</title><h1>Mouse</h1>" + b"<p>Weight: 54 g, and more to say.</p>" * 100


class Handler(Answering):
    def get(self) -> None:
        body = b"" if "robots" in self.path else PAGE
        self.answer(body, status=200 if body else 404)


@pytest.fixture
def ports() -> Iterator[list[int]]:
    with serving(Handler) as one, serving(Handler) as other:
        yield [one, other]


def test_host_is_found_however_it_is_typed(tmp_path, ports):
    fetch = {"allow_loopback": [f"localhost:{port}" for port in ports], "host_delay_seconds": 0.0}
    settings = {"database_url": "sqlite:///factory.db", "fetch": fetch, "profile": {"sample": 1.0}}
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    desk = Desk(tmp_path)
    for port in ports:
        desk.spec("extract", f"http://localhost:{port}/m", "--category", "mouse", check=False)

    def pages(host: str) -> int:
        return len(desk.spec("pages", "list", "--host", host, "--json").json)

    first = ports[0]
    assert pages("LocalHost") == 2
    assert pages(f"localhost:{first}") == pages(f"http://LOCALHOST:{first}/elsewhere") == 1
    assert pages("other.example") == 0
    timed = desk.spec("profile", "--host", "LOCALHOST", "--json").json
    assert (timed["host"], timed["pages"]) == ("localhost", 2)
    out = str(tmp_path / "all.warc")
    written = desk.spec("pages", "export", "--warc", out, "--host", "Localhost", "--json").json
    assert written["pages"] == 2
    assert desk.spec("heal", "history", "--host", "Factory", "--json").json == []
    assert desk.spec("templates", "list", "--host", "LOCALHOST", "--json").json == []
    wrong = desk.spec("heal", "history", "--host", "two words", check=False)
    assert (wrong.code, "is no host" in wrong.err) == (2, True)
