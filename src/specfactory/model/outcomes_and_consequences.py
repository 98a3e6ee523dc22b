"""Outcomes and causes: the ends of a fetch or a job, and a table of what follows from each.

A new outcome is a member of ``Outcome`` and a row of ``OUTCOMES``. Everything that is decided by
an outcome reads this table: retries, the breaker, proxies, the ladder, diagnoses, dead letters and
the reasons of unknown fields.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any

from specfactory.model.base import Frozen, replace
from specfactory.model.record import UnknownReason


class Outcome(StrEnum):
    """The end of a fetch. Only ``ok`` pages teach."""

    OK = "ok"
    NOT_MODIFIED = "not_modified"
    JS_REQUIRED = "js_required"
    LOGIN_REQUIRED = "login_required"
    CONSENT_WALL = "consent_wall"
    WAITING_ROOM = "waiting_room"
    GEO_BLOCKED = "geo_blocked"
    RATE_LIMITED = "rate_limited"
    BLOCKED = "blocked"
    CAPTCHA = "captcha"
    MAINTENANCE = "maintenance"
    NOT_FOUND = "not_found"
    SOFT_404 = "soft_404"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    UNREADABLE = "unreadable"
    REFUSED = "refused"
    DNS_FAILURE = "dns_failure"
    TIMEOUT = "timeout"
    NETWORK_ERROR = "network_error"


class Cause(StrEnum):
    """The reason behind an outcome, or of a failed job; shares no name with an outcome."""

    NONE = ""  # the outcome says it all

    # No request went out.
    PAUSED = "paused"  # healing leaves the host alone
    BREAKER = "breaker"  # the host kept failing
    ASKED_TO_WAIT = "asked_to_wait"  # an earlier Retry-After still holds

    # We may not, or cannot.
    ROBOTS = "robots"  # robots.txt forbids the page
    UNWANTED = "unwanted"  # the page itself asks not to be used
    GATE = "gate"  # the gate refuses the URL
    ADDRESS = "forbidden_address"  # the name leads to an address that we must not visit
    BROWSER_UNUSABLE = "browser_unusable"  # the page needs one, and ours does not start
    BROWSER_CRASHED = "browser_crashed"

    # On the wire.
    PROXY = "proxy"  # the proxy itself failed
    NO_CONNECTION = "no_connection"
    TLS = "tls"
    REDIRECT_LOOP = "redirect_loop"  # or too many redirects
    BROKEN_ENCODING = "broken_encoding"  # the body cannot be unpacked
    CUT_OFF = "cut_off"  # the body ended before its announced end
    NOT_HTTP = "not_http"

    # In the answer.
    BY_ADDRESS = "by_address"  # a rate limit for our IP address
    STATUS_ONLY = "status_only"  # 503 without a word about maintenance
    NOT_A_PAGE = "not_a_page"
    NOT_TEXT = "not_text"  # declared as text, but the bytes are none

    # Reading it was ended.
    READER_MEMORY = "reader_memory"  # it takes more memory than a reader may have
    READER_TIME = "reader_time"  # more time
    READER_DEPTH = "reader_depth"  # it nests more deeply
    READER_DIED = "reader_died"  # it ended the process that read it

    # Of jobs, whose error says one of these or an outcome.
    LEASE_EXPIRED = "lease_expired"
    OUT_OF_TIME = "out_of_time"
    BUDGET_EXHAUSTED = "budget_exhausted"
    FORBIDDEN = "forbidden"  # every page that would do may not be fetched
    NO_SUCH_PRODUCT = "no_such_product"
    NO_SOURCE = "no_source"
    BAD_FORMAT = "bad_format"
    BAD_PAYLOAD = "bad_payload"
    UNKNOWN_KIND = "unknown_kind"
    UNKNOWN_CATEGORY = "unknown_category"
    MALFORMED_CONTRACT = "malformed_contract"

    # Of language models: ``model_`` and the cause of a ModelFailed.
    MODEL_RATE_LIMITED = "model_rate_limited"
    MODEL_SERVER_ERROR = "model_server_error"
    MODEL_TIMEOUT = "model_timeout"
    MODEL_UNREACHABLE = "model_unreachable"
    MODEL_UNREADABLE = "model_unreadable"  # no JSON of the wanted form
    MODEL_MALFORMED = "model_malformed"  # not in the form of a chat
    MODEL_TOO_LARGE = "model_too_large"


class Fault(StrEnum):
    """Whose doing it is: what must change before it ends otherwise."""

    NOBODY = "nobody"
    HOST = "host"
    PAGE = "page"
    PROXY = "proxy"
    FACTORY = "factory"  # ours: the browser, the gate, the settings
    RULES = "rules"  # the site's own: robots.txt
    JOB = "job"  # what was asked for


class ProxyEffect(StrEnum):
    """Effect of a fetch through a proxy on that proxy's health."""

    WORKED = "worked"
    REFUSED = "refused"  # by this host
    UNCLEAR = "unclear"  # the proxy's fault or the host's
    NONE = "none"  # says nothing of it
    FAILED = "failed"  # the proxy itself


