"""Health of hosts: visits, remedies in force, diagnoses and healing events."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from specfactory.model.base import Frozen, Instant, Json, field
from specfactory.model.outcomes_and_consequences import Cause, Outcome
from specfactory.model.page import Rung


class Visit(Frozen):
    """One fetch of a page of a host, as it ended: what diagnoses and timings are made from."""

    host: str
    url: str
    at: Instant
    outcome: Outcome
    evidence: str = ""  # for people
    status: int = 0
    rung: Rung = Rung.HTTP
    proxy: str = ""  # host and port
    size_bytes: int = 0
    confidence: float | None = None  # mean confidence of what was read; None: nothing was
    timings_ms: Mapping[str, float] = field(default_factory=dict)  # empty: not sampled
    page_id: str = ""
    landed: str = ""  # the other host that its redirects ended at
    garbled: float = 0.0  # share of characters that were decoded wrongly, as far as that shows
    cause: Cause = Cause.NONE


class Climb(Frozen):
    """A page that came on a higher rung than the first one tried, and why that one failed."""

    began: Rung
    reached: Rung
    at: Instant  # when it began
    outcome: Outcome  # on the first rung
    evidence: str = ""
    status: int = 0
    url: str = ""
    cause: Cause = Cause.NONE


class HostCare(Frozen):
    """Remedies in force at a host: healing's part of its policy."""

    rung: Rung = Rung.HTTP  # begin here
    delay_seconds: float = 0.0  # at least this between two requests
    timeout_factor: float = 1.0
    proxy_tier: str = ""  # proxies, where they are used, are of this tier or a dearer one
    plain: bool = False  # ask for uncompressed answers
    keep_cookies: bool = False  # send back the cookies of a chain of redirects
    paused_until: Instant = 0
    paused_for: str = ""  # the diagnosis
    moved_to: str = ""  # the host that its pages have moved to
    charset: str = ""  # what its pages are written in, whatever they declare


class RemedyKind(StrEnum):
    """Kind of remedy for a diagnosis."""

    ROTATE_PROXY = "rotate_proxy"
    USE_PROXY = "use_proxy"
    HIGHER_TIER = "higher_tier"  # proxies of a dearer tier
    USE_BROWSER = "use_browser"
    RELEARN = "relearn"
    SLOW_DOWN = "slow_down"
    PAUSE = "pause"
    LONGER_TIMEOUT = "longer_timeout"
    UNCOMPRESSED = "uncompressed"
    KEEP_COOKIES = "keep_cookies"
    FOLLOW_MOVE = "follow_move"
    RECODE = "recode"  # read pages in the encoding that they are written in
    RESTART_BROWSER = "restart_browser"
    WAIT = "wait"  # nothing to change: the factory waits and goes on by itself
    ASK = "ask"  # a person must decide
    EASE = "ease"  # all was well for long: try to do with less


