"""Takes the arguments of ``spec`` and gives its output and exit code: 0 done, 1 failed, 2 misuse.

Nothing but typer is imported before a command is chosen, so that ``spec --help`` is quick.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any

INTERRUPTED = 130


def main() -> None:
    """The ``spec`` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # what a terminal cannot show must not end the command
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run_command(sys.argv[1:]))


def run_command(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; errors become one line on stderr."""
    try:
        from .app import app

        return _left(app(args=list(arguments), prog_name="spec", standalone_mode=False))
    except SystemExit as leave:
        if isinstance(leave.__context__, BrokenPipeError):  # click makes an exit of it
            return _reader_gone()
        return _left(leave.code)
    except KeyboardInterrupt:
        return _left(INTERRUPTED)
    except BrokenPipeError:
        return _reader_gone()
    except Exception as problem:
        if os.environ.get("SPEC_DEBUG") == "1":
            raise
        return _failed(problem)


def _left(code: object) -> int:
    if code == INTERRUPTED:
        _say("interrupted; what was written is kept")
    return code if isinstance(code, int) else 0


def _failed(problem: Any) -> int:
    from specfactory.errors import SpecError, UsageError

    from .terminal import as_typed

    if hasattr(problem, "format_message"):  # typer could not read the arguments
        words, context = problem.format_message(), getattr(problem, "ctx", None)
        if "\n" in words:  # the help of a group that was given no command
            print(words, file=sys.stderr)
        else:
            words += "" if words[-1:] in (".", "?", "!") else "."
            _say(words + (f" See: {context.command_path} --help" if context else ""))
        return int(problem.exit_code)
    if isinstance(problem, SpecError):
        _say(as_typed(str(problem)))
        return 2 if isinstance(problem, UsageError) else 1
    if isinstance(problem, OSError):
        what = problem.strerror or str(problem) or type(problem).__name__
        _say(f"{problem.filename}: {what}" if problem.filename else what)
        return 1
    _say(f"unexpected {type(problem).__name__}: {problem} (SPEC_DEBUG=1 shows where)")
    return 1


def _say(text: str) -> None:
    from specfactory.redaction import redacted

    from .terminal import out

    print(f"spec: {redacted(out.clean(text))}", file=sys.stderr)


def _reader_gone() -> int:
    """Say nothing, also not at exit: the reader of our output has left (``| head``)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
