"""Learned templates, what was healed at hosts, and proxies."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from specfactory.entry.shapes.base import Moment, OrNone, Shape, Share
from specfactory.entry.shapes.instants import moment

if TYPE_CHECKING:
    from specfactory.model import Instant, Proxy, ProxyHealth


class FieldFiguresShape(Shape):
    """Accuracy of a template for one field, on its samples."""

    field: str
    accuracy: Share
    lower_bound: Share
    tried: int
    fill_rate: Share
    valid: int
    filled: int
    pages: int
    quotes: list[str]
    labels_from: Annotated[list[str], "origins"]
    left_out: OrNone


class TemplateShape(Shape):
    """A learned template with its figures."""

    template: Annotated[str, "name"]
    host: str
    category: str
    layout: str
    version: int
    status: str
    reason: str
    accuracy: Share
    lower_bound: Share
    sample_count: int
    pages_read: int
    created_at: Moment
    created_by: str
    reviewed_at: Moment | None
    reviewed_by: str | None
    replaces: Annotated[str | None, lambda number: f"t{number}" if number else None]
    drifted_at: Moment | None
    fields: list[FieldFiguresShape]


class FieldAtWork(Shape):
    """Counts of one field of a template on pages since it was learned."""

    field: str
    pages: int
    filled: int
    valid: int
    agreed: int
    differed: Annotated[int, "disagreed"]


class TemplateInFull(TemplateShape):
    """A template with how it does at work, and its weightiest rules in words."""

    at_work: list[FieldAtWork]
    rules: dict[str, list[str]]


class ConflictShape(Shape):
    """Persons who contradict each other about a page."""

    page_id: str
    field: str
    said: Annotated[dict[str, list[str]], lambda pairs: {who: list(what) for who, what in pairs}]


class LearnShape(Shape):
    """Result of learning a host."""

    host: str
    category: str
    status: str
    accuracy: Share
    template: str | None
    pages: int
    left_out: dict[str, int]
    conflicts: list[ConflictShape]
    not_in_contract: Annotated[list[str], "ignored"]
    templates: list[TemplateShape]


class LabelShape(Shape):
    """A person's label: the words for a field on a page."""

    page_id: str
    host: str
    field: str
    values: list[str]
    actor: str
    set_at: Moment


class RolledBackShape(Shape):
    """A template that was taken from work, and the one that is at work again."""

    taken: TemplateShape
    restored: TemplateShape | None


class FieldDifference(Shape):
    """One field of two templates."""

    field: str
    what: str
    accuracy_first: Annotated[Share | None, "first.accuracy"]
    accuracy_second: Annotated[Share | None, "second.accuracy"]
    fill_first: Annotated[Share | None, "first.fill_rate"]
    fill_second: Annotated[Share | None, "second.fill_rate"]


class TemplateDifference(Shape):
    """Two templates, field by field."""

    first: str
    second: str
    fields: list[FieldDifference]


class Ends(Shape):
    """Counts of healing events of one diagnosis, or of one remedy, by their end."""

    failure: str | msgspec.UnsetType
    remedy: str | msgspec.UnsetType
    events: Annotated[int, "tried"]
    helped: int
    undone: int
    taken_back: int
    asked: int
    under_way: int
    mean_seconds: float | None


class HealingShape(Shape):
    """A diagnosis and its remedy."""

    id: int
    host: str
    failure_type: str
    diagnosis: str
    remediation: str
    status: str
    success: bool | None
    created_at: Moment
    checked_at: Moment | None
    reasons: list[str]
    params: dict[str, Any]
    before: dict[str, Any]


class VisitShape(Shape):
    """One request to a host, and how it ended."""

    at: Moment
    url: str
    outcome: str
    evidence: str
    status: int
    rung: str
    proxy: str
    confidence: float | None


class HealingExplained(HealingShape):
    """A healing event with the visits around it, and how the host is treated now."""

    visits: list[VisitShape]
    care_now: dict[str, Any]


class HealingStats(Shape):
    """Counts of what was healed, and the hosts that are failing now."""

    total_healed: int
    success_rate: float | None
    top_failures: list[Ends]
    remedies: list[Ends]
    ailing: list[HealingShape]


class HostTrouble(Shape):
    """The trouble that one host had with a proxy."""

    failures: int
    rests_until: str | None


class ProxyShape(Shape):
    """A proxy and its health; never its password."""

    place: str
    tier: str
    origin: str
    state: str
    score: Annotated[float, partial(round, ndigits=2)]
    failures: int
    latency_ms: Annotated[float | None, partial(round, ndigits=1)]
    checked_at: Moment | None
    rests_until: str | None
    note: str
    hosts: dict[str, HostTrouble]

    @classmethod
    def of_proxy(cls, proxy: Proxy, health: ProxyHealth, now: Instant) -> ProxyShape:
        """A proxy as it does now."""
        resting = health.is_resting(now)
        if resting:
            state = "rests"
        elif health.checked_at is None:
            state = "unchecked"
        else:
            state = "on trial" if health.rests else "works"
        hosts = {
            host: HostTrouble(
                failures=cooldown.failures,
                rests_until=moment(cooldown.rests_until) if cooldown.rests_until > now else None,
            )
            for host, cooldown in health.cooldowns.items()
        }
        return cls.of(
            health,
            place=proxy.place,
            tier=proxy.tier,
            origin=proxy.origin,
            state=state,
            rests_until=moment(health.rests_until) if resting else None,
            hosts=hosts,
        )