class Problem(StrEnum):
    """Problem of a host, or of the factory itself; the name of its diagnosis."""

    meaning: str
    outcome: Outcome  # of pages that are not asked for while the host is paused

    def __new__(
        cls, text: str, meaning: str = "", outcome: Outcome = Outcome.NETWORK_ERROR
    ) -> Self:
        word = str.__new__(cls, text)
        word._value_, word.meaning, word.outcome = text, meaning, outcome
        return word

    STALE_PROXY = "stale_proxy", "one proxy is refused or does not answer; others may do"
    LAYOUT_CHANGE = (
        "layout_change",
        "good pages give much less than they used to: their layout changed",
    )
    RATE_LIMITED = "rate_limited", "the host says that we ask too often", Outcome.RATE_LIMITED
    DNS_FAILURE = "dns_failure", "the host's name has no address", Outcome.DNS_FAILURE
    CONTENT_BLOCK = (
        "content_block",
        "pages come without content: they want scripts or consent",
        Outcome.BLOCKED,
    )
    SOFT_BLOCK = (
        "soft_block",
        "we get a captcha, or 'not found' for everything, instead of the pages",
        Outcome.BLOCKED,
    )
    BLOCKED = "blocked", "the host refuses us", Outcome.BLOCKED
    GEO_BLOCKED = "geo_blocked", "the host refuses our region", Outcome.GEO_BLOCKED
    TLS_FAILURE = "tls_failure", "the host's certificate or encryption is not to be trusted"
    REDIRECT_LOOP = "redirect_loop", "pages lead back to themselves"
    MOVED_SITE = "moved_site", "the host's pages are at another host now"
    SITE_GONE = "site_gone", "pages that were there are all gone", Outcome.NOT_FOUND
    SERVER_ERRORS = "server_errors", "the host's server fails (HTTP 5xx)", Outcome.MAINTENANCE
    CONNECTION_FAILURE = "connection_failure", "no connection to the host, or it breaks"
    SLOW_HOST = "slow_host", "the host answers too slowly", Outcome.TIMEOUT
    BROKEN_COMPRESSION = "broken_compression", "compressed answers cannot be unpacked"
    BROKEN_TRANSFER = "broken_transfer", "answers end in the middle"
    CHANGED_ENCODING = (
        "changed_encoding",
        "pages are declared in another encoding than they are written in",
    )
    EXPIRED_LOGIN = (
        "expired_login",
        "pages that could be read want a login now",
        Outcome.LOGIN_REQUIRED,
    )
    LOGIN_WALL = "login_wall", "pages want a login, and always did", Outcome.LOGIN_REQUIRED
    WAITING_ROOM = "waiting_room", "visitors are made to queue", Outcome.WAITING_ROOM
    MAINTENANCE = "maintenance", "the host says that it is being worked on", Outcome.MAINTENANCE
    EMPTY_PAGES = "empty_pages", "pages come with nothing in them", Outcome.EMPTY
    TOO_LARGE = "too_large", "pages are larger than we take", Outcome.TOO_LARGE
    FORBIDDEN_REDIRECT = (
        "forbidden_redirect",
        "pages lead to an address that we must not visit",
        Outcome.REFUSED,
    )
    DISK_FULL = "disk_full", "the database has no room to write"
    DATABASE_AWAY = "database_away", "the database does not answer"
    STATE_AWAY = "state_away", "the shared state (Redis) does not answer"
    MODEL_DOWN = "model_down", "a language model's endpoint does not answer"
    BROWSER_CRASHED = "browser_crashed", "the browser fell over"
    BROWSER_UNUSABLE = (
        "browser_unusable",
        "what is set or installed as the browser is none, or does not start",
    )


class Diagnosis(Frozen):
    """The cause of a host's failures, by its recent history."""

    name: str  # a ``Problem``
    failure: str  # the outcome or event that showed it
    certainty: float
    reasons: tuple[str, ...]  # what in the history says so
    facts: Mapping[str, Json] = field(default_factory=dict)  # what a remedy needs to know


class Remedy(Frozen):
    """One thing to do about it; carried out by the orchestrator, checked, undone if it fails."""

    kind: RemedyKind
    host: str
    params: Mapping[str, Json] = field(default_factory=dict)
    why: str = ""


class HealingStatus(StrEnum):
    """State of a remedy."""

    TRIED = "tried"  # carried out, not yet checked
    HELPED = "helped"
    UNDONE = "undone"  # did not help, and was taken back
    TAKEN_BACK = "taken_back"  # by a person, whether it helped or not
    ASKED = "asked"  # a person was asked


class HealingEvent(Frozen):
    """A diagnosis, the remedy for it, and how that went."""

    id: int
    host: str
    failure_type: str
    diagnosis: str
    remediation: str
    status: HealingStatus
    created_at: Instant
    success: bool | None = None  # None: not known yet
    checked_at: Instant | None = None
    reasons: tuple[str, ...] = ()
    params: Mapping[str, Json] = field(default_factory=dict)
    before: Mapping[str, Json] = field(default_factory=dict)  # the care it changed, to undo it
