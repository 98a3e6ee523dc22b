"""What pages teach of ranking: their values for each role, and which of them are right.

Three kinds of pages teach:
- pages with truth (``products``; ``swde`` cameras, for prices);
- product pages of ``page_types`` whose structured data names a value: the places on the page
  that say the same are right, all others wrong, and what structured data says is hidden then;
- pages of ``page_types`` that list many things: they have no price of their own.
"""

from __future__ import annotations

import argparse
import re
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.real_sets._pages import SetPage, read_set, truth_rows
from specfactory.contract import CompiledContract, compile_contract, find_contract
from specfactory.contract.text.normal_form import normal
from specfactory.extract.candidates import offered
from specfactory.extract.learned.ranking_weights import Group
from specfactory.model import Money, Value
from specfactory.word_lists import word_set

ROLES = {"price": "price", "currency": "currency", "id": "sku", "availability": "availability",
         "brand": "brand"}  # fmt: skip
_SWDE_PAGES = 8  # per site: more of one site teach little
_HIDDEN = ("struct", "struct_several", "struct_meta", "struct_state", "struct_seen",
           "struct_other", "struct_unseen", "bad_struct", "agree", "struct_labelled",
           "maker", "struct_kin", "bad_struct_meta", "keyed", "bad_struct_kin")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """What one page offers for one role, and which of it is right (none: it says nothing)."""

    set: str
    site: str
    page: str
    role: str
    groups: tuple[Group, ...]
    right: frozenset[int]
    asked: bool  # whether the page has the value at all
    weight: float = 1.0


# ------------------------------------------------------------------------------- the pages
def examples(folder: Path, given: Mapping[str, Sequence[SetPage]] | None = None) -> list[Example]:
    """The examples of all sets in a folder that can teach; ``given`` are read already."""
    compiled = compile_contract(find_contract("product"))
    found: list[Example] = []
    for pages in (given or {}).values():
        found += product_examples(pages, compiled)
    if not given and (folder / "products").is_dir():
        found += product_examples(read_set(folder / "products", _everything()), compiled)
    if (folder / "page_types").is_dir():
        found += distant_examples(read_set(folder / "page_types", _everything()), compiled)
    for site in sorted((folder / "swde").glob("*")) if (folder / "swde").is_dir() else ():
        if site.name.startswith("camera-"):  # what cars have there is a recommended price
            found += swde_examples(site, compiled)
    return weighed(found)


def _everything() -> argparse.Namespace:
    return argparse.Namespace(sites="", half="", pages=0)


def product_examples(pages: Iterable[SetPage], compiled: CompiledContract) -> Iterator[Example]:
    """Pages with truth, as they are and with their structured data hidden."""
    for page in pages:
        for role, groups in offers_of(page, compiled).items():
            truth = page.fields.get(ROLES[role])
            if truth is None and role in ("brand", "currency"):
                continue
            yield _example("products", page, role, groups, truth or [])
            yield hidden(_example("products", page, role, groups, truth or []))
            if role == "price":
                yield from unseen(_example("products", page, role, groups, truth or []))


def distant_examples(pages: Iterable[SetPage], compiled: CompiledContract) -> Iterator[Example]:
    """Pages without truth: what structured data says is looked for on the page."""
    for page in pages:
        kind = page.row["page_type"]
        if kind not in ("product", "collection", "listing"):
            continue
        for role, groups in offers_of(page, compiled).items():
            if kind == "product":
                yield from _said_examples(page, role, groups)
            elif role == "price" and not any(group.features.get("struct") for group in groups):
                yield Example("none", f"page-{page.id}", page.id, role, groups, frozenset(), False)


def _said_examples(page: SetPage, role: str, groups: tuple[Group, ...]) -> Iterator[Example]:
    """What structured data says of a product, taken for right."""
    said = _one_said(groups)
    if said is None:
        return
    right = _like(role, groups, said)
    one = Example("distant", f"page-{page.id}", page.id, role, groups, right, bool(right))
    yield hidden(one)
    if role == "price":
        yield from unseen(one)
    if role == "availability" or not right:
        yield one


def _one_said(groups: Sequence[Group]) -> int | None:
    """The only value that markup names, else the only one of meta tags or of all variants."""
    for name in ("struct", "struct_meta", "struct_kin"):
        said = [at for at, group in enumerate(groups) if group.features.get(name)]
        if said:
            return said[0] if len(said) == 1 else None
    return None


def _like(role: str, groups: Sequence[Group], said: int) -> frozenset[int]:
    """The values that mean the same as what is said; a price of nothing is none."""
    value = groups[said].candidates[0].value
    if isinstance(value, Money) and value.amount <= 0:
        return frozenset()
    if role != "availability":
        return frozenset((said,))
    truth = ["InStock" if str(value) in _IN else "OutOfStock"]
    return frozenset(at for at, group in enumerate(groups)
                     if is_right(role, group.candidates[0].value, truth))  # fmt: skip


