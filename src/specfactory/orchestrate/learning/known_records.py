"""What other sources say of a category: the records that a new source is learned from."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from specfactory.contract import CompiledContract
from specfactory.learn.unlabelled import Knowledge, Words, knowledge_of
from specfactory.model import Candidate, Record, Value, Verdict, ViewName
from specfactory.orchestrate.bench import Workbench
from specfactory.proof import reading

_MAX_READINGS = 600  # of products, the latest
_MAX_PAGES = 1_000  # read for no product in particular
_MAX_SOURCES = 8  # those that say most


async def gather_knowledge(
    bench: Workbench, host: str, compiled: CompiledContract, without: Collection[str] = ()
) -> Knowledge:
    """Collect the words in which other sources state values; not of ``without`` fields."""
    found: dict[str, list[Words]] = {}
    records: dict[str, Record | None] = {}
    category, pages = compiled.contract.category, 0
    async for source, one in bench.readings.elsewhere(host, category, _MAX_READINGS):
        if one.identity.verdict is Verdict.SAME:
            if one.product_id not in records:
                records[one.product_id] = await bench.records.latest(one.product_id)
            known = known_values(records[one.product_id])
            found.setdefault(source, []).append(words_of(one.candidates, compiled, known))
    async for page in bench.readings.for_category(category):
        if page.host != host:
            words = words_of(page.reading.candidates, compiled, {})
            found.setdefault(page.host, []).append(words)
            pages += 1
        if pages >= _MAX_PAGES:
            break
    most = Counter({source: sum(map(len, records)) for source, records in found.items()})
    sources = [found[source] for source, count in most.most_common(_MAX_SOURCES) if count]
    knowledge = knowledge_of(compiled.contract, sources)
    names = {name: words for name, words in knowledge.names.items() if name not in without}
    return Knowledge(names, sources)


def known_values(record: Record | None) -> dict[str, Value]:
    """The values of a record by field."""
    results = record.fields.values() if record is not None else ()
    return {one.field: one.value for one in results if one.value is not None}


def words_of(
    candidates: Iterable[Candidate], compiled: CompiledContract, known: Mapping[str, Value]
) -> dict[str, list[str]]:
    """Words of a page for its values, those first that stand in its text.

    What contradicts the record is left out, where sources should agree.
    """
    found: dict[str, list[str]] = {}
    for one in sorted(
        candidates,
        key=lambda one: not all(part.view is ViewName.TEXT for part in one.evidence.values),
    ):
        declared, value = compiled.contract.fields.get(one.field), known.get(one.field)
        if declared is None:
            continue
        if value is None or declared.source_dependent:
            fits = not one.subject  # whose value it is, nobody has settled
        else:
            fits = compiled.same(one.field, value, one.value)
        if fits:
            words = " ".join(map(reading, one.evidence.values))
            if words not in found.setdefault(one.field, []):
                found[one.field].append(words)
    return found
