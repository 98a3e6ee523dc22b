"""The kinds of job and who does them.

Each handler is imported with its first job: most workers have few kinds, and some kinds load
half of the factory.
"""

from __future__ import annotations

from importlib import import_module

from specfactory.model import Job
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Done, Ended, Handlers, Work, add_handlers

_FUNCTIONS = {
    "product": "work_on_product", "page": "work_on_page", "learn": "work_on_learning",
    "run": "work_on_run", "model": "work_on_model", "proxies": "work_on_proxies",
}  # fmt: skip
"""The function of each kind, in the module of that name beside this one."""


def standard_handlers(named: str = "") -> Handlers:
    """The handlers of the factory's own kinds, and those that ``module:function`` adds."""
    handlers = Handlers()
    for kind in _FUNCTIONS:
        handlers.register(kind, _loaded_late(kind), short=kind == "run")
    if named:
        add_handlers(handlers, named)
    return handlers


def _loaded_late(kind: str) -> Work:
    async def work(bench: Workbench, job: Job) -> Done | Ended:
        module = import_module(f"specfactory.orchestrate.kinds.{kind}")
        found: Work = getattr(module, _FUNCTIONS[kind])
        return await found(bench, job)

    return work
