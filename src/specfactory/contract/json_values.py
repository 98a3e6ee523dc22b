"""Values as JSON and back."""

from specfactory.errors import UsageError
from specfactory.model import Field, Json, Money, Value


def value_to_json(value: Value | None) -> Json:
    """A value as JSON writes it."""
    if isinstance(value, Money):
        return {"amount": value.amount, "currency": value.currency}
    if isinstance(value, tuple):
        return [value_to_json(item) for item in value]
    return value


def value_from_json(field: Field, json: Json) -> Value:
    """The value of a field from its JSON; UsageError says what the field wants."""
    from specfactory.contract.field_types import FIELD_TYPES  # loads what reads values from words

    facts = FIELD_TYPES[field.type]
    value = facts.from_json(json)
    is_foreign = isinstance(value, str) and field.allowed and value not in field.allowed
    if value is None or is_foreign:
        allowed = f": {', '.join(field.allowed)}" if field.allowed else ""
        raise UsageError(f"{field.name} is {facts.wanted}{allowed}; given {json!r}")
    return value
