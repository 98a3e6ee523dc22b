"""A record compared with verified values.

A verified value is a value of the field, None where there truly is none, or ``{"any": [...]}``
where sources may differ and each of these is right: measurements of two labs, prices of two shops.
"""

from collections.abc import Iterator, Mapping, Sequence

from specfactory.contract import CompiledContract, value_from_json
from specfactory.model import Agreement, Frozen, Json, Record, Value
from specfactory.store import SourceVerdict
from specfactory.store.products import FieldLesson, Kind


class Wrong(Frozen):
    """A published value that is not the truth; ``truth`` None means that there is no value.

    Where any of several values is right, ``truth`` is the first of them.
    """

    field: str
    published: Value
    truth: Value | None


class Accuracy(Frozen):
    """A record compared with the truth; fields without a verified value do not count."""

    right: tuple[str, ...]
    wrong: tuple[Wrong, ...]
    missing: tuple[str, ...]  # true values that were not published

    @property
    def share(self) -> float:
        """Right over published; 1 when nothing was published."""
        published = len(self.right) + len(self.wrong)
        return len(self.right) / published if published else 1.0

    @property
    def coverage(self) -> float:
        """Published over true; 1 when there is no truth to publish."""
        published = len(self.right) + len(self.wrong)
        wanted = published + len(self.missing)
        return published / wanted if wanted else 1.0


def accuracy(record: Record, golden: Mapping[str, Json], compiled: CompiledContract) -> Accuracy:
    """Compare every published value with its verified value, within the field's tolerance."""
    right: list[str] = []
    wrong: list[Wrong] = []
    missing: list[str] = []
    for name, truths in _truths(golden, compiled):
        result = record.fields.get(name)
        if result is None or result.value is None:
            missing.extend([name] if truths else [])
        elif _is_one_of(name, result.value, truths, compiled):
            right.append(name)
        else:
            wrong.append(Wrong(name, result.value, truths[0] if truths else None))
    return Accuracy(tuple(right), tuple(wrong), tuple(missing))


def source_verdicts(
    record: Record, golden: Mapping[str, Json], compiled: CompiledContract
) -> Iterator[SourceVerdict]:
    """Yield, per source and field, if the source was right; saying both counts as wrong."""
    verdicts: dict[tuple[str, str], bool] = {}
    for name, truths in _truths(golden, compiled):
        result = record.fields.get(name)
        for candidate in result.candidates if result is not None else ():
            host = candidate.evidence.url.split("/")[2]
            is_right = _is_one_of(name, candidate.value, truths, compiled)
            verdicts[host, name] = verdicts.get((host, name), True) and is_right
    for (host, name), is_right in verdicts.items():
        yield SourceVerdict(host, name, is_right)


def lessons_of(
    record: Record, golden: Mapping[str, Json], compiled: CompiledContract
) -> Iterator[FieldLesson]:
    """Lessons of verified values: our confidence, and which kinds of votes were right."""
    for name, truths in _truths(golden, compiled):
        result = record.fields.get(name)
        if result is None or not result.weighed or result.agreement is Agreement.OVERRIDE:
            continue
        leading = result.weighed[0].value if result.value is None else result.value
        spoke: tuple[set[Kind], set[Kind]] = (set(), set())  # for a right value, for a wrong one
        for candidate in result.candidates:
            is_wrong = not _is_one_of(name, candidate.value, truths, compiled)
            spoke[is_wrong].add((candidate.evidence.tier, candidate.evidence.method))
        voices = {k: (int(k in spoke[0]), int(k in spoke[1])) for k in spoke[0] | spoke[1]}
        yield FieldLesson(
            name, result.confidence, _is_one_of(name, leading, truths, compiled), voices
        )


def verified_values(plain: Json) -> list[Json]:
    """The values of which each is right; none where there truly is no value."""
    if isinstance(plain, dict) and plain.keys() == {"any"} and isinstance(plain["any"], list):
        return plain["any"]
    return [] if plain is None else [plain]


def _is_one_of(
    name: str, value: Value, truths: Sequence[Value], compiled: CompiledContract
) -> bool:
    return any(compiled.same(name, value, truth) for truth in truths)


def _truths(
    golden: Mapping[str, Json], compiled: CompiledContract
) -> Iterator[tuple[str, list[Value]]]:
    fields = compiled.contract.fields
    for name, plain in golden.items():
        if name in fields:
            yield name, [value_from_json(fields[name], each) for each in verified_values(plain)]
