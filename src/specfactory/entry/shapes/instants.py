"""Instants as users read them."""

from datetime import UTC, datetime


def moment(at: int) -> str:
    """An instant as people and machines read it: 2026-02-12T10:35:00Z."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def when(at: int | None) -> str | None:
    """An instant, or None."""
    return None if at is None else moment(at)
