"""robots.txt as RFC 9309 and the large crawlers read it. Pure: text in, rules for us out.

Crawl-delay is given as written; ``fetch.longest_delay_seconds`` caps it when a turn is taken.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from specfactory.model import Frozen

MAX_ROBOTS_BYTES = 500 * 1024
_MAX_RULES = 20_000
_MAX_SITEMAPS = 100
_MAX_LINE = 2_083 * 8  # longer lines are cut, as the large crawlers do

_KEYS = {
    "user-agent": "agent", "useragent": "agent", "user agent": "agent",
    "allow": "allow", "disallow": "disallow",
    "dissallow": "disallow", "dissalow": "disallow", "disalow": "disallow",
    "diasllow": "disallow", "disallaw": "disallow",
    "sitemap": "sitemap", "site-map": "sitemap",
    "crawl-delay": "delay", "crawldelay": "delay",
}  # fmt: skip
_NAME = re.compile(r"[^\s/();,*]+")
_COMPATIBLE = re.compile(r"Mozilla/[\d.]+ \(compatible; *", re.I)  # as if: our name follows
_WITH_STARS = re.compile(r"[^\s/();,*][^\s/();,]*")
_TOKEN = re.compile(r"[A-Za-z_-]+")  # all that RFC 9309 allows; many write more
_SAFE = "!#$&'()*+,/:;=?@[]~%"
_LINE = re.compile(r"[^\r\n]+")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")


class RobotsRule(Frozen):
    """One allow or disallow line."""

    allow: bool
    pattern: str

    def __str__(self) -> str:
        return f"{'Allow' if self.allow else 'Disallow'}: {self.pattern}"


class Robots(Frozen):
    """The rules of one robots.txt for our user agent."""

    rules: tuple[RobotsRule, ...] = ()
    crawl_delay_seconds: float = 0.0
    sitemaps: tuple[str, ...] = ()

    def allows(self, url: str) -> bool:
        """True if the URL may be fetched."""
        deciding = self.deciding_rule(url)
        return deciding is None or deciding.allow

    def deciding_rule(self, url: str) -> RobotsRule | None:
        """The rule with the longest pattern that fits; allow wins a tie."""
        path = _path(url)
        if path == "/robots.txt":
            return None
        best: RobotsRule | None = None
        for rule in self.rules:
            if best is not None and _weight(rule) <= _weight(best):
                continue
            if _fits(rule.pattern, path):
                best = rule
        return best


ALLOW_ALL = Robots()


def product_token(user_agent: str) -> str:
    """The name by which robots.txt may address us: "SpecFactory/0.1 (+…)" is SpecFactory.

    So is "Mozilla/5.0 (compatible; SpecFactory/0.1)".
    """
    guise = _COMPATIBLE.match(user_agent)
    found = _NAME.match(user_agent, guise.end() if guise else 0)
    return found.group().lower() if found else ""


class _Reader:
    """Lines to rules: groups naming us outrank groups for everyone."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.ours: list[RobotsRule] = []
        self.everyones: list[RobotsRule] = []
        self.delays: dict[str, float] = {}
        self.sitemaps: list[str] = []
        self.named = self._for_us = self._for_all = self._in_rules = False

    def read(self, key: str, value: str) -> None:
        if key == "agent":
            if self._in_rules:
                self._for_us = self._for_all = self._in_rules = False
            if value == "*" or value[:2] in ("* ", "*\t"):
                self._for_all = True
            elif self._is_ours(value):
                self._for_us = self.named = True
        elif key == "sitemap":
            if value and len(self.sitemaps) < _MAX_SITEMAPS:
                self.sitemaps.append(value)
        elif key == "delay":
            try:
                seconds = float(value)
            except ValueError:
                return
            if 0 < seconds < float("inf"):  # however long: settings say how much of it is obeyed
                for applies, who in ((self._for_us, "us"), (self._for_all, "all")):
                    if applies:
                        self.delays.setdefault(who, seconds)
        else:
            self._in_rules = True
            escaped = _escaped(value)
            # ``$`` means the end only where it stands last
            pattern = escaped[:-1].replace("$", "%24") + escaped[-1:]
            self._add(RobotsRule(key == "allow", pattern))

    def _is_ours(self, value: str) -> bool:
        """True if a User-agent line names us; what follows the token proper is forgiven."""
        strict, starred = _TOKEN.match(value), _WITH_STARS.match(value)
        if starred is not None and _fits_whole(starred.group().lower(), self.token):
            return True
        exact = strict is not None and strict.group().lower() == self.token
        return exact or product_token(value) == self.token

    def _add(self, rule: RobotsRule) -> None:
        added = [rule] if rule.pattern else []
        folder, index, _ = rule.pattern.rpartition("/index.htm")
        if rule.allow and index:  # whoever allows the index means the folder's page
            added.append(RobotsRule(allow=True, pattern=f"{folder}/$"))
        for applies, rules in ((self._for_us, self.ours), (self._for_all, self.everyones)):
            if applies and len(rules) < _MAX_RULES:
                rules.extend(added)


