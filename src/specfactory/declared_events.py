"""Every event, declared once: its name, fields and meaning.

Logs, the live feed, the outbox and the metrics are all fed from here. An event that is not
declared, or that carries other fields than declared, is refused.
"""

from specfactory.model import Event, Frozen, Instant, Json


class EventKind(Frozen):
    """A declared event."""

    name: str
    meaning: str
    carries: tuple[str, ...]


def _declare(name: str, meaning: str, *carries: str) -> EventKind:
    return EventKind(name, meaning, carries)


_ATTEMPT = ("attempt_id", "product_id")
_TEMPLATE = ("template", "host", "category", "layout", "version")

EVENTS: dict[str, EventKind] = {
    kind.name: kind
    for kind in (
        _declare("attempt.started", "A try at a product began.", *_ATTEMPT, "budget"),
        _declare("round.started", "A round was planned.", *_ATTEMPT, "round", "name", "sources"),
        _declare("source.searched", "A source was asked for the product's page.",
                 *_ATTEMPT, "host", "way", "found"),
        _declare("source.skipped", "A source gave no page to fetch.",
                 *_ATTEMPT, "host", "reason"),
        _declare("page.fetched", "A fetch ended; only ok pages teach.",
                 *_ATTEMPT, "page_id", "url", "host", "outcome", "evidence", "size_bytes"),
        _declare("page.read", "A page's candidates were taken.",
                 *_ATTEMPT, "page_id", "host", "candidates", "dropped"),
        _declare("identity.judged", "A page was held against the product.",
                 *_ATTEMPT, "page_id", "host", "verdict", "confidence", "reasons"),
        _declare("round.finished", "A round ended.",
                 *_ATTEMPT, "round", "filled", "total", "gained", "cost_usd"),
        _declare("budget.exhausted", "A budget was spent; the attempt ends with what it has.",
                 *_ATTEMPT, "budget"),
        _declare("record.published", "A new version of a record was written.",
                 *_ATTEMPT, "version", "filled", "total", "flags"),
        _declare("accuracy.measured", "A golden product's record was held against its truth.",
                 *_ATTEMPT, "accuracy", "right", "wrong"),
        _declare("attempt.finished", "A try at a product ended.",
                 *_ATTEMPT, "status", "seconds", "pages", "cost_usd", "error"),
        _declare("model.asked", "A language model was asked for open fields of a page.",
                 *_ATTEMPT, "page_id", "host", "model", "fields"),
        _declare("model.answered", "A language model's answers were held against the page.",
                 *_ATTEMPT, "page_id", "host", "model", "candidates", "dropped", "cached",
                 "prompt_tokens", "answer_tokens", "cost_usd"),
        _declare("model.failed", "A language model gave no answer that can be used.",
                 *_ATTEMPT, "page_id", "host", "model", "cause", "message"),
        _declare("model.exhausted", "A budget forbids further calls; fields stay open.",
                 *_ATTEMPT, "budget", "fields"),
        _declare("review.opened", "A person is asked.",
                 "review_id", "kind", "subject", "field", "reason"),
        _declare("review.decided", "A person answered.",
                 "decision_id", "kind", "subject", "field", "action", "actor"),
        _declare("review.undone", "An answer was taken back.",
                 "decision_id", "subject", "field", "actor"),
        _declare("job.added", "Jobs were put in the queue.", "job_ids", "kinds"),
        _declare("job.claimed", "A worker took jobs under a lease.", "job_ids", "worker"),
        _declare("job.finished", "Results were accepted.", "job_ids"),
        _declare("job.retried", "A job failed and will be tried again.",
                 "job_id", "attempt", "cause", "message", "due_at"),
        _declare("job.failed", "A job failed for good and is a dead letter.",
                 "job_id", "attempt", "cause", "message"),
        _declare("job.asked", "A job waits for a person.", "job_ids"),
        _declare("job.released", "A worker gave back jobs that it had not started.", "job_ids"),
        _declare("job.deferred", "A job waits: its host is not to be asked before then.",
                 "job_id", "host", "reason", "due_at"),
        _declare("lease.expired", "Workers fell silent; their jobs were taken from them.",
                 "job_ids"),
        _declare("job.paused", "Jobs were put on hold.", "job_ids"),
        _declare("job.resumed", "Jobs on hold were put back in the queue.", "job_ids"),
        _declare("job.skipped", "Jobs will not be done.", "job_ids"),
        _declare("job.requeued", "Jobs are to be done again.", "job_ids"),
        _declare("job.aged", "What jobs have made is past its age.", "job_ids"),
        _declare("job.prioritized", "A job was given another priority.",
                 "job_id", "priority", "reason"),
        _declare("job.restored", "Jobs were brought back from an exported queue.", "job_ids"),
        _declare("job.cleared", "Jobs were deleted; their counts are kept.",
                 "status", "jobs", "reason"),
        _declare("run.opened", "A run began.", "run_id", "config_hash"),
        _declare("run.post_processing", "A run has nothing left to do but its post-processing.",
                 "run_id"),
        _declare("run.reopened", "A run that was over has jobs again.", "run_id"),
        _declare("run.finished", "A run is over.", "run_id", "status"),
        _declare("proxies.refreshed", "The pool of proxies was read and checked anew.",
                 "total", "live", "skipped", "seconds", "problem"),
        _declare("proxy.rested", "An unhealthy proxy was put aside for a while.",
                 "place", "tier", "seconds", "reason"),
        _declare("proxy.recovered", "A proxy that had been put aside works again.",
                 "place", "tier"),
        _declare("worker.started", "A worker began to take jobs.", "worker", "host", "pid"),
        _declare("worker.stopped", "A worker stopped as it should.", "worker", "done", "failed"),
        _declare("template.proposed", "A template was learned and a person is asked.",
                 *_TEMPLATE, "accuracy", "lower_bound", "samples", "reason"),
        _declare("template.tried", "A template was learned and is tried beside those at work.",
                 *_TEMPLATE, "accuracy", "lower_bound", "samples", "reason"),
        _declare("template.adopted", "A template is at work.", *_TEMPLATE, "actor", "reason"),
        _declare("template.rejected", "A template will not be used.",
                 *_TEMPLATE, "actor", "reason"),
        _declare("template.retired", "A template is at work no more.",
                 *_TEMPLATE, "actor", "reason"),
        _declare("template.drifted", "A template finds much less than on its samples, or pages "
                 "fit none; the host is learned again.",
                 "host", "category", "template", "field", "expected", "observed", "pages"),
        _declare("template.labelled", "A person said what stands on a page.",
                 "host", "page_id", "field", "actor"),
        _declare("host.learned", "The layouts of a host were looked at.",
                 "host", "category", "pages", "left_out", "templates"),
        _declare("state.lost", "Redis is away: this process goes on alone, with a cautious share "
                 "of every limit.", "place", "processes", "message"),
        _declare("state.recovered", "Redis is back: limits are shared again.",
                 "place", "processes", "seconds"),
        _declare("host.diagnosed", "The visits of a host show what is wrong with it.",
                 "host", "diagnosis", "failure", "certainty", "reasons"),
        _declare("host.treated", "A remedy is tried at a host.",
                 "healing_id", "host", "diagnosis", "remediation", "why"),
        _declare("host.paused", "A host is left alone until an instant.",
                 "healing_id", "host", "diagnosis", "until"),
        _declare("host.resumed", "A host that was left alone is asked again.",
                 "healing_id", "host", "diagnosis"),
        _declare("host.healed", "A remedy helped; jobs that died of it are done again.",
                 "healing_id", "host", "diagnosis", "remediation", "seconds"),
        _declare("host.relapsed", "A host has again what it was healed of.",
                 "host", "diagnosis", "seconds"),
        _declare("remedy.undone", "A remedy was in vain, or a person took it back.",
                 "healing_id", "host", "diagnosis", "remediation", "actor"),
        _declare("factory.ailing", "The factory itself is not well; it waits and goes on by "
                 "itself.", "healing_id", "diagnosis", "message"),
        _declare("factory.recovered", "What the factory waited for is back.",
                 "healing_id", "diagnosis", "seconds"),
        _declare("audit.failed", "A published value could not be proven again.",
                 "product_id", "field", "version", "problem", "page_id"),
    )
}  # fmt: skip


def event(name: str, at: Instant, /, **fields: Json) -> Event:
    """Make a declared event; carrying other fields than declared is a programming error."""
    declared = EVENTS[name].carries
    if set(declared) != set(fields):
        raise ValueError(f"{name} carries {sorted(declared)}, given {sorted(fields)}")
    return Event(name, at, {key: fields[key] for key in declared})
