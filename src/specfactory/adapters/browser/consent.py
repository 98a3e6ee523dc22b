"""The script that presses the refusing button of a consent wall that covers the page.

It runs in an isolated world, presses a button as a person would, and touches nothing else.
A strip at the edge of a page covers nothing and is left alone.
"""

import json
from functools import cache

from specfactory.fetch.outcomes import (
    ACCEPTING,
    MAKERS_ACCEPTING,
    MAKERS_REFUSING,
    REFUSING,
    SUBJECTS,
)
from specfactory.word_lists import read_text

MOST_PRESSES = 2  # a wall may have a second page


@cache
def press_script(accept: bool) -> str:
    """The script; with ``accept``, walls that cannot be refused are accepted."""
    choices = [{"makers": MAKERS_REFUSING, "phrases": REFUSING}]
    if accept:
        choices.append({"makers": MAKERS_ACCEPTING, "phrases": ACCEPTING})
    script = read_text("adapters/browser/consent.js").rstrip()
    return script % (json.dumps(SUBJECTS), json.dumps(choices))
