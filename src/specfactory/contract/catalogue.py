"""Where contracts are found: the user's own folder first, then the bundled ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from specfactory.contract.load import parse_contract
from specfactory.errors import ContractError, UnknownCategory
from specfactory.model import Contract

_BUNDLED = Path(__file__).parent / "bundled"
SUFFIXES = (".yaml", ".yml")


def categories(contracts_dir: Path | None = None) -> tuple[str, ...]:
    """The names of all contracts, in order."""
    return tuple(sorted({name for name, _ in _places(contracts_dir)}))


def find_contract(category: str, contracts_dir: Path | None = None) -> Contract:
    """The contract of a category; the user's own wins over the bundled one."""
    place = _place_of(category, contracts_dir)
    if place is None:
        raise UnknownCategory(category, categories(contracts_dir))
    contract = parse_contract(_read(place), str(place))
    if contract.category != category:
        problem = f"is {contract.category!r}, but the file is named {category!r}"
        raise ContractError(str(place), 1, "category", problem)
    return contract


def _place_of(category: str, contracts_dir: Path | None) -> Path | None:
    """Where the contract of a category lies; asked for every page, so no folder is listed."""
    if not category or Path(category).name != category:
        return None
    folders = (_BUNDLED,) if contracts_dir is None else (contracts_dir, _BUNDLED)
    places = (folder / f"{category}{suffix}" for folder in folders for suffix in SUFFIXES)
    return next((place for place in places if place.is_file()), None)


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
