"""The kinds of job, one module each: what a worker does with a job of that kind."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.orchestrate.kinds.proxies import ProxyRounds
    from specfactory.orchestrate.kinds.registry import standard_handlers
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["ProxyRounds", "standard_handlers"]
