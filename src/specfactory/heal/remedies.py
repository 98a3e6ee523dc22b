"""What is done about a diagnosis: plans of remedies, the mildest first. Pure.

A remedy that changes how a host is treated says so in ``params["care"]``; what it changed is
kept, so that it can be taken back exactly.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from specfactory.heal.ailments import MEANINGS, Ailment
from specfactory.heal.plans import PLANS, Step
from specfactory.model import Diagnosis, Frozen, HostCare, Instant, Json, Remedy, RemedyKind, Rung
from specfactory.settings import Settings

LEAST_DELAY_SECONDS = 0.25
MOST_TIMEOUT_FACTOR = 8.0
ASKED_PAUSES = 4  # a host that a person was asked about is left alone so many times longer
WITH_PROXY = {Rung.HTTP: Rung.HTTP_PROXY, Rung.BROWSER: Rung.BROWSER_PROXY}
WITH_BROWSER = {Rung.HTTP: Rung.BROWSER, Rung.HTTP_PROXY: Rung.BROWSER_PROXY}
CHEAPER = {
    Rung.BROWSER_PROXY: Rung.BROWSER,
    Rung.BROWSER: Rung.HTTP,
    Rung.HTTP_PROXY: Rung.HTTP,
}


class Means(Frozen):
    """What the factory has to heal with."""

    proxies: bool = False
    browser: bool = False
    tiers: tuple[str, ...] = ()  # of the proxies, the cheapest first


def next_remedy(
    host: str,
    diagnosis: Diagnosis,
    care: HostCare,
    tried: Collection[str],
    means: Means,
    settings: Settings,
    now: Instant,
    rungs_in_vain: Collection[Rung] = (),
) -> Remedy:
    """The mildest remedy that was not tried in vain; in the end a person is asked.

    ``rungs_in_vain`` are ways to fetch that have failed enough already, remedy or not.
    """
    ailment = Ailment(diagnosis.name)
    for step in PLANS[ailment]:
        if step.name in tried or not _is_possible(step, means):
            continue
        change = care_change(step, diagnosis, care, settings, now, means.tiers)
        if change is None or ("proxy_tier" not in change and change.get("rung") in rungs_in_vain):
            continue  # what failed through cheap proxies may do through dearer ones
        params = _params(step, diagnosis, change, settings)
        return Remedy(step.kind, host, params, f"{MEANINGS[ailment]}: {step.why}")
    raise AssertionError("every plan ends with a question that is always possible")


def care_change(
    step: Step,
    diagnosis: Diagnosis,
    care: HostCare,
    settings: Settings,
    now: Instant,
    tiers: Sequence[str] = (),
) -> dict[str, Json] | None:
    """What a step changes in the care of a host; None: nothing that is not so already."""
    if step.kind in _WITHOUT_CARE:
        return {}
    if step.kind is RemedyKind.ROTATE_PROXY:
        return _by_proxy(diagnosis, care)
    if step.kind is RemedyKind.HIGHER_TIER:
        tier = _tier_above(step, str(diagnosis.facts.get("tier") or care.proxy_tier), tiers)
        return {**_by_proxy(diagnosis, care), "proxy_tier": tier} if tier else None
    if step.kind in (RemedyKind.PAUSE, RemedyKind.ASK):
        return _pause(step, diagnosis, settings, now)
    changed = _changed(step, diagnosis, care, settings)
    differing = {name: new for name, new in changed.items() if getattr(care, name) != new}
    return differing or None


def apply(care: HostCare, change: Mapping[str, Json]) -> HostCare:
    """The care with a remedy's change."""
    return replace(care, **{name: _typed(name, value) for name, value in change.items()})


def before_change(care: HostCare, change: Mapping[str, Json]) -> dict[str, Json]:
    """What a change replaces, to be kept."""
    return {name: plain(getattr(care, name)) for name in change}


def take_back(care: HostCare, change: Mapping[str, Json], before: Mapping[str, Json]) -> HostCare:
    """The care without a remedy's change; what was changed again since stays as it is."""
    held = {
        name: _typed(name, before[name])
        for name, value in change.items()
        if name in before and (name in _PAUSE or plain(getattr(care, name)) == value)
    }
    if "paused_for" in change and care.paused_for != change["paused_for"]:
        held = {name: value for name, value in held.items() if name not in _PAUSE}
    return replace(care, **held)


def eased(care: HostCare, settings: Settings, in_vain: Collection[str]) -> dict[str, Json] | None:
    """The next cheaper treatment; None: there is none, or all were tried in vain lately."""
    usual = settings.fetch.host_delay_seconds
    half = care.delay_seconds / 2
    steps: dict[str, Json] = {
        "delay_seconds": half if half > max(usual, LEAST_DELAY_SECONDS) else 0.0,
        "timeout_factor": max(1.0, care.timeout_factor / 2),
        "proxy_tier": "",
        "rung": CHEAPER.get(care.rung, care.rung).value,
        "plain": False,
        "keep_cookies": False,
        "charset": "",
    }
    for name, value in steps.items():
        if name not in in_vain and plain(getattr(care, name)) != value:
            return {name: value}
    return None


