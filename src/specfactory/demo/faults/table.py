"""The catalogue: every fault once, with what happens, whether it can be cured, and how it ends."""

from specfactory.demo.faults import answers, behaviour
from specfactory.demo.faults.behaviour import at_home
from specfactory.demo.faults.values import Fault, Scope

_PATH, _SITE, _NET, _HOUSE = Scope.PATH, Scope.SITE, Scope.NETWORK, Scope.FACTORY
_NEVER, _PROXY, _BROWSER = "never", "through a proxy", "in a browser"
_AGAIN = "when the page is asked for again"
_BRIEF = 3.0  # seconds of a fault that passes

FAULTS: tuple[Fault, ...] = (
    # Single pages: another try is enough, and nothing is wrong with the site.
    Fault("page_unavailable", "some pages answer 503 twice", _PATH, True, "", _AGAIN,
          answers.unavailable, times=2),
    Fault("page_slow_body", "some pages come in drops, once", _PATH, True, "", _AGAIN,
          answers.slow_body, times=1),
    Fault("page_broken_gzip", "some pages are packed badly, once", _PATH, True, "", _AGAIN,
          answers.broken_gzip_once, times=1),
    Fault("page_reset", "some pages reset the connection twice", _PATH, True, "", _AGAIN,
          answers.reset, times=2),  # clients ask once more by themselves
    # Too many requests.
    Fault("rate_limited_seconds", "429 with Retry-After in seconds", _SITE, True,
          "rate_limited", "after a time", answers.rate_limited_seconds, seconds=_BRIEF),
    Fault("rate_limited_date", "429 with Retry-After as a date", _SITE, True,
          "rate_limited", "after a time", answers.rate_limited_date, seconds=_BRIEF),
    Fault("rate_limited_too_fast", "429 to who comes again within a quarter of a second", _SITE,
          True, "rate_limited", "when requests come slower", behaviour.too_fast),
    # Unwelcome.
    Fault("blocked_address", "403 for our address", _SITE, True, "blocked", _PROXY,
          at_home(answers.blocked)),
    Fault("blocked", "403 for everybody", _SITE, False, "blocked", _NEVER, answers.blocked),
    Fault("captcha_address", "a captcha for our address", _SITE, True, "soft_block", _PROXY,
          at_home(answers.captcha)),
    Fault("captcha", "a captcha for everybody", _SITE, False, "soft_block", _NEVER,
          answers.captcha),
    Fault("geo_block_address", "451 for our address", _SITE, True, "geo_blocked", _PROXY,
          at_home(answers.geo_blocked)),
    Fault("geo_block", "451 for everybody", _SITE, False, "geo_blocked", _NEVER,
          answers.geo_blocked),
    Fault("soft_404_address", "every page says 'not found' with status 200 to our address",
          _SITE, True, "soft_block", _PROXY, at_home(answers.soft_404)),
    Fault("soft_404", "every page says 'not found' with status 200", _SITE, False, "soft_block",
          _NEVER, answers.soft_404),
    Fault("site_gone", "404 for every page", _SITE, False, "site_gone", _NEVER, answers.gone),
    Fault("empty_pages", "every page is empty", _SITE, True, "empty_pages", "after a time",
          answers.empty, seconds=_BRIEF),
    # Pages that want more than a plain client.
    Fault("script_shell", "empty pages that a script fills", _SITE, True, "content_block",
          _BROWSER, behaviour.script_shell),
    Fault("consent_wall", "a consent wall before every page", _SITE, True, "content_block",
          _BROWSER, behaviour.consent_wall),
    Fault("cookie_wall", "every page redirects to itself until its cookie comes along", _SITE,
          True, "redirect_loop", "when cookies are kept", behaviour.cookie_wall),
    Fault("login_refused", "401: the session has expired", _SITE, False, "expired_login", _NEVER,
          answers.login_refused),
    Fault("login_page", "every page leads to a login", _SITE, False, "expired_login", _NEVER,
          answers.login_page),
    # Elsewhere.
    Fault("redirect_loop", "redirects without end", _SITE, False, "redirect_loop", _NEVER,
          answers.redirect_loop),
    Fault("redirect_private", "redirects to a private address", _SITE, False, "forbidden_redirect",
          _NEVER, answers.redirect_private),
    Fault("moved_site", "301 to another host", _SITE, True, "moved_site", "at the new host",
          behaviour.moved),
    # Sites that are not well.
    Fault("server_errors_burst", "500, 502 and 504 in turn", _SITE, True, "server_errors",
          "after a time", answers.server_errors, seconds=_BRIEF),
    Fault("server_errors", "500, 502 and 504 in turn", _SITE, False, "server_errors", _NEVER,
          answers.server_errors),
    Fault("maintenance", "503 with Retry-After and a page that says so", _SITE, True,
          "maintenance", "after a time", answers.maintenance, seconds=_BRIEF),
    Fault("waiting_room", "a queue before every page", _SITE, True, "waiting_room",
          "after a time", answers.waiting_room, seconds=_BRIEF),
    Fault("slow_host", "the first byte comes late", _SITE, True, "slow_host",
          "when we wait longer", behaviour.slow),
    Fault("slow_body", "pages come in drops", _SITE, False, "slow_host", _NEVER,
          answers.slow_body),
    Fault("broken_gzip", "packed pages are broken", _SITE, True, "broken_compression",
          "when plain bytes are asked for", answers.broken_gzip),
    Fault("truncated_body", "pages end in the middle", _SITE, True, "broken_transfer",
          "after a time", answers.truncated, seconds=_BRIEF),
    Fault("connection_resets", "connections are reset", _SITE, True, "connection_failure",
          "after a time", answers.reset, seconds=_BRIEF),
    Fault("connections_lost", "connections are reset", _SITE, False, "connection_failure", _NEVER,
          answers.reset),
    Fault("huge_pages", "pages of fifty megabytes", _SITE, False, "too_large", _NEVER,
          answers.huge),
    Fault("changed_encoding", "pages in UTF-8 that claim to be Latin-1", _SITE, True,
          "changed_encoding", "when they are read as what they are", behaviour.latin_1),
    Fault("unreadable_encoding", "pages in UTF-16 that claim to be UTF-8", _SITE, False,
          "changed_encoding", _NEVER, behaviour.utf_16),
    Fault("layout_change", "a relaunch: icons take the place of labels", _SITE, True,
          "layout_change", "when the new markup is learned", behaviour.relaunched),
    # Between us and the sites.
    Fault("dns_burst", "the name does not resolve", _NET, True, "dns_failure", "after a time",
          seconds=_BRIEF),
    Fault("dns_gone", "the name does not resolve", _NET, False, "dns_failure", _NEVER),
    Fault("tls_burst", "plain text is spoken at the port for TLS", _NET, True, "tls_failure",
          "after a time", seconds=_BRIEF),
    Fault("tls_expired", "the certificate has expired", _NET, False, "tls_failure", _NEVER),
    Fault("dead_proxy", "one of two proxies is gone", _NET, True, "stale_proxy",
          "through the other one"),
    Fault("refusing_proxy", "one of two proxies answers 403 to everything", _NET, True,
          "stale_proxy", "through the other one"),
    # The factory's own house.
    Fault("disk_full", "nothing can be written", _HOUSE, True, "disk_full", "after a time",
          seconds=_BRIEF),
    Fault("database_away", "the database is locked by another", _HOUSE, True, "database_away",
          "after a time", seconds=2 * _BRIEF),
    Fault("state_away", "the shared state (Redis) does not answer", _HOUSE, True, "state_away",
          "after a time", seconds=_BRIEF),
    Fault("model_down", "the language model's endpoint is off", _HOUSE, True, "model_down",
          "after a time", seconds=_BRIEF),
    Fault("browser_crashed", "the browser is killed", _HOUSE, True, "browser_crashed",
          "when it is started again"),
)  # fmt: skip

DRAWN = (
    "rate_limited_seconds", "page_unavailable", "page_slow_body", "page_broken_gzip", "page_reset",
    "redirect_loop", "redirect_private", "captcha", "blocked", "huge_pages",
)  # fmt: skip
"""Those that a seed may give to a single page."""
