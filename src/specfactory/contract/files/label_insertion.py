"""Labels of fields in the text of a contract file; comments and layout stay as they are."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import yaml

from specfactory.contract.files.load import parse_contract
from specfactory.errors import UnknownSubject, UsageError


def add_label(text: str, file: str, field: str, label: str, language: str = "en") -> str:
    """The text with the label added to the field; the result is checked as any contract is."""
    if label in _labels(text, file, field, language):
        raise UsageError(f"{field} has the label {label!r} already")
    place, words = _insertion(text, field, label, language)
    changed = text[:place] + words + text[place:]
    parse_contract(changed, file)  # a label of another field is refused here
    return changed


def remove_label(text: str, file: str, field: str, label: str, language: str = "en") -> str:
    """The text without this label of the field; what becomes empty goes with it."""
    if label not in _labels(text, file, field, language):
        raise UsageError(f"{field} has no label {label!r} in the language {language}")
    node = _value(_value(yaml.compose(text, yaml.SafeLoader), "fields"), field)
    way = [(node, "labels")]  # containers, each with the entry that leads on
    labels = _value(node, "labels")
    if isinstance(labels, yaml.MappingNode):
        way.append((labels, language))
        labels = _value(labels, language)
    if isinstance(labels, yaml.SequenceNode):
        way.append((labels, label))
    while len(way) > 1 and len(way[-1][0].value) == 1:
        way.pop()
    start, end = _extent(text, *way[-1])
    changed = text[:start] + text[end:]
    parse_contract(changed, file)
    return changed


def _labels(text: str, file: str, field: str, language: str) -> Collection[str]:
    contract = parse_contract(text, file)
    if field not in contract.fields:
        near = ", ".join(sorted(contract.fields)[:8])
        raise UnknownSubject("field", field, f"{file} has {near} …")
    return contract.fields[field].labels.get(language, ())


def _extent(text: str, node: Any, name: str) -> tuple[int, int]:
    """Where an entry of a list or mapping stands, with its separator or its lines."""
    entries = [each if isinstance(each, tuple) else (each, each) for each in node.value]
    at = next(n for n, (key, _) in enumerate(entries) if key.value == name)
    start, end = entries[at][0].start_mark.index, _end(entries[at][1])
    if not node.flow_style:
        return text.rfind("\n", 0, start) + 1, (text.find("\n", end) + 1) or len(text)
    if at:
        return _end(entries[at - 1][1]), end
    return start, entries[1][0].start_mark.index if len(entries) > 1 else end


def _insertion(text: str, field: str, label: str, language: str) -> tuple[int, str]:
    """Where something is to be inserted, and what."""
    fields = _value(yaml.compose(text, yaml.SafeLoader), "fields")
    entry = _value(fields, field)
    labels, written = _value(entry, "labels"), _quoted(label)
    if labels is None:
        return _after_last(text, entry, f"labels: {{{language}: [{written}]}}")
    if isinstance(labels, yaml.MappingNode):
        words = _value(labels, language)
        if words is None:
            return _after_last(text, labels, f"{language}: [{written}]")
        labels = words
    elif language != "en":
        raise UsageError(f"the labels of {field} are a list of English ones; name their languages")
    if isinstance(labels, yaml.ScalarNode):
        raise UsageError(f"the labels of {field} are one text; write them as a list first")
    return _after_last(text, labels, written if labels.flow_style else f"- {written}")


def _after_last(text: str, node: Any, words: str) -> tuple[int, str]:
    """Behind the last entry of a list or mapping, in its own style."""
    if not node.value:
        return node.start_mark.index + 1, words
    last = node.value[-1]
    key, value = last if isinstance(last, tuple) else (last, last)
    end = _end(value)
    if node.flow_style:
        return end, f", {words}"
    column = key.start_mark.column
    if isinstance(node, yaml.SequenceNode):
        column = node.start_mark.column
    line_end = text.find("\n", end)  # behind a comment
    return (line_end if line_end >= 0 else len(text)), "\n" + " " * column + words


def _end(node: Any) -> int:
    """The end of a node's own text, without what follows it."""
    while not getattr(node, "flow_style", True) and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


def _value(node: Any, key: str) -> Any:
    return next((value for name, value in node.value if name.value == key), None)


def _quoted(label: str) -> str:
    written = yaml.safe_dump([label], default_flow_style=True, allow_unicode=True, width=4096)
    return written.strip()[1:-1]
