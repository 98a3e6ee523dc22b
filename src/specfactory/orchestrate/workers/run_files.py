"""The coordinator: opens the run that a file describes, or joins it, and waits for its end.

::

    name: spring catalogue          # optional; another name is another run
    category: mouse                 # where a product names none
    products:
      - {brand: Razer, model: Viper V3 Pro, variant: Wireless}
    files: [products.csv]           # CSV or JSON, beside this file
    urls: [https://example.com/x]   # pages to fetch, and to read where a category is named
    priority: 2                     # 1 to 5
    tags: [spring]
    budget: {max_pages: 6}          # instead of the settings'
    sources: [www.razer.com]
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from specfactory.errors import StoreError, UsageError
from specfactory.model import (
    Frozen,
    IdentityRules,
    JobKind,
    JobStatus,
    Json,
    NewJob,
    Run,
    RunStatus,
)
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import until_written
from specfactory.queue import PRODUCTS, Intake, TableLine, product_job, read_products
from specfactory.settings import QueueSettings

KEYS = ("name", "category", "products", "files", "urls", "priority", "tags", "budget", "sources")
OVER = (RunStatus.COMPLETE, RunStatus.FAILED, RunStatus.CANCELLED)
LOOK_SECONDS = 0.5

Progress = Mapping[JobStatus, int]


class RunPlan(Frozen):
    """The jobs of a run; ``config`` identifies it."""

    config: Mapping[str, Json]
    jobs: tuple[NewJob, ...]
    wrong: tuple[str, ...]  # lines that cannot be read, in words


def read_run_plan(
    file: Path,
    categories: Collection[str],
    settings: QueueSettings,
    rules_of: Callable[[str], IdentityRules] = lambda _: PRODUCTS,
) -> RunPlan:
    """Read a plan from a YAML file; wrong lines are listed and cost no other line."""
    given = _mapping(file)
    priority = given.get("priority")
    if priority is not None and priority not in range(1, 6):
        raise UsageError(f"priority is {priority!r}; allowed: 1 to 5")
    intake = Intake(
        str(given.get("category") or ""), categories, "coordinator", priority,
        tags=tuple(_texts(given, "tags")), max_attempts=settings.max_attempts,
        overrides={name: given[name] for name in ("budget", "sources") if name in given},
        rules_of=rules_of, monitored_brands=settings.monitored_brands,
    )  # fmt: skip
    jobs: dict[tuple[str, str], NewJob] = {}
    wrong: list[str] = []
    rules = rules_of(intake.category) if intake.category in categories else PRODUCTS
    for place, line in _lines(given, file, rules):
        if line.problem:
            wrong += [] if line.is_note else [f"{place}: {line.column} {line.problem}".strip()]
            continue
        try:
            job = product_job(line.fields, intake)
        except UsageError as problem:
            wrong.append(f"{place}: {problem}")
        else:
            jobs.setdefault((job.kind, job.key), job)
    if (urls := _texts(given, "urls")) and intake.category and intake.category not in categories:
        known = ", ".join(sorted(categories))
        raise UsageError(f"there is no category {intake.category!r}; known: {known}")
    about = {"category": intake.category} if intake.category else {}
    for url in urls:
        if not url.startswith(("http://", "https://")):
            raise UsageError(f"urls has {url!r}; that is no http(s) address")
        job = NewJob(
            JobKind.PAGE, url, {"url": url, **about}, intake.category, intake.priority or 3,
            added_by=intake.added_by, max_attempts=intake.max_attempts, tags=intake.tags,
        )  # fmt: skip
        jobs.setdefault((JobKind.PAGE, url), job)
    if not jobs:
        raise UsageError(f"{file} names no products and no urls" + "".join(f"; {w}" for w in wrong))
    # The run is found again by this hash, so the content of the named files belongs to it.
    hashes = {
        name: hashlib.sha256((file.parent / name).read_bytes()).hexdigest()
        for name in _texts(given, "files")
    }
    config = {**_plain(given), "contents": hashes}
    return RunPlan(config, tuple(jobs.values()), tuple(wrong))


async def join_run(bench: Workbench, plan: RunPlan) -> tuple[Run, int]:
    """Open the run or join it, and add the jobs that are missing; gives how many were new."""

    async def write() -> tuple[Run, int]:
        async with bench.database.transaction() as tx:
            now = bench.clock.now()
            run, _ = await bench.runs.join(tx, plan.config, now)
            new = [replace(job, run_id=run.id) for job in plan.jobs]
            added = await bench.jobs.add(tx, new, now)
        return run, sum(one.is_new for one in added)

    run, new = await until_written(write, bench.clock, bench.random)
    await bench.wake_workers()
    return run, new


async def wait_for_run(
    bench: Workbench, run_id: int, on_progress: Callable[[Progress], None]
) -> Run:
    """Watch a run until it is over."""
    while True:
        try:
            run = await bench.runs.get(run_id)
            on_progress(await bench.runs.progress(run_id))
        except StoreError:
            run = None  # the database is away; the run goes on when it is back
        if run is not None and run.status in OVER:
            return run
        await bench.clock.sleep(LOOK_SECONDS)


def _mapping(file: Path) -> dict[str, Any]:
    import yaml

    try:
        given = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(f"cannot read {file}: {problem.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        raise UsageError(f"{file} is no YAML: {problem}".replace("\n", " ")) from None
    if not isinstance(given, dict):
        raise UsageError(f"{file} must name what to do; known: {', '.join(KEYS)}")
    for name in given:
        if name not in KEYS:
            raise UsageError(f"{file}: {name!r} is not known; known: {', '.join(KEYS)}")
    return given


def _lines(
    given: Mapping[str, Any], file: Path, rules: IdentityRules
) -> Iterator[tuple[str, TableLine]]:
    products = given.get("products") or []
    if not isinstance(products, list):
        raise UsageError(f"{file}: products must be a list")
    for number, entry in enumerate(products, 1):
        problem = "" if isinstance(entry, dict) else f"is {entry!r}; brand and model are wanted"
        fields = entry if isinstance(entry, dict) else {}
        yield f"product {number}", TableLine(number, fields, problem=problem)
    for name in _texts(given, "files"):
        for line in read_products(file.parent / name, rules):
            yield f"{name} line {line.number}", line


def _plain(value: Any) -> Any:
    """YAML as JSON: dates become text."""
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _texts(given: Mapping[str, Any], name: str) -> list[str]:
    value = given.get(name) or []
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UsageError(f"{name} is {value!r}; a list of texts is wanted")
    return value
