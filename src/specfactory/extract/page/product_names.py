"""Names in running text: whose value a clause gives, without knowing any product."""

import re
from collections.abc import Iterable
from functools import lru_cache

from specfactory.contract import CompiledContract
from specfactory.extract.page.region_words import NO_NAMES, speaks_of_another

_NAME = re.compile(
    r"(?:[A-Z][\w'’+.-]*|[A-Za-z]*\d[\w+.-]*)(?:\s+(?:[A-Z][\w'’+.-]*|[A-Za-z]{0,6}\d[\w+.-]*))*"
)
_QUANTITY = re.compile(r"[\d.,]+\s?[A-Za-zµ°%\"]{0,6}$")


@lru_cache(maxsize=64)
def component_names(compiled: CompiledContract) -> tuple[str, ...]:
    """Sensors, switches and the like are named in sentences too; they are not the product."""
    return tuple(
        name.casefold()
        for known in compiled.contract.components.values()
        for canonical, synonyms in known.items()
        for name in (canonical, *synonyms)
        if len(name) > 3
    )


def clause_subject(before: str, after: str, known_parts: tuple[str, ...]) -> tuple[str | None, str]:
    """The product that a clause names before or after its value, and a doubt where it names none.

    In a clause about an unnamed predecessor or rival, the value is not the page's own.
    """
    subject = last_name(before, known_parts) or last_name(after, known_parts)
    doubt = "its clause speaks of another" if not subject and speaks_of_another(before) else ""
    return subject, doubt


def last_name(words: str, known_parts: Iterable[str]) -> str | None:
    """The last name in the words that is no known part, quantity or sentence opener."""
    parts = tuple(known_parts)
    for found in reversed(list(_NAME.finditer(words))):
        each = found[0].split()
        while each and each[0] in NO_NAMES:
            each = each[1:]
        name = " ".join(each).rstrip(".,'’-")
        folded = name.casefold()
        # Two words, or one with both letters and digits or capitals inside; never a quantity.
        mixed = " " in name or any(map(str.isdigit, name)) or any(map(str.isupper, name[1:]))
        if not name[:1].isalpha() or not mixed or _QUANTITY.fullmatch(name):
            continue
        if not any(folded in part or part in folded for part in parts):
            return name
    return None
