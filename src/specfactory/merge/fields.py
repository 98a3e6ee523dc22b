"""One result per field, out of its clusters and a person's decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from specfactory.contract import CompiledContract
from specfactory.merge.clusters import Cluster, Naming, gather
from specfactory.merge.copies import find_copies, mark_copies
from specfactory.merge.feeds import PageText
from specfactory.merge.host_agreement import apply_agreements, host_agreements
from specfactory.merge.person_decisions import Ruling, ruling_of
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
    replace,
)


def merge(
    compiled: CompiledContract,
    candidates: Iterable[Candidate],
    decisions: Mapping[str, Decision],
    knowledge: MergeKnowledge,
    identities: Mapping[str, Identity],
    min_confidence: float,
    now: Instant,
    *,
    naming: Naming | None = None,
    texts: Mapping[str, PageText] | None = None,
) -> dict[str, FieldResult]:
    """One result for every field of the contract that has candidates or a decision.

    ``naming`` tells the texts that name the thing; ``texts`` are fingerprints of each page,
    by its id, by which one text behind several hosts is recognised.
    """
    fields = compiled.contract.fields
    scale = Scale(knowledge, identities, now)
    least = max(min_confidence, knowledge.threshold.at if knowledge.threshold else 0.0)
    bar = Bar(least, knowledge)
    by_field: dict[str, list[Candidate]] = {name: [] for name in decisions if name in fields}
    for candidate in candidates:
        if candidate.field in fields:
            by_field.setdefault(candidate.field, []).append(candidate)
    rulings = {name: ruling_of(decisions.get(name), fields[name]) for name in by_field}
    clusters = {
        name: gather(_not_rejected(some, rulings[name], compiled), fields[name], compiled, scale,
                     naming)
        for name, some in by_field.items()
    }  # fmt: skip
    copies = find_copies(clusters, texts or {})
    agreements = host_agreements(clusters, fields)
    results = {}
    for name in sorted(clusters):
        apply_agreements(clusters[name], agreements)
        mark_copies(clusters[name], copies)
        results[name] = _result(fields[name], clusters[name], rulings[name], compiled, bar)
    return results


def _not_rejected(
    candidates: list[Candidate], ruling: Ruling | None, compiled: CompiledContract
) -> list[Candidate]:
    """Leave out a name that a person rejected: the other names of its cluster stay."""
    if ruling is None or ruling.action is not DecisionAction.REJECT or ruling.value is None:
        return candidates
    return [c for c in candidates if not compiled.roles[c.field].is_name or c.value != ruling.value]


class Bar(Frozen):
    """The least confidence that is published, and the calibration of confidences."""

    least: float
    knowledge: MergeKnowledge

    def confidence(self, wanted: Field, believed: float) -> float:
        """Calibrate a belief by what such beliefs turned out to be worth."""
        return round(min(0.999, self.knowledge.calibration.at(wanted.type, believed)), 4)


def _result(
    wanted: Field,
    clusters: list[Cluster],
    ruling: Ruling | None,
    compiled: CompiledContract,
    bar: Bar,
) -> FieldResult:
    """Apply a person's decision first, then the evidence."""
    if ruling is None:
        return _weigh(wanted, clusters, bar)
    if ruling.problem:
        found = _weigh(wanted, clusters, bar)
        return replace(found, flags=(ruling.problem, *found.flags))
    if ruling.action is DecisionAction.REJECT:
        # Go on with the values that were not rejected; a rejection without value takes them all.
        kept = [] if ruling.value is None else clusters
        kept = [c for c in kept if not _is_value(c, ruling.value, wanted, compiled)]
        if kept:
            found = _weigh(wanted, kept, bar)
            return replace(found, reasons=(ruling.line, *found.reasons))
        reason = UnknownReason.REJECTED_BY_REVIEW
        return FieldResult(wanted.name, None, unknown_reason=reason, reasons=(ruling.line,))
    if ruling.action is DecisionAction.OVERRIDE:
        weighed = _weighed(_by_weight(clusters))
        return FieldResult(wanted.name, ruling.value, 1.0, Agreement.OVERRIDE, weighed=weighed,
                           reasons=(ruling.line,))  # fmt: skip
    return _accepted(wanted, clusters, ruling, compiled, bar)


def _accepted(
    wanted: Field, clusters: list[Cluster], ruling: Ruling, compiled: CompiledContract, bar: Bar
) -> FieldResult:
    """Keep the accepted value; flag newer evidence against it that would do alone."""
    ranked = _by_weight(clusters)
    value = ruling.value
    home = next((c for c in ranked if _is_value(c, value, wanted, compiled)), None)
    flags = tuple(
        f"accepted {words(value)} is contradicted by newer evidence: {words(c.value)} "
        f"({sources(c)})"
        for c in ranked
        if c is not home
        and any(v.candidate.evidence.seen_at > ruling.decided_at for v in c.votes)
        and _confidence(wanted, c, [c], bar) >= bar.least
    )
    votes = home.votes if home is not None else []
    proof = next((v.candidate for v in votes if v.candidate.value == value), None)
    agreement = _agreement(ranked) if proof is not None else Agreement.OVERRIDE
    return FieldResult(wanted.name, value, 1.0, agreement, proof,
                       _weighed(ranked), flags=flags, reasons=(ruling.line,))  # fmt: skip


