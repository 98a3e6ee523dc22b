"""One page through all deterministic methods, against the bare parse of the same bytes.

DIR is a set (a folder with ``pages.tar.xz``) or a folder of sets. Pages of 100 to 400 KB are
taken, evenly over all of them. They come one after the other and anew each time, as a worker
meets them, and garbage is collected as the commands have it; every time is processor time, the
median of five turns.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from benchmarks.report import Report
from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.extract import answer_page, extract_candidates
from specfactory.extract.page.layout import Layout
from specfactory.model import Outcome, Page, Tier
from specfactory.proof import PageViews

_BYTES = (100_000, 400_000)
_PAGES = 24
_PER_SET = 60  # pages looked at per set: enough to choose from
_TURNS = 5
_GARBAGE = (50_000, 20, 50)  # as in the commands
Part = Callable[[bytes, PageViews, CompiledContract], Any]


def measure(folder: Path, given: argparse.Namespace) -> Report:
    """The ratio over all pages, and what the parts take."""
    bodies = _spread(list(_bodies(folder)), given.pages or _PAGES)
    compiled = compile_contract(find_contract("product"))
    made = Report("real speed")
    if not bodies:
        made.notes.append(f"no page of {_BYTES[0]} to {_BYTES[1]} bytes in {folder}")
        return made
    gc.collect()
    gc.freeze()
    before = gc.get_threshold()
    gc.set_threshold(*_GARBAGE)
    times = _times(bodies, compiled)
    gc.set_threshold(*before)
    made.at_most("all_methods_to_parse", times["answers"] / times["parse"], 10)
    shares = ", ".join(f"{name} {spent / times['parse']:.2f}" for name, spent in times.items())
    made.notes.append(f"in parses, each with what it needs before it: {shares}")
    kb = sum(map(len, bodies)) / len(bodies) / 1000
    ms = 1000 * times["parse"] / len(bodies)
    made.notes.append(f"{len(bodies)} pages of {kb:.0f} KB on average, parsed in {ms:.2f} ms")
    return made


def _times(bodies: list[bytes], compiled: CompiledContract) -> dict[str, float]:
    """What each part takes on all pages together."""
    turns = [
        [[_time(part, body, compiled) for _, part in _PARTS] for body in bodies]
        for _ in range(_TURNS)
    ]
    return {
        name: sum(
            statistics.median(turn[page][at] for turn in turns) for page in range(len(bodies))
        )
        for at, (name, _) in enumerate(_PARTS)
    }


def _time(part: Part, body: bytes, compiled: CompiledContract) -> float:
    body = bytes(bytearray(body))  # as fetched anew: no parse of it is at hand
    views = _views(body)
    began = time.process_time()
    part(body, views, compiled)
    return time.process_time() - began


def _views(body: bytes) -> PageViews:
    url = "https://shop.example/page"
    page = Page("p", url, url, "shop.example", Tier.RETAILER, 0, Outcome.OK, "",
                media_type="text/html")  # fmt: skip
    return PageViews(page, body)


_PARTS: tuple[tuple[str, Part], ...] = (
    ("parse", lambda body, _, __: LexborHTMLParser(body)),
    ("text", lambda _, views, __: views.text),
    ("structured", lambda _, views, __: (views.text, views.items)),
    ("layout", lambda _, views, __: Layout(views).leaves),
    ("candidates", lambda _, views, compiled: extract_candidates(views, compiled)),
    ("answers", lambda _, views, compiled: answer_page(views, compiled)),
)


def _bodies(folder: Path) -> Iterator[bytes]:
    for archive in sorted(folder.glob("pages.tar.xz")) or sorted(folder.glob("*/pages.tar.xz")):
        taken = 0
        with tarfile.open(archive) as tar:
            for member in tar:
                if _BYTES[0] <= member.size <= _BYTES[1] and (opened := tar.extractfile(member)):
                    yield opened.read()
                    taken += 1
                if taken >= _PER_SET:
                    break


def _spread(bodies: list[bytes], count: int) -> list[bytes]:
    return bodies[:: max(1, len(bodies) // count)][:count]
