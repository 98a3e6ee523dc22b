"""SharedState on Redis, and what happens while it is away."""

from .guarded_state import GuardedState
