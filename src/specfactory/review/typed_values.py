"""A typed answer as a value of the contract; and the name of the user."""

import getpass
import json
from contextlib import suppress

from specfactory.contract import CompiledContract, value_from_json
from specfactory.errors import NotDerivable, SpecError, UnknownSubject, UsageError
from specfactory.model import Field, Json, Value


def os_user() -> str:
    """The user this process belongs to."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a container may have no name for its user
        return "unknown"


def value_from_words(compiled: CompiledContract, field: str, words: str) -> Value:
    """A value as the contract reads it from words; a bare number is in the field's own unit."""
    declared = compiled.contract.fields.get(field)
    if declared is None:
        known = ", ".join(list(compiled.contract.fields)[:12])
        raise UnknownSubject("field", field, f"{compiled.contract.category} has {known} …")
    value = _read(compiled, declared, words.strip())
    low, high = declared.low, declared.high
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, bool) or not isinstance(number, int | float):
            continue
        if (low is not None and number < low) or (high is not None and number > high):
            raise UsageError(
                f"{words!r} is outside the range of {field}, {low} to {high}; "
                "if it is right, widen the range in the contract first"
            )
    return value


def _read(compiled: CompiledContract, field: Field, words: str) -> Value:
    try:
        return compiled.derive(field.name, words)
    except NotDerivable as problem:
        first = problem
    with suppress(SpecError, ValueError, TypeError, KeyError):
        plain: Json = words
        with suppress(ValueError):
            plain = json.loads(words)
        return value_from_json(field, plain)
    raise UsageError(f"{words!r} is no {field.name}: {first.detail}")
