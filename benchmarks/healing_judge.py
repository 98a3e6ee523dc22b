"""What became of a fault, read from the database alone: cured, rightly diagnosed, nothing lost."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from specfactory.demo.faults import Fault, Scope

FACTORY = "factory"  # the host of what is wrong with the factory itself
EASE = "ease"  # on record, but no diagnosis: a cheaper treatment is tried


@dataclass(slots=True)
class Trial:
    """One fault at one seed: at which host, over which pages, and when it struck."""

    fault: Fault
    seed: int
    host: str
    urls: tuple[str, ...]  # of the pages; of other jobs their kinds and keys
    alias: str = ""  # the site's name for the demo web; "": no site does the fault
    spare: int = 0  # pages that are well before it begins
    struck_at: int | None = None  # ms since 1970
    must_help: bool = False  # pages come anyway: cured is what a remedy has been seen to help

    @property
    def name(self) -> str:
        """As tables show it."""
        return f"{self.fault.name}#{self.seed}"


@dataclass(frozen=True, slots=True)
class JobSeen:
    """A job as it stands."""

    status: str
    finished_at: int | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the database holds, as far as it matters here."""

    jobs: Mapping[str, Sequence[JobSeen]]  # key -> its jobs
    events: Mapping[str, Sequence[Mapping[str, Any]]]  # host -> healing events
    cares: Mapping[str, Mapping[str, Any]]  # host -> how it is treated
    read: frozenset[str]  # addresses of which a good page is stored


@dataclass(frozen=True, slots=True)
class Found:
    """How one trial ended."""

    fault: Fault
    seed: int
    cured: bool  # curable: every page was had in the end
    settled: bool  # incurable: the host rests or a person was asked, for the right reason
    diagnoses: tuple[str, ...]
    wrong: tuple[str, ...]
    lost: tuple[str, ...]
    seconds: float | None  # from the first page that met the fault to the last one done
    jobs: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to wait for."""
        return self.cured if self.fault.curable else self.settled

    @property
    def misdiagnosed(self) -> bool:
        """Whether something was said that is not so, or an incurable one was not recognised."""
        missed = not self.fault.curable and self.fault.diagnosis not in self.diagnoses
        return bool(self.wrong) or missed


def judge(trial: Trial, seen: Snapshot) -> Found:
    """What became of a trial, by what the database says now."""
    events = [event for host in _hosts(trial) for event in seen.events.get(host, ())]
    named = (str(event["diagnosis"]) for event in events)
    diagnoses = tuple(dict.fromkeys(name for name in named if name != EASE))
    jobs = {url: seen.jobs.get(url, ()) for url in trial.urls}
    counts: dict[str, int] = {}
    for found in jobs.values():
        for job in found:
            counts[job.status] = counts.get(job.status, 0) + 1
    helped = not trial.must_help or any(event["status"] == "helped" for event in events)
    done = all(found and found[-1].status == "complete" for found in jobs.values())
    return Found(
        trial.fault,
        trial.seed,
        cured=trial.fault.curable and trial.struck_at is not None and done and helped,
        settled=not trial.fault.curable and _rests(trial, events, seen.cares),
        diagnoses=diagnoses,
        wrong=tuple(name for name in diagnoses if name != trial.fault.diagnosis),
        lost=tuple(_lost(trial, jobs, seen.read)),
        seconds=_seconds(trial, jobs) if done else None,
        jobs=counts,
    )


def _hosts(trial: Trial) -> Sequence[str]:
    hosts = [trial.host, f"new-{trial.host}"]
    return [*hosts, FACTORY] if trial.fault.scope is Scope.FACTORY else hosts


def _rests(
    trial: Trial, events: Iterable[Mapping[str, Any]], cares: Mapping[str, Mapping[str, Any]]
) -> bool:
    """Whether the host is left alone, or a person was asked, for the right reason."""
    right = [event for event in events if event["diagnosis"] == trial.fault.diagnosis]
    asked = any(event["status"] == "asked" for event in right)
    care = cares.get(trial.host, {})
    paused = bool(care.get("paused_until")) and care.get("paused_for") == trial.fault.diagnosis
    return bool(right) and (asked or paused)


def _lost(
    trial: Trial, jobs: Mapping[str, Sequence[JobSeen]], read: frozenset[str]
) -> Iterable[str]:
    """Jobs that are gone, doubled, ended without cause, or said to be done when they are not."""
    for url, found in jobs.items():
        if len(found) != 1:
            yield f"{url}: {len(found)} jobs"
            continue
        status = found[0].status
        if status == "complete" and url.startswith("http") and url not in read:
            yield f"{url}: done without a page"
        elif status == "failed" and trial.fault.curable:
            yield f"{url}: given up ({found[0].error[:120]})"
        elif status == "in_progress":
            yield f"{url}: never ended"


def _seconds(trial: Trial, jobs: Mapping[str, Sequence[JobSeen]]) -> float | None:
    ends = [job.finished_at for found in jobs.values() for job in found if job.finished_at]
    if trial.struck_at is None or not ends:
        return None
    return max((max(ends) - trial.struck_at) / 1000, 0.0)


def now_ms() -> int:
    """Now, as the database writes instants."""
    return time.time_ns() // 1_000_000


def job_key(kind: str, key: str) -> str:
    """What a job is known by here: pages by their address."""
    return key if kind == "page" else f"{kind}:{key}"


def look(database: Path) -> Snapshot:
    """Read a factory's database from outside."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=10) as rows:
        rows.row_factory = sqlite3.Row
        jobs: dict[str, list[JobSeen]] = {}
        for row in rows.execute("SELECT * FROM jobs ORDER BY id"):
            seen = JobSeen(row["status"], row["finished_at"], row["last_error"] or "")
            jobs.setdefault(job_key(row["kind"], row["key"]), []).append(seen)
        events: dict[str, list[dict[str, Any]]] = {}
        for row in rows.execute("SELECT * FROM healing_events ORDER BY id"):
            events.setdefault(row["host"], []).append(dict(row))
        cares = {r["host"]: json.loads(r["care"]) for r in rows.execute("SELECT * FROM host_care")}
        good = rows.execute(
            "SELECT DISTINCT url FROM pages WHERE outcome IN ('ok', 'not_modified')"
        )
        return Snapshot(jobs, events, cares, frozenset(row["url"] for row in good))
