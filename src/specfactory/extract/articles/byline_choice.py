"""Comparison of the names on a page: with each other, with the site, with given names."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct, field

from specfactory.extract.articles.person_names import (
    begins_with_a_given_name,
    looks_like_a_person,
    names_a_company,
)
from specfactory.extract.learned import Features
from specfactory.model import Snippet

# Kinds of places that name all authors, where one exists.
_STATED = frozenset(("item", "meta_all", "rel", "prop", "marked", "line", "next_line", "linked"))
_UNMARKED = frozenset(("bare", "signed"))
_IN_ITEMS = frozenset(("item", "meta"))
_MOSTLY = 0.5  # of the names of a list

Key = tuple[str, ...]  # the names of a group, folded


class NameGroup(Struct):
    """All places of a page with the same names."""

    values: tuple[Snippet, ...]
    names: tuple[str, ...]
    kinds: set[str] = field(default_factory=set)
    seen: Features = field(default_factory=dict)


def compare_names(groups: Mapping[Key, NameGroup], site: frozenset[str], text: str) -> None:
    """Add features that compare groups with each other, the site's names and the folded text."""
    count = Counter(name for key in groups for name in key)
    for group in groups.values():
        names = group.names
        group.seen["person"] = sum(map(looks_like_a_person, names)) / len(names)
        group.seen["known"] = sum(map(begins_with_a_given_name, names)) / len(names)
    # Evidence for one of several people is evidence for the byline that names all of them.
    for key, group in groups.items():
        people = group.seen["person"] == 1 and group.seen["known"] > _MOSTLY
        if len(key) > 1 and people and not _STATED.isdisjoint(group.kinds):
            for part in _within(key, groups):
                for name, amount in part.seen.items():
                    group.seen[name] = max(amount, group.seen.get(name, 0.0))
    for key, group in groups.items():
        seen, names = group.seen, group.names
        seen["company"] = float(any(map(names_a_company, names)))
        seen["single_word"] = float(any(" " not in name for name in names))
        seen["several"] = float(len(names) > 1)
        seen["shouted"] = float(all(name.isupper() for name in names))
        seen["agreeing"] = float(len(group.kinds) - 1)
        seen["bare_known"] = seen["known"] if group.kinds <= _UNMARKED else 0.0
        seen["is_site"] = float(any(name.replace(" ", "") in site for name in key))
        seen["rivals"] = min(3.0, len(groups) - 1.0)
        seen["others_name_it"] = sum(count[name] > 1 for name in key) / len(key)
        seen["read"] = float(all(name in text for name in key))
        seen["unread"] = 1.0 - seen["read"]
        wider = [g for other, g in groups.items() if len(other) > len(key) and {*key} <= {*other}]
        within = _within(key, groups)
        persons = float(any(g.seen["person"] == 1 for g in wider))
        seen["part_of_persons"] = persons
        seen["part_of_others"] = float(bool(wider)) - persons
        seen["part_of_byline"] = float(any(not _STATED.isdisjoint(g.kinds) for g in wider))
        seen["parts_in_items"] = float(any(not _IN_ITEMS.isdisjoint(g.kinds) for g in within))
    has_item = any("item" in group.kinds for group in groups.values())
    for group in groups.values():
        seen = group.seen
        others = has_item and "item" not in group.kinds and not seen["parts_in_items"]
        seen["item_says_other"] = float(others)
        if seen["is_site"] or seen["company"]:
            for kind in ("item", "meta", "rel"):
                if kind in seen:
                    seen[f"company_{kind}"] = 1.0


def _within(key: Key, groups: Mapping[Key, NameGroup]) -> list[NameGroup]:
    """Groups that name only some of these people."""
    if len(key) == 1:
        return []
    names = set(key)
    return [group for other, group in groups.items() if len(other) < len(key) and names >= {*other}]
