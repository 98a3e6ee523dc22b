"""Jobs of kind ``product``: an attempt at the product, within what the job allows."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace

from specfactory.contract import make_product
from specfactory.contract.text import SLOTS, named_product
from specfactory.errors import JobFailed
from specfactory.model import AttemptStatus, Budget, Job, Product, Source
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Ended

LIMITS = tuple(field.name for field in fields(Budget))


async def work_on_product(bench: Workbench, job: Job) -> Ended:
    """Make the product's record; the attempt ends the job."""
    from specfactory.orchestrate.attempts import run_attempt  # most of the factory: loaded late

    product = product_of(job)
    rules = bench.contract(product.category).contract.identity
    given = {slot: getattr(product, slot) for slot in SLOTS}
    product = named_product(product.category, rules, given, product.hard_ids)
    budget = budget_of(job, bench.settings.budget.budget())
    longest = min(budget.max_seconds, bench.settings.daemon.product_seconds)
    urls = job.payload.get("urls") or ()
    urls = (urls,) if isinstance(urls, str) else urls
    if not isinstance(urls, list | tuple) or not all(isinstance(one, str) for one in urls):
        raise _bad(f"urls is {urls!r}; it must be a list of texts")
    sources = sources_of(job, bench.sources(product.category))
    budget = replace(budget, max_seconds=longest)
    result = await run_attempt(bench, product, urls=urls, budget=budget, sources=sources, job=job)
    return Ended(ok=result.attempt.status is not AttemptStatus.FAILED)


def product_of(job: Job) -> Product:
    """The product that a job names."""
    words = {name: job.payload.get(name) or "" for name in ("brand", "model", "variant")}
    for name, given in words.items():
        if not isinstance(given, str):
            raise _bad(f"{name} is {given!r}; it must be text")
    ids = job.payload.get("hard_ids") or {}
    if not isinstance(ids, Mapping):
        raise _bad(f"hard_ids is {ids!r}; it must be names with numbers")
    category = job.category or str(job.payload.get("category") or "")
    return make_product(category, **words, hard_ids={k: str(v) for k, v in ids.items()})


def budget_of(job: Job, usual: Budget) -> Budget:
    """Budget of an attempt at this job: its own limits, else the usual ones."""
    given = job.overrides.get("budget") or {}
    if not isinstance(given, Mapping):
        raise _bad(f"the override budget is {given!r}; it must be limits by name")
    for name, limit in given.items():
        number = isinstance(limit, int | float) and not isinstance(limit, bool)
        if name not in LIMITS or not number or limit < 0:
            raise _bad(f"the override budget.{name} is {limit!r}; known: {', '.join(LIMITS)}")
    return replace(usual, **given)


def sources_of(job: Job, usual: Sequence[Source]) -> list[Source] | None:
    """The sources to ask: hosts out of the usual ones, or new ones described as in a contract."""
    given = job.overrides.get("sources")
    if given is None:
        return None
    from specfactory.contract import source_from  # loads what reads contract files

    if not isinstance(given, list | tuple):
        raise _bad(f"the override sources is {given!r}; it must be a list of hosts or sources")
    known = {source.host: source for source in usual}
    found = []
    for entry in given:
        if isinstance(entry, Mapping):
            found.append(source_from(entry, "override sources"))
        elif entry in known:
            found.append(known[entry])
        else:
            raise _bad(f"the override sources has {entry!r}; known: {', '.join(sorted(known))}")
    return found


def _bad(message: str) -> JobFailed:
    return JobFailed("bad_payload", message, "queue", permanent=True)
