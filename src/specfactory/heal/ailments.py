"""What can be wrong with a host, or with the factory itself, by name."""

from __future__ import annotations

from enum import StrEnum

FACTORY = "factory"  # stands where a host does, when the factory itself ails


class Ailment(StrEnum):
    """A diagnosis."""

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


MEANINGS: dict[Ailment, str] = {
    Ailment.STALE_PROXY: "one proxy is refused or does not answer; others may do",
    Ailment.LAYOUT_CHANGE: "good pages give much less than they used to: their layout changed",
    Ailment.RATE_LIMITED: "the host says that we ask too often",
    Ailment.DNS_FAILURE: "the host's name has no address",
    Ailment.CONTENT_BLOCK: "pages come without content: they want scripts or consent",
    Ailment.SOFT_BLOCK: "we get a captcha, or 'not found' for everything, instead of the pages",
    Ailment.BLOCKED: "the host refuses us",
    Ailment.GEO_BLOCKED: "the host refuses our region",
    Ailment.TLS_FAILURE: "the host's certificate or encryption is not to be trusted",
    Ailment.REDIRECT_LOOP: "pages lead back to themselves",
    Ailment.MOVED_SITE: "the host's pages are at another host now",
    Ailment.SITE_GONE: "pages that were there are all gone",
    Ailment.SERVER_ERRORS: "the host's server fails (HTTP 5xx)",
    Ailment.CONNECTION_FAILURE: "no connection to the host, or it breaks",
    Ailment.SLOW_HOST: "the host answers too slowly",
    Ailment.BROKEN_COMPRESSION: "compressed answers cannot be unpacked",
    Ailment.BROKEN_TRANSFER: "answers end in the middle",
    Ailment.CHANGED_ENCODING: "pages are declared in another encoding than they are written in",
    Ailment.EXPIRED_LOGIN: "pages that could be read want a login now",
    Ailment.LOGIN_WALL: "pages want a login, and always did",
    Ailment.WAITING_ROOM: "visitors are made to queue",
    Ailment.MAINTENANCE: "the host says that it is being worked on",
    Ailment.EMPTY_PAGES: "pages come with nothing in them",
    Ailment.TOO_LARGE: "pages are larger than we take",
    Ailment.FORBIDDEN_REDIRECT: "pages lead to an address that we must not visit",
    Ailment.DISK_FULL: "the database has no room to write",
    Ailment.DATABASE_AWAY: "the database does not answer",
    Ailment.STATE_AWAY: "the shared state (Redis) does not answer",
    Ailment.MODEL_DOWN: "a language model's endpoint does not answer",
    Ailment.BROWSER_CRASHED: "the browser fell over",
    Ailment.BROWSER_UNUSABLE: "what is set or installed as the browser is none, or does not start",
}
