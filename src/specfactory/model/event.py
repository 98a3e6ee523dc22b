"""Events."""

from __future__ import annotations

from collections.abc import Mapping

from specfactory.model.base import Frozen
from specfactory.model.basics import Instant, Json


class Event(Frozen):
    """Something that happened, named ``noun.past_verb``; declared in events.py."""

    name: str
    at: Instant
    fields: Mapping[str, Json]
