"""When two values of a field are the same, within its tolerance (see ``model/contract.py``)."""

from specfactory.contract.field_types import FIELD_TYPES
from specfactory.contract.text import tokens
from specfactory.model import Field, Money, Tolerance, Value


def same_value(field: Field, a: Value, b: Value) -> bool:
    """Numbers within the tolerance, words by their normal form, dates as far as both go."""
    if isinstance(a, Money) and isinstance(b, Money):
        return a.currency == b.currency and _near(field.tolerance, a.amount, b.amount)
    if isinstance(a, tuple) and isinstance(b, tuple):
        # lists hold the same words in any order; dimensions the same lengths in any order
        if len(a) != len(b):
            return False
        if FIELD_TYPES[field.type].is_several_numbers:
            pairs = zip(_sorted_numbers(a), _sorted_numbers(b), strict=True)
            return all(_near(field.tolerance, x, y) for x, y in pairs)
        return sorted(" ".join(tokens(str(x))) for x in a) == sorted(
            " ".join(tokens(str(x))) for x in b
        )
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return _near(field.tolerance, a, b)
    if isinstance(a, str) and isinstance(b, str):
        if FIELD_TYPES[field.type].may_be_prefix:
            return a.startswith(b) or b.startswith(a)
        return a == b or tokens(a) == tokens(b)
    return False


def _sorted_numbers(values: tuple[Value, ...]) -> list[float]:
    return sorted(float(value) for value in values if isinstance(value, int | float))


def _near(tolerance: Tolerance, a: float, b: float) -> bool:
    allowed = max(tolerance.absolute, tolerance.relative * max(abs(a), abs(b)))
    return abs(a - b) <= allowed + 1e-9 * max(1.0, abs(a), abs(b))
