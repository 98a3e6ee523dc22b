"""Processor time of learning in this process, against what the process has for it."""

import time
from collections.abc import Callable


class LearningTime:
    """Seconds that learning took, and those in which a worker had nothing else to do."""

    def __init__(self, of_process: Callable[[], float] = time.process_time) -> None:
        self.seconds = 0.0
        self.idle_seconds = 0.0  # by the clock: a processor stood by
        self._of_process = of_process

    def is_over(self, share: float, ahead: float) -> bool:
        """True while ``ahead`` more seconds would be above a share of used and idle time."""
        return share < 1 and self.seconds + ahead > share * (self._of_process() + self.idle_seconds)


OF_THIS_PROCESS = LearningTime()
