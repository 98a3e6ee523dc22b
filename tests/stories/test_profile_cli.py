"""An operator wants to know where the time goes."""

from __future__ import annotations

import sqlite3
from urllib.parse import urljoin

from tests.stories.conftest import Workspace


def a_page(workspace: Workspace) -> str:
    with sqlite3.connect(workspace.database) as db:
        [url] = db.execute("SELECT url FROM pages WHERE outcome = 'ok' ORDER BY id").fetchone()
    return url


def test_one_page_is_drawn_phase_by_phase(made):
    drawn = made.spec("profile", a_page(made), "--category", "mouse").out

    for phase in ("DNS lookup", "First byte", "Download", "Parse", "Extract", "Store"):
        assert phase in drawn
    assert "▓" in drawn
    assert " total" in drawn
    assert "bottleneck: " in drawn
    assert "fields were read" in drawn


def test_one_page_as_json_adds_up(made):
    found = made.spec("profile", a_page(made), "--json").json

    assert found["outcome"] == "ok"
    assert found["total"] > 0
    assert abs(sum(found["phases"].values()) - found["total"]) < 0.1
    assert found["phases"][found["bottleneck"]] == max(found["phases"].values())
    assert found["filled"] is None


def test_a_page_that_cannot_be_read_says_why(made):
    url = urljoin(a_page(made), "/no-such-page")

    drawn = made.spec("profile", url).out

    assert "not_found, status 404" in drawn
    assert "HTTP 404" in drawn


def test_a_host_has_averages_percentiles_and_a_bottleneck(made):
    slowest = made.spec("profile", "--json").json
    host = slowest[0]["host"]
    stats = made.spec("profile", "--host", host, "--since", "1h", "--json").json

    assert [one["avg_total"] for one in slowest] == sorted(
        (one["avg_total"] for one in slowest), reverse=True
    )
    assert stats["pages"] >= 1
    assert stats["phases"].keys() >= {"ttfb", "parse", "extract", "store"}
    assert stats["p50"] <= stats["p95"]
    assert abs(sum(stats["bottlenecks"].values()) - 1) < 0.01
    assert "bottleneck: " in made.spec("profile", "--host", host).out
    assert host in made.spec("profile").out


def test_a_host_that_was_never_visited_is_said_to_be_unknown(made):
    assert "no page of no.example was timed" in made.spec("profile", "--host", "no.example").out


def test_without_sampling_there_is_nothing_to_show(workspace, made):
    workspace.spec("--set", "profile.sample=0", "extract", a_page(made), "--category", "mouse")

    assert workspace.spec("profile", "--json").json == []


def test_misuse_is_said_in_a_line(made):
    both = made.spec("profile", "https://a.example/x", "--host", "a.example", check=False)
    age = made.spec("profile", "--since", "never", check=False)
    private = made.spec("profile", "http://10.0.0.1/x", check=False)

    assert (both.code, age.code, private.code) == (2, 2, 1)
    assert "not both" in both.err
    secret = made.spec("profile", "http://ann:hidden@a.example/x", check=False)
    assert secret.code == 2
    assert "fetch.logins" in secret.err
    assert "hidden" not in secret.err
    assert "'never'" in age.err
    assert "private address" in private.err