def contradictions(care: HostCare, host: str) -> list[str]:
    """What makes no sense in a care; there must never be any."""
    found = []
    if bool(care.paused_until) != bool(care.paused_for):
        found.append("paused without a reason, or a reason without a pause")
    if care.moved_to == host:
        found.append("moved to itself")
    if care.delay_seconds < 0 or not 1.0 <= care.timeout_factor <= MOST_TIMEOUT_FACTOR:
        found.append("a delay or a patience out of range")
    return found


def plain(value: Any) -> Json:
    """A field of a care as JSON has it."""
    return value.value if isinstance(value, Rung) else value


def plain_care(care: HostCare) -> dict[str, Json]:
    """A care as JSON has it, without what is as usual."""
    usual = HostCare()
    return {
        name: plain(value) for name, value in asdict(care).items() if value != getattr(usual, name)
    }


_PAUSE = frozenset({"paused_until", "paused_for"})
_FIELDS = {field.name for field in fields(HostCare)}
_BY_PROXY = frozenset({RemedyKind.ROTATE_PROXY, RemedyKind.USE_PROXY, RemedyKind.HIGHER_TIER})
_WITHOUT_CARE = frozenset({RemedyKind.RELEARN, RemedyKind.RESTART_BROWSER, RemedyKind.WAIT})


def _is_possible(step: Step, means: Means) -> bool:
    wants_proxy = step.proxy_too or step.kind in _BY_PROXY
    wants_browser = step.kind is RemedyKind.USE_BROWSER
    return (means.proxies or not wants_proxy) and (means.browser or not wants_browser)


def _changed(
    step: Step, diagnosis: Diagnosis, care: HostCare, settings: Settings
) -> dict[str, Json]:
    """The fields that a step sets, whether they are so already or not."""
    if step.kind is RemedyKind.SLOW_DOWN:
        return {"delay_seconds": _slower(care, settings, step.factor)}
    if step.kind is RemedyKind.LONGER_TIMEOUT:
        longer = min(care.timeout_factor * step.factor, MOST_TIMEOUT_FACTOR)
        return {"timeout_factor": longer, "delay_seconds": _slower(care, settings, 1.5)}
    if step.kind is RemedyKind.USE_PROXY:
        return {"rung": WITH_PROXY.get(care.rung, care.rung).value}
    if step.kind is RemedyKind.USE_BROWSER:
        rung = Rung.BROWSER_PROXY if step.proxy_too else WITH_BROWSER.get(care.rung, care.rung)
        return {"rung": rung.value}
    simple: dict[RemedyKind, dict[str, Json]] = {
        RemedyKind.UNCOMPRESSED: {"plain": True},
        RemedyKind.KEEP_COOKIES: {"keep_cookies": True},
        RemedyKind.FOLLOW_MOVE: {"moved_to": diagnosis.facts.get("place", "")},
        RemedyKind.RECODE: {"charset": diagnosis.facts.get("charset", "")},
    }
    return simple[step.kind]


def _by_proxy(diagnosis: Diagnosis, care: HostCare) -> dict[str, Json]:
    """Fetched through a proxy from now on; where one is in use already, nothing changes."""
    if diagnosis.name == Ailment.STALE_PROXY:
        return {}
    return {"rung": WITH_PROXY.get(care.rung, care.rung).value}


def _tier_above(step: Step, used: str, tiers: Sequence[str]) -> str:
    """The tier after the one in use; "" where there is none, or none beyond the next."""
    left = tiers[(tiers.index(used) if used in tiers else 0) + 1 :]
    if step.last_tier:
        return left[-1] if len(left) > 1 else ""
    return left[0] if left else ""


def _slower(care: HostCare, settings: Settings, factor: float) -> float:
    usual = max(care.delay_seconds, settings.fetch.host_delay_seconds, LEAST_DELAY_SECONDS)
    return round(min(usual * factor, settings.fetch.longest_delay_seconds), 3)


def _pause(step: Step, diagnosis: Diagnosis, settings: Settings, now: Instant) -> dict[str, Json]:
    if step.kind is RemedyKind.ASK and not step.pauses:
        return {}
    until = now + round(first_pause(step.kind, settings) * 1000)
    return {"paused_until": until, "paused_for": diagnosis.name}


def first_pause(kind: RemedyKind, settings: Settings) -> float:
    """How long a host is left alone at first."""
    factor = ASKED_PAUSES if kind is RemedyKind.ASK else 1
    return min(settings.heal.first_pause_seconds * factor, settings.heal.longest_pause_seconds)


def _params(
    step: Step, diagnosis: Diagnosis, change: Mapping[str, Json], settings: Settings
) -> dict[str, Json]:
    params: dict[str, Json] = {"step": step.name, "care": dict(change), **diagnosis.facts}
    if "paused_until" in change:
        seconds = first_pause(step.kind, settings)
        pause = {"until": change["paused_until"], "seconds": seconds, "times": 1}
        params |= {**pause, "most": step.times}
    if step.review:
        params["review"] = True
    return params


def _typed(name: str, value: Json) -> Any:
    if name not in _FIELDS:
        raise ValueError(f"{name} is no part of a host's care")
    return Rung(value) if name == "rung" else value