class RungNeed(StrEnum):
    """The means that a higher rung of the ladder must have to help."""

    NOTHING = "nothing"  # no rung helps
    BROWSER = "browser"
    PROXY = "proxy"
    ANY = "any"


class Sign(StrEnum):
    """Sign of a visit; several visits with the same sign make a diagnosis."""

    WELL = "well"
    SLOW = "slow"
    MOVED = "moved"
    GARBLED = "garbled"
    REFUSAL = "refusal"
    CAPTCHA = "captcha"
    HIDDEN = "hidden"  # "not found" with status 200
    REGION = "region"
    RATE = "rate"
    DNS = "dns"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    CUT_OFF = "cut_off"
    TLS = "tls"
    LOOP = "loop"
    PACKING = "packing"
    SERVER = "server"
    MAINTENANCE = "maintenance"
    WAITING = "waiting"
    LOGIN = "login"
    SCRIPT = "script"
    GONE = "gone"
    EMPTY = "empty"
    LARGE = "large"
    ADDRESS = "address"
    UNREADABLE = "unreadable"  # bytes that are no text in the declared encoding
    PROXY = "proxy"  # the proxy itself failed
    BROWSER = "browser"
    NEUTRAL = "neutral"  # says nothing about the host's health


class OutcomeFacts(Frozen):
    """The consequences of one outcome and cause."""

    meaning: str  # for the reference
    sign: Sign = Sign.NEUTRAL
    fault: Fault = Fault.HOST
    is_good: bool = False  # the page is there, new or unchanged
    teaches: bool = False  # templates, layouts and the ladder learn from it
    was_asked: bool = True  # a request went out; if not, it is no visit
    keeps_body: bool = True
    passes: bool = False  # may end otherwise in a while: its job is tried again
    retry_seconds: float | None = None  # first wait of its job and its host; None: as is set
    is_permanent: bool = False  # of a job's cause: another try would meet the same
    is_forbidden: bool = False  # we are not let in: its job ends as ``forbidden``
    is_settled: bool = False  # a second look within the day would not change it
    opens_breaker: bool = False
    proxy: ProxyEffect = ProxyEffect.WORKED
    needs: RungNeed = RungNeed.NOTHING
    unknown_reason: UnknownReason | None = None  # of a field, where no source ended better
    worth_retrying: bool = True  # by a person who looks at dead letters
    advice: str = "the cause is not known to stay"

    def first_wait(self, usual_seconds: float) -> float:
        """Seconds before the first try after it, where a setting says what is usual."""
        return usual_seconds if self.retry_seconds is None else self.retry_seconds


