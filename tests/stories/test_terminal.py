"""A page that speaks to the terminal of whoever looks at it is not obeyed."""

import os
import re

import pytest

from tests.stories.conftest import Workspace
from tests.stories.desk import on_a_terminal

OBEYED = re.compile("\x1b\\]|\x1b\\[2J|\x1b\\[8m|[\x80-\x9f\u202e]")
EVIL = "\x1b]0;owned\x07\x1b[2J\x1b[8m\x9b2J"
PAGE = f"""<title>Kettle{EVIL}</title><h1>Kettle {EVIL}</h1><table>
<tr><th>Power{EVIL}</th><td>2200 W{EVIL}</td></tr>
<tr><th>Lid</th><td>steel{EVIL}</td></tr>
<tr><th>Colour</th><td>red\u202e</td></tr></table>"""  # digits that it turns would be refused


@pytest.mark.parametrize(
    "arguments", [("extract", "page.html"), ("contract", "draft", "page.html")], ids=" ".join
)
def test_escape_sequences_of_a_page_do_not_reach_the_terminal(tmp_path, arguments):
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    shown = b""

    with on_a_terminal(Workspace(tmp_path), arguments) as (terminal, process):
        while True:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # the other end has closed
                break
        process.wait(60)

    text = shown.decode("utf-8", "replace")
    assert "steel" in text
    assert OBEYED.findall(text) == []
