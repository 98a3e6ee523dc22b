"""The peer Huey: tasks in a SQLite file with full sync; a task is gone once it is taken."""

from __future__ import annotations

import logging
import threading

from huey import SqliteHuey
from huey.consumer import Consumer

from benchmarks.queue_race import Course, Options, Servers

CHUNK = 1000


def _huey(servers: Servers) -> SqliteHuey:
    return SqliteHuey("race", filename=servers.sqlite, fsync=True, results=False)


def fill(servers: Servers, jobs: int, options: Options) -> None:
    """Add the jobs in few transactions, which Huey itself would not do."""
    huey = _huey(servers)

    @huey.task(name="noop")
    def noop() -> None:
        """Only its name is needed here."""

    with huey.storage.db(commit=True) as cursor:
        for _ in range(jobs):
            message = huey.serialize_task(noop.s())
            cursor.execute(
                "INSERT INTO task (queue, data, priority) VALUES (?, ?, 0)", ("race", message)
            )


def work(servers: Servers, course: Course, options: Options) -> None:
    """One consumer process with so many threads."""
    logging.disable()
    huey = _huey(servers)

    @huey.task(name="noop")
    def noop() -> None:
        course.count()

    consumer = Consumer(
        huey, workers=int(options["threads"]), periodic=False, initial_delay=0.01, max_delay=0.01
    )
    course.wait_for_start()
    threading.Thread(target=_end, args=(course, consumer)).start()
    consumer.start()
    course.wait_until_over()
    consumer.stop(graceful=True)


def _end(course: Course, consumer: Consumer) -> None:
    course.wait_until_over()
    consumer.stop_flag.set()
