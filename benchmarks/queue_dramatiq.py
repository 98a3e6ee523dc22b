"""The peer Dramatiq: messages in Redis, acknowledged after they were worked on."""

from __future__ import annotations

import logging
import time

import dramatiq
import redis
from dramatiq.brokers.redis import RedisBroker

from benchmarks.queue_race import LOOK_SECONDS, Course, Options, Servers


def _broker(servers: Servers) -> RedisBroker:
    broker = RedisBroker(url=servers.redis)
    dramatiq.set_broker(broker)
    return broker


def fill(servers: Servers, jobs: int, options: Options) -> None:
    """Add the jobs."""
    broker = _broker(servers)
    noop = dramatiq.actor(lambda: None, actor_name="noop", broker=broker)
    for _ in range(jobs):
        noop.send()


def work(servers: Servers, course: Course, options: Options) -> None:
    """One worker process with so many threads."""
    logging.disable()
    broker = _broker(servers)
    dramatiq.actor(course.count, actor_name="noop", broker=broker)
    worker = dramatiq.Worker(broker, worker_timeout=20, worker_threads=int(options["threads"]))
    worker.queue_prefetch = int(options["prefetch"])
    course.wait_for_start()
    worker.start()
    course.wait_until_over()
    left = redis.Redis.from_url(servers.redis)
    while left.hlen("dramatiq:default.msgs"):  # not acknowledged yet
        time.sleep(LOOK_SECONDS)
    worker.stop()
