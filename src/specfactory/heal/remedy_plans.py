"""The plan of every diagnosis: the remedies that are tried for it, the mildest first.

A new diagnosis is a member of ``Problem`` (model/healing.py), the signs by which it is made
(diagnoses.py) and its plan here. Every plan of a host ends with a question to a person. The
certificate of a host is never taken on trust: there is no such remedy.
"""

from collections.abc import Mapping

from specfactory.model import Frozen, Problem, RemedyKind

FACTORY = "factory"  # in place of a host: the factory itself fails
ENDLESS = 1_000  # pauses: until they are as long as they may be


class Step(Frozen):
    """One remedy of a plan."""

    name: str  # unique within its plan
    kind: RemedyKind
    why: str
    factor: float = 1.0
    times: int = 1  # consecutive pauses before the next step
    pauses: bool = True  # the host is also left alone while a person is asked
    review: bool = False  # a review is opened at once
    proxy_too: bool = False  # browser behind a proxy
    last_tier: bool = False  # skip to the dearest proxies, where more than two tiers are left


def _slow(factor: float, name: str = "slow_down") -> Step:
    return Step(name, RemedyKind.SLOW_DOWN, "ask less often", factor)


def _longer(factor: float, name: str) -> Step:
    return Step(name, RemedyKind.LONGER_TIMEOUT, "wait longer for answers", factor)


def _pause(times: int, name: str = "pause") -> Step:
    return Step(name, RemedyKind.PAUSE, "leave it alone for a while", times=times)


PROXY = Step("use_proxy", RemedyKind.USE_PROXY, "come from another address")
PROXY_AND_REVIEW = Step("use_proxy", RemedyKind.USE_PROXY, "come from another address", review=True)
ROTATE = Step("rotate_proxy", RemedyKind.ROTATE_PROXY, "rest this proxy, take another")
ROTATE_AGAIN = Step("rotate_proxy_again", RemedyKind.ROTATE_PROXY, "rest this proxy, too")
HIGHER_TIER = Step("higher_tier", RemedyKind.HIGHER_TIER, "take proxies of the next tier")
LAST_TIER = Step(
    "last_tier", RemedyKind.HIGHER_TIER, "take proxies of the last tier", last_tier=True
)
BROWSER = Step("use_browser", RemedyKind.USE_BROWSER, "open the pages in a browser")
BROWSER_PROXY = Step(
    "use_browser_proxy",
    RemedyKind.USE_BROWSER,
    "open the pages in a browser, from another address",
    proxy_too=True,
)
PLAIN = Step("uncompressed", RemedyKind.UNCOMPRESSED, "ask for uncompressed answers")
COOKIES = Step("keep_cookies", RemedyKind.KEEP_COOKIES, "send back the cookies of redirects")
FOLLOW = Step("follow_move", RemedyKind.FOLLOW_MOVE, "ask the new host directly")
RECODE = Step("recode", RemedyKind.RECODE, "read pages in the encoding that they are written in")
RELEARN = Step("relearn", RemedyKind.RELEARN, "learn the layout anew")
RELEARN_AGAIN = Step("relearn_again", RemedyKind.RELEARN, "learn it from more pages")
RESTART = Step("restart_browser", RemedyKind.RESTART_BROWSER, "start the browser anew")
WAIT = Step("wait", RemedyKind.WAIT, "wait until it is back")
ASK = Step("ask", RemedyKind.ASK, "a person must look at it")
ASK_ONLY = Step("ask", RemedyKind.ASK, "a person must look at it", pauses=False)

PLANS: Mapping[Problem, tuple[Step, ...]] = {
    Problem.STALE_PROXY: (ROTATE, ROTATE_AGAIN, HIGHER_TIER, LAST_TIER, _pause(1), ASK),
    Problem.LAYOUT_CHANGE: (RELEARN, RELEARN_AGAIN, ASK_ONLY),
    Problem.RATE_LIMITED: (_slow(2), _slow(6, "slow_down_more"), _pause(3), PROXY, ASK),
    Problem.DNS_FAILURE: (_pause(ENDLESS), ASK),
    Problem.CONTENT_BLOCK: (BROWSER, BROWSER_PROXY, ASK),
    Problem.SOFT_BLOCK: (PROXY_AND_REVIEW, ROTATE, HIGHER_TIER, LAST_TIER, BROWSER, BROWSER_PROXY,
                         ASK),
    Problem.BLOCKED: (_slow(2), PROXY, ROTATE, HIGHER_TIER, LAST_TIER, BROWSER, BROWSER_PROXY,
                      ASK),
    Problem.GEO_BLOCKED: (PROXY, ROTATE, HIGHER_TIER, LAST_TIER, BROWSER_PROXY, ASK),
    Problem.TLS_FAILURE: (_pause(4), ASK),
    Problem.REDIRECT_LOOP: (COOKIES, BROWSER, ASK),
    Problem.MOVED_SITE: (FOLLOW, ASK_ONLY),
    Problem.SITE_GONE: (_pause(1), ASK),
    Problem.SERVER_ERRORS: (_pause(6), ASK),
    Problem.CONNECTION_FAILURE: (_pause(3), PROXY, _pause(3, "pause_again"), ASK),
    Problem.SLOW_HOST: (_longer(2, "longer_timeout"), _longer(4, "much_longer_timeout"),
                        _pause(2), ASK),
    Problem.BROKEN_COMPRESSION: (PLAIN, _pause(2), BROWSER, ASK),
    Problem.BROKEN_TRANSFER: (_pause(3), PLAIN, _pause(3, "pause_again"), ASK),
    Problem.CHANGED_ENCODING: (RECODE, ASK_ONLY),
    Problem.EXPIRED_LOGIN: (ASK,),
    Problem.LOGIN_WALL: (ASK,),
    Problem.WAITING_ROOM: (_pause(6), BROWSER, ASK),
    Problem.MAINTENANCE: (_pause(ENDLESS), ASK),
    Problem.EMPTY_PAGES: (_pause(1), BROWSER, _pause(4, "pause_again"), ASK),
    Problem.TOO_LARGE: (ASK,),
    Problem.FORBIDDEN_REDIRECT: (ASK,),
    Problem.BROWSER_CRASHED: (RESTART, _pause(2), ASK),
    Problem.DISK_FULL: (WAIT,),
    Problem.DATABASE_AWAY: (WAIT,),
    Problem.STATE_AWAY: (WAIT,),
    Problem.MODEL_DOWN: (WAIT,),
    Problem.BROWSER_UNUSABLE: (WAIT,),
}  # fmt: skip
