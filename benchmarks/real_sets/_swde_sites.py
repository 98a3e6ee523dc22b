"""The sites of the set: a folder each, named after its trade and itself."""

from __future__ import annotations

import tarfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.real_sets._pages import SetPage, truth_rows
from specfactory.contract import CompiledContract, compile_contract, parse_contract
from specfactory.extract.templates.rule_vote import folded
from specfactory.learn import Labelled, Lesson, label_page
from specfactory.learn.unlabelled.known_values import Knowledge, knowledge_of


@dataclass(frozen=True, slots=True)
class PageTruth:
    """A page as captured and what stands on it."""

    name: str
    seed: bool
    body: bytes
    fields: Mapping[str, list[str]]


@dataclass(slots=True)
class Tally:
    """Right answers, answers, and what was to be found."""

    right: int = 0
    given: int = 0
    asked: int = 0

    @property
    def f1(self) -> float | None:
        return 2 * self.right / (self.given + self.asked) if self.asked else None

    def count_one(self, got: Collection[str], truth: Collection[str]) -> None:
        """One answer is right when it is among the values of the page."""
        self.right += any(words in truth for words in got)
        self.given += bool(got)
        self.asked += bool(truth)

    def count_set(self, got: set[str], truth: set[str]) -> None:
        """Every value counts."""
        self.right += len(got & truth)
        self.given += len(got)
        self.asked += len(truth)


def scores(tallies: Mapping[str, Tally]) -> dict[str, float]:
    """F1 per attribute; what no page has is left out."""
    return {name: tally.f1 for name, tally in tallies.items() if tally.f1 is not None}


def site_pages(folder: Path) -> Iterator[PageTruth]:
    """The pages of a site with their truth."""
    with tarfile.open(folder / "pages.tar.xz") as tar:
        bodies = {Path(m.name).stem: tar.extractfile(m).read() for m in tar if m.isfile()}  # type: ignore[union-attr]
    for row in truth_rows(folder):
        yield PageTruth(row["page"], row["role"] == "seed", bodies[row["page"]], row["fields"])


def contract_for(names: Collection[str]) -> CompiledContract:
    """A contract made from the names of the attributes alone."""
    fields = "".join(
        f"  {name}: {{group: all, type: text, labels: {{en: [{name.replace('_', ' ')}]}}}}\n"
        for name in names
    )
    text = f"category: things\nversion: '1'\ntitle: Things\nfields:\n{fields}"
    return compile_contract(parse_contract(text, "names"))


def knowledge_for(folder: Path, compiled: CompiledContract) -> Knowledge:
    """The names of the attributes, and the records of the other sites of the same trade."""
    trade = folder.name.partition("-")[0]
    others = [
        site
        for site in sorted(folder.parent.iterdir())
        if site.is_dir() and site != folder and site.name.partition("-")[0] == trade
    ]
    records = [[row["fields"] for row in truth_rows(site)] for site in others]
    return knowledge_of(compiled.contract, records)


def labelled_pages(pages: Sequence[PageTruth], compiled: CompiledContract) -> list[Labelled]:
    """The pages with what they label or mark up themselves, as ``spec learn`` has them."""
    views = (SetPage(page.name, "", "", page.body, {}, {}).views for page in pages)
    return [_in_whole_texts(label_page(Lesson(one), compiled)) for one in views]


def _in_whole_texts(page: Labelled) -> Labelled:
    """The truth of this set is in whole texts: ``Publisher: Knopf``, not ``Knopf``."""
    texts = [text.words for text in page.sample.page.texts]
    labels = {
        name: [min((t for t in texts if value in t), key=len, default=value) for value in values]
        for name, values in page.sample.labels.items()
    }
    return replace(page, sample=replace(page.sample, labels=labels))


def values_of(values: list[str]) -> set[str]:
    """The values of a page as compared; a mere separator ("-") says that there is none."""
    return {folded(value) for value in values if any(map(str.isalnum, value))}
