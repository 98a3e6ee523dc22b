"""The lists of words that the seed draws from."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from specfactory.demo.truth import read_yaml

_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e", "ê": "e",
                         "à": "a", "â": "a", "ç": "c", "ô": "o", "û": "u", "œ": "oe"})  # fmt: skip


@lru_cache(maxsize=1)
def wording() -> dict[str, Any]:
    """The file of words."""
    return dict(read_yaml(Path(__file__).parent / "wording.yaml"))


def slug(name: str) -> str:
    """A name as it stands in a URL."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower().translate(_GERMAN)).strip("-")


def section_name(type_name: str, language: int) -> str:
    """What a shop calls the section of a type of goods."""
    return str(wording()["types"][type_name][4 + 2 * language])


def product_noun(type_name: str, language: int) -> str:
    """What a shop calls a single product of a type."""
    return str(wording()["types"][type_name][5 + 2 * language])
