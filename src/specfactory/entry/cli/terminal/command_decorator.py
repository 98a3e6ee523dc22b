"""One decorator for all commands: it reads settings, opens the factory and prints the reply.

A module with commands needs no more than this::

    @command(app, "list")
    async def list_workers(
        factory: Workbench,
        host: Annotated[str | None, "--host HOST", "Only workers on this host."] = None,
    ) -> Reply:
        found = await factory.workers.list()
        return Reply(WorkerShape.all_of(found), COLUMNS, empty="no workers yet")

An option is annotated with its type, how it is typed and its help, and where needed with further
keywords of ``typer.Option``; what is typed without dashes is an argument. A reply is printed as
JSON with ``--json``, else as its table; a ``RowStream`` row by row, while the factory is open.
Ctrl-C and errors end in ``run_command``, which every command goes through.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any, NamedTuple, get_args

import typer

from specfactory.entry.cli.terminal import output as out
from specfactory.entry.cli.terminal.row_stream import RowStream
from specfactory.entry.cli.terminal.session import open_factory, settings_from

Function = Callable[..., Any]

_BY_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_CONTEXT = inspect.Parameter("context", _BY_KEYWORD, annotation=typer.Context)
_AS_JSON = inspect.Parameter(
    "as_json",
    _BY_KEYWORD,
    default=False,
    annotation=Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")],
)


class Reply(NamedTuple):
    """A command's answer: a shape or a ``RowStream`` for machines, and how people see it."""

    shape: Any
    show: out.Columns | str | Callable[[Any], object]  # of a table; a line; or what prints it
    empty: str = "nothing here yet"  # said instead of a table without rows
    code: int = 0

    def print(self, as_json: bool) -> None:
        """Print the answer, and leave with its code."""
        if as_json:
            out.print_json(self.shape)
        elif isinstance(self.show, str):
            out.line(self.show)
        elif isinstance(self.show, Sequence):
            out.table(self.show, self.shape, empty=self.empty)
        else:
            self.show(self.shape)
        if self.code:
            raise typer.Exit(self.code)


def command(app: typer.Typer, name: str) -> Callable[[Function], Function]:
    """Make a command of a function, a coroutine or not.

    Parameters named ``context``, ``settings``, ``factory`` (open while the coroutine runs) and
    ``as_json`` are filled here; all others are arguments and options. A function that gives a
    ``Reply`` gets the option ``--json``.
    """

    def decorate(function: Function) -> Function:
        replies = function.__annotations__.pop("return") == "Reply"
        for injected in ("settings", "factory", "as_json"):
            function.__annotations__.pop(injected, None)  # imported for type checkers only
        parameters = inspect.signature(function, eval_str=True).parameters
        options = [
            parameter.replace(kind=_BY_KEYWORD, annotation=_for_typer(parameter.annotation))
            for name, parameter in parameters.items()
            if name not in ("context", "settings", "factory", "as_json")
        ]

        def run(context: typer.Context, as_json: bool = False, **given: Any) -> None:
            from specfactory.entry.event_loop import perform  # --help must be quick

            if "context" in parameters:
                given["context"] = context
            if "as_json" in parameters:
                given["as_json"] = as_json
            if "settings" in parameters:
                given["settings"] = settings_from(context)
            if "factory" in parameters:
                reply = perform(_with_factory(context, function, given, as_json))
            else:
                reply = function(**given)
                if inspect.iscoroutine(reply):
                    reply = perform(reply)
            if reply is not None:
                reply.print(as_json)

        shown = [_CONTEXT, *options, *([_AS_JSON] if replies else [])]
        run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
        run.__doc__, run.__name__ = function.__doc__, function.__name__
        run.__module__ = function.__module__
        return app.command(name)(run)

    return decorate


def _for_typer(annotation: Any) -> Any:
    """``Annotated[int, "--limit N", "help", {"min": 1}]`` as typer wants it."""
    kind, typed, meaning, *more = get_args(annotation)
    names = [word for word in typed.split() if word.startswith("-")]
    metavar = next((word for word in typed.split() if word not in names), None)
    declare = typer.Option if names else typer.Argument
    keywords: dict[str, Any] = more[0] if more else {}
    return Annotated[kind, declare(*names, metavar=metavar, help=meaning, **keywords)]


async def _with_factory(
    context: typer.Context,
    function: Callable[..., Coroutine[Any, Any, Any]],
    given: dict[str, Any],
    as_json: bool,
) -> Any:
    async with open_factory(given.get("settings") or settings_from(context)) as factory:
        reply = await function(factory=factory, **given)
        if not isinstance(reply, Reply) or not isinstance(reply.shape, RowStream):
            return reply
        if as_json:
            await reply.shape.print_json()
        else:
            assert isinstance(reply.show, Sequence), "columns"
            await reply.shape.print_table(reply.show, reply.empty)
        return None
