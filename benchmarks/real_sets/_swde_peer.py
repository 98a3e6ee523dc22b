"""autoscraper on the same pages: rules from the same labelled pages, the first answer counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.real_sets._swde_sites import PageTruth, Tally, scores, values_of
from specfactory.extract.templates.rule_vote import folded

PEER_PAGES = 20  # test pages per site; it takes about a second for each
_MAX_BYTES = 400_000


def peer_scores(seeds: Sequence[PageTruth], tests: Sequence[PageTruth]) -> dict[str, float] | None:
    """F1 per attribute; None when the peer is not installed."""
    try:
        from autoscraper import AutoScraper  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    scraper = _mended(AutoScraper)()
    for page in seeds:
        wanted = {name: values for name, values in page.fields.items() if values}
        _quietly(scraper.build, html=_html(page), wanted_dict=wanted, update=True)
    tallies = {name: Tally() for name in seeds[0].fields}
    for page in tests[:: max(1, len(tests) // PEER_PAGES)][:PEER_PAGES]:
        found = _quietly(scraper.get_result_exact, html=_html(page), group_by_alias=True) or {}
        for name, tally in tallies.items():
            first = [folded(words) for words in found.get(name, ())[:1]]
            tally.count_one(first, values_of(page.fields[name]))
    return scores(tallies)


def _mended(scraper: Any) -> Any:
    """It says "" for an attribute that is missing, which newer Beautiful Soups take literally."""

    class Mended(scraper):  # type: ignore[misc]
        @staticmethod
        def _get_valid_attrs(item: Any) -> dict[str, Any]:
            found = scraper._get_valid_attrs(item)
            return {name: value or None for name, value in found.items()}

    return Mended


def _html(page: PageTruth) -> str:
    return page.body[:_MAX_BYTES].decode("utf-8", "replace")


def _quietly(work: Any, **given: Any) -> Any:
    """Whatever the peer stumbles over, it has no answer there."""
    try:
        return work(**given)
    except Exception:
        return None
