"""Settings of the processes that read fetched bytes."""

from specfactory.model import Frozen
from specfactory.settings.declaring import setting


class ReaderSettings(Frozen):
    """Reading of fetched bytes: the processes that do it, and what one page may take."""

    processes: int = setting(
        2, "processes that read pages; 0: this process reads them, and nothing limits it", 0, 64
    )
    memory_mb: int = setting(
        300,
        "memory that a reader may take for a large page; a small one may take less",
        100,
        100_000,
    )
    cpu_seconds: float = setting(10.0, "processor time that one page may take", 1, 3600)
    deadline_seconds: float = setting(60.0, "longest time for reading one page", 0.1, 3600)
    small_bytes: int = setting(
        65_536,
        "a page up to this size, without much markup, is looked at without a reader",
        0,
        1_000_000,
    )
