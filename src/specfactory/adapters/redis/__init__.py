"""SharedState on Redis, and what happens while it is away."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .guarded_state import GuardedState
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
