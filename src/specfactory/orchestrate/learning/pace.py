"""Pace of learning: a share of this process's processor time, and an end within moments."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from specfactory.errors import Interrupted
from specfactory.learn import pausing
from specfactory.orchestrate.bench import OF_THIS_PROCESS, LearningTime

LOOK_SECONDS = 0.1  # between two looks while learning waits for its share
Result = TypeVar("Result")


class Pace:
    """Runs pieces of learning in threads; each waits for its share, and stops when told.

    With a ``share`` of 1 learning never waits.
    """

    def __init__(self, share: float, spent: LearningTime = OF_THIS_PROCESS) -> None:
        self._share, self._spent = share, spent
        self._stopped = threading.Event()
        self._counted = 0.0  # seconds of the thread that are counted already
        self._longest = 0.0  # between two pauses; the next step may take as long

    def stop(self) -> None:
        """End the piece at work with Interrupted, at its next pause."""
        self._stopped.set()

    def run(self, work: Callable[[], Result]) -> Result:
        """Do a piece of learning in this thread."""
        self._counted = time.thread_time()
        with pausing(self._pause):
            try:
                self._pause()
                return work()
            finally:
                self._count()

    def _count(self) -> None:
        now = time.thread_time()
        self._spent.seconds += now - self._counted
        self._longest = max(self._longest, now - self._counted)
        self._counted = now

    def _pause(self) -> None:
        self._count()
        share = self._share
        while self._spent.is_over(share, self._longest) and not self._stopped.is_set():
            self._stopped.wait(LOOK_SECONDS)
        if self._stopped.is_set():
            raise Interrupted("learning was stopped")
