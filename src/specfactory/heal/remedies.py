"""Remedies as values: which one is next, and what it changes for its host. Pure.

A remedy that changes how a host is asked says so in ``params["care"]``; the values that it
replaced are kept, so that it can be undone exactly.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

from specfactory.heal.remedy_plans import PLANS, Step
from specfactory.model import (
    Diagnosis,
    Frozen,
    HostCare,
    Instant,
    Json,
    Problem,
    Remedy,
    RemedyKind,
    Rung,
    failure_facts,
)
from specfactory.settings import Settings

LEAST_DELAY_SECONDS = 0.25
MOST_TIMEOUT_FACTOR = 8.0
ASKED_PAUSES = 4  # a host that a person was asked about is paused this many times longer
WITH_PROXY = {Rung.HTTP: Rung.HTTP_PROXY, Rung.BROWSER: Rung.BROWSER_PROXY}
WITH_BROWSER = {Rung.HTTP: Rung.BROWSER, Rung.HTTP_PROXY: Rung.BROWSER_PROXY}
CHEAPER = {Rung.BROWSER_PROXY: Rung.BROWSER, Rung.BROWSER: Rung.HTTP, Rung.HTTP_PROXY: Rung.HTTP}
_PAUSE = frozenset({"paused_until", "paused_for"})
_FIELDS = {field.name for field in fields(HostCare)}
_BY_PROXY = frozenset({RemedyKind.ROTATE_PROXY, RemedyKind.USE_PROXY, RemedyKind.HIGHER_TIER})


class Resources(Frozen):
    """The means of healing that the factory has."""

    proxies: bool = False
    browser: bool = False
    tiers: tuple[str, ...] = ()  # of the proxies, the cheapest first


def next_remedy(
    host: str,
    diagnosis: Diagnosis,
    care: HostCare,
    tried: Collection[str],
    resources: Resources,
    settings: Settings,
    now: Instant,
    rungs_in_vain: Collection[Rung] = (),
) -> Remedy:
    """Choose the mildest remedy that has not failed yet; in the end a person is asked.

    ``rungs_in_vain`` have failed often enough already, remedy or not.
    """
    kind = Problem(diagnosis.name)
    for step in PLANS[kind]:
        wants_proxy = step.proxy_too or step.kind in _BY_PROXY
        wants_browser = step.kind is RemedyKind.USE_BROWSER
        if step.name in tried or (wants_proxy and not resources.proxies):
            continue
        if wants_browser and not resources.browser:
            continue
        change = care_change(step, diagnosis, care, settings, now, resources.tiers)
        if change is None or ("proxy_tier" not in change and change.get("rung") in rungs_in_vain):
            continue  # what failed through cheap proxies may work through dearer ones
        params: dict[str, Json] = {"step": step.name, "care": dict(change), **diagnosis.facts}
        if "paused_until" in change:
            params |= {
                "until": change["paused_until"], "seconds": _first_pause(step, diagnosis, settings),
                "times": 1, "most": step.times,
            }  # fmt: skip
        if step.review:
            params["review"] = True
        return Remedy(step.kind, host, params, f"{kind.meaning}: {step.why}")
    raise AssertionError("every plan ends with a question that is always possible")


def care_change(
    step: Step,
    diagnosis: Diagnosis,
    care: HostCare,
    settings: Settings,
    now: Instant,
    tiers: Sequence[str] = (),
) -> dict[str, Json] | None:
    """The fields that a step changes for a host; None: all of them are so already."""
    changed: dict[str, Json]
    match step.kind:
        case RemedyKind.PAUSE | RemedyKind.ASK if step.pauses:
            until = now + round(_first_pause(step, diagnosis, settings) * 1000)
            return {"paused_until": until, "paused_for": diagnosis.name}
        case RemedyKind.ROTATE_PROXY | RemedyKind.HIGHER_TIER:
            # A stale proxy is in use already: only the proxy changes, not the rung.
            stale = diagnosis.name == Problem.STALE_PROXY
            changed = {} if stale else {"rung": _with(WITH_PROXY, care)}
            if step.kind is RemedyKind.ROTATE_PROXY:
                return changed
            used = str(diagnosis.facts.get("tier") or care.proxy_tier)
            left = tiers[(tiers.index(used) if used in tiers else 0) + 1 :]
            if step.last_tier:  # where it is also the next one, it is no step of its own
                left = left[-1:] if len(left) > 1 else ()
            return {**changed, "proxy_tier": left[0]} if left and left[0] else None
        case RemedyKind.SLOW_DOWN:
            changed = {"delay_seconds": _slower(care, settings, step.factor)}
        case RemedyKind.LONGER_TIMEOUT:
            longer = min(care.timeout_factor * step.factor, MOST_TIMEOUT_FACTOR)
            changed = {"timeout_factor": longer, "delay_seconds": _slower(care, settings, 1.5)}
        case RemedyKind.USE_PROXY:
            changed = {"rung": _with(WITH_PROXY, care)}
        case RemedyKind.USE_BROWSER:
            both = Rung.BROWSER_PROXY.value
            changed = {"rung": both if step.proxy_too else _with(WITH_BROWSER, care)}
        case RemedyKind.UNCOMPRESSED:
            changed = {"plain": True}
        case RemedyKind.KEEP_COOKIES:
            changed = {"keep_cookies": True}
        case RemedyKind.FOLLOW_MOVE:
            changed = {"moved_to": diagnosis.facts.get("place", "")}
        case RemedyKind.RECODE:
            changed = {"charset": diagnosis.facts.get("charset", "")}
        case (
            RemedyKind.PAUSE | RemedyKind.ASK | RemedyKind.RELEARN | RemedyKind.RESTART_BROWSER
            | RemedyKind.WAIT
        ):  # fmt: skip
            return {}
        case _:
            raise AssertionError(f"{step.kind} changes nothing")
    differing = {name: new for name, new in changed.items() if getattr(care, name) != new}
    return differing or None


def _with(rungs: Mapping[Rung, Rung], care: HostCare) -> str:
    return rungs.get(care.rung, care.rung).value


def _slower(care: HostCare, settings: Settings, factor: float) -> float:
    usual = max(care.delay_seconds, settings.fetch.host_delay_seconds, LEAST_DELAY_SECONDS)
    return round(min(usual * factor, settings.fetch.longest_delay_seconds), 3)


def _first_pause(step: Step, diagnosis: Diagnosis, settings: Settings) -> float:
    factor = ASKED_PAUSES if step.kind is RemedyKind.ASK else 1
    first = failure_facts(diagnosis.failure).first_wait(settings.heal.first_pause_seconds)
    return min(first * factor, settings.heal.longest_pause_seconds)


def apply(care: HostCare, change: Mapping[str, Json]) -> HostCare:
    """Apply a remedy's change."""
    return replace(care, **{name: _typed(name, value) for name, value in change.items()})


