"""One process: state, wake-up calls, live events, the machine's clock."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.adapters.memory.clock import SystemClock
    from specfactory.adapters.memory.live_events import QUEUE_SIZE, EventListener, LiveEvents
    from specfactory.adapters.memory.state import SWEEP_AT, MemoryState, slack_seconds, swept
    from specfactory.adapters.memory.wakeup import Listeners, MemoryWakeup, WakeupListener
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "QUEUE_SIZE", "SWEEP_AT", "EventListener", "Listeners", "LiveEvents", "MemoryState",
    "MemoryWakeup", "SystemClock", "WakeupListener", "slack_seconds", "swept",
]  # fmt: skip
