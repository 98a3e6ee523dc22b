"""The kinds of job, one module each: what a worker does with a job of that kind."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .proxies import ProxyRounds
    from .registry import standard_handlers
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
