"""A shop whose pages are not written in what they declare: read right, and proven later."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml

from tests.little_server import Answering, serving
from tests.stories.conftest import VIPER, VIPER_FLAGS, Workspace

PAGE = (
    "<!doctype html><html lang=de><head><meta charset=utf-8><title>Viper</title></head>"
    "<body><h1>Razer Viper V3 Pro</h1><table><tr><th>Gewicht<td>54 g<tr><th>Länge<td>127,1 mm"
    "<tr><th>Höhe<td>39,9 mm</table><p>{}</p></body></html>"
).format("A mouse for players, light and quick in the hand. " * 400)


class Handler(Answering):
    def get(self) -> None:
        found = self.path == "/viper"
        body = PAGE.encode("cp1252") if found else b""
        self.answer(body, "text/html; charset=utf-8", 200 if found else 404)


@pytest.fixture
def shop() -> Iterator[str]:
    with serving(Handler) as port:
        yield f"http://127.0.0.1:{port}"


def test_values_under_misdeclared_labels_are_read_and_proven_again(tmp_path, shop):
    settings = {
        "database_url": "sqlite:///factory.db",
        "contract_sources": False,
        "fetch": {"allow_loopback": [shop.removeprefix("http://")], "host_delay_seconds": 0.0},
        "browser": {"enabled": False},
    }
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    alone = Workspace(tmp_path)
    alone.spec("run", *VIPER_FLAGS, "--url", f"{shop}/viper", check=False)
    explained = alone.spec("explain", VIPER, "length").out
    audit = alone.spec("audit", VIPER, check=False)

    assert "Länge" in explained
    assert "127,1 mm" in explained
    assert audit.code == 0, audit
