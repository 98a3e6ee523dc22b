"""Summaries of runs that have ended."""

from collections.abc import Mapping

from specfactory.model import Instant, JobStatus, Json, Run


def run_summary(
    run: Run, progress: Mapping[JobStatus, int], causes: Mapping[str, int], now: Instant
) -> dict[str, Json]:
    """Summary of a run: its jobs by status, errors by cause, and duration."""
    seconds = max(now - run.created_at, 0) / 1000
    jobs = sum(progress.values())
    return {
        "run_id": run.id,
        "config_hash": run.config_hash,
        "jobs": jobs,
        "by_status": {str(status): count for status, count in progress.items() if count},
        "errors": dict(causes),
        "seconds": round(seconds, 3),
        "jobs_per_minute": round(jobs / seconds * 60, 2) if seconds else None,
    }
