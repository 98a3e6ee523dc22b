"""The plan of an attempt, before anything is fetched: what ``spec run --dry-run`` shows."""

from collections.abc import Sequence

from specfactory.discover import chance
from specfactory.model import Attempt, Coverage, Frozen, Level, PlannedSource, Product
from specfactory.orchestrate.attempts.rounds import Round, Stop
from specfactory.orchestrate.attempts.state import Tally
from specfactory.orchestrate.attempts.stored_evidence import open_tally
from specfactory.orchestrate.bench import Workbench

PAGE_SECONDS = 1.0  # a first guess at a page's own time, besides the pause between requests
REQUESTS_PER_SOURCE = 2  # one to search, one to fetch


class PlannedRound(Frozen):
    """One round that would probably be made."""

    round: Round
    steps: tuple[PlannedSource, ...]
    expected_filled: float  # fields filled when it ends


class Preview(Frozen):
    """The probable rounds and costs of an attempt."""

    product: Product
    already_filled: int
    total_fields: int
    rounds: tuple[PlannedRound, ...]
    stop_reason: str
    pages: int
    seconds: float
    cost_usd: float
    fresh_hosts: tuple[str, ...]


async def preview_attempt(
    bench: Workbench, product: Product, urls: Sequence[str] = (), max_pages: int | None = None
) -> Preview:
    """Plan all rounds on expectations alone; nothing is fetched and nothing is written."""
    budget = bench.settings.budget.budget()
    attempt = Attempt("preview", product.id, budget, 0)
    tally = await open_tally(bench, product, attempt, bench.sources(product.category), urls)
    state = tally.merge()
    rounds, reason = _imagine(tally, state, max_pages or budget.max_pages)
    pages = sum(len(planned.steps) for planned in rounds)
    delay = bench.settings.fetch.host_delay_seconds
    at_once = bench.settings.plan.sources_at_once
    seconds = pages * (PAGE_SECONDS + delay * (REQUESTS_PER_SOURCE - 1)) / at_once
    fresh = tuple(sorted(tally.fresh))
    return Preview(
        product, state.filled, state.total, tuple(rounds), reason, pages, seconds, 0.0, fresh
    )


def _imagine(tally: Tally, state: Coverage, max_pages: int) -> tuple[list[PlannedRound], str]:
    """Make rounds as if each source gave what its past lets expect; also why they would stop."""
    contract = tally.compiled.contract
    missing = dict.fromkeys(state.open_fields, 1.0)  # field -> the chance that it is still open
    rounds: list[PlannedRound] = []
    finished, gained, pages = None, 0.0, 0
    while True:
        # A field counts as filled when that is likelier than not.
        still = [name for name, left in missing.items() if left > 0.5]
        by_level = {
            level: tuple(name for name in still if contract.fields[name].level is level)
            for level in Level
        }
        total = len(contract.fields)
        expected = Coverage(total, total - len(still), by_level)
        following = tally.next_round(finished, expected, round(gained), pages / max_pages)
        if isinstance(following, Stop):
            return rounds, following.reason
        if pages >= max_pages:
            return rounds, "the budget of pages is spent"
        steps = tally.plan(following, still, min(following.sources, max_pages - pages))
        if not steps and following.number > 1:
            return rounds, "no source is left that may know more"
        before = sum(missing.values())
        for step in steps:
            tally.hosts[step.source.host] = "planned"
            tally.leads = [lead for lead in tally.leads if lead.url != step.url]
            past = tally.yields.get(step.source.host)
            for name in missing:
                missing[name] *= 1.0 - chance(contract, step.source, past, name)
        left = sum(missing.values())
        finished, gained, pages = following.number, before - left, pages + len(steps)
        if steps:
            rounds.append(PlannedRound(following, tuple(steps), total - left))
