"""Whatever comes in: one clear line, the right exit code, and nothing that was written is lost."""

from __future__ import annotations

import resource
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Iterator

import pytest
import yaml

from tests.little_server import Answering, serving
from tests.stories.conftest import VIPER, VIPER_FLAGS, Workspace

TITLE = "<title>Razer Viper V3 Pro Wireless</title><h1>Razer Viper V3 Pro Wireless</h1>"
TABLE = "<table><tr><th>Weight</th><td>54 g</td></tr></table>"
FILLER = "<p>" + "A mouse for players, light and quick in the hand. " * 20 + "</p>"
PAGES: dict[str, tuple[str, bytes]] = {
    "good": ("text/html", f"{TITLE}{TABLE}{FILLER}".encode()),
    "empty": ("text/html", b""),
    "binary": ("application/octet-stream", bytes(range(256)) * 100),
    "binary-as-html": ("text/html", bytes(range(256)) * 100),
    "huge": ("text/html", f"{TITLE}{TABLE}".encode() + b"<p>padding</p>" * 3_600_000),
    "wrong-encoding": (
        "text/html; charset=utf-8",
        f"{TITLE}<p>caf\u00e9 \u2013 m\u00e4use</p>{TABLE}{FILLER}".encode("cp1252"),
    ),
    "broken-json-ld": (
        "text/html",
        f'{TITLE}<script type="application/ld+json">{{"@type": "Product", "weight": </script>'
        f"{TABLE}{FILLER}".encode(),
    ),
    "nested": ("text/html", (TITLE + "<div>" * 100_000 + TABLE + "</div>" * 100_000).encode()),
}


class Handler(Answering):
    def get(self) -> None:
        name = self.path.strip("/")
        if name == "slow":
            threading.Event().wait(30)
            return
        kind, body = PAGES.get(name, ("text/html", b"<title>404</title>not found"))
        self.answer(body, kind, 200 if name in PAGES else 404)


@pytest.fixture(scope="module")
def odd_site() -> Iterator[str]:
    with serving(Handler) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def alone(tmp_path, odd_site) -> Workspace:
    """A workspace that knows no source at all."""
    settings = {
        "database_url": "sqlite:///factory.db",
        "contract_sources": False,
        "fetch": {
            "allow_loopback": [odd_site.removeprefix("http://")],
            "host_delay_seconds": 0.0,
            "timeout_seconds": 5,
        },
    }
    (tmp_path / "specfactory.yaml").write_text(yaml.safe_dump(settings))
    return Workspace(tmp_path)


def only_line(text: str) -> str:
    lines = text.strip().splitlines()
    assert len(lines) == 1, text
    return lines[0]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (
            ("--category", "toaster", "--brand", "A", "--model", "B"),
            2,
            "unknown category 'toaster'",
        ),
        (("--category", "mouse", "--brand", " ", "--model", "B"), 2, "brand"),
        (("--category", "mouse", "--brand", "A", "--model", ""), 2, "model"),
        (("--category", "mouse", "--model", "B"), 2, "--brand"),
        ((*VIPER_FLAGS, "--url", "file:///etc/passwd"), 2, "no web address"),
        ((*VIPER_FLAGS, "--url", "http://[::1"), 2, "no web address"),
        ((*VIPER_FLAGS, "--url", "http://example.com:99999/"), 2, "no web address"),
        ((*VIPER_FLAGS, "--max-pages", "0"), 2, "budget.max_pages"),
        ((*VIPER_FLAGS, "--max-pages", "many"), 2, "--max-pages"),
        (VIPER_FLAGS, 1, "no page about Razer Viper V3 Pro Wireless was found"),
    ],
)
def test_misuse_is_told_in_one_line(alone, arguments, code, words):
    ended = alone.spec("run", *arguments, check=False)

    assert ended.code == code, ended
    assert words in only_line(ended.err)


def test_a_malformed_contract_names_file_line_and_field(alone):
    (alone.folder / "contracts").mkdir()
    (alone.folder / "contracts" / "mouse.yaml").write_text(
        'category: mouse\nversion: "1"\ntitle: M\nfields:\n  weight:\n    type: numbr\n'
    )

    ended = alone.spec("run", *VIPER_FLAGS, check=False)
    assert ended.code == 2
    line = only_line(ended.err)
    assert "mouse.yaml:6" in line
    assert "weight" in line
    assert "number" in line


