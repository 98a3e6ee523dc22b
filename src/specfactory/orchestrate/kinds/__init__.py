"""The kinds of job, one module each: what a worker does with a job of that kind."""

from .proxies import ProxyRounds
from .registry import standard_handlers