def before_change(care: HostCare, change: Mapping[str, Json]) -> dict[str, Json]:
    """The values that a change replaces."""
    return {name: getattr(care, name) for name in change}


def take_back(care: HostCare, change: Mapping[str, Json], before: Mapping[str, Json]) -> HostCare:
    """Undo a remedy's change; what was changed again since stays as it is."""
    held = {
        name: _typed(name, before[name])
        for name, value in change.items()
        if name in before and (name in _PAUSE or getattr(care, name) == value)
    }
    if "paused_for" in change and care.paused_for != change["paused_for"]:
        held = {name: value for name, value in held.items() if name not in _PAUSE}
    return replace(care, **held)


def eased(care: HostCare, settings: Settings, in_vain: Collection[str]) -> dict[str, Json] | None:
    """The next remedy in force to do without; None: there is none, or all failed lately."""
    usual = settings.fetch.host_delay_seconds
    half = care.delay_seconds / 2
    steps: dict[str, Json] = {
        "delay_seconds": half if half > max(usual, LEAST_DELAY_SECONDS) else 0.0,
        "timeout_factor": max(1.0, care.timeout_factor / 2),
        "proxy_tier": "",
        "rung": _with(CHEAPER, care),
        "plain": False,
        "keep_cookies": False,
        "charset": "",
    }
    for name, value in steps.items():
        if name not in in_vain and getattr(care, name) != value:
            return {name: value}
    return None


def plain_care(care: HostCare) -> dict[str, Json]:
    """The remedies in force as JSON has them, without what is as usual."""
    usual = HostCare()
    return {name: value for name, value in asdict(care).items() if value != getattr(usual, name)}


def _typed(name: str, value: Json) -> Any:
    if name not in _FIELDS:
        raise ValueError(f"{name} is no part of a host's care")
    return Rung(value) if name == "rung" else value
