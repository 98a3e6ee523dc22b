"""Structured data as values: items and their properties, each with its proof."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, Self

from specfactory.model import Frozen, Snippet
from specfactory.proof.text import reading
from specfactory.word_lists import read_lists, word_set

_LISTS = read_lists("proof/structured/data/schema_org.txt")
SUBJECT_RANKS = {kind: at for at, kinds in enumerate(_LISTS["subjects"]) for kind in kinds.split()}
_OTHER = len(_LISTS["subjects"])  # rank of types that pages are not about
_TYPES = {kind.casefold(): kind for kind in SUBJECT_RANKS}
_NAMES = {name.casefold(): name for name in word_set(*_LISTS["properties"])}
# Members that are separate things, merely mentioned beside the one that has them.
APART = word_set(
    "isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor hasVariant "
    "itemListElement itemReviewed itemOffered mainEntity"
)
PRICES = frozenset(("price", "lowPrice", "highPrice"))


def best_type(written: Iterable[str]) -> str:
    """Of several types of one thing, the one that pages are most likely about.

    It is spelled as schema.org does, without its address.
    """
    ends = (each.strip().rstrip("/").rpartition("/")[2] for each in written)
    bare = (end.rpartition("#")[2].rpartition(":")[2] for end in ends)
    names = [_TYPES.get(name.casefold(), name) for name in bare]
    return min(names, key=lambda name: SUBJECT_RANKS.get(name, _OTHER), default="")


@lru_cache(maxsize=4096)
def property_name(written: str) -> str:
    """A property as schema.org spells it, without its address."""
    name = written.rpartition("/")[2].removeprefix("schema:")
    return _NAMES.get(name.casefold(), name)


class Property(NamedTuple):
    """One property of an item: ``offers.price`` and the snippet of its value.

    ``label`` is the snippet of what names it: the JSON key, the itemprop, the meta name, or
    the ``name`` of an additionalProperty. ``more`` completes the value: its unit or currency.
    ``subject`` is the name of the nested thing (a variant's offer) it belongs to, if named.
    """

    path: str
    snippet: Snippet
    label: Snippet | None = None
    more: tuple[Snippet, ...] = ()
    words: str = ""
    label_words: str = ""
    subject: str | None = None

    @classmethod
    def read(
        cls,
        path: str,
        value: Snippet,
        label: Snippet | None,
        more: tuple[Snippet, ...] = (),
        subject: str | None = None,
    ) -> Self:
        """A property with the words behind its snippets."""
        label_words = reading(label) if label else ""
        return cls(path, value, label, more, reading(value), label_words, subject)

    @property
    def values(self) -> tuple[Snippet, ...]:
        """The value's snippets, in reading order."""
        return (self.snippet, *self.more)


class Item(Frozen):
    """One thing described by structured data; ``main`` when it is what the page is about."""

    type: str  # "Product", "BreadcrumbList" … or "" when it is not said
    name: str
    properties: tuple[Property, ...]
    main: bool = False
    syntax: str = "json-ld"  # or "microdata", "rdfa", "meta", "state"

    @property
    def is_subject(self) -> bool:
        """True for a thing that pages are about, not one that frames them."""
        return self.type in SUBJECT_RANKS

    @property
    def is_thing(self) -> bool:
        """True for a thing of its own (a product, a recipe), not a text about one."""
        return SUBJECT_RANKS.get(self.type, _OTHER) < SUBJECT_RANKS["Article"]

    def first(self, path: str) -> str:
        """The words of the first property of that path, empty when there is none."""
        return next((named.words for named in self.properties if named.path == path), "")

    def all(self, path: str) -> tuple[str, ...]:
        """The words of every property of that path."""
        return tuple(named.words for named in self.properties if named.path == path)
