"""Where proxies come from and where live ones go: settings, a file, a list; the live files."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from specfactory.errors import AddressRefused, SettingError
from specfactory.fetch.addresses import GatePolicy, check_url
from specfactory.fetch.proxies import MOST_BYTES, ROTATOR_TIER, ProxyList, make_proxy, read_list
from specfactory.model import Frozen, Proxy, ProxyHealth, ProxyOrigin
from specfactory.settings import ProxySettings

LIVE_JSON, LIVE_TXT = "live_proxies.json", "live_proxies.txt"
_FORM = "http://[USER:PASSWORD@]HOST:PORT, perhaps followed by a tier"
_OWNER_ONLY = 0o600


class Named(Frozen):
    """The proxies that the operator names, and how many lines of the file are of no use."""

    proxies: tuple[Proxy, ...]
    skipped: int = 0


def uses_proxies(settings: ProxySettings) -> bool:
    """Whether the settings name any proxy, or where some are to be found."""
    return bool(settings.urls or settings.file or settings.list_url or settings.rotator_url)


def named_proxies(settings: ProxySettings) -> Named:
    """The rotator, the proxies of the settings, those of the file; SettingError for a bad one."""
    found = [_rotator(settings.rotator_url)] if settings.rotator_url else []
    for number, written in enumerate(settings.urls, 1):
        try:
            found.append(make_proxy(written, ProxyOrigin.SETTINGS))
        except ValueError as bad:  # the entry itself may hold a password
            raise SettingError("proxy.urls", f"entry {number}: {bad}", _FORM) from None
    filed = _read_file(settings.file) if settings.file else ProxyList(())
    return Named((*found, *filed.proxies), filed.skipped)


def public_only(listed: ProxyList, policy: GatePolicy) -> ProxyList:
    """A fetched list without addresses that pages may not have; names are checked later."""
    kept = tuple(proxy for proxy in listed.proxies if _is_public(proxy, policy))
    return replace(listed, proxies=kept, skipped=listed.skipped + len(listed.proxies) - len(kept))


def write_live(folder: str, live: Sequence[tuple[Proxy, ProxyHealth]]) -> None:
    """Write live_proxies.json and .txt, each whole or not at all, for our eyes only."""
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
        _replace(place / LIVE_JSON, json.dumps([_entry(*each) for each in live], indent=1) + "\n")
        _replace(place / LIVE_TXT, "".join(f"{proxy.url}\n" for proxy, _ in live))
    except OSError as problem:
        reason = problem.strerror or "not writable"
        allowed = f"a folder that can be written ({reason})"
        raise SettingError("proxy.live_folder", folder, allowed) from None


def _rotator(url: str) -> Proxy:
    try:
        return replace(make_proxy(url, ProxyOrigin.ROTATOR), tier=ROTATOR_TIER)
    except ValueError as bad:
        raise SettingError("proxy.rotator_url", "…", f"http://HOST:PORT ({bad})") from None


def _read_file(path: str) -> ProxyList:
    try:
        with Path(path).open("rb") as opened:
            text = opened.read(MOST_BYTES).decode("utf-8", "replace")
    except OSError as problem:
        reason = problem.strerror or "unreadable"
        raise SettingError("proxy.file", path, f"a file of proxies ({reason})") from None
    return read_list(text, ProxyOrigin.FILE)


def _is_public(proxy: Proxy, policy: GatePolicy) -> bool:
    port = int(proxy.place.rpartition(":")[2])
    try:
        check_url(
            f"http://{proxy.place}/", replace(policy, ports=frozenset({port}), trusted=frozenset())
        )
    except AddressRefused:
        return False
    return True


def _entry(proxy: Proxy, health: ProxyHealth) -> dict[str, object]:
    parts = urlsplit(proxy.url)
    checked = health.checked_at
    return {
        "url": proxy.url,
        "host": parts.hostname,
        "port": parts.port,
        "protocol": parts.scheme,
        "tier": proxy.tier,
        "latency_ms": None if health.latency_ms is None else round(health.latency_ms, 1),
        "checked_at": checked and datetime.fromtimestamp(checked / 1000, UTC).isoformat(),
    }


def _replace(file: Path, text: str) -> None:
    """Readers see the old file or the new one; mkstemp makes it readable by its owner only."""
    opened, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(opened, "w", encoding="utf-8") as writing:
            writing.write(text)
        Path(name).chmod(_OWNER_ONLY)
        Path(name).replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
