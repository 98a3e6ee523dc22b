"""The audit of the locked dependencies: what it reads, what it decides, what it says."""

import itertools
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from benchmarks.audit import (
    CLEAN,
    HOLES,
    LOCKS,
    UNKNOWN,
    NotChecked,
    Pinned,
    ask_source,
    read_lock,
    verdict,
)
from tests.little_server import Answering, serving

ROOT = Path(__file__).parents[2]
LOCK = """aiohttp==3.14.5 ; python_version >= '3.9' \\
    --hash=sha256:aa
Pint==0.25.3 \\
    --hash=sha256:bb
# lxml==1.0
"""
PINNED = [Pinned("aiohttp", "3.14.5"), Pinned("pint", "0.25.3")]


def test_a_lock_is_read_without_its_hashes():
    assert read_lock(LOCK) == PINNED


def test_our_own_locks_are_read_whole():
    for name in LOCKS:
        text = (ROOT / name).read_text()

        assert len(read_lock(text)) == len(re.findall(r"^\S+==", text, re.M)) > 0


def test_nothing_known_is_clean():
    code, lines = verdict(PINNED, lambda queries: {"results": [{} for _ in queries]})

    assert (code, lines) == (CLEAN, ["2 locked packages checked, no known hole"])


def test_a_hole_is_named_with_its_package():
    answer = {"results": [{"vulns": [{"id": "GHSA-1"}, {"id": "CVE-2"}]}, {}]}

    code, lines = verdict(PINNED, lambda queries: answer)

    assert (code, lines[0]) == (HOLES, "aiohttp 3.14.5: CVE-2, GHSA-1")


@pytest.mark.parametrize(
    "answer",
    [None, [], {}, {"results": []}, {"results": [{}]}, {"results": [{}, None]},
     {"results": [{}, {"vulns": "many"}]}, {"results": [{}, {"vulns": ["x"]}]}],
)  # fmt: skip
def test_an_answer_in_another_form_is_no_all_clear(answer: Any):
    code, lines = verdict(PINNED, lambda queries: answer)

    assert code == UNKNOWN
    assert lines[0].startswith("NOT CHECKED")


def test_no_package_at_all_is_no_all_clear():
    assert verdict([], lambda queries: {"results": []})[0] == UNKNOWN


def test_each_package_is_asked_for_by_name_and_version(monkeypatch):
    asked: list[bytes] = []

    class Source(Answering):
        def do_POST(self) -> None:  # noqa: N802 – the standard library's name
            asked.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.answer(b'{"results": [{}, {}]}', "application/json")

    with serving(Source) as port:
        monkeypatch.setenv("AUDIT_URL", f"http://127.0.0.1:{port}/")
        code, _ = verdict(PINNED, ask_source)

    assert code == CLEAN
    assert b'{"name": "pint", "ecosystem": "PyPI"}, "version": "0.25.3"' in asked[0]


def test_a_source_that_is_away_is_said_so(monkeypatch):
    monkeypatch.setenv("AUDIT_URL", "http://127.0.0.1:9/")

    with pytest.raises(NotChecked, match="cannot be asked"):
        ask_source([])
    assert verdict(PINNED, ask_source)[0] == UNKNOWN


def test_the_lock_keeps_to_the_lower_bounds():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    named = [*project["dependencies"], *itertools.chain.from_iterable(extras)]
    locked: dict[str, list[str]] = {}
    for name, version in read_lock((ROOT / "requirements.lock").read_text()):
        locked.setdefault(name, []).append(version)

    for requirement in named:
        name, _, bound = requirement.partition(">=")
        for version in locked[name]:
            assert numbers(version) >= numbers(bound), requirement


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)[:4]]
