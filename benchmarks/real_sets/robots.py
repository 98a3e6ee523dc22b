"""robots.txt: conformance cases of other parsers, and real files with questions.

``conformance`` leaves out what only Google's own crawler does. The answers about real files
were made by other parsers, not by people: silver.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.report import Report
from specfactory.fetch.robots.rules import Robots, parse_robots, product_token

Row = dict[str, Any]


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """All figures of a folder of robots.txt files."""
    made = Report("real robots")
    cases = _rows((folder / "conformance_cases.jsonl").read_text("utf-8"))
    everyones = [case for case in cases if not case.get("google_specific")]
    googles = [case for case in cases if case.get("google_specific")]
    questions = list(_questions(folder))
    made.at_least("conformance", _share(everyones, _is_right), 1.0)
    made.plain("google_specific", _share(googles, _is_right))
    made.at_least("real_silver", _share(questions, _is_right), 0.999)
    made.notes.append(
        f"{len(everyones)} cases ({sum('crawl_delay' in case for case in everyones)} of them "
        f"crawl delays), {len(googles)} Google's own, {len(questions)} questions about real files"
    )
    made.notes.append(_peer(everyones, questions))
    if given.wrong:
        wrong = [case for case in (*cases, *questions) if not _is_right(case)]
        made.notes += [json.dumps({**case, "robots_txt": "…"}) for case in wrong]
    return made


def _rows(lines: str) -> list[Row]:
    return [json.loads(line) for line in lines.splitlines() if line.strip()]


def _questions(folder: Path) -> Iterator[Row]:
    """Every question about a real file as a case of its own; its sitemaps are one."""
    packed = (folder / "real_robots_silver.jsonl.xz").read_bytes()
    for site in _rows(lzma.decompress(packed).decode("utf-8")):
        about = {"robots_txt": site["robots_txt"], "case": site["host"]}
        for query in site["queries"]:
            yield {**about, **query}
        for agent, seconds in site["crawl_delay"].items():
            yield {**about, "user_agent": agent, "crawl_delay": seconds}
        yield {**about, "user_agent": "x", "sitemaps": site["sitemaps"]}


def _share(rows: list[Row], is_right: Callable[[Row], bool]) -> float:
    return sum(map(is_right, rows)) / len(rows) if rows else 1.0


def _is_right(case: Row) -> bool:
    robots: Robots = parse_robots(case["robots_txt"], product_token(case["user_agent"]))
    if "sitemaps" in case:
        return bool(list(robots.sitemaps) == case["sitemaps"])
    if "crawl_delay" in case:
        return bool((robots.crawl_delay_seconds or None) == (case["crawl_delay"] or None))
    return bool(robots.allows(case["url"]) == case["allowed"])


def _peer(cases: list[Row], questions: list[Row]) -> str:
    """What Protego makes of the same cases."""
    try:
        from protego import Protego  # type: ignore[import-not-found]
    except ImportError:
        return "Protego: peer not installed: make peers"

    def is_right(case: Row) -> bool:
        robots = Protego.parse(case["robots_txt"])
        if "sitemaps" in case:
            return bool(list(robots.sitemaps) == case["sitemaps"])
        if "crawl_delay" in case:
            said = robots.crawl_delay(case["user_agent"])
            return bool((said or None) == (case["crawl_delay"] or None))
        return bool(robots.can_fetch(case["url"], case["user_agent"]) == case["allowed"])

    shares = f"{_share(cases, is_right):.4f}, real_silver {_share(questions, is_right):.4f}"
    return f"Protego: conformance {shares}"
