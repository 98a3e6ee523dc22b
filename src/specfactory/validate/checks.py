"""Checks of one value against its field, of values across fields, and of components."""

from collections.abc import Iterator, Mapping

from specfactory.contract import FIELD_TYPES, CompiledContract
from specfactory.model import Candidate, CheckResult, Dropped, Field, Money, Value

Problem = tuple[str, str]  # a code and the words for a person


def validate(candidate: Candidate, compiled: CompiledContract) -> Dropped | None:
    """None when the value fits its field; else the candidate as dropped, with the reason."""
    field = compiled.contract.fields.get(candidate.field)
    problem = (
        ("unknown_field", "the contract has no such field")
        if field is None
        else _problem(field, candidate.value)
    )
    if problem is None:
        return None
    evidence = candidate.evidence
    quote = " ".join(snippet.quote for snippet in evidence.values)
    return Dropped(candidate.field, *problem, quote, evidence.page_id, evidence.url)


def cross_check(values: Mapping[str, Value], compiled: CompiledContract) -> tuple[CheckResult, ...]:
    """Run the contract's checks across the fields of one product."""
    return compiled.checks(values)


def component_flag(field: str, value: Value, compiled: CompiledContract) -> str | None:
    """The reason to ask for review of a component that is in no list; None when it is known."""
    if compiled.contract.fields[field].component is None:
        return None
    parts = value if isinstance(value, tuple) else (value,)
    strange = [part for part in parts if compiled.component(field, part) is None]
    return f"extracted {str(strange[0])!r} but not in component_db" if strange else None


def _problem(field: Field, value: Value) -> Problem | None:
    if not FIELD_TYPES[field.type].fits(value):
        return "wrong_type", f"{value!r} is no {field.type}"
    if field.low is not None or field.high is not None:
        unit = f" {field.unit}" if field.unit else ""
        for number in _numbers(value):
            if field.low is not None and number < field.low:
                return "out_of_range", f"{number:g} is below {field.low:g}{unit}"
            if field.high is not None and number > field.high:
                return "out_of_range", f"{number:g} is above {field.high:g}{unit}"
    if field.allowed and not isinstance(value, bool):
        for part in value if isinstance(value, tuple) else (value,):
            if str(part) not in field.allowed:
                known = list(field.allowed)
                more = ", …" if len(known) > 8 else ""
                return "not_allowed", f"{part!r} is none of {', '.join(known[:8])}{more}"
    return None


def _numbers(value: Value) -> Iterator[float]:
    if isinstance(value, Money):
        yield value.amount
    elif isinstance(value, tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value
