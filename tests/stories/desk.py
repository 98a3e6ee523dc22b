"""A user's folder whose commands run in the test's own process: the same code, a second less."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from specfactory.entry.cli import run_command
from tests.stories.conftest import Ended, Workspace


@dataclass(frozen=True)
class Desk(Workspace):
    """A workspace without processes; nobody sits at its terminal."""

    def spec(self, *arguments: str, check: bool = True, **options: Any) -> Ended:
        out, err = io.StringIO(), io.StringIO()
        with self._seated(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run_command(arguments)
        ended = Ended(code, out.getvalue(), err.getvalue())
        assert not check or ended.code == 0, (arguments, ended)
        return ended

    @contextlib.contextmanager
    def _seated(self) -> Iterator[None]:
        """In the folder, with no settings from around and nobody at the keyboard."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("SPEC_")}
        with (
            contextlib.chdir(self.folder),
            patch.dict(os.environ, own, clear=True),
            patch("sys.stdin", io.StringIO()),
        ):
            yield
