"""Faults of sites and of the network to them: many hosts side by side in one factory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.healing_factory import Factory, at_work, quick_settings
from benchmarks.healing_judge import Found, Trial, judge, look, now_ms
from benchmarks.healing_network import Certificates, Front, Names, Proxy, listening
from benchmarks.healing_web import Web
from specfactory.demo.faults import Fault, Scope
from specfactory.model import NewJob, Tier

PAGES = 20  # of each host
LOOK_SECONDS, SOON_SECONDS = 0.5, 0.1
CERTIFIED = "SSL_CERT_FILE"  # where OpenSSL looks for authorities
UNSEEN = ("changed_encoding",)  # pages come all the same
PROXIES = ("127.0.0.2", "127.0.0.3")


async def try_sites(
    web: Web, faults: Sequence[Fault], seed: int, folder: Path, seconds: float
) -> list[Found]:
    """Each fault at a host of its own, all at once."""
    names, proxies = Names(), [Proxy(address) for address in PROXIES]
    async with AsyncExitStack() as stack:
        trials = [plan(web, fault, seed) for fault in faults]
        fronts = await _fronts(stack, trials, names, folder)
        await stack.enter_async_context(listening(*proxies))
        stack.enter_context(names.ruling())
        settings = quick_settings(folder, proxy__urls=[proxy.url for proxy in proxies])
        factory = await stack.enter_async_context(at_work(folder, settings))
        for trial in trials:
            if trial.fault.act is not None:
                await web.switch(trial.alias, trial.fault.name, trial.spare)
        await factory.add(jobs_of(trials))
        await watch(factory, web, trials, fronts, seconds)
        await stack.aclose()
    return [judge(trial, look(folder / "factory.db")) for trial in trials]


def plan(web: Web, fault: Fault, seed: int) -> Trial:
    """Where a fault strikes, and when, by the seed alone."""
    draw = Random(f"{seed}:{fault.name}")
    site = web.choose(draw)
    alias = f"{fault.name.replace('_', '-')}-{site.name}"
    spare = draw.randint(1, 2) if fault.scope is Scope.PATH else draw.randint(5, 9)
    paths = web.paths(site, draw, PAGES)
    host = f"{alias}.localhost:{site.port}"
    urls = tuple(f"http://{host}{path}" for path in paths)
    return Trial(fault, seed, host, urls, alias, spare, must_help=fault.name in UNSEEN)


async def _fronts(
    stack: AsyncExitStack, trials: Sequence[Trial], names: Names, folder: Path
) -> dict[str, Front]:
    """A door of its own for every trial of the network, opened."""
    struck = [trial for trial in trials if trial.fault.scope is Scope.NETWORK]
    certificates = Certificates(
        folder, [f"{trial.alias}.localhost" for trial in struck] or ["nobody.localhost"]
    )
    os.environ[CERTIFIED] = str(certificates.file)
    fronts = {}
    for trial in struck:
        tls = certificates if trial.fault.diagnosis == "tls_failure" else None
        site_port = int(trial.host.rpartition(":")[2])
        front = Front(site_port, tls, spare=trial.spare)
        front.on_strike = partial(_strike, trial, front, names)
        await stack.enter_async_context(listening(front))
        _move(trial, front)
        fronts[trial.alias] = front
    return fronts


def _move(trial: Trial, front: Front) -> None:
    """Let the trial's pages stand behind the front."""
    before, scheme = f"http://{trial.host}", "https" if front.tls else "http"
    trial.host = f"{trial.alias}.localhost:{front.port}"
    trial.urls = tuple(url.replace(before, f"{scheme}://{trial.host}") for url in trial.urls)


def _strike(trial: Trial, front: Front, names: Names) -> None:
    """The fault begins; what passes, passes by itself."""
    fault, name = trial.fault, f"{trial.alias}.localhost"
    later = asyncio.get_running_loop().call_later
    if fault.diagnosis == "dns_failure":
        names.gone.add(name)
        if fault.seconds:
            later(fault.seconds, names.gone.discard, name)
        return
    front.manner = "plain" if fault.curable else "expired"
    if fault.seconds:
        later(fault.seconds, setattr, front, "manner", "well")


def jobs_of(trials: Sequence[Trial]) -> list[NewJob]:
    """All pages, host after host in turn, so that all hosts are visited at once."""
    longest = max(len(trial.urls) for trial in trials)
    return [
        NewJob("page", trial.urls[number], {"url": trial.urls[number], "tier": Tier.RETAILER})
        for number in range(longest)
        for trial in trials
        if number < len(trial.urls)
    ]


async def watch(
    factory: Factory, web: Web, trials: Sequence[Trial], fronts: dict[str, Front], seconds: float
) -> None:
    """Wait until every trial is over, or for so long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await asyncio.sleep(LOOK_SECONDS)
        state = await web.state()
        for trial in trials:
            if trial.struck_at is None:
                note_strike(trial, state.get(trial.alias, {}).get("seconds"))
            if trial.struck_at is None and (front := fronts.get(trial.alias)):
                began = front.began
                note_strike(trial, None if began is None else time.monotonic() - began)
        seen = await asyncio.to_thread(look, factory.database)
        if all(judge(trial, seen).is_over for trial in trials):
            return


def note_strike(trial: Trial, seconds_ago: float | None) -> None:
    """Remember when a fault began."""
    if seconds_ago is not None:
        trial.struck_at = now_ms() - round(seconds_ago * 1000)


async def until(seconds: float, is_so: Callable[[], bool]) -> None:
    """Wait until something is so, or for so long."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not await asyncio.to_thread(is_so):  # noqa: ASYNC110 – a database is looked at
                await asyncio.sleep(SOON_SECONDS)
