"""One result per field, out of its clusters and a person's decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from specfactory.merge.clusters import Cluster, gather
from specfactory.merge.copies import find_copies, mark_copies
from specfactory.merge.decisions import Ruling, ruling_of
from specfactory.merge.host_agreement import apply_standings, standings
from specfactory.merge.reasons import cluster_reasons, result_reasons, sources, words
from specfactory.merge.weights import (
    CLEAR_LEAD,
    DISPUTE_DISCOUNT,
    MergeKnowledge,
    Scale,
    alone,
    share_of,
    tier_shift,
    wrong_values,
)
from specfactory.model import (
    Agreement,
    AttemptTrace,
    Candidate,
    Decision,
    DecisionAction,
    Field,
    FieldResult,
    Frozen,
    Identity,
    Instant,
    UnknownReason,
    Value,
    Weighed,
)

if TYPE_CHECKING:
    from specfactory.contract import CompiledContract


def merge(
    compiled: CompiledContract,
    candidates: Iterable[Candidate],
    decisions: Mapping[str, Decision],
    knowledge: MergeKnowledge,
    identities: Mapping[str, Identity],
    min_confidence: float,
    now: Instant,
) -> dict[str, FieldResult]:
    """One result for every field of the contract that has candidates or a decision."""
    fields = compiled.contract.fields
    scale = Scale(knowledge, identities, now)
    least = max(min_confidence, knowledge.threshold.at if knowledge.threshold else 0.0)
    bar = Bar(least, knowledge)
    by_field: dict[str, list[Candidate]] = {name: [] for name in decisions if name in fields}
    for candidate in candidates:
        if candidate.field in fields:
            by_field.setdefault(candidate.field, []).append(candidate)
    clusters = {n: gather(cs, fields[n], compiled, scale) for n, cs in by_field.items()}
    copies = find_copies(clusters)
    known = standings(clusters, fields)
    results = {}
    for name in sorted(clusters):
        apply_standings(clusters[name], known)
        mark_copies(clusters[name], copies)
        ruling = ruling_of(decisions.get(name), fields[name])
        results[name] = _result(fields[name], clusters[name], ruling, compiled, bar)
    return results


class Bar(Frozen):
    """The least confidence that is published, and what a confidence means by now."""

    least: float
    knowledge: MergeKnowledge

    def confidence(self, wanted: Field, believed: float) -> float:
        """What was believed, as it has turned out to mean."""
        return round(min(0.999, self.knowledge.calibration.at(wanted.type, believed)), 4)


def unknown(field_name: str, reason: UnknownReason, trace: AttemptTrace) -> FieldResult:
    """A field left unfilled, with why and what was tried."""
    return FieldResult(field_name, None, unknown_reason=reason, trace=trace)


def _result(
    wanted: Field,
    clusters: list[Cluster],
    ruling: Ruling | None,
    compiled: CompiledContract,
    bar: Bar,
) -> FieldResult:
    """Let a person's decision speak first, then the evidence."""
    if ruling is None:
        return _weigh(wanted, clusters, bar)
    if ruling.problem:
        found = _weigh(wanted, clusters, bar)
        return replace(found, flags=(ruling.problem, *found.flags))
    if ruling.action is DecisionAction.REJECT:
        return _without_rejected(wanted, clusters, ruling, compiled, bar)
    if ruling.action is DecisionAction.OVERRIDE:
        return _overridden(wanted, clusters, ruling)
    return _accepted(wanted, clusters, ruling, compiled, bar)


# -- decisions --------------------------------------------------------------------------------


def _overridden(wanted: Field, clusters: list[Cluster], ruling: Ruling) -> FieldResult:
    weighed = _weighed(_by_weight(clusters))
    return FieldResult(wanted.name, ruling.value, 1.0, Agreement.OVERRIDE, weighed=weighed,
                       reasons=(ruling.line,))  # fmt: skip


def _accepted(
    wanted: Field,
    clusters: list[Cluster],
    ruling: Ruling,
    compiled: CompiledContract,
    bar: Bar,
) -> FieldResult:
    """The accepted value stays; newer evidence against it that would do alone is flagged."""
    ranked = _by_weight(clusters)
    value = ruling.value
    home = next((c for c in ranked if _is_value(c, value, wanted, compiled)), None)
    flags = tuple(
        f"accepted {words(value)} is contradicted by newer evidence: {words(c.value)} "
        f"({sources(c)})"
        for c in ranked
        if c is not home and _newer(c, ruling) and _confidence(wanted, c, [c], bar) >= bar.least
    )
    proof = _exact(home, ruling)
    agreement = _agreement(ranked) if proof is not None else Agreement.OVERRIDE
    return FieldResult(wanted.name, value, 1.0, agreement, proof,
                       _weighed(ranked), flags=flags, reasons=(ruling.line,))  # fmt: skip


def _is_value(
    cluster: Cluster, value: Value | None, wanted: Field, compiled: CompiledContract
) -> bool:
    return value is not None and compiled.same(wanted.name, cluster.anchor, value)


def _exact(home: Cluster | None, ruling: Ruling) -> Candidate | None:
    """The candidate that proves the accepted value, if one still does."""
    voices = home.voices if home is not None else []
    return next((v.candidate for v in voices if v.candidate.value == ruling.value), None)


def _newer(cluster: Cluster, ruling: Ruling) -> bool:
    return any(v.candidate.evidence.seen_at > ruling.decided_at for v in cluster.voices)


