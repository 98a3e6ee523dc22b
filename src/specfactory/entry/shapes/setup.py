"""Contracts, drafts of them, and what ``spec doctor`` found."""

from typing import Annotated, Any

from specfactory.entry.shapes.base import Shape


class Finding(Shape):
    """One thing that was looked at: ok, warn (works without) or fail (needed)."""

    check: str
    state: str
    found: str
    mend: str = ""


class ContractRow(Shape, rename={"origin": "from"}):
    """A category in short; a malformed contract is listed with its problem."""

    category: str
    origin: str
    version: str | None
    title: str | None
    fields: int
    sources: int
    problem: str | None


class ContractShape(Shape):
    """A contract, with the names of its file."""

    category: str
    version: str
    title: str
    digest: str
    fields: dict[str, Any]
    identity: Any
    sources: list[Any]
    components: dict[str, dict[str, Any]]
    checks: list[Any]
    respect: list[str]


class ContractProblem(Shape):
    """A problem in a contract file, and its place."""

    file: str
    line: int | None
    where: str
    problem: str


class DraftShape(Shape):
    """A contract that was drafted from sample pages."""

    category: str
    pages: int
    based_on: Annotated[str, "base"]
    fields: dict[str, Any]
    text: str
