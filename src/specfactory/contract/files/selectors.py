"""Hand-written selectors: CSS, optionally with ``::attr(name)`` for a value in an attribute."""

from __future__ import annotations

import re
from functools import lru_cache

from specfactory.contract.files.yaml_nodes import Node
from specfactory.contract.files.yaml_reader import NAME, Reader, did_you_mean

_END = re.compile(r"\s*::\s*(?:text|attr\(\s*([a-zA-Z_:][\w:.-]{0,60})\s*\))\s*$")


@lru_cache(maxsize=1024)
def split_selector(selector: str) -> tuple[str, str]:
    """The CSS, and the attribute that holds the value; "" stands for the element's words."""
    end = _END.search(selector)
    return (selector[: end.start()], end[1] or "") if end else (selector.strip(), "")


def read_selectors(
    reader: Reader, node: Node, where: str, fields: set[str] | None
) -> dict[str, str]:
    """Selectors by field; ``fields`` None takes any name."""
    found: dict[str, str] = {}
    for name, entry in reader.mapping(node, where).items():
        selector = reader.text(entry, f"{where}.{name}")
        if fields is not None and name not in fields:
            problem = f"there is no field {name!r}{did_you_mean(name, fields)}"
            reader.problem(entry.line, f"{where}.{name}", problem)
        elif not NAME.fullmatch(name):
            reader.problem(entry.line, f"{where}.{name}", "is no name of a field")
        elif selector and not _is_css(split_selector(selector)[0]):
            reader.problem(entry.line, f"{where}.{name}", f"is no CSS selector: {selector[:80]!r}")
        elif selector:
            found[name] = selector
    return found


def _is_css(selector: str) -> bool:
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    try:
        LexborHTMLParser("<p>").css_first(selector)
    except SelectolaxError:
        return False
    return bool(selector)
