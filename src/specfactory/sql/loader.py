"""Named queries and migrations; the only place that knows the syntax of parameters."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from specfactory.errors import StoreError
from specfactory.model import Frozen, Job, Page

Result = TypeVar("Result")

FOLDER = Path(__file__).parent
_NAME = re.compile(r"^-- name: *(\w+) *$", re.MULTILINE)
_PARAMETER = re.compile(r"(?<![:\w]):([a-z_]\w*)")  # :name, but not a ::cast
_WRITES = re.compile(r"\b(INSERT|UPDATE|DELETE)\b")
_END = re.compile(r";\n(?! )")  # of a statement; those inside a trigger are indented
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # no database takes these in text


# A column that a query forgot would silently have its default.
_COLUMNS = {
    "{job_columns}": ", ".join(f"jobs.{name}" for name in Job.__struct_fields__),
    "{page_columns}": ", ".join(Page.__struct_fields__),
}


class Query(Frozen):
    """One named statement with its description and parameters."""

    name: str
    meaning: str
    text: str
    parameters: frozenset[str]
    reads: bool  # changes nothing

    def bind(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Clean the parameters for both databases; refuse others than declared."""
        if given.keys() != self.parameters:
            wanted = ", ".join(sorted(self.parameters)) or "nothing"
            raise StoreError(f"query {self.name} takes {wanted}; given {', '.join(sorted(given))}")
        bound = dict(given)
        words = "".join([value for value in given.values() if isinstance(value, str)])
        if not words.isascii() or "\x00" in words:
            texts = {name: value for name, value in given.items() if isinstance(value, str)}
            bound |= {name: _UNSTORABLE.sub("\ufffd", value) for name, value in texts.items()}
        return bound

    def numbered(self) -> tuple[str, tuple[str, ...]]:
        """The statement with $1, $2 … in place of its parameters, and the names in that order."""
        order = tuple(dict.fromkeys(_PARAMETER.findall(self.text)))
        places = {name: f"${number}" for number, name in enumerate(order, 1)}
        return _PARAMETER.sub(lambda found: places[found[1]], self.text), order


class Named(dict[str, Result]):
    """What is known by the names of queries; another name is a StoreError."""

    def __missing__(self, name: str) -> Result:
        raise StoreError(f"there is no query {name!r} in specfactory/sql")


@cache
def load_queries(dialect: str = "") -> Mapping[str, Query]:
    """All named queries; those in the dialect's own folder replace the shared ones."""
    shared = _collect(FOLDER)
    special = _collect(FOLDER / dialect) if dialect else {}
    if unknown := special.keys() - shared.keys():
        raise StoreError(f"sql/{dialect}: {', '.join(sorted(unknown))} replaces no shared query")
    return Named(shared | special)


def _collect(folder: Path) -> dict[str, Query]:
    queries: dict[str, Query] = {}
    for file in sorted(folder.glob("*.sql")):
        for query in parse_queries(file.read_text(encoding="utf-8"), file.name):
            if query.name in queries:
                raise StoreError(f"{file.name}: query {query.name} is there twice")
            queries[query.name] = query
    return queries


def parse_queries(text: str, file: str) -> Iterator[Query]:
    """The queries of one file, each named and described."""
    _, *parts = _NAME.split(text)
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        meaning, _, statement = part.strip().partition("\n")
        statement = statement.strip().rstrip(";")
        for place, columns in _COLUMNS.items():
            statement = statement.replace(place, columns)
        if not meaning.startswith("-- ") or not statement:
            raise StoreError(f"{file}: query {name} needs a line that describes it, then SQL")
        parameters = frozenset(_PARAMETER.findall(statement))
        reads = not _WRITES.search(statement)
        yield Query(name, meaning[3:].strip(), statement, parameters, reads)


class Migration(Frozen):
    """One step of the schema."""

    version: int
    name: str
    statements: tuple[str, ...]


VERSIONS = """CREATE TABLE IF NOT EXISTS schema_version (
    version BIGINT PRIMARY KEY, name TEXT NOT NULL)"""
VERSION = "SELECT COALESCE(MAX(version), 0) FROM schema_version"


@cache
def known_version() -> int:
    """The version of the schema that this process knows."""
    return max(int(file.stem[:4]) for file in (FOLDER / "migrations").glob("*.sql"))


def load_migrations(types: Mapping[str, str]) -> tuple[Migration, ...]:
    """All steps in their order; ``types`` fills in {blob} and {bigserial}.

    What only one database understands follows in a file of the same name, in the folder that
    ``types`` names as {dialect}.
    """
    folder = FOLDER / "migrations"
    return tuple(
        Migration(
            int(file.stem[:4]),
            file.stem[5:],
            _statements(file, types) + _statements(folder / types["dialect"] / file.name, types),
        )
        for file in sorted(folder.glob("*.sql"))
    )


def _statements(file: Path, types: Mapping[str, str]) -> tuple[str, ...]:
    if not file.is_file():
        return ()
    lines = file.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("--"))
    return tuple(s.strip() for s in _END.split(text.format_map(types)) if s.strip(" \n;"))
