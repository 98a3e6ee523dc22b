"""All structured data of a page as items, and which of them the page is about."""

from __future__ import annotations

import re
from typing import NamedTuple

from specfactory.proof.item_draft import Cut, ItemDraft
from specfactory.proof.items import SUBJECT_RANKS, Item
from specfactory.proof.json_ld import json_ld_items
from specfactory.proof.meta_items import meta_item
from specfactory.proof.microdata import microdata_items
from specfactory.proof.outline import Outline
from specfactory.proof.tags import SourceTag

_WORD = re.compile(r"[^\W_]+")


class PageWords(NamedTuple):
    """What the page says it is about, to tell its own item from the others."""

    title: str
    h1: str
    urls: frozenset[str]


def read_items(
    outline: Outline, tags: list[SourceTag], cut: Cut, words: PageWords
) -> tuple[Item, ...]:
    """Every item with its proofs; in each syntax at most one is the main one."""
    drafts = [*json_ld_items(tags, cut), *microdata_items(outline, tags, cut)]
    mains = {
        id(main)
        for syntax in ("json-ld", "microdata")
        if (main := _main([draft for draft in drafts if draft.syntax == syntax], words))
    }
    found = [draft.finished(id(draft) in mains) for draft in drafts if draft.properties]
    about_page = meta_item(tags, cut)
    return (*found, *([about_page.finished(main=True)] if about_page else []))


def _main(drafts: list[ItemDraft], words: PageWords) -> ItemDraft | None:
    own = [draft for draft in drafts if draft.type in SUBJECT_RANKS]
    near = [draft for draft in own if not draft.apart] or own
    if not near:
        return None
    rank = min(SUBJECT_RANKS[draft.type] for draft in near)
    best = [draft for draft in near if SUBJECT_RANKS[draft.type] == rank]
    chosen = max(best, key=lambda draft: _closeness(draft, words))
    alone = len(best) == 1 and not chosen.apart
    return chosen if alone or _closeness(chosen, words) > 0 else None


def _closeness(draft: ItemDraft, words: PageWords) -> float:
    """How well an item fits the page's own name and address."""
    url = 2.0 if {draft.first("url"), draft.first("@id")} & words.urls else 0.0
    name = set(_WORD.findall(draft.name.casefold()))
    if not name:
        return url
    heading = set(_WORD.findall(f"{words.h1} {words.title}".casefold()))
    share = len(name & heading) / len(name)
    return url + (share if share >= 0.5 else 0.0)
