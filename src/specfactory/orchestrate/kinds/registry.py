"""The kinds of job and who does them.

Each handler is imported with its first job: most workers have few kinds, and some kinds load
half of the factory.
"""

from specfactory.model import Job
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Done, Ended, Handlers, add_handlers


def standard_handlers(named: str = "") -> Handlers:
    """The handlers of the factory's own kinds, and those that ``module:function`` adds."""
    handlers = Handlers()
    handlers.register("product", _product)
    handlers.register("page", _page)
    handlers.register("learn", _learn)
    handlers.register("run", _run, short=True)
    handlers.register("model", _model)
    handlers.register("proxies", _proxies)
    if named:
        add_handlers(handlers, named)
    return handlers


async def _product(bench: Workbench, job: Job) -> Ended:
    from specfactory.orchestrate.kinds.product import work_on_product

    return await work_on_product(bench, job)


async def _page(bench: Workbench, job: Job) -> Done:
    from specfactory.orchestrate.kinds.page import work_on_page

    return await work_on_page(bench, job)


async def _learn(bench: Workbench, job: Job) -> Done:
    from specfactory.orchestrate.kinds.learn import work_on_learning

    return await work_on_learning(bench, job)


async def _run(bench: Workbench, job: Job) -> Ended:
    from specfactory.orchestrate.kinds.run import work_on_run

    return await work_on_run(bench, job)


async def _model(bench: Workbench, job: Job) -> Done | Ended:
    from specfactory.orchestrate.kinds.model import work_on_model

    return await work_on_model(bench, job)


async def _proxies(bench: Workbench, job: Job) -> Done:
    from specfactory.orchestrate.kinds.proxies import work_on_proxies

    return await work_on_proxies(bench, job)