def read_robots(body: bytes, token: str) -> Robots:
    """The rules, delay and sitemaps that a robots.txt has for ``token``; never raises."""
    return parse_robots(body.decode("utf-8", "replace"), token)


def parse_robots(text: str, token: str) -> Robots:
    """The rules, delay and sitemaps that a robots.txt has for ``token``; never raises."""
    reader = _Reader(token.lower())
    for line in _LINE.finditer(text.removeprefix("\ufeff")):
        content = line[0][:_MAX_LINE].partition("#")[0].strip()
        key, colon, value = content.partition(":")
        if not colon:
            words = content.split()
            if len(words) != 2:  # a forgotten colon, nothing else, is forgiven
                continue
            key, value = words
        if known := _KEYS.get(key.strip().lower()):
            reader.read(known, value.strip())
    rules = reader.ours if reader.named else reader.everyones
    delay = reader.delays.get("us" if reader.named else "all", 0.0)
    return Robots(tuple(rules), delay, tuple(reader.sitemaps))


def _escaped(pattern: str) -> str:
    """Percent-encode what no URL may hold, escapes in upper case, so that both sides compare."""
    ascii_only = quote(pattern, safe=_SAFE)
    return _ESCAPE.sub(lambda found: found.group().upper(), ascii_only)


def _path(url: str) -> str:
    """Path and query of a URL, as patterns are compared with them.

    A URL comes percent-encoded, as the gate writes it; what is not fits no pattern.
    """
    whole = url.partition("#")[0]
    rest = whole if whole.startswith("/") else whole.partition("//")[2]
    start = min((at for at in map(rest.find, "/?") if at >= 0), default=len(rest))
    path = rest[start:]
    path = _escaped(path) if path.isascii() else path
    return (path if path.startswith("/") else "/" + path).replace("$", "%24").replace("*", "%2A")


def _weight(rule: RobotsRule) -> tuple[int, bool]:
    return len(rule.pattern), rule.allow


def _fits(pattern: str, path: str) -> bool:
    """True if a pattern with ``*`` and a final ``$`` fits the beginning of a path."""
    if not pattern.endswith("$"):
        return _end_of_fit(pattern, path) >= 0
    # the dollar sign may have been meant as such: then a URL ends with it, too
    bare, literally = pattern[:-1], path.removesuffix("%24")
    return _fits_whole(bare, path) or (literally != path and _fits_whole(bare, literally))


def _fits_whole(pattern: str, path: str) -> bool:
    """True if a pattern with ``*`` fits all of a path."""
    begin, star, last = pattern.rpartition("*")
    if not star:
        return pattern == path
    end = _end_of_fit(begin, path)
    return 0 <= end <= len(path) - len(last) and path.endswith(last)


def _end_of_fit(pattern: str, path: str) -> int:
    """End of the shortest fit of a pattern with ``*``; -1 when it does not fit."""
    first, *rest = pattern.split("*")
    if not path.startswith(first):
        return -1
    position = len(first)
    for piece in rest:
        found = path.find(piece, position)
        if found < 0:
            return -1
        position = found + len(piece)
    return position
