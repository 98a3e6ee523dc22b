"""What every command prints, as JSON and as text, stays as it was written down.

All commands run one after another in one folder, on the demo's data. What differs from run to run
(times, ids, ports, durations) is masked, and long output is cut. After an intended change of the
output, write the files anew: ``REWRITE=1 pytest tests/stories/test_command_output.py``.
"""

from __future__ import annotations

import asyncio
import difflib
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from specfactory.assembly import open_factory
from specfactory.model import JobError, NewJob, Outcome, Visit, WorkerReport
from specfactory.orchestrate.healing.api import SelfHealing
from specfactory.settings import load
from specfactory.testing import ManualClock
from tests.stories.conftest import VIPER, VIPER_FLAGS, DemoWeb
from tests.stories.desk import Desk
from tests.stories.test_evaluate_cli import PAGE as MUG
from tests.stories.test_templates_cli import GOOD, small_contract

WRITTEN = Path(__file__).parent / "command_output"
LONGEST_LIST, LONGEST_TEXT = 3, 40  # entries and lines that are kept
BOTH = "both"  # run as text, then with --json

# Commands in the order in which they run. A name in capitals stands for a value of the world.
COMMANDS: tuple[tuple[str, str], ...] = (
    (BOTH, "contract list"),
    ("text", "contract show mouse"),
    (BOTH, "contract show mouse --group sensor"),
    (BOTH, "contract check contracts/wrong.yaml"),
    (BOTH, "contract check contracts/gadget.yaml"),
    (BOTH, "contract draft shop/1.html shop/2.html --category gadget"),
    ("text", "contract schema"),
    (BOTH, "run DRY"),
    (BOTH, "record list"),
    (BOTH, "record list --category monitor"),
    (BOTH, "record show VIPER"),
    (BOTH, "record show VIPER --field weight"),
    (BOTH, "record show VIPER --field UNKNOWN"),
    (BOTH, "record history VIPER"),
    (BOTH, "explain VIPER weight"),
    (BOTH, "explain VIPER UNKNOWN"),
    (BOTH, "audit VIPER"),
    (BOTH, "audit --all"),
    ("text", "export --format csv"),
    ("text", "golden set VIPER --file truth.json"),
    (BOTH, "golden list"),
    (BOTH, "golden show VIPER"),
    (BOTH, "golden reliability mouse"),
    (BOTH, "review list"),
    (BOTH, "review list VIPER"),
    (BOTH, "review show VIPER weight"),
    (BOTH, "review show 1"),
    ("text", "review override VIPER weight --value 55 --reason weighed --by ann"),
    (BOTH, "review history VIPER"),
    (BOTH, "record history VIPER"),
    (BOTH, "review show VIPER weight"),
    ("text", "review undo VIPER weight --by bob"),
    ("text", "review accept VIPER weight --by ann"),
    ("text", "review reject VIPER max_dpi --reason no --by ann"),
    (BOTH, "explain VIPER weight"),
    (BOTH, "pages list --limit 3"),
    (BOTH, "pages list --host nowhere.example"),
    (BOTH, "pages show PAGE"),
    (BOTH, "pages duplicates"),
    (BOTH, "pages export --warc all.warc.gz"),
    (BOTH, "pages import all.warc.gz"),
    (BOTH, "extract PAGE --category mouse"),
    (BOTH, "extract shop/1.html --field weight --field length --field price"),
    ("text", "extract shop/1.html --field weight --field price --explain"),
    (BOTH, "evaluate mugs --category product --name stuff=material"),
    (BOTH, "profile PAGE_URL --category mouse"),
    (BOTH, "profile --host PAGE_HOST"),
    (BOTH, "profile --host nowhere.example"),
    (BOTH, "profile --since 0min"),  # else the slowest host first: which that is, time tells
    (BOTH, "learn shop.example --category gadget --from-pages shop --by ann"),
    (BOTH, "templates list"),
    (BOTH, "templates list --pending"),
    (BOTH, "templates show t1"),
    (BOTH, "templates diff t1 t2"),
    ("text", "templates approve t2 --by ann"),
    (BOTH, "templates approve t1 --by ann"),
    (BOTH, "templates rollback shop.example --by ann"),
    (BOTH, "templates reject t1 --reason wrong --by ann"),
    (BOTH, "templates label PAGE brand Razer --category mouse --by ann"),
    (BOTH, "heal stats"),
    (BOTH, "heal history"),
    (BOTH, "heal history --host well.example"),
    (BOTH, "heal explain 1"),
    (BOTH, "heal explain 2"),
    ("text", "heal undo 1"),
    (BOTH, "review show 2"),
    (BOTH, "queue add --category mouse --brand Zowie --model EC2 --tag desk"),
    (BOTH, "queue add-batch --file products.csv --category mouse"),
    (BOTH, "queue pages https://shop.example/1 https://shop.example/2 --category mouse"),
    (BOTH, "queue list"),
    (BOTH, "queue list --status failed --kind product"),
    (BOTH, "queue show q_000001"),
    (BOTH, "queue show mouse-a-7"),
    (BOTH, "queue stats"),
    ("text", "queue pause mouse-zowie-ec2"),
    ("json", "queue resume mouse-zowie-ec2"),
    ("text", "queue skip mouse-zowie-ec2"),
    ("json", "queue retry mouse-zowie-ec2"),
    ("json", "queue pause mouse-zowie-ec2"),
    ("text", "queue resume mouse-zowie-ec2"),
    ("json", "queue skip mouse-zowie-ec2"),
    ("text", "queue retry mouse-zowie-ec2"),
    (BOTH, "queue prioritize mouse-zowie-ec2 --priority 1"),
    ("text", "queue export"),
    (BOTH, "queue import queue.json"),
    (BOTH, "monitor"),
    (BOTH, "monitor --details"),
    (BOTH, "monitor --alerts"),
    (BOTH, "monitor --run 1"),
    (BOTH, "deadletter list"),
    (BOTH, "deadletter list --details"),
    (BOTH, "deadletter show mouse-a-7"),
    (BOTH, "deadletter analyze"),
    ("text", "deadletter retry mouse-a-7"),
    ("json", "deadletter retry mouse-a-6"),
    (BOTH, "deadletter retry-run 1"),
    (BOTH, "deadletter retry --worthwhile"),
    (BOTH, "deadletter purge --older-than 30d --yes"),
    (BOTH, "queue clear --status complete --yes"),
    (BOTH, "coordinator --config run.yaml --no-wait"),
    (BOTH, "daemon status"),
    (BOTH, "proxies list"),
    (BOTH, "demo faults"),
    (BOTH, "doctor"),
    ("text", "init somewhere"),
)