def _without_rejected(
    wanted: Field,
    clusters: list[Cluster],
    ruling: Ruling,
    compiled: CompiledContract,
    bar: Bar,
) -> FieldResult:
    """Go on with the values that were not rejected; a rejection without value takes them all."""
    everything = ruling.value is None
    kept = [] if everything else clusters
    kept = [c for c in kept if not _is_value(c, ruling.value, wanted, compiled)]
    if kept:
        found = _weigh(wanted, kept, bar)
        return replace(found, reasons=(ruling.line, *found.reasons))
    reason = UnknownReason.REJECTED_BY_REVIEW
    return FieldResult(wanted.name, None, unknown_reason=reason, reasons=(ruling.line,))


# -- evidence ---------------------------------------------------------------------------------


def _weigh(wanted: Field, clusters: list[Cluster], bar: Bar) -> FieldResult:
    if not clusters:
        return FieldResult(wanted.name, None, unknown_reason=UnknownReason.NOT_FOUND_AFTER_SEARCH)
    ranked = _by_weight(clusters)
    if wanted.source_dependent and len(ranked) > 1:
        return _disputed(wanted, ranked, bar)
    top = ranked[0]
    confidence = _confidence(wanted, top, ranked, bar)
    agreement = _agreement(ranked)
    weighed = _weighed(ranked)
    reasons = result_reasons(top, ranked, weighed[0].reasons, confidence, bar.knowledge)
    if len(ranked) > 1 and _share(top, ranked) < CLEAR_LEAD:
        return _unresolved(wanted, ranked, weighed, confidence, reasons)
    found = FieldResult(wanted.name, top.value, confidence, agreement, top.lead, weighed,
                        reasons=reasons)  # fmt: skip
    return found if confidence >= bar.least else _waiting(found, bar.least)


def _by_weight(clusters: list[Cluster]) -> list[Cluster]:
    """Heaviest first; equals in the order of their values, so that it is always the same."""
    if len(clusters) < 2:
        return clusters
    return sorted(clusters, key=lambda c: (-c.weight, repr(c.value)))


def _confidence(wanted: Field, cluster: Cluster, ranked: list[Cluster], bar: Bar) -> float:
    undisputed = alone(cluster.independent, wrong_values(wanted))
    return bar.confidence(wanted, undisputed * _share(cluster, ranked))


def _share(cluster: Cluster, ranked: list[Cluster]) -> float:
    """The cluster's share of belief among the values that are named."""
    if len(ranked) == 1:
        return 1.0
    mine = cluster.weight
    others = sum(_odds(c.weight - mine) for c in ranked if c is not cluster)
    return 1 / (1 + others)


def _odds(difference: float) -> float:
    share = share_of(difference)
    return share / (1 - share)


def _agreement(ranked: list[Cluster]) -> Agreement:
    if len(ranked) > 1:
        return Agreement.MAJORITY
    count = len(ranked[0].independent) if ranked else 0
    return Agreement.UNANIMOUS if count > 1 else Agreement.SINGLE


def _weighed(ranked: list[Cluster]) -> tuple[Weighed, ...]:
    return tuple(
        Weighed(
            cluster.value,
            round(cluster.weight, 4),
            tuple([voice.candidate for voice in cluster.voices]),
            cluster_reasons(cluster),
        )
        for cluster in ranked
    )


def _unresolved(
    wanted: Field,
    ranked: list[Cluster],
    weighed: tuple[Weighed, ...],
    confidence: float,
    reasons: tuple[str, ...],
) -> FieldResult:
    first, second = ranked[0], ranked[1]
    flag = (
        f"conflict — {words(first.value)} ({sources(first)}) "
        f"vs {words(second.value)} ({sources(second)})"
    )
    return FieldResult(wanted.name, None, confidence, Agreement.CONFLICT, None, weighed,
                       unknown_reason=UnknownReason.CONFLICT_UNRESOLVED, flags=(flag,),
                       reasons=(*reasons, "too close to call: left to a person"))  # fmt: skip


def _waiting(found: FieldResult, min_confidence: float) -> FieldResult:
    """A value too weak to publish waits for a person; what was weighed is kept."""
    flag = f"low confidence — {words(found.value)} at {found.confidence:.2f}"
    line = f"below {min_confidence:.2f}, the least that is published: left to a person"
    return replace(found, value=None, chosen=None, flags=(*found.flags, flag),
                   unknown_reason=UnknownReason.AWAITING_REVIEW,
                   reasons=(*found.reasons, line))  # fmt: skip


def _disputed(wanted: Field, ranked: list[Cluster], bar: Bar) -> FieldResult:
    """Sources may differ in this field: the preferred one's value stands, the others stay."""
    top = min(ranked, key=lambda c: _preference(c, wanted))
    rest = [cluster for cluster in ranked if cluster is not top]
    believed = alone(top.independent, wrong_values(wanted)) - DISPUTE_DISCOUNT
    confidence = bar.confidence(wanted, believed)
    flag = f"source_dependent — {sources(top)} vs {sources(rest[0])} disagree"
    line = f"sources may differ here; the value is {sources(top)}'s → {confidence:.3f}"
    found = FieldResult(wanted.name, top.value, confidence, Agreement.SOURCE_DEPENDENT,
                        top.lead, _weighed([top, *rest]), flags=(flag,),
                        reasons=(*cluster_reasons(top), line))  # fmt: skip
    return found if confidence >= bar.least else _waiting(found, bar.least)


def _preference(cluster: Cluster, wanted: Field) -> tuple[float, float, str]:
    """The field's preferred tiers first, then weight."""
    best = max(tier_shift(wanted.tiers, v.candidate.evidence.tier) for v in cluster.voices)
    return -best, -cluster.weight, repr(cluster.value)
