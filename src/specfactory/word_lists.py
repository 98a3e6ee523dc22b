"""Word lists: text files beside the modules that use them, so that a new word is one line."""

from pathlib import Path

_FOLDER = Path(__file__).parent


def read_text(file: str) -> str:
    """Read a data file; its path is relative to the package."""
    return (_FOLDER / file).read_text(encoding="utf-8")


def read_lists(file: str) -> dict[str, tuple[str, ...]]:
    """Read the lines under each ``== name`` of a data file.

    Empty lines and comments are skipped. A comment needs the space of ``# ``: selectors begin
    with a hash too.
    """
    lists: dict[str, tuple[str, ...]] = {}
    for section in f"\n{read_text(file)}".split("\n== ")[1:]:
        name, *lines = section.split("\n")
        lists[name] = tuple(line for line in lines if line and not line.startswith("# "))
    return lists


def word_set(*lines: str) -> frozenset[str]:
    """The words of some lines, as a set to look up."""
    return frozenset(" ".join(lines).split())


def read_words(file: str) -> dict[str, frozenset[str]]:
    """Read the single words under each ``== name`` of a data file."""
    return {name: word_set(*lines) for name, lines in read_lists(file).items()}


def read_patterns(file: str) -> dict[str, str]:
    """Read the regular expressions under each ``== name`` of a data file, one a line, as one."""
    return {name: "|".join(lines) for name, lines in read_lists(file).items()}


def first_words(lines: tuple[str, ...]) -> dict[str, str]:
    """Map each further word of a line to the line's first word."""
    rows = (line.split() for line in lines)
    return {word: first for first, *words in rows for word in words}
