"""One process: state, wake-up calls, live events, the machine's clock."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .clock import SystemClock
    from .live_events import QUEUE_SIZE, EventListener, LiveEvents
    from .state import SWEEP_AT, MemoryState, slack_seconds, swept
    from .wakeup import MemoryWakeup, WakeupListener
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
