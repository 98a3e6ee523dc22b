"""JSON-LD → items: every property with the span of its key and of its value."""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from specfactory.model import Snippet
from specfactory.proof.structured.drafts import ItemDraft, Markup
from specfactory.proof.structured.items import (
    APART,
    PRICES,
    SUBJECT_RANKS,
    Property,
    best_type,
    property_name,
)
from specfactory.proof.structured.tolerant_json import (
    JsonArray,
    JsonNode,
    JsonObject,
    JsonScalar,
    read_json,
)
from specfactory.proof.text import reading
from specfactory.word_lists import word_set

MAX_PROPERTIES = 4_000
MAX_CHARS = 2_000_000  # of all JSON-LD of a page
MAX_SCRIPTS = 500
_MAX_PATH = 6
_APART = APART | word_set("isVariantOf mentions about hasPart isPartOf @graph")
_FRAMES = word_set(
    "WebSite BreadcrumbList ListItem ItemList ImageObject VideoObject Organization Person "
    "SearchAction SiteNavigationElement WPHeader WPFooter"
)
_OWN = frozenset(("@graph", "mainEntity"))
_STEPS = frozenset(("recipeInstructions", "step", "steps"))  # instructions, by section
_STEP_LEVELS = frozenset(("itemListElement", "item", "step", "steps", "hasPart"))


class _Task(NamedTuple):
    path: tuple[str, ...]
    node: JsonNode
    key: JsonScalar
    currency: JsonScalar | None = None
    subject: str | None = None


class _Thing(NamedTuple):
    node: JsonNode
    apart: bool = False
    entity: bool = False


def json_ld_items(page: Markup) -> Iterator[ItemDraft]:
    """All items of all JSON-LD scripts, the outer ones first."""
    roots: list[JsonNode] = []
    left = MAX_CHARS
    typed = (tag for tag in page.tags if tag.name == "script" and tag.mentions("json"))
    scripts = (tag.content for tag in typed if "ld+json" in tag.value("type").lower())
    for start, end in islice(scripts, MAX_SCRIPTS):
        roots.extend(read_json(page.source, start, min(end, start + left)))
        left -= min(end - start, left)
    return _Flattening(page, roots).items()


