"""Handlers: what does which kind of job.

A handler is a coroutine of a workbench and a job. It gives a ``Done``, whose writes land in the
same transaction as the job's end, or an ``Ended`` when it has ended the job itself. It
raises ``JobFailed`` (or anything else) when the job cannot be done. Your own kinds::

    def register(handlers: Handlers) -> None:
        handlers.register("noop", noop, short=True)

are named by ``SPEC_HANDLERS=package.module:register`` in the environment of a worker.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from importlib import import_module

from specfactory.errors import SettingError, UsageError
from specfactory.model import Frozen, Job, NewJob
from specfactory.orchestrate.bench import Workbench
from specfactory.ports import Write

VARIABLE = "SPEC_HANDLERS"


class Done(Frozen):
    """A job's result: written in one transaction with the job's end and the jobs it found."""

    write: Write | None = None
    jobs: Sequence[NewJob] = ()
    after: Callable[[], Awaitable[None]] | None = None  # when it was written


class Ended(Frozen):
    """The handler has ended the job itself, by its lease; not ``ok``: it failed."""

    ok: bool = True


Work = Callable[[Workbench, Job], Awaitable[Done | Ended]]


class Handler(Frozen):
    """Does one kind of job; ``short`` ones are done one after the other and finished together."""

    work: Work
    short: bool = False


class Handlers:
    """The kinds that a worker can do; jobs of other kinds are never claimed."""

    def __init__(self) -> None:
        self._by_kind: dict[str, Handler] = {}

    def register(self, kind: str, work: Work, *, short: bool = False) -> None:
        """Set the handler of a kind, in place of an earlier one."""
        self._by_kind[kind] = Handler(work, short)

    def of(self, kind: str) -> Handler:
        """The handler of a kind."""
        return self._by_kind[kind]

    def choose(self, wanted: Iterable[str] | None = None) -> tuple[str, ...]:
        """All kinds, or those that are wanted; one without a handler is refused."""
        if wanted is None:
            return tuple(self._by_kind)
        kinds = tuple(dict.fromkeys(wanted))
        for kind in kinds:
            if kind not in self._by_kind:
                raise SettingError("kinds", kind, " | ".join(self._by_kind))
        return kinds


def add_handlers(handlers: Handlers, named: str) -> None:
    """Let a module register its own handlers."""
    place, _, name = named.partition(":")
    try:
        register = getattr(import_module(place), name or "register")
    except (ImportError, AttributeError, ValueError) as problem:
        raise UsageError(
            f"{VARIABLE} is {named!r}; it must name module:function ({problem})"
        ) from None
    register(handlers)
