"""Import of products: each line is added, a duplicate or wrong; a second import is harmless."""

from collections.abc import AsyncIterator, Iterable, Iterator
from enum import StrEnum
from itertools import islice

from specfactory.errors import UsageError
from specfactory.model import Frozen, Instant, NewJob, job_name
from specfactory.ports import Database
from specfactory.queue.intake import Intake, WrongColumn, product_job
from specfactory.queue.product_files import TableLine
from specfactory.store import Jobs

LINES_AT_ONCE = 1000
MOST_NOTES = 100


class LineOutcome(StrEnum):
    """Result of importing a line."""

    ADDED = "added"
    DUPLICATE = "duplicate"
    WRONG = "wrong"
    NOTE = "note"  # something was ignored


class LineReport(Frozen):
    """Result of importing one line, with the reason."""

    line: int
    outcome: LineOutcome
    key: str = ""
    job_id: int | None = None
    column: str = ""
    reason: str = ""


async def take_in(
    db: Database, lines: Iterable[TableLine], intake: Intake, now: Instant
) -> AsyncIterator[LineReport]:
    """Add all good lines, a thousand in a transaction; reports every line in its order."""
    jobs, source = Jobs(db), _with_notes_once(lines)
    while chunk := list(islice(source, LINES_AT_ONCE)):
        read = [_read(line, intake) for line in chunk]
        new = [item for item in read if isinstance(item, NewJob)]
        async with db.transaction() as tx:
            added = iter(await jobs.add(tx, new, now))
        for line, item in zip(chunk, read, strict=True):
            if isinstance(item, LineReport):
                yield item
                continue
            found = next(added)
            outcome = LineOutcome.ADDED if found.is_new else LineOutcome.DUPLICATE
            reason = "" if found.is_new else f"{job_name(found.job_id)} is about the same"
            yield LineReport(line.number, outcome, found.key, found.job_id, reason=reason)


def _read(line: TableLine, intake: Intake) -> NewJob | LineReport:
    if line.is_note or line.problem:
        outcome = LineOutcome.NOTE if line.is_note else LineOutcome.WRONG
        return LineReport(line.number, outcome, column=line.column, reason=line.problem)
    try:
        return product_job(line.fields, intake)
    except WrongColumn as wrong:
        return LineReport(line.number, LineOutcome.WRONG, column=wrong.column, reason=wrong.reason)
    except UsageError as wrong:
        return LineReport(line.number, LineOutcome.WRONG, reason=str(wrong))


def _with_notes_once(lines: Iterable[TableLine]) -> Iterator[TableLine]:
    noted: set[str] = set()
    for line in lines:
        if not line.is_note:
            yield line
        elif line.column not in noted and len(noted) < MOST_NOTES:
            noted.add(line.column)
            yield line
