"""Characters that terminals and readers obey instead of showing, out of texts and files."""

import re

# C0 but for tab and line feed, DEL, C1, direction marks, line ends of Unicode, half surrogates
_OBEYED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")


def without_controls(text: str) -> str:
    """The text of a cell: lines end in a line feed, a tab is a space, all other controls go."""
    if text.isprintable():
        return text
    return _OBEYED.sub("", _LINE_END.sub("\n", text).replace("\t", " "))


def visible_controls(text: str) -> str:
    r"""Show controls as ``\u001b``: in JSON the same text, on a terminal a harmless one."""
    if text.isprintable():
        return text
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
