"""One tree of errors.

SpecError
├── UsageError            the person asked for something impossible (exit code 2)
│   ├── SettingError      a setting has a value that is not allowed
│   ├── ContractError     a contract file is malformed; names file, line, field
│   ├── UnknownCategory   no contract of that name
│   ├── UnknownSubject    no such product, field, review …
│   ├── TransitionRefused a job in this state cannot do that
│   ├── SubjectBusy       another job of the same subject is active
│   ├── RunClosed         a run that is over takes no more jobs
│   └── LabelNotFound     a person's label is not on its page
├── JobFailed             a job cannot be done; with its cause, and if a retry may help
├── JobDeferred           a job waits for its host; no attempt is counted
├── Interrupted           the process stops before the work is done; the job is given back
├── TooFewPages           a host has too few good pages of one layout to be learned
├── FetchError            a page could not be fetched
│   ├── AddressRefused    the gate said no
│   ├── PageNotUsable     it was answered, but not with a page that can be read
│   ├── Unreadable        reading it was ended: too much memory or time
│   └── ProxiesMissing    too few proxies work for a run to begin
├── ExtractError          a value could not be taken
│   ├── ReaderFailed      reading a page met an error of ours
│   ├── QuoteNotFound     the quote is not on its page
│   └── NotDerivable      the words do not give a value of the field's type
├── ModelFailed           the language model gave no answer; with its cause
├── StoreError            the database said no
│   ├── NewerSchema       made by a later version of Spec Factory
│   ├── DatabaseAway      the connection broke; nothing was written, wait and try again
│   ├── CommitUnknown     the connection broke in the very commit; look before trying again
│   ├── LeaseLost         the job belongs to another worker by now
│   ├── StoreBusy         others were in the way; nothing was written, try again
│   └── StorageFull       no room, or not writable
└── RecordInvalid         a record does not fit its own schema

A message says what, which value, and what happened next or what to do.
"""

from collections.abc import Mapping

from specfactory.redaction import HIDDEN, redacted


class SpecError(Exception):
    """The root: everything Spec Factory raises on purpose."""


class UsageError(SpecError):
    """The person asked for something that cannot be done as asked."""


class SettingError(UsageError):
    """A setting has a value that is not allowed."""

    def __init__(self, name: str, given: object, allowed: str) -> None:
        shown = repr(given)
        if redacted(shown) != shown:  # an error may be logged, with its arguments
            given = redacted(given) if isinstance(given, str) else HIDDEN
        super().__init__(name, given, allowed)
        self.name, self.given, self.allowed = name, given, allowed

    def __str__(self) -> str:
        return f"setting {self.name} is {self.given!r}; allowed: {self.allowed}"


class ContractError(UsageError):
    """A contract file is malformed."""

    def __init__(self, file: str, line: int, where: str, problem: str) -> None:
        super().__init__(file, line, where, problem)
        self.file, self.line, self.where, self.problem = file, line, where, problem

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.where}: {self.problem}"


class UnknownCategory(UsageError):
    """There is no contract of that name."""

    def __init__(self, category: str, known: tuple[str, ...]) -> None:
        super().__init__(category, known)
        self.category, self.known = category, known

    def __str__(self) -> str:
        plain = self.category.replace("-", "").replace("_", "").isalnum()
        advice = f". A new one is a file contracts/{self.category}.yaml" if plain else ""
        return f"unknown category {self.category!r}; known: {', '.join(self.known)}{advice}"


class UnknownSubject(UsageError):
    """There is no such product, field, review …"""

    def __init__(self, kind: str, given: str, advice: str = "") -> None:
        super().__init__(kind, given, advice)
        self.kind, self.given, self.advice = kind, given, advice

    def __str__(self) -> str:
        return f"no {self.kind} {self.given!r}" + (f"; {self.advice}" if self.advice else "")


class TransitionRefused(UsageError):
    """A job in this state cannot do that."""

    def __init__(self, status: str, action: str, possible: tuple[str, ...] = ()) -> None:
        super().__init__(status, action, possible)
        self.status, self.action, self.possible = status, action, possible

    def __str__(self) -> str:
        possible = ", ".join(self.possible)
        return f"a job that is {self.status} cannot {self.action}; possible: {possible}"


