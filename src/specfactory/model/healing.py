"""Health of hosts: visits, remedies in force, diagnoses and healing events."""

from collections.abc import Mapping
from enum import StrEnum

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

    STALE_PROXY = "stale_proxy"
    LAYOUT_CHANGE = "layout_change"
    RATE_LIMITED = "rate_limited"
    DNS_FAILURE = "dns_failure"
    CONTENT_BLOCK = "content_block"
    SOFT_BLOCK = "soft_block"
    BLOCKED = "blocked"
    GEO_BLOCKED = "geo_blocked"
    TLS_FAILURE = "tls_failure"
    REDIRECT_LOOP = "redirect_loop"
    MOVED_SITE = "moved_site"
    SITE_GONE = "site_gone"
    SERVER_ERRORS = "server_errors"
    CONNECTION_FAILURE = "connection_failure"
    SLOW_HOST = "slow_host"
    BROKEN_COMPRESSION = "broken_compression"
    BROKEN_TRANSFER = "broken_transfer"
    CHANGED_ENCODING = "changed_encoding"
    EXPIRED_LOGIN = "expired_login"
    LOGIN_WALL = "login_wall"
    WAITING_ROOM = "waiting_room"
    MAINTENANCE = "maintenance"
    EMPTY_PAGES = "empty_pages"
    TOO_LARGE = "too_large"
    FORBIDDEN_REDIRECT = "forbidden_redirect"
    DISK_FULL = "disk_full"
    DATABASE_AWAY = "database_away"
    STATE_AWAY = "state_away"
    MODEL_DOWN = "model_down"
    BROWSER_CRASHED = "browser_crashed"
    BROWSER_UNUSABLE = "browser_unusable"


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