class _Flattening:
    """Turns objects into items, one after the other."""

    def __init__(self, page: Markup, roots: list[JsonNode]) -> None:
        self._source, self._snippet = page.source, page.cut_json
        self._waiting = [_Thing(root) for root in reversed(roots)]
        self._named: dict[int, dict[str, JsonScalar]] = {}  # scalars of an object by their name
        self._roots = roots

    def items(self) -> Iterator[ItemDraft]:
        count = 0
        while self._waiting and count < MAX_PROPERTIES:
            thing = self._waiting.pop()
            if isinstance(thing.node, JsonArray):
                self._waiting.extend(thing._replace(node=m) for m in reversed(thing.node.members))
            elif isinstance(thing.node, JsonObject):
                draft = self._flatten(thing, thing.node)
                count += len(draft.properties) + 1
                if draft.properties:
                    yield draft

    @cached_property
    def _by_id(self) -> dict[str, JsonObject]:
        """Objects that references may stand for; on many pages there is none."""
        by_id: dict[str, JsonObject] = {}
        waiting = list(self._roots)
        while waiting:
            node = waiting.pop()
            if isinstance(node, JsonArray):
                waiting.extend(node.members)
            elif isinstance(node, JsonObject):
                waiting.extend(member for _, member in node.members)
                if len(node.members) > 2 and (identity := self._text(node, "@id")):
                    by_id.setdefault(identity, node)
        return by_id

    def _flatten(self, thing: _Thing, root: JsonObject) -> ItemDraft:
        name = self._text(root, "name")
        draft = ItemDraft(self._type(root), name, "json-ld", thing.apart, thing.entity)
        seen = {id(root)}
        waiting = self._members(root, None, draft)
        while waiting and len(draft.properties) < MAX_PROPERTIES:
            task = waiting.pop()
            node = task.node
            if isinstance(node, JsonScalar):
                currency = task.currency if not PRICES.isdisjoint(task.path[-1:]) else None
                more = (self._snippet(currency),) if currency else ()
                draft.properties.append(self._property(task, node, more))
                continue
            if isinstance(node, JsonArray):
                waiting.extend(task._replace(node=member) for member in node.members[::-1])
                continue
            # A bare reference stands for the thing it points to. Sites, lists and images only
            # frame: what they point to is read on its own.
            is_bare = draft.type not in _FRAMES and len(node.members) <= 2
            if is_bare and (identity := self._text(node, "@id")):
                node = self._by_id.get(identity, node)
            if id(node) not in seen:
                seen.add(id(node))
                waiting.extend(self._open(node, task, draft))
        return draft

    def _open(self, node: JsonObject, task: _Task, draft: ItemDraft) -> list[_Task]:
        """Go into a nested thing: a named property, a measured value, or just a thing."""
        value, unit = self._find(node, "value"), tuple[Snippet, ...]()
        measure = self._find(node, "unitText") or self._find(node, "unitCode")
        if measure is not None and measure.end > measure.start:
            unit = (self._snippet(measure),)
        if task.path[-1:] == ("additionalProperty",):
            name = self._find(node, "name")
            if name is not None and value is not None:
                found = self._snippet(value), self._snippet(name)
                draft.properties.append(Property.read("additionalProperty", *found, unit))
            return []
        if value is not None and unit:
            draft.properties.append(self._property(task, value, unit))
        if len(task.path) >= _MAX_PATH:
            return []
        if task.path[-1:] == ("offers",):  # an offer may name the variant it is for
            name_words = self._text(node, "name")
            for key, member in node.members:
                if name_words:
                    break
                if isinstance(member, JsonObject) and self._key(key) == "itemOffered":
                    name_words = self._text(member, "name")
            task = task._replace(subject=name_words or task.subject)
        return self._members(node, task, draft)

    def _members(self, node: JsonObject, outer: _Task | None, draft: ItemDraft) -> list[_Task]:
        """The members of an object as tasks, the first one last, for a stack."""
        path = outer.path if outer else ()
        subject = outer.subject if outer else None
        currency = self._find(node, "priceCurrency") or (outer.currency if outer else None)
        in_steps = bool(path) and path[0] in _STEPS
        in_offers = path[-1:] == ("offers",)
        tasks = []
        for key, member in reversed(node.members):
            name = self._key(key)
            if name == "mainEntityOfPage" and isinstance(member, JsonObject):
                # of that page only the address is the item's; the rest is a thing of its own
                if len(member.members) > 2:
                    self._waiting.append(_Thing(member, draft.apart))
                address = self._find(member, "@id") or self._find(member, "url") or JsonArray()
                tasks.append(_Task((*path, name), address, key))
                continue
            if name == "item":  # of a list: a thing of its own, or the list's
                is_apart = isinstance(member, JsonObject) and self._type(member) in SUBJECT_RANKS
            else:
                is_apart = name in _APART and not isinstance(member, JsonScalar)
            if is_apart and not in_steps:
                apart = draft.apart or name not in _OWN
                self._waiting.append(_Thing(member, apart, name == "mainEntity"))
                continue
            # a level that only wraps: a price in a specification, an offer in offers, a step
            if in_steps:
                wraps = name in _STEP_LEVELS
            else:
                wraps = name == "priceSpecification" or (in_offers and name == "offers")
            tasks.append(_Task(path if wraps else (*path, name), member, key, currency, subject))
        return tasks

    def _property(self, task: _Task, value: JsonScalar, more: tuple[Snippet, ...]) -> Property:
        found = self._snippet(value), self._snippet(task.key)
        return Property.read(".".join(task.path), *found, more, task.subject)

    def _find(self, node: JsonObject, name: str) -> JsonScalar | None:
        named = self._named.get(id(node))
        if named is None:
            named = self._named[id(node)] = {}
            for key, member in node.members:
                if isinstance(member, JsonScalar):
                    named.setdefault(self._key(key), member)
        return named.get(name)

    def _type(self, node: JsonObject) -> str:
        for key, member in node.members:
            if self._key(key) == "@type":
                kinds = member.members if isinstance(member, JsonArray) else [member]
                return best_type(self._key(kind) for kind in kinds if isinstance(kind, JsonScalar))
        return ""

    def _text(self, node: JsonObject, name: str) -> str:
        found = self._find(node, name)
        return reading(self._snippet(found)).strip() if found else ""

    def _key(self, scalar: JsonScalar) -> str:
        return _key(self._source[scalar.start : scalar.end])


@lru_cache(maxsize=4096)
def _key(written: str) -> str:
    return property_name(written.replace("\\/", "/"))