def swde_examples(folder: Path, compiled: CompiledContract) -> Iterator[Example]:
    """Old pages of cameras, for their prices."""
    rows = list(truth_rows(folder))[:_SWDE_PAGES]
    bodies = _bodies(folder, {f"{row['page']}.html" for row in rows})
    for row in rows:
        truth = [_number(words) for words in row["fields"].get("price", [])]
        body = bodies[f"{row['page']}.html"]
        page = SetPage(f"{folder.name}-{row['page']}", folder.name, row["url"], body, {}, row)
        groups = offers_of(page, compiled)["price"]
        yield _example("swde", page, "price", groups, [one for one in truth if one])


def _bodies(folder: Path, wanted: set[str]) -> dict[str, bytes]:
    with tarfile.open(folder / "pages.tar.xz") as tar:
        return {
            name: opened.read()
            for member in tar
            if (name := Path(member.name).name) in wanted and (opened := tar.extractfile(member))
        }


def _number(words: str) -> str:
    found = re.search(r"\d[\d,]*(?:\.\d+)?", words)
    return found[0].replace(",", "") if found else ""


def offers_of(page: SetPage, compiled: CompiledContract) -> dict[str, tuple[Group, ...]]:
    """What a page offers per role, before it is ranked."""
    fields = {field: role for role, field in ROLES.items()}
    return {
        fields[name]: tuple(groups.values())
        for name, groups in offered(page.views, compiled).items()
        if name in fields
    }


def _example(
    set_: str, page: SetPage, role: str, groups: Sequence[Group], truth: Sequence[str]
) -> Example:
    right = frozenset(
        at for at, group in enumerate(groups) if is_right(role, group.candidates[0].value, truth)
    )
    return Example(set_, page.site, page.id, role, tuple(groups), right, bool(truth))


def hidden(example: Example) -> Example:
    """The same page without what structured data says of the value."""
    shown = [
        Group(
            [one for one in group.candidates if one.evidence.method != "structured_data"],
            group.places,
            {name: 0.0 if name in _HIDDEN else seen for name, seen in group.features.items()},
        )
        for group in example.groups
    ]
    kept = [at for at, group in enumerate(shown) if group.candidates]
    right = frozenset(new for new, at in enumerate(kept) if at in example.right)
    return replace(example, set=f"{example.set} hidden", groups=tuple(shown[at] for at in kept),
                   right=right)  # fmt: skip


def unseen(example: Example) -> Iterator[Example]:
    """The same page as if its price were drawn by a script: only structured data has it."""
    if not any(example.groups[at].features.get("struct") for at in example.right):
        return
    shown = tuple(
        Group(group.candidates, [], {**group.features, "struct_seen": 0.0, "struct_unseen": 1.0})
        if at in example.right
        else group
        for at, group in enumerate(example.groups)
    )
    yield replace(example, set=f"{example.set} unseen", groups=shown)


# -------------------------------------------------------------------------------- judging
_SIGNS = {"€": "EUR", "£": "GBP", "zł": "PLN", "ر.س": "SAR", "kn": "HRK", "원~": "KRW", "원": "KRW",
          "₽": "RUB"}  # fmt: skip
_DOLLARS = word_set("USD CAD AUD NZD SGD HKD MXN CLP COP ARS TWD")
_IN = frozenset(("in stock", "limited", "preorder", "backorder"))


def is_right(role: str, value: Value, truth: Sequence[str]) -> bool:
    """Whether a value is among those the truth accepts."""
    if isinstance(value, Money):
        return any(abs(value.amount - float(one.replace(",", ""))) < 0.006 for one in truth)
    words = str(value)
    if role == "availability":
        return ("InStock" if words in _IN else "OutOfStock") in truth
    if role == "currency":
        return any(_same_currency(words, one) for one in truth)
    return normal(words) in {normal(one) for one in truth}


def _same_currency(code: str, written: str) -> bool:
    if written == "$":
        return code in _DOLLARS
    return code == _SIGNS.get(written.casefold(), written)


def weighed(found: Sequence[Example]) -> list[Example]:
    """A site with many pages does not outweigh the others."""
    count = Counter((one.role, one.set, one.site) for one in found)
    base = {"products": 2.0, "products hidden": 1.0, "products unseen": 0.5, "distant": 0.5,
            "distant hidden": 1.0, "distant unseen": 0.3, "none": 0.1, "swde": 1.0}  # fmt: skip
    return [
        replace(one, weight=base[one.set] / count[one.role, one.set, one.site] ** 0.7)
        for one in found
    ]
