"""Weights of guesses, learned from sites with truth: python -m benchmarks.train_guesses DIR.

DIR has a folder per site, named after its trade and itself. The weights make the columns that
hold a field likely among all columns of its site (a softmax, by gradients). They are printed as
they stand in ``specfactory.learn.unlabelled.guesses``, with what they reach on trades left out.
Run it where numpy is: make peers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from benchmarks.real_sets._pages import half
from benchmarks.real_sets._swde_sites import contract_for, knowledge_for, site_pages, values_of
from specfactory.extract.templates.text_nodes import read_texts
from specfactory.learn import Sample
from specfactory.learn.unlabelled.column_measures import Likeness
from specfactory.learn.unlabelled.guesses import Compared, compare

MANY = 99
SOURCES = (MANY, 2, 1, 0)  # with few sources too, so that few known records do not mislead
_NEAR_BEST = 0.9
_STEPS, _RATE, _PULL = 300, 0.06, 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """Which column of a site holds a field: the measures of all, and how right each is."""

    site: str
    field: str
    sources: int
    measures: Any
    rights: Any

    @property
    def trade(self) -> str:
        return self.site.partition("-")[0]


def main() -> None:
    """Ask about every field of every site, leave trades out, then learn from all."""
    import numpy as np  # type: ignore[import-not-found,unused-ignore]

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dir", type=Path, metavar="DIR")
    sites = sorted(site for site in parser.parse_args().dir.iterdir() if site.is_dir())
    asked = [one for site in sites for one in questions(site)]
    spread = np.vstack([one.measures for one in asked]).std(0) + 1e-9
    tested = []
    for trade in dict.fromkeys(one.trade for one in asked):
        weights = fit([one for one in asked if one.trade != trade], spread)
        tested += [(one, right_of(one, weights)) for one in asked if one.trade == trade]
    for few in dict.fromkeys(one.sources for one in asked):
        of_few = [(one.site, right) for one, right in tested if one.sources == few]
        print(f"# trades left out, at most {few} sources: {_line(of_few)}")
    print("WEIGHTS: Final = Likeness(")
    for name, weight in zip(Likeness._fields, fit(asked, spread), strict=True):
        print(f"    {name}={weight:.3f},")
    print(")")


def questions(site: Path) -> Iterator[Question]:
    """The fields that a site has, asked with all known sources and with few of them."""
    seeds = [page for page in site_pages(site) if page.seed]
    samples = [Sample(read_texts(LexborHTMLParser(page.body))) for page in seeds]
    knowledge = knowledge_for(site, contract_for(seeds[0].fields))
    for few in SOURCES:
        compared = compare(samples, replace(knowledge, sources=knowledge.sources[:few]))
        for name in knowledge.names:
            truth = [values_of(page.fields[name]) for page in seeds]
            found = _question(site.name, name, few, compared, truth)
            if found.rights.max() > 0:
                yield found


def _question(
    site: str, name: str, sources: int, compared: Compared, truth: Sequence[set[str]]
) -> Question:
    import numpy as np

    asked = sum(map(bool, truth))
    rights = []
    for column in compared.columns:
        spots = zip(compared.pages, column.at, truth, strict=True)
        right = sum(page.folded[at] in values for page, at, values in spots if at is not None)
        rights.append(2 * right / max(len(column.values) + asked, 1) if asked else 0.0)
    return Question(
        site, name, sources, np.array(compared.likenesses[name]), np.array(rights or [0.0])
    )


def fit(asked: Sequence[Question], spread: Any) -> Any:
    """The weights that make the right columns likely; a pull to nothing keeps them small."""
    import numpy as np

    weights, speed, force = (np.zeros(len(spread)) for _ in range(3))
    scaled = [(one.measures / spread, one.rights >= _NEAR_BEST * one.rights.max()) for one in asked]
    for step in range(1, _STEPS + 1):
        slope = _PULL * weights / len(asked)
        for measures, right in scaled:
            slope = slope - _slope(measures, right, weights) / len(asked)
        speed, force = 0.9 * speed + 0.1 * slope, 0.99 * force + 0.01 * slope * slope
        moved = speed / (1 - 0.9**step) / (np.sqrt(force / (1 - 0.99**step)) + 1e-8)
        weights = weights - _RATE * moved
    return weights / spread


def _slope(measures: Any, right: Any, weights: Any) -> Any:
    import numpy as np

    scores = measures @ weights
    likely = np.exp(scores - scores.max())
    likely /= likely.sum()
    wanted = likely * right + 1e-12 * right
    return (wanted / wanted.sum() - likely) @ measures


def right_of(one: Question, weights: Any) -> float:
    """How right the column is that the weights choose."""
    return float(one.rights[(one.measures @ weights).argmax()])


def _line(tested: Sequence[tuple[str, float]]) -> str:
    parts = [("all", tested)]
    parts += [(f"half {name}", [one for one in tested if half(one[0]) == name]) for name in "ab"]
    return ", ".join(f"{name} {sum(r for _, r in p) / max(len(p), 1):.4f}" for name, p in parts)


if __name__ == "__main__":
    main()
