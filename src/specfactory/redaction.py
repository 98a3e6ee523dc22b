"""Credentials in addresses, hidden before they are shown, logged or kept."""

import re

_USER = re.compile(r"^(\s*[A-Za-z][A-Za-z0-9+.-]*:[/\\]*)[^/?#\\]*@")
_USERS = re.compile(
    # bounded, as texts of servers come here: many beginnings without an end take linear time
    r"""([A-Za-z][A-Za-z0-9+.-]{0,20}:[/\\]{1,9})[^/?#\\\s<>"']{0,500}@"""
    r"""|((?:postgres(?:ql)?|rediss?|unix)[A-Za-z0-9+.-]{0,20}:[/\\]{1,9})[^\s<>"']{0,500}@"""
)
_KEYS = re.compile(
    r"""([?&;](?:[\w.-]{0,40}(?:api[_-]?key|token|secret|passw(?:or)?d|passwd|pwd|signature"""
    r"""|credentials?|authorization)|auth|key|pass|sig|session(?:_?id)?|sid)=)[^&;#\s<>"'\\]+""",
    re.IGNORECASE,
)
HIDDEN = "…"


def without_password(url: str) -> str:
    """Hide the user and password of a URL, so that it may be kept as a page's address."""
    return _USER.sub(r"\1…@", url) if "@" in url else url


def redacted(text: str) -> str:
    """Hide users, passwords, and keys in queries, of all URLs in a text."""
    if "@" in text:
        text = _USERS.sub(lambda found: f"{found[1] or found[2]}{HIDDEN}@", text)
    return _KEYS.sub(rf"\1{HIDDEN}", text) if "=" in text else text
