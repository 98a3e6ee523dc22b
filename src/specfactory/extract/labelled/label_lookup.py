"""Lookup of the contract's labels, cached."""

import re
from functools import lru_cache

from specfactory.contract import CompiledContract, LabelMatch
from specfactory.contract.matching import hints_barcode
from specfactory.contract.text import normal

_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[a-z]+")
_FIRST = re.compile(r"\s*([a-zA-Z]+)")
_MAX_LABEL = 120
_MAX_KNOWN = 50_000


class Labels:
    """The contract's labels, with and without the headings they may stand under."""

    def __init__(self, compiled: CompiledContract) -> None:
        self._compiled = compiled
        words: set[str] = set()  # the letters of every word in a name or a label
        endings: set[tuple[str, ...]] = set()  # of longer labels: "Length" of "Cable length"
        for field in compiled.contract.fields.values():
            labels = [label for labels in field.labels.values() for label in labels]
            for label in (field.name, *labels):
                words.update(_LETTERS.findall(normal(label)))
                words.update(_LETTERS.findall(label.casefold()))
            for label in labels:
                each = _WORD.findall(label.casefold())
                endings.update(tuple(each[at:]) for at in range(1, len(each)) if len(each[-1]) > 3)
        self._words, self._endings = frozenset(words), frozenset(endings)
        self._has_barcode = bool(compiled.barcode)
        self.may_name = lru_cache(maxsize=_MAX_KNOWN)(self._may_name)

    def names(self, words: str) -> bool:
        """True when the words name a field whatever heading they stand under."""
        return len(words) <= _MAX_LABEL and self._compiled.match_label(words.strip()) is not None

    def _may_name(self, words: str) -> bool:
        """True when the words name a field, at least under some heading."""
        if len(words) > _MAX_LABEL or not self.may_begin(words):
            return False
        return tuple(_WORD.findall(words.casefold())) in self._endings or self.names(words)

    def may_begin(self, words: str) -> bool:
        """True when some label has the first word: a fast check that rules out most words."""
        first = _FIRST.match(words) if words.isascii() else None
        if first is None or first[1].lower() in self._words:
            return True
        return self._has_barcode and hints_barcode(words)

    def match(self, label: str, sections: list[str]) -> tuple[LabelMatch | None, int | None]:
        """The field a label names under its headings, the nearest first.

        With it, which heading was needed for that: None when the label says it alone. A heading
        under which the label means another thing ("Length" under "Packaging") ends the search.
        """
        plain = self._compiled.match_label(label)
        folded = label.casefold()
        for at, section in enumerate(sections):
            found = self._compiled.match_label(label, section)
            if found is None and plain is not None:
                # A label may say its section again: "Kabellänge" under "Kabel".
                words = _WORD.findall(section.casefold())
                if not any(len(word) > 3 and word in folded for word in words):
                    return None, None
            if found is not None and (plain is None or found.field != plain.field):
                return found, at
        return plain, None
