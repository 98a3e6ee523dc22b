"""Values stated in sentences, by the contract's phrases."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from specfactory.contract import CompiledContract
from specfactory.extract.page import Span, clause_subject, component_names, lines_around

_MAX_MATCHES = 2_000
_MAX_RUNNING = 300_000
_REACH = 220  # characters of a sentence on either side of a phrase
_FEW_SPACES = 2  # a line with fewer is no sentence
_LINE = re.compile(r"[^\n]+")
_CLAUSE_END = re.compile(r"[,;](?!\d)|\s(?:and|but|und|aber|et|mais|y|pero|e|ma)\s")
_SENTENCE_END = re.compile(r"[.!?…]['\"”’)]*\s+(?=[^a-zà-ÿ\s])")


class Phrase(NamedTuple):
    """A phrase found in a view; ``doubt`` says why it may speak of something else."""

    field: str
    span: Span
    value: Span
    subject: str | None
    doubt: str = ""
    clause: str = ""  # the phrase with the words beside it


def find_phrases(text: str, compiled: CompiledContract) -> Iterator[Phrase]:
    """Find every phrase in lines of running text, with the name that its clause gives."""
    if not text:
        return
    parts = component_names(compiled)
    count = 0
    text = text[:_MAX_RUNNING].replace("\f", "\n")
    small = text.lower()
    if len(small) == len(text):  # the lines that hold a word without which there is no phrase
        spans = lines_around(text, (mark.start() for mark in compiled.phrase_mark.finditer(small)))
    else:  # a letter without a single lower-case one: offsets are off
        spans = (line.span() for line in _LINE.finditer(text))
    for at, line_end in spans:
        line = text[at:line_end]
        spaces = line.count(" ") + line.count("\xa0")
        if not spaces or "\t" in line:
            continue
        clause_from = 0
        for match in compiled.text_matches(line):
            if spaces < _FEW_SPACES and (match.start, match.end) != (0, len(line)):
                continue  # a short line counts only as a whole: "4 beds"
            start, reach = max(0, match.start - _REACH), min(len(line), match.end + _REACH)
            for mark in _SENTENCE_END.finditer(line, start, match.start):
                start = mark.end()
            stop = _SENTENCE_END.search(line, max(match.start, match.end - 1), reach)
            end = stop.start() if stop else reach
            # An earlier value in the sentence closes its clause: "A weighs 63 g, B weighs 54 g".
            if start < clause_from <= match.start:
                start = clause_from
            before, after = line[start : match.start], line[match.value_end : end]
            span = at + match.start, at + match.end
            value = at + match.value_start, at + match.value_end
            beside = *before.split()[-2:], line[match.start : match.value_end], after[:40]
            clause = _CLAUSE_END.split(" ".join(beside), maxsplit=1)[0]
            yield Phrase(match.field, span, value, *clause_subject(before, after, parts), clause)
            clause_from = max(clause_from, match.end)
            count += 1
            if count >= _MAX_MATCHES:
                return
