"""The kinds of job and who does them.

A handler imports what only its own kind needs with its first job: most workers have few kinds,
and some kinds load half of the factory.
"""

from specfactory.orchestrate.jobs import Handlers, add_handlers
from specfactory.orchestrate.kinds.learn import work_on_learning
from specfactory.orchestrate.kinds.model import work_on_model
from specfactory.orchestrate.kinds.page import work_on_page
from specfactory.orchestrate.kinds.product import work_on_product
from specfactory.orchestrate.kinds.proxies import work_on_proxies
from specfactory.orchestrate.kinds.reread import work_on_rereading
from specfactory.orchestrate.kinds.run import work_on_run


def standard_handlers(named: str = "") -> Handlers:
    """The handlers of the factory's own kinds, and those that ``module:function`` adds."""
    handlers = Handlers()
    handlers.register("product", work_on_product)
    handlers.register("page", work_on_page)
    handlers.register("learn", work_on_learning)
    handlers.register("reread", work_on_rereading)
    handlers.register("run", work_on_run, short=True)
    handlers.register("model", work_on_model)
    handlers.register("proxies", work_on_proxies)
    if named:
        add_handlers(handlers, named)
    return handlers
