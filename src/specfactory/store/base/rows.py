"""Values of the model as rows and back, and the queries that give them.

A column holds a number, a text or a word; everything else is kept in it as JSON.
"""

from functools import cache
from typing import Any, TypeVar

from msgspec.structs import asdict

from specfactory.model import Frozen
from specfactory.ports import Database, Row, Transaction
from specfactory.store.base.codec import build, from_json, to_json

Thing = TypeVar("Thing", bound=Frozen)


class Store:
    """Base of the stores: writes take a Transaction, reads see what was committed."""

    def __init__(self, db: Database) -> None:
        self._db = db


def as_row(thing: Frozen) -> dict[str, Any]:
    """A value of the model as the parameters of its query."""
    row = asdict(thing)
    for name in _columns(type(thing))[0]:
        row[name] = to_json(row[name])
    return row


def from_row(kind: type[Thing], row: Row) -> Thing:
    """The value in a row of all its columns; where one is NULL, the default of its field."""
    plain = dict(row)
    in_json, filled = _columns(kind)
    for name in in_json:
        if plain.get(name) is not None:
            plain[name] = from_json(plain[name])
    for name in filled:
        if name in plain and plain[name] is None:
            del plain[name]
    return build(kind, plain)


@cache
def _columns(kind: type[Frozen]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields that are kept as JSON, and those whose default stands for NULL."""
    from msgspec import inspect as types  # loaded when first needed

    plain = types.BoolType | types.EnumType | types.FloatType | types.IntType | types.StrType
    known = types.type_info(kind)
    assert isinstance(known, types.StructType)
    in_json, filled = [], []
    for each in known.fields:
        kinds = each.type.types if isinstance(each.type, types.UnionType) else (each.type,)
        if not all(isinstance(one, plain | types.NoneType) for one in kinds):
            in_json.append(each.name)
        may_be_null = any(isinstance(one, types.NoneType | types.AnyType) for one in kinds)
        if not each.required and not may_be_null:
            filled.append(each.name)
    return tuple(in_json), tuple(filled)


async def fetch_all(
    db: Database | Transaction, kind: type[Thing], query: str, /, **params: Any
) -> list[Thing]:
    """The values in all rows of a query."""
    return [from_row(kind, row) for row in await db.fetch(query, **params)]


async def fetch_first(
    db: Database | Transaction, kind: type[Thing], query: str, /, **params: Any
) -> Thing | None:
    """The value in the first row of a query; None without one."""
    rows = await db.fetch(query, **params)
    return from_row(kind, rows[0]) if rows else None


async def fetch_number(db: Database | Transaction, query: str, /, **params: Any) -> int:
    """The only number in the only row of a query; 0 where there is none."""
    (row,) = await db.fetch(query, **params)
    (number,) = row.values()
    return int(number or 0)