class SubjectBusy(UsageError):
    """A job cannot become active again while another one of the same subject is."""

    def __init__(self, job: str, other: str) -> None:
        super().__init__(job, other)
        self.job, self.other = job, other

    def __str__(self) -> str:
        return f"{self.job} stays as it is: {self.other} is about the same and is active"


class RunClosed(UsageError):
    """A run that is over takes no more jobs."""

    def __init__(self, run_id: int, status: str) -> None:
        super().__init__(run_id, status)
        self.run_id, self.status = run_id, status

    def __str__(self) -> str:
        return f"run {self.run_id} is {self.status} and takes no more jobs; nothing was added"


class LabelNotFound(UsageError):
    """A person's label does not stand on its page."""

    def __init__(self, value: str, page_id: str, nearest: tuple[str, ...]) -> None:
        super().__init__(value, page_id, nearest)
        self.value, self.page_id, self.nearest = value, page_id, nearest

    def __str__(self) -> str:
        near = f"; nearest: {', '.join(map(repr, self.nearest))}" if self.nearest else ""
        return f"{self.value!r} does not stand on page {self.page_id}; nothing was kept{near}"


class TooFewPages(SpecError):
    """A host has too few good, different pages of one layout to be learned."""

    def __init__(
        self,
        host: str,
        pages: int,
        least: int,
        left_out: dict[str, int],
        fields: Mapping[str, str] | None = None,  # with the reason why each was not learned
    ) -> None:
        super().__init__(host, pages, least, left_out, fields)
        self.host, self.pages, self.least, self.left_out = host, pages, least, left_out
        self.fields = fields or {}

    def __str__(self) -> str:
        out = ", ".join(f"{count}: {why}" for why, count in self.left_out.items())
        counts = f" ({out})" if out else ""
        fields = "".join(f"; {name}: {why}" for name, why in self.fields.items())
        return (
            f"nothing was learned of {self.host}: a layout needs {self.least} different pages that "
            f"say what the contract asks for; good pages looked at: {self.pages}{counts}{fields}"
        )


class JobFailed(SpecError):
    """A job cannot be done; ``permanent`` when another try would meet the same."""

    def __init__(
        self,
        cause: str,
        message: str,
        station: str = "",
        host: str = "",
        permanent: bool = False,
        page_cause: str = "",
    ) -> None:
        super().__init__(cause, message, station, host, permanent, page_cause)
        self.cause, self.message, self.station = cause, message, station
        self.host, self.permanent, self.page_cause = host, permanent, page_cause

    def __str__(self) -> str:
        return self.message


class JobDeferred(SpecError):
    """A job waits until an instant, because its host must not be asked before."""

    def __init__(self, until: int, reason: str, host: str = "") -> None:
        super().__init__(until, reason, host)
        self.until, self.reason, self.host = until, reason, host

    def __str__(self) -> str:
        return self.reason


class Interrupted(SpecError):
    """The process stops, and services that the work needs have stopped already."""


class FetchError(SpecError):
    """A page could not be fetched."""


class AddressRefused(FetchError):
    """The gate refuses to connect."""

    def __init__(self, url: str, reason: str) -> None:
        url = redacted(url)[:200]
        super().__init__(url, reason)
        self.url, self.reason = url, reason

    def __str__(self) -> str:
        return f"refused to fetch {self.url}: {self.reason}"


class PageNotUsable(FetchError):
    """A page that was asked for ended as something else than ok."""

    def __init__(self, url: str, outcome: str, evidence: str) -> None:
        url = redacted(url)
        super().__init__(url, outcome, evidence)
        self.url, self.outcome, self.evidence = url, outcome, evidence

    def __str__(self) -> str:
        return f"{self.url} ended as {self.outcome}: {self.evidence or 'no page was received'}"


class Unreadable(FetchError):
    """Reading a page was ended; ``cause`` says what it exceeded."""

    def __init__(self, cause: str, detail: str) -> None:
        super().__init__(cause, detail)
        self.cause, self.detail = cause, detail

    def __str__(self) -> str:
        return f"the page cannot be read: {self.detail}"