def _is_value(
    cluster: Cluster, value: Value | None, wanted: Field, compiled: CompiledContract
) -> bool:
    if value is None:
        return False
    votes = cluster.votes if compiled.roles[wanted.name].is_name else cluster.votes[:1]
    return any(compiled.same(wanted.name, vote.candidate.value, value) for vote in votes)


def _weigh(wanted: Field, clusters: list[Cluster], bar: Bar) -> FieldResult:
    if not clusters:
        return FieldResult(wanted.name, None, unknown_reason=UnknownReason.NOT_FOUND_AFTER_SEARCH)
    ranked = _by_weight(clusters)
    if wanted.source_dependent and len(ranked) > 1:
        return _disputed(wanted, ranked, bar)
    top = ranked[0]
    confidence = _confidence(wanted, top, ranked, bar)
    weighed = _weighed(ranked)
    reasons = result_reasons(top, ranked, weighed[0].reasons, confidence, bar.knowledge)
    if len(ranked) > 1 and _share(top, ranked) < CLEAR_LEAD:
        second = ranked[1]
        flag = (
            f"conflict — {words(top.value)} ({sources(top)}) "
            f"vs {words(second.value)} ({sources(second)})"
        )
        return FieldResult(wanted.name, None, confidence, Agreement.CONFLICT, None, weighed,
                           unknown_reason=UnknownReason.CONFLICT_UNRESOLVED, flags=(flag,),
                           reasons=(*reasons, "too close to call: left to a person"))  # fmt: skip
    found = FieldResult(wanted.name, top.value, confidence, _agreement(ranked), top.lead, weighed,
                        reasons=reasons)  # fmt: skip
    return _if_sure(found, bar.least)


def _if_sure(found: FieldResult, least: float) -> FieldResult:
    """Hold back for review what is too weak to publish, or what is in doubt."""
    if found.confidence < least:
        return _waiting(found, least)
    if found.chosen is None or not found.chosen.doubt:
        return found
    flag = f"in doubt — {words(found.value)}: {found.chosen.doubt}"
    return replace(found, value=None, chosen=None, flags=(*found.flags, flag),
                   unknown_reason=UnknownReason.AWAITING_REVIEW,
                   reasons=(*found.reasons, "in doubt: left to a person"))  # fmt: skip


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
    others = 0.0
    for rival in ranked:
        if rival is not cluster:
            share = share_of(rival.weight - cluster.weight)
            others += share / (1 - share)
    return 1 / (1 + others)


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
            tuple([vote.candidate for vote in cluster.votes]),
            cluster_reasons(cluster),
        )
        for cluster in ranked
    )


def _waiting(found: FieldResult, min_confidence: float) -> FieldResult:
    """Hold back a value too weak to publish for review; what was weighed is kept."""
    flag = f"low confidence — {words(found.value)} at {found.confidence:.2f}"
    line = f"below {min_confidence:.2f}, the least that is published: left to a person"
    return replace(found, value=None, chosen=None, flags=(*found.flags, flag),
                   unknown_reason=UnknownReason.AWAITING_REVIEW,
                   reasons=(*found.reasons, line))  # fmt: skip


def _disputed(wanted: Field, ranked: list[Cluster], bar: Bar) -> FieldResult:
    """Take the preferred source's value where sources may differ, and keep the others."""

    def preference(cluster: Cluster) -> tuple[float, float, str]:
        best = max(tier_shift(wanted.tiers, v.candidate.evidence.tier) for v in cluster.votes)
        return -best, -cluster.weight, repr(cluster.value)

    top = min(ranked, key=preference)
    rest = [cluster for cluster in ranked if cluster is not top]
    believed = alone(top.independent, wrong_values(wanted)) - DISPUTE_DISCOUNT
    confidence = bar.confidence(wanted, believed)
    remark = f"source_dependent — {sources(top)} vs {sources(rest[0])} disagree"
    line = f"sources may differ here; the value is {sources(top)}'s → {confidence:.3f}"
    found = FieldResult(wanted.name, top.value, confidence, Agreement.SOURCE_DEPENDENT,
                        top.lead, _weighed([top, *rest]), remarks=(remark,),
                        reasons=(*cluster_reasons(top), line))  # fmt: skip
    return _if_sure(found, bar.least)
