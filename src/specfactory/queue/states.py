"""The states of a job, as the queue knows them; the store guards its writes by the same table."""

from specfactory.errors import TransitionRefused
from specfactory.model.states import (
    ACTIVE,
    LEFT_TO_DO,
    TRANSITIONS,
    Action,
    actions_of,
    sources_of,
    transition,
)

__all__ = [
    "ACTIVE",
    "LEFT_TO_DO",
    "TRANSITIONS",
    "Action",
    "TransitionRefused",
    "actions_of",
    "sources_of",
    "transition",
]