class ProxiesMissing(FetchError):
    """Too few proxies work for a run to begin."""

    def __init__(self, live: int, needed: int) -> None:
        super().__init__(live, needed)
        self.live, self.needed = live, needed

    def __str__(self) -> str:
        return (
            f"{self.live} of {self.needed} proxies work, so nothing was begun; see: spec proxies "
            "check, or lower proxy.minimum (0: do not wait)"
        )


class ExtractError(SpecError):
    """A value could not be taken."""


class ReaderFailed(ExtractError):
    """Reading a page met an error of ours, in the process that read it."""


class QuoteNotFound(ExtractError):
    """A candidate's quote does not stand on its page."""

    def __init__(self, quote: str, page_id: str) -> None:
        super().__init__(quote, page_id)
        self.quote, self.page_id = quote, page_id

    def __str__(self) -> str:
        return f"quote {self.quote!r} is not on page {self.page_id}; candidate dropped"


class NotDerivable(ExtractError):
    """The words do not give a value of the field's type."""

    def __init__(self, field: str, words: str, code: str, detail: str) -> None:
        super().__init__(field, words, code, detail)
        self.field, self.words, self.code, self.detail = field, words, code, detail

    def __str__(self) -> str:
        return f"{self.words!r} gives no {self.field}: {self.detail}"


class ModelFailed(SpecError):
    """The language model gave no answer that can be used.

    ``permanent``: the endpoint, the key or the model's name must be mended first.
    ``wait_seconds``: how long the endpoint asks us to wait.
    """

    def __init__(
        self, cause: str, message: str, *, permanent: bool = False, wait_seconds: float = 0.0
    ) -> None:
        super().__init__(cause, message)
        self.cause, self.message = cause, message
        self.permanent, self.wait_seconds = permanent, wait_seconds

    @property
    def job_cause(self) -> str:
        """The cause as a job's error names it, and the table of outcomes its consequences."""
        return f"model_{self.cause}"

    def __str__(self) -> str:
        return self.message


class StoreError(SpecError):
    """The database said no."""


class NewerSchema(StoreError):
    """The database was made by a later version."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(found, known)
        self.found, self.known = found, known

    def __str__(self) -> str:
        return (
            f"the database has schema {self.found}, this version knows {self.known}; "
            "update Spec Factory, nothing was changed"
        )


class DatabaseAway(StoreError):
    """The connection to the database broke or cannot be made; nothing was written."""

    def __init__(self, place: str, detail: str) -> None:
        super().__init__(place, detail)
        self.place, self.detail = place, detail

    def __str__(self) -> str:
        return f"the database {self.place} is away: {self.detail}; nothing of this was written"


class CommitUnknown(StoreError):
    """The connection broke during a commit, which may or may not have been written."""

    def __init__(self, place: str, detail: str) -> None:
        super().__init__(place, detail)
        self.place, self.detail = place, detail

    def __str__(self) -> str:
        return (
            f"the database {self.place} went away during a commit: {self.detail}; "
            "it may have been written, look before doing it again"
        )


class LeaseLost(StoreError):
    """A worker has lost its lease of a job, to another worker or to a person's action."""

    def __init__(self, job: str) -> None:
        super().__init__(job)
        self.job = job

    def __str__(self) -> str:
        return f"the lease of {self.job} is gone; what this worker made of it is discarded"


class StoreBusy(StoreError):
    """Other transactions were in the way; this one was taken back."""

    def __init__(self, place: str, query: str) -> None:
        super().__init__(place, query)
        self.place, self.query = place, query

    def __str__(self) -> str:
        return f"{self.place} is held by another process; {self.query} was not done, try again"


class StorageFull(StoreError):
    """No room, or not writable."""

    def __init__(self, place: str, detail: str) -> None:
        super().__init__(place, detail)
        self.place, self.detail = place, detail

    def __str__(self) -> str:
        return f"cannot write to {self.place}: {self.detail}; what was written before is intact"


class RecordInvalid(SpecError):
    """A record does not fit its own schema."""

    def __init__(self, product_id: str, problem: str) -> None:
        super().__init__(product_id, problem)
        self.product_id, self.problem = product_id, problem

    def __str__(self) -> str:
        return f"record of {self.product_id} does not fit the schema: {self.problem}; not published"
