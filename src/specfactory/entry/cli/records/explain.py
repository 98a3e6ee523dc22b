"""``spec explain``: how one field came to its value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated, Any

import typer

from specfactory.entry.cli.terminal import (
    AsJson,
    ProductWords,
    find_record,
    host_of,
    moment,
    open_factory,
    perform,
    print_heading,
    print_json,
    print_line,
    print_table,
    settings_from,
    shorten,
    shown,
)

if TYPE_CHECKING:
    from specfactory.errors import UnknownSubject
    from specfactory.model import (
        Candidate,
        Decision,
        Dropped,
        Evidence,
        FieldResult,
        Record,
        Weighed,
    )
    from specfactory.settings import Settings
    from specfactory.store import Reading

app = typer.Typer()

QUOTE_WIDTH = 60


@dataclass(frozen=True, slots=True)
class Account:
    """All that is known about how a field came to its value."""

    record: Record
    result: FieldResult
    unit: str | None
    dropped: tuple[Dropped, ...]
    left_out: tuple[tuple[str, str, str], ...]  # pages not counted: url, verdict, why
    decisions: tuple[Decision, ...]


@app.command("explain")
def explain_field(
    context: typer.Context,
    product: ProductWords,
    field: Annotated[str, typer.Argument(metavar="FIELD", help="A field of its contract.")],
    as_json: AsJson = False,
) -> None:
    """Explain a field: every candidate, the dropped ones and why, and how sure we are.

    Candidates come from the stored pages; nothing is fetched.

    Example: spec explain "viper v3 pro" weight
    """
    account = perform(_account(settings_from(context), product, field))
    if as_json:
        print_json(_account_json(account))
    else:
        _print_account(account)


async def _account(settings: Settings, words: str, field: str) -> Account:
    async with open_factory(settings) as factory:
        record = await find_record(factory, words)
        if field not in record.fields:
            raise no_such_field(field, record.fields)
        readings = await factory.readings.for_product(record.product.id)
        declared = (await factory.contract_of(record)).fields.get(field)
        urls = {r.page_id: (await factory.pages.get(r.page_id)).url for r in readings}
        decisions = await factory.reviews.history(record.product.id)
        return Account(
            record,
            record.fields[field],
            declared.unit if declared else None,
            (*_dropped(readings, field), *_set_aside(readings, record.fields[field])),
            tuple(_left_out(readings, urls)),
            tuple(d for d in decisions if d.field == field),
        )


def _dropped(readings: list[Reading], field: str) -> Iterator[Dropped]:
    for reading in readings:
        yield from (dropped for dropped in reading.dropped if dropped.field == field)


def _set_aside(readings: list[Reading], result: FieldResult) -> Iterator[Dropped]:
    """Candidates of good pages that were not weighed: of another variant, or rejected."""
    from specfactory.model import Dropped, Verdict
    from specfactory.orchestrate.attempts import tell_apart

    weighed = {candidate.evidence for candidate in result.candidates}
    apart = tell_apart(readings)
    for reading in readings:
        if reading.identity.verdict not in (Verdict.SAME, Verdict.FAMILY):
            continue
        for each in reading.candidates:
            if each.field == result.field and each.evidence not in weighed:
                evidence, why = each.evidence, f"a person's decision stands against {each.value!r}"
                if reading.page_id in apart:
                    why = f"the page {apart[reading.page_id].reasons[0]}"
                yield Dropped(
                    each.field, "not_weighed", why, quote_of(evidence), evidence.page_id,
                    evidence.url,
                )  # fmt: skip


def no_such_field(field: str, known: Iterable[str]) -> UnknownSubject:
    """An error that names the fields that may be meant."""
    from specfactory.errors import UnknownSubject

    near = get_close_matches(field, list(known), n=3, cutoff=0.5)
    advice = f"near: {', '.join(near)}" if near else "see: spec contract show CATEGORY"
    return UnknownSubject("field", field, advice)


def _left_out(readings: list[Reading], urls: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    for reading in readings:
        verdict = reading.identity.verdict.value
        if verdict in ("other", "unsure"):
            yield urls[reading.page_id], verdict, "; ".join(reading.identity.reasons)


def _print_account(account: Account) -> None:
    result = account.result
    print_line(f"{account.record.product.name}: {result.field} = {_value(account, result.value)}")
    print_line(_standing(result))
    for reason in result.reasons:
        print_line(f"  {reason}")
    for flag in result.flags:
        print_line(f"  to review: {flag}")
    _print_candidates(account)
    _print_dropped(account)
    _print_decisions(account)


def _value(account: Account, value: Any) -> str:
    return shown(value, account.unit)


def _standing(result: FieldResult) -> str:
    if result.value is None:
        reason = result.unknown_reason.value if result.unknown_reason else "no reason given"
        return f"unknown: {reason}; tried: {', '.join(result.trace.sources_checked) or 'nothing'}"
    agreement = result.agreement.value if result.agreement else ""
    return f"confidence {result.confidence:.2f}, {agreement}"


def _print_candidates(account: Account) -> None:
    print_line()
    print_heading("Candidates")
    print_table(
        ("value", "weight", "source", "tier", "method", "quote"),
        (
            (
                _value(account, candidate.value),
                weighed.weight,
                host_of(candidate.evidence.url),
                candidate.evidence.tier.value,
                _method(candidate.evidence),
                shorten(quote_of(candidate.evidence), QUOTE_WIDTH),
            )
            for weighed, candidate in _candidates(account.result)
        ),
        empty="none",
    )
    for weighed in account.result.weighed[1:]:
        for reason in weighed.reasons:
            print_line(f"  for {_value(account, weighed.value)}: {reason}")


def _method(evidence: Evidence) -> str:
    """How it was found, with the language model where one pointed at it."""
    return f"{evidence.method} ({evidence.model})" if evidence.model else evidence.method.value


def _candidates(result: FieldResult) -> Iterator[tuple[Weighed, Candidate]]:
    for weighed in result.weighed:
        for candidate in weighed.candidates:
            yield weighed, candidate


def quote_of(evidence: Evidence) -> str:
    """The page's own words for a value, with its label where that stands near."""
    from specfactory.publish import shown as shown_snippet

    return shown_snippet(evidence).quote