OUTCOMES: Mapping[Outcome, OutcomeFacts] = {
    Outcome.OK: OutcomeFacts(
        "A usable page. Only these teach.",
        Sign.WELL, Fault.NOBODY, is_good=True, teaches=True,
    ),
    Outcome.NOT_MODIFIED: OutcomeFacts(
        "It says what it said before: by the server's word, or by its own.",
        Sign.WELL, Fault.NOBODY, is_good=True,
    ),
    Outcome.JS_REQUIRED: OutcomeFacts(
        "An empty shell that scripts would fill; it needs a browser.",
        Sign.SCRIPT, is_settled=True, needs=RungNeed.BROWSER,
    ),
    Outcome.LOGIN_REQUIRED: OutcomeFacts(
        "The content is behind a sign-in.",
        Sign.LOGIN, is_forbidden=True,
        worth_retrying=False, advice="the content is behind a sign-in",
    ),
    Outcome.CONSENT_WALL: OutcomeFacts(
        "A consent form stands before the content.",
        Sign.SCRIPT, needs=RungNeed.BROWSER,
    ),
    Outcome.WAITING_ROOM: OutcomeFacts(
        "A queue page; the content comes later.",
        Sign.WAITING, passes=True, opens_breaker=True, proxy=ProxyEffect.REFUSED,
        advice="the site was crowded",
    ),
    Outcome.GEO_BLOCKED: OutcomeFacts(
        "Not offered in our region.",
        Sign.REGION, is_forbidden=True, proxy=ProxyEffect.REFUSED, needs=RungNeed.PROXY,
        worth_retrying=False, advice="not offered in our region",
    ),
    Outcome.RATE_LIMITED: OutcomeFacts(
        "Too many requests (429, or said in words).",
        Sign.RATE, passes=True, opens_breaker=True, proxy=ProxyEffect.REFUSED,
        unknown_reason=UnknownReason.SOURCE_UNREACHABLE,
        advice="asked too often; wait before trying again",
    ),
    Outcome.BLOCKED: OutcomeFacts(
        "The server refuses us (403, or said in words).",
        Sign.REFUSAL, is_forbidden=True, opens_breaker=True, proxy=ProxyEffect.REFUSED,
        needs=RungNeed.ANY, unknown_reason=UnknownReason.SOURCE_UNREACHABLE,
        worth_retrying=False, advice="the site refuses us; another way in is needed first",
    ),
    Outcome.CAPTCHA: OutcomeFacts(
        "A test for humans.",
        Sign.CAPTCHA, passes=True, opens_breaker=True, proxy=ProxyEffect.REFUSED,
        needs=RungNeed.ANY, unknown_reason=UnknownReason.SOURCE_UNREACHABLE,
        worth_retrying=False, advice="the site wants a person; another way in is needed first",
    ),
    Outcome.MAINTENANCE: OutcomeFacts(
        "The site is down for the moment (503, or said in words).",
        Sign.MAINTENANCE, passes=True, opens_breaker=True,
        unknown_reason=UnknownReason.SOURCE_UNREACHABLE,
        advice="the site was down for the moment",
    ),
    Outcome.NOT_FOUND: OutcomeFacts(
        "There is no such page (404, 410).",
        Sign.GONE, Fault.PAGE, is_settled=True,
        worth_retrying=False, advice="there is no such page",
    ),
    Outcome.SOFT_404: OutcomeFacts(
        "Answered 200, but says that there is no such page.",
        Sign.HIDDEN, Fault.PAGE, is_settled=True,
    ),
    Outcome.EMPTY: OutcomeFacts(
        "Nothing to read: no body, or not a page.",
        Sign.EMPTY, passes=True,
    ),
    Outcome.TOO_LARGE: OutcomeFacts(
        "Larger than fetch.max_bytes, or unpacks beyond fetch.max_ratio.",
        Sign.LARGE, Fault.PAGE, keeps_body=False, proxy=ProxyEffect.NONE,
    ),
    Outcome.UNREADABLE: OutcomeFacts(
        "Reading it took more memory or time than readers.* allows, or ended the reader.",
        Sign.NEUTRAL, Fault.PAGE, is_settled=True, unknown_reason=UnknownReason.PARSE_FAILURE,
        worth_retrying=False, advice="raise readers.memory_mb or readers.cpu_seconds first",
    ),
    Outcome.REFUSED: OutcomeFacts(
        "We did not ask: robots.txt or the gate says no.",
        Sign.NEUTRAL, Fault.PAGE, keeps_body=False, is_forbidden=True, proxy=ProxyEffect.NONE,
    ),
    Outcome.DNS_FAILURE: OutcomeFacts(
        "The host has no address.",
        Sign.DNS, passes=True, opens_breaker=True, proxy=ProxyEffect.NONE,
        unknown_reason=UnknownReason.SOURCE_UNREACHABLE,
        advice="the host had no address at the time",
    ),
    Outcome.TIMEOUT: OutcomeFacts(
        "Not done within fetch.timeout_seconds.",
        Sign.TIMEOUT, passes=True, opens_breaker=True, proxy=ProxyEffect.UNCLEAR,
        unknown_reason=UnknownReason.SOURCE_UNREACHABLE,
        advice="slow or away at the time",
    ),
    Outcome.NETWORK_ERROR: OutcomeFacts(
        "The connection failed, or the answer was broken.",
        Sign.CONNECTION, keeps_body=False, passes=True, opens_breaker=True,
        proxy=ProxyEffect.UNCLEAR, unknown_reason=UnknownReason.SOURCE_UNREACHABLE,
        advice="the network or the server was away",
    ),
}  # fmt: skip

