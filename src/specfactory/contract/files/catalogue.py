"""Where contracts are found: the user's own folder first, then the bundled ones."""

import os
import stat
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
    names: set[str] = set()
    for folder in (contracts_dir, _BUNDLED):
        if folder is not None and folder.is_dir():
            places = (place for place in folder.iterdir() if place.suffix in SUFFIXES)
            names.update(place.stem for place in places if place.is_file())
    return tuple(sorted(names))


def find_contract(category: str, contracts_dir: Path | str | None = None) -> Contract:
    """The contract of a category; the user's own wins over the bundled one."""
    is_stem = bool(category) and "/" not in category and "\\" not in category
    folders = (contracts_dir, _BUNDLED) if is_stem else ()
    for folder in folders:
        if folder is None:
            continue
        for suffix in SUFFIXES:
            place = f"{_spelled(folder)}{os.sep}{category}{suffix}"
            if (state := _state(place)) is not None:
                contract = _contract(place, state)
                if contract.category != category:
                    problem = f"is {contract.category!r}, but the file is named {category!r}"
                    raise ContractError(place, 1, "category", problem)
                return contract
    own = Path(contracts_dir) if contracts_dir is not None else None
    raise UnknownCategory(category, categories(own))


def contract_file(category: str, contracts_dir: Path) -> tuple[Path, bool]:
    """The file of a category, and True if it is the user's own."""
    for folder in (contracts_dir, _BUNDLED):
        for suffix in SUFFIXES:
            if (file := folder / f"{category}{suffix}").is_file():
                return file, folder is contracts_dir
    raise UnknownCategory(category, categories(contracts_dir))


@lru_cache(maxsize=8)
def _spelled(folder: Path | str) -> str:
    return str(Path(folder))


def _contract(place: str, state: State) -> Contract:
    """Parse a contract file; it is asked for every page and read only when it has changed."""
    known = _KNOWN.get(place)
    if known is None or known[0] != state:
        try:
            text = read_text(Path(place).read_bytes(), place)
        except OSError as error:
            raise ContractError(place, 1, "file", f"cannot be read: {error.strerror}") from None
        known = _KNOWN[place] = state, parse_contract(text, place)
    return known[1]


def _state(place: str) -> State | None:
    """Times of change and size of a file; None when there is none."""
    try:
        found = os.stat(place)  # noqa: PTH116 - for every page, and a Path costs more than this
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def read_text(content: bytes, file: str) -> str:
    """A contract file's text; bytes that are no UTF-8 are a problem with a line."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise ContractError(file, line, "file", "it is not UTF-8 text") from None