def _print_dropped(account: Account) -> None:
    print_line()
    print_heading("Dropped")
    print_table(
        ("quote", "reason", "detail", "source"),
        ((shorten(d.quote, QUOTE_WIDTH), d.reason, d.detail, host_of(d.url))
         for d in account.dropped),
        empty="none",
    )  # fmt: skip
    if account.left_out:
        print_line()
        print_heading("Pages left out")
        print_table(("page", "verdict", "why"), account.left_out)


def _print_decisions(account: Account) -> None:
    if account.decisions:
        print_line()
        print_heading("Decisions")
        print_decisions(account.decisions)


def print_decisions(decisions: Iterable[Decision]) -> None:
    """People's answers, the first one first."""
    print_table(
        ("decision", "when", "who", "field", "action", "value", "reason", "undone"),
        (
            (str(d.id), moment(d.decided_at), d.actor, d.field or "(identity)", d.action.value,
             "" if d.value is None else shown(d.value), d.reason, d.undone_by or "")
            for d in decisions
        ),
        empty="no answers yet",
    )  # fmt: skip


def _account_json(account: Account) -> dict[str, Any]:
    from specfactory.contract import value_to_json

    result = account.result
    return {
        "product_id": account.record.product.id,
        "version": account.record.version,
        "field": result.field,
        "value": value_to_json(result.value),
        "unit": account.unit,
        "confidence": result.confidence,
        "agreement": result.agreement,
        "unknown_reason": result.unknown_reason,
        "reasons": list(result.reasons),
        "flags": list(result.flags),
        "checks": [
            {"name": c.name, "passed": c.passed, "message": c.message} for c in result.checks
        ],
        "candidates": [_candidate_json(*pair) for pair in _candidates(result)],
        "dropped": [
            {
                "reason": d.reason,
                "detail": d.detail,
                "quote": d.quote,
                "url": d.url,
                "page_id": d.page_id,
            }
            for d in account.dropped
        ],
        "pages_left_out": [
            {"url": url, "verdict": verdict, "why": why} for url, verdict, why in account.left_out
        ],
        "decisions": [decision_json(decision) for decision in account.decisions],
    }


def _candidate_json(weighed: Weighed, candidate: Candidate) -> dict[str, Any]:
    from specfactory.contract import value_to_json

    evidence = candidate.evidence
    return {
        "value": value_to_json(candidate.value),
        "weight": round(weighed.weight, 4),
        "why": list(weighed.reasons),
        "url": evidence.url,
        "page_id": evidence.page_id,
        "tier": evidence.tier,
        "method": evidence.method,
        **({"model": evidence.model} if evidence.model else {}),
        "quote": quote_of(candidate.evidence),
        "label": evidence.label.quote if evidence.label else None,
        "subject": candidate.subject,
        "spans": [
            {"view": s.view, "view_version": s.view_version, "start": s.start, "end": s.end}
            for s in evidence.values
        ],
    }


def decision_json(decision: Decision) -> dict[str, Any]:
    """A person's answer for machines."""
    return {
        "decision": decision.id,
        "kind": decision.kind,
        "product_id": decision.subject,
        "field": decision.field,
        "action": decision.action,
        "value": decision.value,
        "reason": decision.reason,
        "by": decision.actor,
        "at": moment(decision.decided_at),
        "undone_at": moment(decision.undone_at) if decision.undone_at else None,
        "undone_by": decision.undone_by,
    }
