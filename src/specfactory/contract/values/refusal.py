"""Saying no: words that give no value, and why."""

from typing import NoReturn

from specfactory.contract.text import word_set
from specfactory.errors import NotDerivable

_NOTHING = word_set(
    "|-|–|—|−|--|---|―|n/a|n.a.|n. a.|n/d|n.d.|na|k.a.|k. a.|?|...|…|unknown|tba|tbd|tbc|"
    "not specified|unspecified|not available|not applicable|not disclosed|undisclosed|no data|"
    "unk|none|null|nil|keine angabe|keine angaben|nicht angegeben|nicht bekannt|unbekannt|"
    "nicht verfügbar|entfällt|non spécifié|non communiqué|non disponible|inconnu|sans objet|"
    "no especificado|no disponible|desconocido|non specificato|non disponibile|sconosciuto|"
    "to be announced|to be determined|coming soon",
    "|",
)


def refuse(field: str, words: str, code: str, detail: str) -> NoReturn:
    """Raise NotDerivable."""
    raise NotDerivable(field, words[:200], code, detail)


def says_nothing(words: str) -> bool:
    """Tell whether the words are a placeholder: a dash, ``N/A``, ``unknown``."""
    return len(words) < 24 and words.strip(" \u00a0\t\n.*:()").casefold() in _NOTHING
