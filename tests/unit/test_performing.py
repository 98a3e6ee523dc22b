"""How a command's work is run."""

import subprocess
import sys

ENDS = """
import asyncio, atexit, gc
from specfactory.entry.event_loop import perform

atexit.register(lambda: print(gc.get_freeze_count() > 0))
assert perform(asyncio.sleep(0, "done")) == perform(asyncio.sleep(0, "done")) == "done"
assert gc.get_freeze_count() == 0
"""


def test_a_command_ends_without_a_search_for_garbage() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60)

    assert (ended.stdout.strip(), ended.stderr) == ("True", "")
