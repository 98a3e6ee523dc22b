"""Records as files for others: JSON Lines and CSV, written whole or not at all."""

import contextlib
import csv
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from specfactory.errors import StorageFull

Document = Mapping[str, Any]

RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters that a spreadsheet may take for the start of a formula."""

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
HEAD = ("product_id", "category", "brand", "model", "variant", "version", "generated_at",
        "coverage", "avg_confidence")  # fmt: skip


def export_jsonl(documents: Iterable[Document], out: Path | TextIO) -> int:
    """Write records (as ``record_json`` gives them), one a line; return their number."""
    count = 0
    with opened(out) as file:
        for document in documents:
            line = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
            for end in "\u2028\u2029\x85":  # readers that split at Unicode line ends see one line
                line = line.replace(end, f"\\u{ord(end):04x}")
            file.write(line + "\n")
            count += 1
    return count


def export_csv(
    documents: Iterable[Document], out: Path | TextIO, fields: Sequence[str] | None = None
) -> int:
    """Write one row per product, a column per field and one for its confidence.

    Without ``fields`` all records are looked at first to find their columns.
    """
    if fields is None:
        documents = list(documents)
        fields = list(dict.fromkeys(name for document in documents for name in document["fields"]))
    columns = [c for name in fields for c in (column_of(name, HEAD), f"{name}_confidence")]
    return write_csv((*HEAD, *columns), (row_of(one, fields) for one in documents), out)


def write_csv(head: Sequence[str], rows: Iterable[Iterable[Any]], out: Path | TextIO) -> int:
    """Write a table; return the number of its rows."""
    count = 0
    with opened(out) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(safe_cell, head))
        for row in rows:
            writer.writerow(map(safe_cell, row))
            count += 1
    return count


def published_only(document: Document) -> dict[str, Any]:
    """The record without its unknown fields."""
    known = {n: entry for n, entry in document["fields"].items() if "unknown_reason" not in entry}
    return {**document, "fields": known}


def safe_cell(value: Any) -> str:
    """A value as a cell that no spreadsheet takes for a formula."""
    text = _cell(value)
    if text.startswith(RISKY) and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


def column_of(field: str, head: Sequence[str]) -> str:
    """The column of a field, renamed where it would clash with a column of the head."""
    return f"field_{field}" if field in head else field


def row_of(document: Document, fields: Sequence[str]) -> Iterator[Any]:
    """The cells of a record: the head, then each field's value and confidence."""
    flat = {**document, **document["identity"], **document["metrics"]}
    yield from (flat[name] for name in HEAD)
    for name in fields:
        entry = document["fields"].get(name, {})
        yield from (entry.get("value"), entry.get("confidence"))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return f"{value['amount']} {value['currency']}"
    if isinstance(value, list | tuple):
        joint = " x " if value and all(isinstance(v, int | float) for v in value) else "; "
        return joint.join(_cell(item) for item in value)
    return str(value)


@contextmanager
def opened(out: Path | TextIO) -> Iterator[TextIO]:
    """Open for writing: a file is replaced when all is written, and untouched after a failure."""
    if not isinstance(out, Path):
        with _complaints(getattr(out, "name", "the output")):
            yield out
            out.flush()
        return
    with _complaints(str(out)):
        if out.exists() and not out.is_file():  # a device or a pipe is written, not replaced
            with out.open("w", encoding="utf-8", newline="") as file:
                yield file
            return
        with replacing(out.resolve()) as part, part.open("w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """A file beside this one, which it replaces when all is written."""
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(out)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def _complaints(place: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # the reader has seen enough
        raise
    except OSError as error:
        raise StorageFull(place, error.strerror or str(error)) from error
