"""What may be a label, asked often and answered once."""

from __future__ import annotations

import re

from specfactory.contract import CompiledContract, LabelMatch
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
        self._endings = _endings(compiled)
        self._words = _label_words(compiled)
        self._may: dict[str, bool] = {}

    def names(self, words: str) -> bool:
        """Whether the words name a field whatever heading they stand under."""
        return len(words) <= _MAX_LABEL and self._compiled.match_label(words.strip()) is not None

    def may_name(self, words: str) -> bool:
        """Whether the words name a field, at least under some heading."""
        known = self._may.get(words)
        if known is None:
            if len(self._may) > _MAX_KNOWN:
                self._may.clear()
            known = self._may[words] = self._is_name(words)
        return known

    def may_begin(self, words: str) -> bool:
        """Whether some label has the first word; most words are told to be none by that."""
        first = _FIRST.match(words) if words.isascii() else None
        return first is None or first[1].lower() in self._words

    def _is_name(self, words: str) -> bool:
        if len(words) > _MAX_LABEL or not self.may_begin(words):
            return False
        ending = tuple(_WORD.findall(words.casefold()))
        return ending in self._endings or self.names(words)

    def match(self, label: str, sections: list[str]) -> tuple[LabelMatch | None, int | None]:
        """The field a label names under its headings, the nearest first.

        With it, which heading was needed for that: None when the label says it alone. A heading
        under which the label means another thing ("Length" under "Packaging") ends the search.
        """
        plain = self._compiled.match_label(label)
        for at, section in enumerate(sections):
            found = self._compiled.match_label(label, section)
            if found is None and plain is not None and not _repeats(label, section):
                return None, None
            if found is not None and (plain is None or found.field != plain.field):
                return found, at
        return plain, None


def _repeats(label: str, section: str) -> bool:
    """Whether a label says its section again: "Kabellänge" under "Kabel"."""
    folded = label.casefold()
    return any(len(word) > 3 and word in folded for word in _WORD.findall(section.casefold()))


def _label_words(compiled: CompiledContract) -> frozenset[str]:
    """The letters of every word in a name or a label of the contract."""
    words: set[str] = set()
    for field in compiled.contract.fields.values():
        for label in (field.name, *(each for labels in field.labels.values() for each in labels)):
            words.update(_LETTERS.findall(normal(label)))
            words.update(_LETTERS.findall(label.casefold()))
    return frozenset(words)


def _endings(compiled: CompiledContract) -> frozenset[tuple[str, ...]]:
    """The last words of all longer labels: "Length" of "Cable length"."""
    endings: set[tuple[str, ...]] = set()
    for field in compiled.contract.fields.values():
        for label in (label for labels in field.labels.values() for label in labels):
            words = _WORD.findall(label.casefold())
            endings.update(tuple(words[at:]) for at in range(1, len(words)) if len(words[-1]) > 3)
    return frozenset(endings)
