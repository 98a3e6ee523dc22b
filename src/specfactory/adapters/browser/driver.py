"""Playwright's driver, kept from signals that are meant for us: we end it after our pages.

A signal to our whole process group (``timeout``, a terminal, some supervisors) reaches the driver,
too. Were it to obey, all pages under way would be lost with it. Its browser is in a group of its
own. Both end with us in any case: the driver when its input ends, the browser when the driver does.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from specfactory.errors import UsageError

if TYPE_CHECKING:
    from playwright.async_api import Playwright

MISSING = (
    "a browser needs the package playwright; install it with: pip install 'specfactory[browser]'"
)
_OPTIONS = "NODE_OPTIONS"
# Node undoes what it inherits about signals, so the driver must be told from inside. Whatever else
# is started in the meantime inherits the words as well: they mean nothing to any other program.
_DEAF = (
    "--import=data:text/javascript,"
    "if(process.argv.includes('run-driver'))process.on('SIGTERM',()=>{})"
)


async def start_driver() -> Playwright:
    """A driver that does not obey SIGTERM."""
    try:
        from playwright.async_api import async_playwright
    except ModuleNotFoundError:
        raise UsageError(MISSING) from None
    manager = async_playwright()
    with _told_to_be_deaf():
        driver = await manager.start()
    _hush(manager)
    return driver


@contextmanager
def _told_to_be_deaf() -> Iterator[None]:
    """Options for Node, beside those of the user; Playwright hands on our whole environment."""
    before = os.environ.get(_OPTIONS)
    os.environ[_OPTIONS] = f"{before} {_DEAF}" if before else _DEAF
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_OPTIONS, None)
        else:
            os.environ[_OPTIONS] = before


def _hush(manager: Any) -> None:
    """Hear the driver's last word, or asyncio prints it: its pages tell that it is gone."""
    for name in ("_client", "_connection"):  # no public name leads there; it differs by version
        transport = getattr(getattr(manager, name, None), "_transport", None)
        last_word = getattr(transport, "on_error_future", None)
        if isinstance(last_word, asyncio.Future):
            last_word.add_done_callback(lambda word: word.cancelled() or word.exception())
