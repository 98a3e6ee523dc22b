"""Logins: headers and cookies for pages behind one, whose values come from the environment.

They are sent to the host that they were given for and to no other, and only over TLS.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from specfactory.errors import SettingError
from specfactory.fetch.addresses.gate import Target, is_local_name, parse_url
from specfactory.hosts import literal_address
from specfactory.model import Discreet, FetchRequest, field

_KEYS = {"host", "headers", "cookies"}
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")  # what a header may hold
_COOKIE = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")
_FORM = "a list of {host: NAME, headers: {NAME: VARIABLE}, cookies: {NAME: VARIABLE}}"


class Login(Discreet):
    """The headers for one host, and the variables that are missing for them."""

    hidden = ("headers",)

    host: str  # with its port unless that is the scheme's own
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()  # environment variables that are not set


class Logins:
    """The logins of all hosts."""

    def __init__(self, logins: Sequence[Login] = ()) -> None:
        self._by_host = {login.host: login for login in logins}

    def __iter__(self) -> Iterator[Login]:
        return iter(self._by_host.values())

    def check(self) -> None:
        """Raise SettingError for variables that are missing, before the first page."""
        for login in self:
            _demand(login)

    def applied_to(self, request: FetchRequest, target: Target) -> FetchRequest:
        """Add the login of its host to a request, where there is one."""
        login = self._by_host.get(target.netloc) if self._by_host else None
        if login is None:
            return request
        address = literal_address(target.host)
        is_local = address.is_loopback if address else is_local_name(target.host)
        if target.scheme != "https" and not is_local:  # somebody may listen on the way
            return request
        _demand(login)
        headers = {**request.headers, **login.headers}
        crumbs = [each["Cookie"] for each in (request.headers, login.headers) if "Cookie" in each]
        if crumbs:
            headers["Cookie"] = "; ".join(crumbs)
        return replace(request, headers=headers)


NO_LOGINS = Logins()


def read_logins(given: Sequence[Mapping[str, Any]], environment: Mapping[str, str]) -> Logins:
    """Read the logins that the settings name; a malformed one is a SettingError."""
    logins = []
    for entry in given:
        host, keys = entry.get("host"), set(entry)
        if not isinstance(host, str) or keys - _KEYS or not keys & {"headers", "cookies"}:
            raise SettingError("fetch.logins", sorted(map(str, entry)), _FORM)
        headers, missing = dict[str, str](), list[str]()
        for name, value in _values(host, entry.get("headers"), environment, missing):
            headers[name] = _fitting(host, name, value, _VALUE)
        crumbs = [
            f"{name}={_fitting(host, name, value, _COOKIE)}"
            for name, value in _values(host, entry.get("cookies"), environment, missing)
        ]
        if crumbs:
            headers["Cookie"] = "; ".join(crumbs)
        try:
            netloc = parse_url(f"https://{host}/").netloc
        except ValueError as malformed:
            allowed = f"a host, such as shop.example ({malformed})"
            raise SettingError("fetch.logins", host, allowed) from None
        logins.append(Login(netloc, headers, tuple(missing)))
    return Logins(logins)


def _values(
    host: str, named: Any, environment: Mapping[str, str], missing: list[str]
) -> Iterator[tuple[str, str]]:
    """Names with the values of their variables; unset variables go to ``missing``."""
    if named is None:
        return
    if not isinstance(named, Mapping):
        raise SettingError("fetch.logins", host, _FORM)
    for name, variable in named.items():
        if not isinstance(name, str) or not _TOKEN.fullmatch(name) or not isinstance(variable, str):
            raise SettingError("fetch.logins", host, f"{_FORM}, with names that HTTP allows")
        if not _VARIABLE.fullmatch(variable):  # perhaps the secret itself: it is not quoted
            allowed = "the name of an environment variable, such as SHOP_SESSION"
            raise SettingError("fetch.logins", f"{host}: {name}: …", allowed)
        if value := environment.get(variable, ""):
            yield name, value
        else:
            missing.append(variable)


def _fitting(host: str, name: str, value: str, form: re.Pattern[str]) -> str:
    if not form.fullmatch(value):
        allowed = "a value without line breaks and other characters that HTTP forbids"
        raise SettingError("fetch.logins", f"{host}: {name}", allowed)
    return value


def _demand(login: Login) -> None:
    if login.missing:
        given = f"{login.host}: {', '.join(login.missing)}"
        raise SettingError("fetch.logins", given, "environment variables that are set")