_NOT_ASKED: Mapping[str, Any] = {"was_asked": False, "sign": Sign.NEUTRAL, "fault": Fault.NOBODY}
_OF_THE_JOB: Mapping[str, Any] = {"fault": Fault.JOB, "is_permanent": True}
_ENDPOINT_AWAY: Mapping[str, Any] = {"passes": True, "opens_breaker": True}
_OF_ONE_QUESTION: Mapping[str, Any] = {"fault": Fault.PAGE}  # says nothing about the next

CAUSES: Mapping[Cause, Mapping[str, Any]] = {
    Cause.NONE: {},
    Cause.PAUSED: _NOT_ASKED,
    Cause.BREAKER: _NOT_ASKED,
    Cause.ASKED_TO_WAIT: _NOT_ASKED,
    Cause.ROBOTS: {
        "fault": Fault.RULES, "is_forbidden": True, "is_settled": True,
        "unknown_reason": UnknownReason.BLOCKED,
    },
    Cause.UNWANTED: {"is_forbidden": True, "unknown_reason": UnknownReason.BLOCKED},
    Cause.GATE: {"sign": Sign.ADDRESS},
    Cause.ADDRESS: {},
    Cause.BROWSER_UNUSABLE: {"sign": Sign.NEUTRAL, "fault": Fault.FACTORY},
    Cause.BROWSER_CRASHED: {"sign": Sign.BROWSER, "fault": Fault.FACTORY},
    Cause.PROXY: {"sign": Sign.PROXY, "fault": Fault.PROXY, "proxy": ProxyEffect.FAILED},
    Cause.NO_CONNECTION: {"sign": Sign.CONNECTION},
    Cause.TLS: {"sign": Sign.TLS},
    Cause.REDIRECT_LOOP: {"sign": Sign.LOOP},
    Cause.BROKEN_ENCODING: {"sign": Sign.PACKING},
    Cause.CUT_OFF: {"sign": Sign.CUT_OFF},
    Cause.NOT_HTTP: {},
    Cause.BY_ADDRESS: {"needs": RungNeed.PROXY},
    Cause.STATUS_ONLY: {"sign": Sign.SERVER},
    Cause.NOT_A_PAGE: {},
    Cause.NOT_TEXT: {"sign": Sign.UNREADABLE},
    Cause.READER_MEMORY: {},
    Cause.READER_TIME: {},
    Cause.READER_DEPTH: {},
    Cause.READER_DIED: {},
    Cause.LEASE_EXPIRED: {"advice": "its workers died; if it kills them again, look at the job"},
    Cause.OUT_OF_TIME: {"advice": "took longer than daemon.product_seconds; raise it or retry"},
    Cause.BUDGET_EXHAUSTED: {"advice": "raise the budget first, else it ends the same way"},
    Cause.FORBIDDEN: {"is_permanent": True},
    Cause.NO_SUCH_PRODUCT: _OF_THE_JOB,
    Cause.NO_SOURCE: {},
    Cause.BAD_FORMAT: {"is_permanent": True},
    Cause.BAD_PAYLOAD: _OF_THE_JOB,
    Cause.UNKNOWN_KIND: _OF_THE_JOB,
    Cause.UNKNOWN_CATEGORY: _OF_THE_JOB,
    Cause.MALFORMED_CONTRACT: {"is_permanent": True},
    Cause.MODEL_RATE_LIMITED: {"passes": True},
    Cause.MODEL_SERVER_ERROR: _ENDPOINT_AWAY,
    Cause.MODEL_TIMEOUT: _ENDPOINT_AWAY,
    Cause.MODEL_UNREACHABLE: _ENDPOINT_AWAY,
    Cause.MODEL_UNREADABLE: _OF_ONE_QUESTION,
    Cause.MODEL_MALFORMED: _OF_ONE_QUESTION,
    Cause.MODEL_TOO_LARGE: _OF_ONE_QUESTION,
}  # fmt: skip
"""Changes that a cause makes to the row of its outcome; of a job's cause, to the defaults."""

_UNKNOWN = OutcomeFacts("A failure of its own.", fault=Fault.NOBODY)


@cache
def facts_of(outcome: Outcome, cause: Cause = Cause.NONE) -> OutcomeFacts:
    """Give what follows from an outcome and its cause."""
    return replace(OUTCOMES[outcome], **CAUSES[cause])


@cache
def failure_facts(code: str) -> OutcomeFacts:
    """Give what follows from what a job, or an attempt at a host, ended with.

    The code is an outcome or a cause; handlers may have codes of their own.
    """
    if code in OUTCOMES:
        return OUTCOMES[Outcome(code)]
    return replace(_UNKNOWN, **CAUSES.get(Cause(code), {})) if code in CAUSES else _UNKNOWN