@pytest.fixture(scope="module")
def desk(demo_web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A folder with a record of the demo, a queue, a healed host, and pages to learn from."""
    folder = tmp_path_factory.mktemp("output")
    sources = {one["host"].partition(".")[0]: one for one in demo_web.settings()["sources"]}
    settings = demo_web.settings() | {
        "sources": [sources[name] for name in ("razer", "clickbench", "mousewiki")],
        "database_url": "sqlite:///factory.db",
        "queue": {"monitored_brands": ["Zowie"]},
        "profile": {"sample": 1.0},
    }
    _write(
        folder, "contracts/gadget.yaml", yaml.safe_dump(small_contract() | {"category": "gadget"})
    )
    _write(folder, "contracts/wrong.yaml", "category: wrong\nfields: {a: {type: nothing}}\n")
    for n in range(20):
        _write(folder, f"shop/{n}.html", GOOD.format(n=n, weight=50 + n, length=110 + n))
    for name, weight, material in (("a", 310, "clay"), ("b", 250, "steel"), ("c", 90, "")):
        page = MUG.format(name=name, weight=weight, material=material)
        _write(folder, f"mugs/pages/{name}.html", page)
    truth = [
        {"id": name, "file": f"{name}.html", "fields": fields}
        for name, fields in (
            ("a", {"weight": "310 g", "stuff": ["Clay", "ceramics"]}),
            ("b", {"weight": [251], "stuff": "steel"}),
            ("c", {"weight": None, "stuff": []}),
        )
    ]
    _write(folder, "mugs/truth.jsonl", "\n".join(map(json.dumps, truth)))
    _write(folder, "truth.json", json.dumps({"weight": 54, "max_dpi": 1, "connection": None}))
    _write(folder, "products.csv", "brand,model,priority\nA,one,2\nA,two,9\nA,one,2\n")
    _write(folder, "run.yaml", "category: mouse\nproducts:\n- {brand: B, model: run}\n")
    desk = Desk(folder)
    # One source after the other: pages that are fetched side by side come in any order.
    for count in range(1, len(settings["sources"]) + 1):
        some = settings | {"sources": settings["sources"][:count]}
        _write(folder, "specfactory.yaml", yaml.safe_dump(some))
        desk.spec("run", *VIPER_FLAGS)
    asyncio.run(_fill(folder))
    _write(folder, "queue.json", desk.spec("queue", "export").out)
    return desk


def _write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


async def _fill(folder: Path) -> None:
    """Healing events of one host; jobs that are done, failed and in progress; a worker; a run."""
    settings, clock = load(folder / "specfactory.yaml", environment={}), ManualClock()
    settings = replace(settings, database_url=f"sqlite:///{folder / 'factory.db'}")
    async with open_factory(settings, clock=clock) as bench:
        healing = SelfHealing(bench)
        well = Visit("shop.example", "https://shop.example/p", 0, Outcome.OK, "HTTP 200", 200)
        for number in range(11):
            clock.advance(5)
            if number < 3:
                async with bench.database.transaction() as tx:
                    await bench.visits.add(tx, replace(well, at=clock.now()))
            else:
                about = {"url": f"https://shop.example/{number}", "status": 403}
                await healing.handle_failure("shop.example", "HTTP 403", about)
    async with open_factory(settings) as bench:
        now, jobs = bench.clock.now(), bench.jobs
        async with bench.database.transaction() as tx:
            run, _ = await bench.runs.join(tx, {"site": "shop"}, now)
            products = [
                NewJob("product", f"mouse-a-{i}", {"brand": "A"}, "mouse", 2) for i in range(12)
            ]
            await jobs.add(tx, products, now)
            pages = [NewJob("page", f"https://shop.example/p-{i}", run_id=run.id) for i in range(4)]
            await jobs.add(tx, pages, now)
            await jobs.add(tx, [NewJob("strange", "s-1")], now)
            taken = await jobs.claim(tx, "w1", 9, ["product"], 300, now)
            for job in taken[:6]:
                await jobs.finish(tx, [job.lease], now)
            taken += await jobs.claim(tx, "w1", 1, ["page"], 300, now)
            for job, cause in ((taken[6], "timeout"), (taken[7], "captcha"), (taken[9], "blocked")):
                error = JobError(job.id, 1, now, "w1", "fetch", cause, f"{cause} there", "shop")
                await jobs.fail(tx, job.lease, error, now)
            await jobs.note_round(tx, taken[8].lease, 2)
            kinds = ("product", "page")
            report = WorkerReport("w1", "here", 7, kinds, now - 60_000, now, 6, 3)
            await bench.workers.beat(tx, report)


@pytest.mark.timeout(600)  # twenty seconds on a machine that does nothing else
def test_every_command_prints_what_it_printed_before(desk: Desk) -> None:
    mask, values = _mask(desk), _values(desk)
    printed: dict[str, list[str]] = {}
    for form, line in COMMANDS:
        group = printed.setdefault(line.split()[0], [])
        words = [part for word in line.split() for part in values.get(word, [word])]
        if form != "json":
            ended = desk.spec(*words, check=False)
            group.append(f"$ spec {line}\n{_cut(mask(ended.out + ended.err))}[{ended.code}]\n")
        if form != "text":
            ended = desk.spec(*words, "--json", check=False)
            shape = _shortened(json.loads(ended.out)) if ended.out else None
            shown = mask(json.dumps(shape, indent=1, ensure_ascii=False) + "\n" + ended.err)
            group.append(f"$ spec {line} --json\n{shown}[{ended.code}]\n")
    differing = [_difference(group, "\n".join(parts)) for group, parts in printed.items()]

    assert not any(differing), "\n".join(filter(None, differing))


def _values(desk: Desk) -> dict[str, list[str]]:
    record = desk.spec("record", "show", VIPER, "--json").json
    pages = desk.spec("pages", "list", "--limit", "100", "--json").json
    page = min((one for one in pages if one["outcome"] == "ok"), key=lambda one: one["url"])
    unknown = next(n for n, field in record["fields"].items() if field["value"] == "unk")
    return {
        "VIPER": [VIPER], "DRY": [*VIPER_FLAGS, "--dry-run"], "UNKNOWN": [unknown],
        "PAGE": [page["id"]], "PAGE_URL": [page["url"]], "PAGE_HOST": [page["host"]],
    }  # fmt: skip


TIMED = (
    "avg avg_total p50 p95 total dns tcp tls ttfb download parse extract store per_minute seconds "
    "trend_per_minute expected_seconds silent_seconds mean_seconds latency_ms size_bytes pid "
    "processing_time_s render"
)
MASKS = (
    (r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", "<time>"),
    (r"20\d\d-\d\d-\d\d\b", "<day>"),
    (r"\w{3}, \d\d \w{3} 20\d\d [\d:]{8} GMT", "<date>"),
    (r"aiohttp/[\d.]+", "aiohttp"),
    (r"page-[0-9a-f]{16,}", "<page>"),
    (r"run_\d{8}_\d{6}_\w{8}", "<attempt>"),
    (r"\b[0-9a-f]{16,64}\b", "<hash>"),
    (r"[\d.,]+ (?:s|ms|min|minutes|GB|MB)\b|[\d.,]+/(?:h|min|s)\b", "<some>"),
    (r"[#.▓░]{8,} *", "<bar> "),
    (r'"bottlenecks": \{[^}]*\}', '"bottlenecks": <shares>'),
    (r"[─-]{4,}", "<rule>"),
    (rf'("(?:{TIMED.replace(" ", "|")})"): [\d.e-]+', r"\1: <number>"),
    (r"\b\d+%$|\(\d+%\)", "<share>"),
    (r"<some> +<share>$", "<some>"),  # the phase that took longest, which is chance
    (r"^bottleneck: .*|\"bottleneck\": .*", "<bottleneck>"),
    (r"^browser .*", "<browser>"),
    (r"\nbrowser: scripts of pages .*", ""),  # only root's browser has no sandbox
    (r"schema \d+", "schema <number>"),
    (r"  +", "  "),  # columns are as wide as what was masked in them
)


def _mask(desk: Desk) -> Callable[[str], str]:
    ports = re.compile(r"(127\.0\.0\.1|localhost):(\d+)")
    known: dict[str, str] = {}

    def mask(text: str) -> str:
        text = text.replace(str(desk.folder), "<folder>")
        text = ports.sub(lambda m: f"{m[1]}:{known.setdefault(m[2], f'<{len(known)}>')}", text)
        for pattern, stands_for in MASKS:
            text = re.sub(pattern, stands_for, text, flags=re.MULTILINE)
        return re.sub(r"(?m)^ +", lambda m: m[0] if len(m[0]) < 3 else "  ", text)

    return mask


def _shortened(value: Any) -> Any:
    """JSON with the first entries of long lists, and the first ones of long mappings."""
    if isinstance(value, list):
        more = [f"… {len(value) - LONGEST_LIST} more"] if len(value) > LONGEST_LIST else []
        return [_shortened(each) for each in value[:LONGEST_LIST]] + more
    if isinstance(value, dict):
        most = 30 if len(value) <= 30 else LONGEST_LIST
        kept = {name: _shortened(each) for name, each in list(value.items())[:most]}
        return kept | ({"…": len(value) - most} if len(value) > most else {})
    return value


def _cut(text: str) -> str:
    lines = text.splitlines()
    more = [f"… {len(lines) - LONGEST_TEXT} more"] if len(lines) > LONGEST_TEXT else []
    return "".join(f"{line}\n" for line in [*lines[:LONGEST_TEXT], *more])


def _difference(group: str, printed: str) -> str:
    file = WRITTEN / f"{group}.txt"
    if os.environ.get("REWRITE"):
        file.write_text(printed, encoding="utf-8")
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    lines = (before.splitlines(), printed.splitlines())
    return "\n".join(difflib.unified_diff(*lines, str(file), "now", n=6, lineterm=""))
