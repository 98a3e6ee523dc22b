"""Sources of proxies (settings, a file, a list), and the files of live ones."""

import contextlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from specfactory.errors import AddressRefused, SettingError
from specfactory.fetch.addresses import GatePolicy, check_url
from specfactory.fetch.proxies import MOST_BYTES, ROTATOR_TIER, ProxyList, make_proxy, read_list
from specfactory.model import Proxy, ProxyHealth, ProxyOrigin
from specfactory.private_files import make_folder, replacing
from specfactory.settings import ProxySettings

LIVE_JSON, LIVE_TXT = "live_proxies.json", "live_proxies.txt"
_FORM = "http://[USER:PASSWORD@]HOST:PORT, perhaps followed by a tier"


def uses_proxies(settings: ProxySettings) -> bool:
    """True when the settings name a proxy or a source of some."""
    return bool(settings.urls or settings.file or settings.list_url or settings.rotator_url)


def named_proxies(settings: ProxySettings) -> ProxyList:
    """The rotator, the proxies of the settings, those of the file; SettingError for a bad one."""
    found = []
    if settings.rotator_url:
        try:
            rotator = make_proxy(settings.rotator_url, ProxyOrigin.ROTATOR)
        except ValueError as bad:
            raise SettingError("proxy.rotator_url", "…", f"http://HOST:PORT ({bad})") from None
        found.append(replace(rotator, tier=ROTATOR_TIER))
    for number, written in enumerate(settings.urls, 1):
        try:
            found.append(make_proxy(written, ProxyOrigin.SETTINGS))
        except ValueError as bad:  # the entry itself may hold a password
            raise SettingError("proxy.urls", f"entry {number}: {bad}", _FORM) from None
    filed = ProxyList(())
    if settings.file:
        try:
            with Path(settings.file).open("rb") as opened:
                text = opened.read(MOST_BYTES).decode("utf-8", "replace")
        except OSError as problem:
            allowed = f"a file of proxies ({problem.strerror or 'unreadable'})"
            raise SettingError("proxy.file", settings.file, allowed) from None
        filed = read_list(text, ProxyOrigin.FILE)
    return replace(filed, proxies=(*found, *filed.proxies))


def public_only(listed: ProxyList, policy: GatePolicy) -> ProxyList:
    """A fetched list without addresses that pages may not have; names are checked later."""
    kept = []
    for proxy in listed.proxies:
        port = int(proxy.place.rpartition(":")[2])
        allowed = replace(policy, ports=frozenset({port}), trusted=frozenset())
        with contextlib.suppress(AddressRefused):
            check_url(f"http://{proxy.place}/", allowed)
            kept.append(proxy)
    skipped = listed.skipped + len(listed.proxies) - len(kept)
    return replace(listed, proxies=tuple(kept), skipped=skipped)


def write_live(folder: str, live: Sequence[tuple[Proxy, ProxyHealth]]) -> None:
    """Write live_proxies.json and .txt atomically, readable by their owner only."""
    place = Path(folder)
    try:
        make_folder(place)
        _replace(place / LIVE_JSON, json.dumps([_entry(*each) for each in live], indent=1) + "\n")
        _replace(place / LIVE_TXT, "".join(f"{proxy.url}\n" for proxy, _ in live))
    except OSError as problem:
        reason = problem.strerror or "not writable"
        allowed = f"a folder that can be written ({reason})"
        raise SettingError("proxy.live_folder", folder, allowed) from None


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
    """Replace a file; readers see the old one or the new one."""
    with replacing(file, private=True) as part:
        part.write_text(text, encoding="utf-8")
