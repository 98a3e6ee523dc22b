"""No decision is made by the words of a message, and changing every message changes none."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from benchmarks.prose_decisions import decisions_in, find_decisions
from specfactory.fetch.ladder.ladder import next_rung
from specfactory.fetch.proxies.health import RestRule, after_use
from specfactory.heal import diagnose
from specfactory.heal.signs_of_visits import sign_of
from specfactory.model import (
    Cause,
    FetchEnd,
    HostCare,
    Job,
    JobError,
    JobStatus,
    Outcome,
    Page,
    Problem,
    ProxyHealth,
    Rung,
    Tier,
    UnknownReason,
    Visit,
    facts_of,
    failure_facts,
)
from specfactory.model.outcomes_and_consequences import CAUSES, OUTCOMES
from specfactory.orchestrate.attempts import unknowns
from specfactory.orchestrate.attempts.unknowns import Tried, explain_unknown
from specfactory.orchestrate.healing.defer import was_asked
from specfactory.orchestrate.jobs.failures import nothing_found, page_failure
from specfactory.orchestrate.workers.lanes import is_suspect
from specfactory.queue.deadletters import analyze
from specfactory.queue.retries import after_failure
from specfactory.settings import HealSettings, QueueSettings

HEAL, USUAL = HealSettings(), HostCare()

MESSAGES = (
    "", "HTTP 503", "HTTP 429", "proxy: no connection: refused", "TLS: certificate has expired",
    "paused: rate_limited; next try in 900 s", "breaker: a.example kept failing; next try in 60 s",
    "the server asked to come back in 60 s", "robots.txt forbids it: Disallow: /",
    "the page asks not to be used: noindex", "gate: 10.0.0.1 is a private address",
    "more than 5 redirects", "browser crashed", "broken gzip: invalid block",
    "the body ended before its announced end", "binary bytes, declared as text/html",
    "no connection in time", "it cannot be used: it does not start", "too many from your IP",
    "lease expired: its worker fell silent",
)  # fmt: skip
"""What the program says today, and what it once decided by."""

ENDS = [(outcome, cause) for outcome in Outcome for cause in Cause]


def scrambled(message: str) -> str:
    letters = list(message or "nothing was said")
    Random(message).shuffle(letters)
    return "".join(letters)


def decided(outcome: Outcome, cause: Cause, message: str) -> tuple[object, ...]:
    """All that is decided after a fetch that ended so, with this message."""
    visit = Visit("a.example", "https://a.example/p", 0, outcome, message, 200, cause=cause)
    rows = [replace(visit, at=n, url=f"{visit.url}{n}") for n in range(9, 0, -1)]
    diagnosis = diagnose(rows, USUAL, HEAL)
    page = Page(
        "p", visit.url, visit.url, visit.host, Tier.LAB, 0, outcome, message, cause=cause,
        retry_at=60_000,
    )  # fmt: skip
    failure = page_failure(page, "a.example")
    health = after_use(ProxyHealth(), "a.example", FetchEnd(outcome, message, cause), 1, RestRule())
    return (
        sign_of(visit, USUAL, HEAL),
        diagnosis and (diagnosis.name, diagnosis.certainty, str(diagnosis.facts)),
        was_asked(page),
        (failure.cause, failure.permanent, failure.page_cause),
        next_rung(Rung.HTTP, facts_of(outcome, cause), set(Rung)),
        replace(health, note=""),
    )


@pytest.mark.parametrize("outcome", Outcome)
def test_no_message_changes_what_is_decided_about_a_page(outcome: Outcome) -> None:
    for cause in Cause:
        plain = decided(outcome, cause, "")
        for message in MESSAGES:
            assert decided(outcome, cause, message) == plain
            assert decided(outcome, cause, scrambled(message)) == plain


def job_decisions(code: str, message: str) -> tuple[object, ...]:
    """All that is decided about a job that failed so, with this message."""
    job = Job(1, "page", "k", JobStatus.QUEUED, 3, 0, 0, attempts=1, last_error=message,
              last_cause=code)  # fmt: skip
    error = JobError(1, 1, 0, "w", "fetch", code, message, "a.example")
    [group] = analyze([error])
    ended = nothing_found({"a.example": code}, message)
    unknown = explain_unknown("weight", Tried(1, {"a.example": code}, (), None))
    return (
        after_failure(job, code, QueueSettings(), Random(1)),
        is_suspect(job),
        (group.worth_retrying, group.advice),
        (ended.cause, ended.permanent),
        unknown.unknown_reason,
    )


@pytest.mark.parametrize("code", [*Outcome, *Cause, "model_timeout", "unexpected"])
def test_no_message_changes_what_is_decided_about_a_job(code: str) -> None:
    plain = job_decisions(code, "")
    for message in MESSAGES:
        assert job_decisions(code, message) == plain
        assert job_decisions(code, scrambled(message)) == plain


def test_facts_do_decide() -> None:
    """Else the two tests above would hold of a program that decides nothing."""
    ends = {decided(outcome, cause, "")[:4] for outcome, cause in ENDS}
    found = {name for end in ends if (name := end[1] and end[1][0])}

    assert len(ends) > 40
    assert len(found) > 15
    assert found <= set(Problem)
    assert len({job_decisions(code, "") for code in (*Outcome, *Cause)}) > 10


def test_every_outcome_and_cause_has_its_row_and_no_name_is_both() -> None:
    assert set(OUTCOMES) == set(Outcome)
    assert set(CAUSES) == set(Cause)
    assert not {one.value for one in Outcome} & {one.value for one in Cause}
    for outcome, cause in ENDS:
        assert facts_of(outcome, cause).meaning == OUTCOMES[outcome].meaning
    assert failure_facts("timeout") is OUTCOMES[Outcome.TIMEOUT]
    assert [one for one, facts in OUTCOMES.items() if facts.teaches] == [Outcome.OK]


@pytest.mark.parametrize("reason", UnknownReason)
def test_the_reason_of_an_unknown_is_the_one_of_the_table_where_all_hosts_share_it(
    reason: UnknownReason, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = OUTCOMES[Outcome.EMPTY]
    rows = {"empty": empty, "login": replace(empty, unknown_reason=reason)}
    monkeypatch.setattr(unknowns, "failure_facts", rows.__getitem__)

    def reason_of(*ways: str) -> UnknownReason | None:
        hosts = {f"{number}.example": way for number, way in enumerate(ways)}
        return explain_unknown("weight", Tried(1, hosts, (), None)).unknown_reason

    assert reason_of("login", "login") is reason
    if reason is not UnknownReason.BLOCKED:
        assert reason_of("login", "empty") is UnknownReason.NOT_FOUND_AFTER_SEARCH
    assert reason_of("empty") is reason_of() is UnknownReason.NOT_FOUND_AFTER_SEARCH


def test_nothing_in_the_source_decides_by_words() -> None:
    assert find_decisions() == []


def found_in(*lines: str) -> list[str]:
    return [one.code for one in decisions_in(ast.parse("\n".join(lines)))]


@pytest.mark.parametrize(
    "code",
    [
        "page.outcome_evidence.startswith('paused:')",
        "'gzip' in visit.evidence",
        "(job.last_error or '').startswith(SILENT)",
        "response.failure_detail.lower().endswith('x')",
        "error.message == 'no answer'",
        "_WAIT.search(page.outcome_evidence)",
        "re.match('x', page.outcome_evidence)",
        "row['evidence'].startswith('gate:')",
        "words in str(failure.message)",
        "visit.evidence[:20] == 'robots.txt'",
        "any(word in trouble.failure_detail for word in words)",
    ],
)
def test_decisions_by_words_are_found(code: str) -> None:
    assert found_in(f"def f(page, visit, job):\n    return {code}")


def test_decisions_by_words_are_found_through_variables_and_caught_exceptions() -> None:
    by_variable = ("def f(visit):", "    said = visit.evidence.lower()", "    return 'x' in said")
    by_walrus = ("def f(visit):", "    return (w := visit.evidence) and w.startswith('x')")
    caught = ("try:", "    f()", "except OSError as problem:", "    late = 'x' in str(problem)")
    matched = ("match page.outcome_evidence:", "    case 'x':", "        pass")

    assert all(map(found_in_lines, (by_variable, by_walrus, caught, matched)))


def found_in_lines(lines: Iterable[str]) -> list[str]:
    return found_in(*lines)


@pytest.mark.parametrize(
    "code",
    [
        "visit.evidence or 'nothing'",
        "page.outcome_evidence != ''",
        "visit.cause is Cause.PROXY",
        "f'{page.outcome}: {page.outcome_evidence}'",
        "end.evidence.removeprefix('proxy: ')",
        "candidate.evidence.method in METHODS",
        "error.message[:200]",
    ],
)
def test_what_is_only_shown_is_no_decision(code: str) -> None:
    assert found_in(f"def f(page, visit, job):\n    return {code}") == []
