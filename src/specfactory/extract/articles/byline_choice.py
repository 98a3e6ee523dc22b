"""The people whom a page names, against each other: parts of a list, the site, known names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from specfactory.extract.articles.person_names import (
    begins_with_a_given_name,
    looks_like_a_person,
    names_a_company,
)
from specfactory.extract.learned import Seen
from specfactory.model import Snippet

# Where a page states who wrote it, all of them.
_STATED = frozenset(("item", "meta_all", "rel", "prop", "marked", "line", "next_line", "linked"))
_UNMARKED = frozenset(("bare", "signed"))
_IN_ITEMS = frozenset(("item", "meta"))
_MOSTLY = 0.5  # of the names of a list

Key = tuple[str, ...]  # the names of a group, folded


@dataclass(slots=True)
class NameGroup:
    """All places that name the same people."""

    values: tuple[Snippet, ...]
    names: tuple[str, ...]
    kinds: set[str] = field(default_factory=set)
    seen: Seen = field(default_factory=dict)


def compare_names(groups: Mapping[Key, NameGroup], site: frozenset[str], text: str) -> None:
    """Write down how groups relate to each other, to the site's names and to the folded text."""
    count = Counter(name for key in groups for name in key)
    for group in groups.values():
        group.seen["person"] = _share(looks_like_a_person, group.names)
        group.seen["known"] = _share(begins_with_a_given_name, group.names)
    _complete(groups)
    for key, group in groups.items():
        seen = group.seen
        seen.update(_own(group))
        seen["is_site"] = float(any(name.replace(" ", "") in site for name in key))
        seen["rivals"] = min(3.0, len(groups) - 1.0)
        seen["others_name_it"] = sum(count[name] > 1 for name in key) / len(key)
        seen["read"] = float(all(name in text for name in key))
        seen["unread"] = 1.0 - seen["read"]
        seen.update(_parts(key, groups))
    _compare_items(list(groups.values()))


def _share(is_one: Callable[[str], bool], names: tuple[str, ...]) -> float:
    return sum(map(is_one, names)) / len(names)


def _complete(groups: Mapping[Key, NameGroup]) -> None:
    """What speaks for one of several people speaks for a byline that names all of them."""
    for key, group in groups.items():
        people = group.seen["person"] == 1 and group.seen["known"] > _MOSTLY
        if len(key) > 1 and people and not _STATED.isdisjoint(group.kinds):
            for part in _within(key, groups):
                for name, amount in part.seen.items():
                    group.seen[name] = max(amount, group.seen.get(name, 0.0))


def _own(group: NameGroup) -> Seen:
    """What the names themselves say."""
    return {
        "company": float(any(map(names_a_company, group.names))),
        "single_word": float(any(" " not in name for name in group.names)),
        "several": float(len(group.names) > 1),
        "shouted": float(all(name.isupper() for name in group.names)),
        "agreeing": float(len(group.kinds) - 1),
        "bare_known": group.seen["known"] if group.kinds <= _UNMARKED else 0.0,
    }


def _within(key: Key, groups: Mapping[Key, NameGroup]) -> list[NameGroup]:
    """The groups that name only some of these people; of one alone there are none."""
    if len(key) == 1:
        return []
    names = set(key)
    return [group for other, group in groups.items() if len(other) < len(key) and names >= {*other}]


def _parts(key: Key, groups: Mapping[Key, NameGroup]) -> Seen:
    """Whether others name these people among more, or only some of them."""
    wider = [
        group for other, group in groups.items() if len(other) > len(key) and {*key} <= {*other}
    ]
    within = _within(key, groups)
    persons = float(any(group.seen["person"] == 1 for group in wider))
    return {
        "part_of_persons": persons,
        "part_of_others": float(bool(wider)) - persons,
        "part_of_byline": float(any(not _STATED.isdisjoint(group.kinds) for group in wider)),
        "parts_in_items": float(any(not _IN_ITEMS.isdisjoint(group.kinds) for group in within)),
    }


def _compare_items(groups: list[NameGroup]) -> None:
    has_item = any("item" in group.kinds for group in groups)
    for group in groups:
        seen = group.seen
        others = has_item and "item" not in group.kinds and not seen["parts_in_items"]
        seen["item_says_other"] = float(others)
        if seen["is_site"] or seen["company"]:
            for kind in ("item", "meta", "rel"):
                if kind in seen:
                    seen[f"company_{kind}"] = 1.0