@pytest.mark.parametrize(
    ("page", "outcome"),
    [
        ("empty", "empty"),
        ("binary", "refused"),
        ("binary-as-html", "refused"),
        ("huge", "too_large"),
        ("missing", "not_found"),
    ],
)
def test_a_page_that_is_none_is_told_by_its_outcome_and_kept(alone, odd_site, page, outcome):
    ended = alone.spec("run", *VIPER_FLAGS, "--url", f"{odd_site}/{page}", check=False)

    assert ended.code == 1
    assert f"({outcome}" in only_line(ended.err)
    with sqlite3.connect(alone.database) as db:
        assert db.execute("SELECT outcome FROM pages").fetchall() == [(outcome,)]
        assert db.execute("SELECT status FROM attempts").fetchall() == [("failed",)]


@pytest.mark.parametrize("page", ["good", "wrong-encoding", "broken-json-ld"])
def test_a_damaged_page_still_gives_what_stands_on_it(alone, odd_site, page):
    made = alone.spec("run", *VIPER_FLAGS, "--url", f"{odd_site}/{page}", "--json").json

    assert made["record"]["fields"]["weight"]["value"] == 54
    assert alone.spec("audit", VIPER, "--json").json["failures"] == []


def test_a_page_of_100000_nested_tags_is_survived(alone, odd_site):
    ended = alone.spec("run", *VIPER_FLAGS, "--url", f"{odd_site}/nested", check=False)

    assert ended.code in (0, 1)


def test_an_unreachable_source_is_named(alone):
    alone.change(sources=[
        {"host": "nobody.invalid", "tier": "tier2_lab", "search": "https://nobody.invalid/?q={query}"}
    ])  # fmt: skip

    ended = alone.spec("run", *VIPER_FLAGS, check=False)
    assert ended.code == 1
    assert "nobody.invalid (dns_failure)" in only_line(ended.err)


def test_a_slow_page_ends_with_the_time_budget(alone, odd_site):
    ended = alone.spec(
        "run", *VIPER_FLAGS, "--url", f"{odd_site}/slow", "--max-seconds", "1", check=False
    )

    assert ended.code == 1
    assert only_line(ended.err)


def test_robots_that_forbid_everything_are_obeyed_and_told(demo_web, workspace):
    (closed,) = [s for s in demo_web.settings()["sources"] if s["host"].startswith("vaultlab.")]
    workspace.change(sources=[closed], search={"web_url": ""})

    ended = workspace.spec("run", *VIPER_FLAGS, check=False)
    assert ended.code == 1
    assert f"{closed['host']} (robots" in only_line(ended.err)
    with sqlite3.connect(workspace.database) as db:
        assert db.execute("SELECT count(*) FROM pages WHERE outcome = 'ok'").fetchone() == (0,)


def test_ctrl_c_in_the_middle_keeps_what_was_read(workspace):
    workspace.change(fetch={"host_delay_seconds": 0.5})
    process = subprocess.Popen(
        workspace.command("run", *VIPER_FLAGS), cwd=workspace.folder, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if "after round 0" in line:
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)

    assert process.returncode == 130
    assert only_line(err) == "spec: interrupted; what was written is kept"
    with sqlite3.connect(workspace.database) as db:
        assert db.execute("SELECT status FROM attempts").fetchall() == [("interrupted",)]
        assert db.execute("SELECT count(*) FROM readings").fetchone()[0] >= 1
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert workspace.spec("run", *VIPER_FLAGS, "--json").json["status"] == "complete"


def test_a_full_disk_is_told_and_damages_nothing(made, tmp_path):
    size = made.database.stat().st_size
    before = made.spec("record", "show", VIPER, "--json").json

    def no_more_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 4, size // 4))

    ended = made.spec("run", *VIPER_FLAGS, "--refresh", check=False, preexec_fn=no_more_room)
    assert ended.code == 1
    assert "cannot write" in only_line(ended.err)
    assert made.spec("record", "show", VIPER, "--json").json == before


def test_a_folder_that_cannot_be_written_is_told(made):
    out = "/proc/specfactory/mice.csv"  # not even root may write there

    ended = made.spec("export", "--format", "csv", "--output", out, check=False)
    assert ended.code == 1
    assert out in only_line(ended.err)


def test_a_database_in_a_folder_that_cannot_be_written_is_told(alone):
    ended = alone.spec("--set", "database_url=sqlite:////proc/nowhere/f.db", "run", *VIPER_FLAGS,
                       check=False)  # fmt: skip

    assert ended.code == 1
    assert "cannot write to /proc/nowhere/f.db" in only_line(ended.err)
