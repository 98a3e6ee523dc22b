"""Types, properties and enumerations of schema.org that exports use."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct, field

Ranges = tuple[str, ...]  # what a property may hold: Text, Number, QuantitativeValue, Brand …

REFINED = {"Offer": "AggregateOffer", "PriceSpecification": "UnitPriceSpecification"}
"""Types that may turn into one of their own kinds, to hold more properties."""

_QUALIFIERS = ("condition", "diet")  # NewCondition is "new" in the words of most


class Vocabulary(Struct):
    """What the published vocabulary allows."""

    types: dict[str, dict[str, Ranges]] = field(default_factory=dict)  # with inherited properties
    members: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by enumeration

    def ranges(self, kind: str, name: str) -> Ranges:
        """What a property of a type may hold; nothing where the type has no such property."""
        return self.types.get(kind, {}).get(name, ())

    def member(self, ranges: Ranges, words: Iterable[str]) -> str | None:
        """The address of the enumeration's member that one of these words names."""
        known = {}
        for enumeration in ranges:
            for one in self.members.get(enumeration, ()):
                known[one.casefold()] = one
                for qualifier in _QUALIFIERS:
                    known.setdefault(one.casefold().removesuffix(qualifier), one)
        for word in words:
            plain = word.rpartition("/")[2].rpartition(":")[2].casefold()
            if found := known.get(plain.replace(" ", "").replace("-", "")):
                return f"https://schema.org/{found}"
        return None


@cache
def vocabulary() -> Vocabulary:
    """Read the vocabulary from its file."""
    text = (files("specfactory.publish.exports") / "data" / "schema_org.txt").read_text("utf-8")
    found, parents, own = Vocabulary(), {}, {}  # type: ignore[var-annotated]
    kind = ""
    for line in text.splitlines():
        first, *rest = line.split()
        if line.startswith("#"):
            continue
        if line.startswith(" "):
            own[kind][first] = tuple(rest)
        elif rest[:1] == ["="]:
            found.members[first] = tuple(rest[1:])
        else:
            kind = first
            own[kind], parents[kind] = {}, rest
    for each in own:
        found.types[each] = _inherited(each, parents, own)
    return found


def _inherited(
    kind: str, parents: Mapping[str, list[str]], own: Mapping[str, dict[str, Ranges]]
) -> dict[str, Ranges]:
    above: dict[str, Ranges] = {}
    for parent in parents.get(kind, ()):
        above |= _inherited(parent, parents, own)
    return above | own[kind]
