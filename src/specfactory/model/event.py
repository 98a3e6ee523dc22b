"""Something that happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from specfactory.model.basics import Instant, Json


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, named ``noun.past_verb``; declared in events.py."""

    name: str
    at: Instant
    fields: Mapping[str, Json]
