"""Jobs of kind ``learn``: learn the layouts of one host."""

import gc
from contextlib import suppress

from specfactory.errors import JobFailed, TooFewPages
from specfactory.model import Job
from specfactory.orchestrate.bench import Workbench
from specfactory.orchestrate.jobs import Done


async def work_on_learning(bench: Workbench, job: Job) -> Done:
    """Learn the host that the job names; nothing to learn is a result too, not a failure."""
    from specfactory.orchestrate.learning import DomainLearner, Pace
    from specfactory.orchestrate.templates import FACTORY

    host, samples = job.payload.get("host") or job.key, job.payload.get("samples")
    if not isinstance(host, str) or not (samples is None or isinstance(samples, int)):
        raise JobFailed("bad_payload", f"no host to learn in {job.payload!r}", "queue", "", True)
    learner = DomainLearner(bench, FACTORY, pace=Pace(bench.settings.learn.cpu_share))
    try:
        with suppress(TooFewPages):
            await learner.learn_domain(host, category=job.category or None, sample_count=samples)
    finally:
        # Pages learned from know themselves in cycles; a worker's collector, which counts
        # objects, would leave those of several hosts side by side.
        gc.collect()
    return Done()
