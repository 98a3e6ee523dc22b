"""Where contracts are found: the user's own folder first, then the bundled ones."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from specfactory.contract.files.load import parse_contract
from specfactory.errors import ContractError, UnknownCategory
from specfactory.model import Contract

_BUNDLED = Path(__file__).parents[1] / "bundled"
SUFFIXES = (".yaml", ".yml")

State = tuple[int, int, int, int]  # of a file: what differs when it was written anew
_KNOWN: dict[str, tuple[State, Contract]] = {}


def categories(contracts_dir: Path | None = None) -> tuple[str, ...]:
    """The names of all contracts, in order."""
    return tuple(sorted({name for name, _ in _places(contracts_dir)}))


def find_contract(category: str, contracts_dir: Path | str | None = None) -> Contract:
    """The contract of a category; the user's own wins over the bundled one."""
    folders = (contracts_dir, _BUNDLED) if _is_stem(category) else ()
    for folder in folders:
        if folder is None:
            continue
        for suffix in SUFFIXES:
            place = f"{_spelled(folder)}{os.sep}{category}{suffix}"
            if (state := _state(place)) is not None:
                return _contract(category, place, state)
    own = Path(contracts_dir) if contracts_dir is not None else None
    raise UnknownCategory(category, categories(own))


@lru_cache(maxsize=8)
def _spelled(folder: Path | str) -> str:
    return str(Path(folder))


def _contract(category: str, place: str, state: State) -> Contract:
    """What a file says; it is asked for every page and read only when it has changed."""
    known = _KNOWN.get(place)
    if known is None or known[0] != state:
        contract = parse_contract(_read(Path(place)), place)
        known = _KNOWN[place] = state, contract
    if known[1].category != category:
        problem = f"is {known[1].category!r}, but the file is named {category!r}"
        raise ContractError(place, 1, "category", problem)
    return known[1]


def _state(place: str) -> State | None:
    """When a file was last changed, and how large it is; None when there is none."""
    try:
        found = os.stat(place)  # noqa: PTH116 - for every page, and a Path costs more than this
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _is_stem(category: str) -> bool:
    return bool(category) and "/" not in category and "\\" not in category


def _places(contracts_dir: Path | None) -> Iterator[tuple[str, Path]]:
    for folder in (contracts_dir, _BUNDLED):
        if folder is not None and folder.is_dir():
            for place in sorted(folder.iterdir()):
                if place.suffix in SUFFIXES and place.is_file():
                    yield place.stem, place


def read_text(content: bytes, file: str) -> str:
    """A contract file's text; bytes that are no UTF-8 are a problem with a line."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise ContractError(file, line, "file", "it is not UTF-8 text") from None


def _read(place: Path) -> str:
    try:
        return read_text(place.read_bytes(), str(place))
    except OSError as problem:
        raise ContractError(str(place), 1, "file", f"cannot be read: {problem.strerror}") from None
