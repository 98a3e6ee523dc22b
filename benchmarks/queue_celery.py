"""The peer Celery on Redis: acknowledged late, results ignored, JSON only."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import redis
from celery import Celery

from benchmarks.queue_race import LIMIT_SECONDS, LOOK_SECONDS, Options, Servers

WARM_SHARE = 0.1  # the start of its processes is not counted
BROKER = "BENCH_BROKER"
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

app = Celery("race", broker=os.environ.get(BROKER, "redis://127.0.0.1:6379/0"))
app.conf.update(
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    worker_prefetch_multiplier=int(os.environ.get("BENCH_PREFETCH", "1")),
    worker_send_task_events=False,
    broker_connection_retry_on_startup=True,
)


@app.task(name="noop")
def noop() -> None:
    """Nothing to do."""


def fill(servers: Servers, jobs: int, options: Options) -> None:
    """Add the jobs."""
    app.conf.broker_url = servers.redis
    with (
        app.connection_for_write(servers.redis) as connection,
        app.amqp.Producer(connection.default_channel) as producer,
    ):
        for _ in range(jobs):
            noop.apply_async(producer=producer)


def rate(servers: Servers, jobs: int, options: Options) -> float:
    """Jobs a second, from when a tenth of them is done until none is left in Redis."""
    command = [
        sys.executable, "-m", "celery", "-A", "benchmarks.queue_celery", "worker",
        "--pool", str(options["pool"]), "--concurrency", str(options["concurrency"]),
        "--loglevel", "ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat",
    ]  # fmt: skip
    environment = {**os.environ, BROKER: servers.redis,
                   "BENCH_PREFETCH": str(options["prefetch"]), "C_FORCE_ROOT": "1"}  # fmt: skip
    with subprocess.Popen(command, env=environment, **QUIET) as process:
        try:
            return _timed(redis.Redis.from_url(servers.redis), jobs)
        finally:
            process.terminate()


def _timed(client: redis.Redis, jobs: int) -> float:
    limit = time.monotonic() + LIMIT_SECONDS
    first = _wait(client, int(jobs * (1 - WARM_SHARE)), limit)
    began = time.monotonic()
    _wait(client, 0, limit)
    return first / (time.monotonic() - began)


def _wait(client: redis.Redis, count: int, limit: float) -> int:
    while (left := int(client.llen("celery")) + int(client.hlen("unacked"))) > count:
        if time.monotonic() > limit:
            raise SystemExit(f"Celery is too slow: {left} left")
        time.sleep(LOOK_SECONDS)
    return left
