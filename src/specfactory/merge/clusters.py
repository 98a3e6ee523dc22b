"""Candidates of one field, gathered by the value they name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from specfactory.merge.weights import SELF_CONTRADICTION, Scale, contest, host_of
from specfactory.model import Candidate, Field, FieldType, Frozen, Money, Tier, Value, field

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TIERS = {tier: place for place, tier in enumerate(Tier)}


class Voice(Frozen):
    """One candidate with its host and strength."""

    candidate: Candidate
    host: str
    strength: float


class Cluster(Struct):
    """Candidates that name the same value; ``value`` is always one of theirs."""

    voices: list[Voice]  # strongest first
    lead: Candidate  # stands for all
    hosts: dict[str, float] = field(default_factory=dict)  # host -> its strength here
    copies: dict[str, str] = field(default_factory=dict)  # host -> whom it copies, and why
    standings: dict[str, str] = field(default_factory=dict)  # host -> how it has stood so far
    independent: list[float] = field(default_factory=list)  # of those that count, strongest first
    weight: float = 0.0  # among competing values

    @property
    def anchor(self) -> Value:
        """The value that others are compared with: the strongest voice's."""
        return self.voices[0].candidate.value

    @property
    def value(self) -> Value:
        """The value of the candidate that stands for all."""
        return self.lead.value

    def settle(self) -> None:
        """Count the sources, now that copies are known."""
        counted = [s for host, s in self.hosts.items() if host not in self.copies]
        self.independent = sorted(counted, reverse=True)
        self.weight = contest(self.independent)


def gather(
    candidates: Iterable[Candidate], wanted: Field, compiled: CompiledContract, scale: Scale
) -> list[Cluster]:
    """Clusters of equal values; numbers within the tolerance of a cluster's strongest voice.

    Where sources may differ, of every voice: a value between two does not make them agree.
    Candidates are put in one order first, so that the order they came in does not matter.
    """
    clusters: list[Cluster] = []
    for voice in _voices(candidates, wanted, scale):
        home = _home(clusters, voice.candidate.value, wanted, compiled)
        if home is None:
            clusters.append(Cluster([voice], voice.candidate))
        else:
            home.voices.append(voice)
    _settle_hosts(clusters)
    for cluster in clusters:
        if len(cluster.voices) > 1:
            cluster.lead = _representative(cluster.voices, wanted)
    return clusters


def _voices(candidates: Iterable[Candidate], wanted: Field, scale: Scale) -> list[Voice]:
    voices = [Voice(c, host_of(c.evidence.url), scale.strength(c, wanted)) for c in candidates]
    return sorted(voices, key=_rank) if len(voices) > 1 else voices


def _rank(voice: Voice) -> tuple[Any, ...]:
    """Strongest first, and then everything that tells two candidates apart."""
    candidate, evidence = voice.candidate, voice.candidate.evidence
    spans = [(s.view, s.start, s.end, s.quote) for s in evidence.values]
    told_apart = (evidence.method, -evidence.seen_at, evidence.page_id, candidate.subject or "")
    return (-voice.strength, voice.host, evidence.url, spans, *told_apart, repr(candidate.value))


def _home(
    clusters: list[Cluster], value: Value, wanted: Field, compiled: CompiledContract
) -> Cluster | None:
    for cluster in clusters:
        anchor = cluster.anchor
        if type(anchor) is type(value) and anchor == value:
            return cluster
    return next((c for c in clusters if _fits(c, value, wanted, compiled)), None)


def _fits(cluster: Cluster, value: Value, wanted: Field, compiled: CompiledContract) -> bool:
    asked = cluster.voices if wanted.source_dependent else cluster.voices[:1]
    return all(compiled.same(wanted.name, voice.candidate.value, value) for voice in asked)


def _settle_hosts(clusters: list[Cluster]) -> None:
    """Let each host speak once per cluster, and not with full voice for several values."""
    for cluster in clusters:
        for voice in cluster.voices:
            held = cluster.hosts.get(voice.host)
            if held is None or voice.strength > held:
                cluster.hosts[voice.host] = voice.strength
    if len(clusters) > 1:
        for host in {host for cluster in clusters for host in cluster.hosts}:
            _quieten(host, [cluster for cluster in clusters if host in cluster.hosts])


def _quieten(host: str, homes: list[Cluster]) -> None:
    if len(homes) < 2:
        return
    strengths = [cluster.hosts[host] for cluster in homes]
    best = max(strengths)
    shift_best = SELF_CONTRADICTION[0 if strengths.count(best) == 1 else 1]
    for cluster, strength in zip(homes, strengths, strict=True):
        cluster.hosts[host] = strength + (shift_best if strength == best else SELF_CONTRADICTION[2])


def _representative(voices: list[Voice], wanted: Field) -> Candidate:
    """Best tier, as written rather than converted, most digits; then the strongest."""
    places = [_tier_place(voice.candidate.evidence.tier, wanted) for voice in voices]
    best = min(places)
    able = [v.candidate for v, place in zip(voices, places, strict=True) if place == best]
    if all(type(c.value) is type(able[0].value) and c.value == able[0].value for c in able):
        written = (c for c in able if as_written(c))
        return next(written, able[0])
    return min(able, key=lambda c: (not as_written(c), -_digits(c.value, wanted)))


def _tier_place(tier: Tier, wanted: Field) -> int:
    return wanted.tiers.index(tier) - len(Tier) if tier in wanted.tiers else _TIERS[tier]


def as_written(candidate: Candidate) -> bool:
    """Whether the value's number stands in its quote, so that no unit was converted."""
    value = candidate.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    words = " ".join(snippet.quote for snippet in candidate.evidence.values)
    return any(_reads(text, value) for text in _NUMBER.findall(words))


def _reads(text: str, value: float) -> bool:
    plain = text.replace(",", ".")
    if plain.count(".") <= 1 and float(plain) == value:
        return True
    return float(re.sub(r"[.,]", "", text)) == value


def _digits(value: Value, wanted: Field) -> int:
    """How precise a number or a date is."""
    if isinstance(value, Money):
        value = value.amount
    if wanted.type is FieldType.DATE:
        return len(str(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return sum(char.isdigit() for char in f"{value:.10g}".strip("0"))
