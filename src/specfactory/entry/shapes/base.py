"""Structs that are filled from a value of the model by the names and types of their fields."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from types import UnionType
from typing import Annotated, Any, Self, Union, get_args, get_origin, get_type_hints

import msgspec

from specfactory.entry.shapes.instants import moment

Convert = Callable[[Any], Any]


def value_json(value: Any) -> Any:
    """A field's value in the form of records."""
    from specfactory.contract import value_to_json

    return value_to_json(value)


Moment = Annotated[str, moment]
OrNone = Annotated[str | None, lambda text: text or None]
OrUnset = Annotated[str | msgspec.UnsetType, lambda text: text or msgspec.UNSET]
Share = Annotated[float, partial(round, ndigits=4)]
Value = Annotated[Any, value_json]


class Shape(msgspec.Struct):
    """One JSON object, its fields in the order in which they are documented.

    ``of`` reads each field from the attribute of the same name, or of the one that stands in its
    annotation: ``run: Annotated[int | None, "run_id"]``, ``pages: Annotated[int, "spent.pages"]``.
    A function in the annotation converts the value, None excepted; lists, mappings and other
    shapes are converted by their types.
    """

    @classmethod
    def of(cls, source: Any = None, /, **given: Any) -> Self:
        """The shape of a value; what is ``given`` is not read from it, and converted alike."""
        if isinstance(source, cls):
            return source
        values = {}
        for name, path, convert in _fields(cls):
            try:
                value = given[name] if name in given else _read(source, path)
            except AttributeError:
                continue  # its default serves
            values[name] = value if value is None or value is msgspec.UNSET else convert(value)
        return cls(**values)

    @classmethod
    def all_of(cls, sources: Any) -> list[Self]:
        """The shapes of several values."""
        return [cls.of(source) for source in sources]


@lru_cache
def _fields(kind: type[Shape]) -> list[tuple[str, str, Convert]]:
    """Name, place and conversion of each field; hints are resolved once for each class."""
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for name in kind.__struct_fields__:
        notes = list(_notes(hints[name]))
        path = next((note for note in notes if isinstance(note, str)), name)
        convert = next((note for note in notes if not isinstance(note, str)), None)
        found.append((name, path, convert or _identity))
    return found


def _read(source: Any, path: str) -> Any:
    """The attribute at a dotted path; None where the path leads through None."""
    for place, attribute in enumerate(path.split(".")):
        if place and source is None:
            return None
        source = getattr(source, attribute)
    return source


def _identity(value: Any) -> Any:
    return value


def _notes(hint: Any) -> Iterator[Any]:
    """Read an annotation: the attribute to read from, and the conversion of its value."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        yield from arguments[1:]
        yield from _notes(arguments[0])
    elif origin in (Union, UnionType):
        for each in arguments:
            yield from _notes(each)
    elif origin is list:
        convert = next(_notes(arguments[0]), _identity)
        yield lambda values: [convert(value) for value in values]
    elif origin is dict:
        convert = next(_notes(arguments[1]), _identity)
        yield lambda values: {key: convert(value) for key, value in values.items()}
    elif isinstance(hint, type) and issubclass(hint, Shape):
        yield hint.of
