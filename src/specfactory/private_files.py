"""Files for their owner alone, and files that take their name only when they are written.

What holds crawled or private content is 0600 in folders 0700. A temporary file stands beside the
one that it replaces, under a name that nobody can foresee and no link can lead elsewhere.
"""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

OWNER_FILE, OWNER_FOLDER = 0o600, 0o700
_OTHERS = 0o077


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, each for the owner alone; one that is there stays so."""
    for each in (*reversed(folder.parents), folder):
        with suppress(FileExistsError):  # made by another process meanwhile
            if not each.exists():
                each.mkdir(OWNER_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)  # says what stands in the way


def make_file(file: Path) -> None:
    """Make an empty file for the owner alone, in a folder for the owner alone, if there is none."""
    if file.exists():
        return
    make_folder(file.parent)
    # Never opened if it is there: closing it again would drop the locks that this process holds
    # on it, and SQLite's with them.
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_FILE))


def opener(path: str, flags: int) -> int:
    """For ``open``: a file that is made is the owner's alone."""
    return os.open(path, flags, OWNER_FILE)


@contextmanager
def replacing(file: Path, *, private: bool = False) -> Iterator[Path]:
    """A new file beside this one, which it replaces when all is written.

    One that is not ``private`` has the mode of the old one, or what the umask allows.
    """
    opened, name = tempfile.mkstemp(prefix=f".{file.name[:100]}.", suffix=".part", dir=file.parent)
    os.close(opened)
    part = Path(name)
    try:
        yield part
        if not private:
            part.chmod(file.stat().st_mode & 0o777 if file.exists() else 0o666 & ~_umask())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def is_open_to_others(path: Path) -> bool:
    """True where others on this machine may read or change a file."""
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False


def is_reachable_by_others(file: Path) -> bool:
    """True where the modes of a file and of all folders above let others read it."""
    try:
        above = [folder.stat().st_mode for folder in _above(file)]
    except OSError:
        return False
    return is_open_to_others(file) and all(mode & (stat.S_IXGRP | stat.S_IXOTH) for mode in above)


def _above(file: Path) -> list[Path]:
    return list(file.resolve().parents)


def _umask() -> int:
    mask = os.umask(0o077)  # it can only be read by setting it
    os.umask(mask)
    return mask
