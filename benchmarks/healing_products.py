"""Faults that only show where pages are read for products: a relaunch, a model that is away."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import yaml

import specfactory.contract
from benchmarks.healing_factory import Factory, at_work, quick_settings
from benchmarks.healing_judge import Found, Trial, job_key, judge, look, now_ms
from benchmarks.healing_sites import until
from benchmarks.healing_web import Web
from specfactory.demo.faults import Fault
from specfactory.demo.values import Site
from specfactory.model import NewJob, Product, Tier
from tests.model_server import ModelServer, serving

FIELDS = ("product_name", "brand", "weight", "length", "width")
PROSE = {"type": "text", "level": "expected", "labels": {"en": ["Creak", "Jitter", "Hump"]}}
SITE = "pixelmarket"
BEFORE, AT_ONCE = 12, 8  # pages of a host before its relaunch, and at once after it
SOON_SECONDS = 3.0
ENDED = ("complete", "failed")
PRODUCTS = 12  # that a model is asked about
QUESTIONS, ANSWER_SECONDS = 2, 0.5  # what a model is asked before it goes away


async def try_relaunch(web: Web, fault: Fault, seed: int, folder: Path, seconds: float) -> Found:
    """A site is relaunched while its pages are read."""
    site = _site(web, SITE)
    alias = f"layout-change-{site.name}"
    host = f"{alias}.localhost:{site.port}"
    shelf = next(shelf for shelf in web.world.shelves if shelf.site.name == site.name)
    products = [mouse.product for mouse in shelf.mice]
    jobs = [_page_job(f"http://{host}{shelf.path(mouse)}", mouse.product) for mouse in shelf.mice]
    trial = Trial(fault, seed, host, tuple(job.key for job in jobs), alias, must_help=True)
    settings = _settings(web, folder, learn__samples=36)
    async with at_work(folder, settings) as factory:
        await _records(factory, products, seconds)
        await factory.add(jobs[:BEFORE])
        await until(seconds, lambda: _is_idle(factory))
        await web.switch(alias, fault.name, 0)
        trial.struck_at = now_ms()
        for start in range(BEFORE, len(jobs), AT_ONCE):  # the site is learned meanwhile
            await factory.add(jobs[start : start + AT_ONCE])
            await until(seconds, lambda: _is_idle(factory))
        await until(SOON_SECONDS, lambda: judge(trial, look(factory.database)).is_over)
    return judge(trial, look(folder / "factory.db"))


async def try_model(web: Web, fault: Fault, seed: int, folder: Path, seconds: float) -> Found:
    """A language model goes away between two questions, and comes back."""
    shelf = next(shelf for shelf in web.world.shelves if shelf.site.name == SITE)
    products = [mouse.product for mouse in shelf.mice[:PRODUCTS]]
    keys = tuple(job_key("product", product.id) for product in products)
    server = ModelServer(delay_seconds=ANSWER_SECONDS)
    trial = Trial(fault, seed, "", keys)
    async with AsyncExitStack() as stack:
        up = await stack.enter_async_context(_switchable(server))
        settings = _settings(
            web, folder, model__endpoint=server.endpoint, model__name="small",
            model__calls_per_minute=100_000, model__timeout_seconds=2, model__tries=1,
        )  # fmt: skip
        factory = await stack.enter_async_context(at_work(folder, settings))
        await factory.add([_product_job(product) for product in products])
        await until(seconds, lambda: len(server.requests) >= QUESTIONS)
        await up.off()
        trial.struck_at = now_ms()
        await until(seconds, lambda: _done(factory, keys))
        await until(fault.seconds, lambda: False)
        await up.on()
        trial.urls += tuple(_asked(factory))
        await until(seconds, lambda: judge(trial, look(factory.database)).is_over)
    return judge(trial, look(folder / "factory.db"))


class _Switch:
    """A server that can be off for a while, always at the same port."""

    def __init__(self, server: ModelServer) -> None:
        self._server, self._stack = server, AsyncExitStack()

    async def on(self) -> None:
        """Let it answer."""
        await self._stack.enter_async_context(serving(self._server))

    async def off(self) -> None:
        """Let nobody connect."""
        await self._stack.aclose()


@asynccontextmanager
async def _switchable(server: ModelServer) -> AsyncIterator[_Switch]:
    switch = _Switch(server)
    await switch.on()
    try:
        yield switch
    finally:
        await switch.off()


def _asked(factory: Factory) -> Sequence[str]:
    """The questions that were queued."""
    return [key for key in look(factory.database).jobs if key.startswith("model:")]


async def _records(factory: Factory, products: Sequence[Product], seconds: float) -> None:
    """Let records of some products be made: what is known before the relaunch."""
    await factory.add([_product_job(product) for product in products])
    keys = [job_key("product", product.id) for product in products]
    await until(seconds, lambda: _done(factory, keys))


def _is_idle(factory: Factory) -> bool:
    jobs = look(factory.database).jobs.values()
    return all(job.status in ENDED for found in jobs for job in found)


def _done(factory: Factory, keys: Sequence[str]) -> bool:
    jobs = look(factory.database).jobs
    return all(key in jobs and jobs[key][-1].status in ENDED for key in keys)


def _settings(web: Web, folder: Path, **more: Any) -> Any:
    """A small contract, and a site to make records from."""
    contracts = folder / "contracts"
    contracts.mkdir()
    (contracts / "mouse.yaml").write_text(yaml.safe_dump(small_contract(), sort_keys=False))
    return quick_settings(
        folder, contracts_dir=str(contracts), contract_sources=False,
        sources=[_source(_site(web, SITE))],
        daemon__start_interval_seconds=0, **more,
    )  # fmt: skip


def _site(web: Web, name: str) -> Site:
    return next(site for site in web.world.sites if site.name == name)


def _source(site: Site) -> dict[str, Any]:
    search = f"{site.origin}/search?q={{query}}"
    return {"host": site.host, "tier": str(site.tier), "scheme": "http", "category": "mouse",
            "search": search}  # fmt: skip


def small_contract() -> dict[str, Any]:
    """The mouse of few fields, and one that only prose may hold."""
    bundled = Path(specfactory.contract.__file__).parent / "bundled" / "mouse.yaml"
    contract = yaml.safe_load(bundled.read_text(encoding="utf-8"))
    fields = {name: dict(contract["fields"][name]) for name in FIELDS}
    kept = {name: contract[name] for name in ("category", "version", "title", "identity")}
    return {**kept, "fields": {**fields, "feel": PROSE}}


def _payload(product: Product) -> dict[str, Any]:
    return {"brand": product.brand, "model": product.model, "variant": product.variant}


def _page_job(url: str, product: Product) -> NewJob:
    payload = {"url": url, "tier": Tier.LAB, **_payload(product)}
    return NewJob("page", url, payload, product.category)


def _product_job(product: Product) -> NewJob:
    return NewJob("product", product.id, _payload(product), product.category)
