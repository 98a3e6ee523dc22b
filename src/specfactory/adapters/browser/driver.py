"""Playwright's driver, protected from signals meant for us: we end it after our pages.

A signal to our process group (``timeout``, a terminal, some supervisors) also reaches the driver.
If it obeyed, all pages in progress would be lost. Its browser is in a group of its own. Both end
with us in any case: the driver when its input ends, the browser when the driver does.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from specfactory.errors import UsageError

if TYPE_CHECKING:
    from playwright.async_api import Playwright

MISSING = (
    "a browser needs the package playwright; install it with: pip install 'specfactory[browser]'"
)
_OPTIONS = "NODE_OPTIONS"
# Node resets inherited signal handling, so the driver has to ignore SIGTERM from inside. Other
# programs started meanwhile inherit the option too; it means nothing to them.
_IGNORE_SIGTERM = (
    "--import=data:text/javascript,"
    "if(process.argv.includes('run-driver'))process.on('SIGTERM',()=>{})"
)


async def start_driver() -> Playwright:
    """Start a driver that ignores SIGTERM."""
    try:
        from playwright.async_api import async_playwright
    except ModuleNotFoundError:
        raise UsageError(MISSING) from None
    manager = async_playwright()
    before = os.environ.get(_OPTIONS)  # Playwright passes our whole environment on
    os.environ[_OPTIONS] = f"{before} {_IGNORE_SIGTERM}" if before else _IGNORE_SIGTERM
    try:
        driver = await manager.start()
    finally:
        if before is None:
            os.environ.pop(_OPTIONS, None)
        else:
            os.environ[_OPTIONS] = before
    # keep asyncio from printing the driver's last error: its pages report that it is gone
    internals: Any = manager
    for name in ("_client", "_connection"):  # there is no public way; it differs by version
        transport = getattr(getattr(internals, name, None), "_transport", None)
        error = getattr(transport, "on_error_future", None)
        if isinstance(error, asyncio.Future):
            error.add_done_callback(lambda done: done.cancelled() or done.exception())
    return driver
