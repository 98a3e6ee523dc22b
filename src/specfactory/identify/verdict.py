"""Judge pages and short texts: is this about this very product?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from specfactory.identify.measures import Measure
from specfactory.identify.names import key_of, slug_words, tokenise
from specfactory.identify.page_ids import IdFinding, compare_ids
from specfactory.identify.title import Alignment
from specfactory.identify.title_context import Frame, frame_of
from specfactory.identify.title_match import align
from specfactory.identify.vocabulary import CONDITION, CONNECTIONS
from specfactory.model import Frozen, Identity, IdentityRules, Product, Verdict, replace

if TYPE_CHECKING:
    from specfactory.proof import PageViews

Owner = Callable[[int], str | None]

NEUTRAL_CONFIDENCE = 0.5  # of a text that names no product: it does not point elsewhere
ID_CONFIDENCE = 0.995
VETO_CONFIDENCE = 0.98
_SEVERAL = 0.8  # from here on a family verdict means that several products are named
_CONNECTIONS = frozenset(CONNECTIONS.values())
_MAKERS = ("brand", "brand.name", "manufacturer.name")
_CONDITIONS = ("itemCondition", "offers.itemCondition")
_USED = re.compile(
    rf"(?<!un)(?:{'|'.join(sorted(CONDITION))}|damaged)(?:condition)?$", re.IGNORECASE
)
_TEXT_SEARCHED = 20_000  # characters of a page in which the brand is looked for


class Signal(Frozen):
    """Reading of one part of a page: title, heading, item or URL."""

    where: str
    text: str
    alignment: Alignment
    weak: bool = False  # a URL: made once, often for an older name

    def __str__(self) -> str:
        return f"{self.where} {self.text[:80]!r} {self.alignment.reason}"


def judge_subject(
    product: Product, rules: IdentityRules, subject: str, siblings: Sequence[Product] = ()
) -> Identity:
    """Judge a short text: a column head, a heading, a search hit's title, a URL."""
    return _judge_text(frame_of(product, rules, siblings), subject.strip())


@lru_cache(maxsize=8192)
def _judge_text(frame: Frame, text: str) -> Identity:
    slug = text.startswith(("http://", "https://", "/"))
    found = align(frame, slug_words(text) if slug else text, slug=slug)
    reason = f"{text[:80]!r} {found.reason}"
    if found.verdict is None:
        return Identity(Verdict.SAME, NEUTRAL_CONFIDENCE, (reason,))
    sure = found.confidence - (0.1 if slug and found.verdict is Verdict.SAME else 0)
    return Identity(found.verdict, round(sure, 3), (reason,))


def judge_page(
    product: Product,
    rules: IdentityRules,
    views: PageViews,
    siblings: Sequence[Product] = (),
    owner: Owner = lambda offset: None,
) -> Identity:
    """Judge a page: by its hard ids, then by what its title, heading, item and URL name.

    ``owner`` names whose an offset of the text is, None for the page's own thing: ids in boxes
    about other things say nothing about this product.
    """
    frame = frame_of(product, rules, siblings)

    def is_own(offset: int) -> bool:
        subject = owner(offset)
        if subject is None:
            return True
        judged = _judge_text(frame, subject) if subject else None
        return judged is not None and judged.verdict is Verdict.SAME

    ids = compare_ids(product, rules, views, is_own)
    signals = list(_signals(frame, views))
    if ids.conflict:
        return Identity(Verdict.OTHER, VETO_CONFIDENCE, (ids.conflict, *map(str, signals)))
    by_names = _as_sold(_with_brand(_weigh(signals), frame, signals, views), frame, views)
    strong = [signal.alignment for signal in signals if not signal.weak]
    extra = any(alignment.extra for alignment in strong)
    # combine names and hard ids: a match is near certain, unless the names contradict it
    reasons = (*((ids.match,) if ids.match else ()), *by_names.reasons)
    if not ids.match:
        found = Identity(by_names.verdict, by_names.confidence, reasons)
        return _with_ids(found, ids) if by_names.verdict is Verdict.SAME else found
    disguised = any(alignment.disguised for alignment in strong)
    if disguised or (by_names.verdict is Verdict.OTHER and extra):
        return Identity(Verdict.UNSURE, 0.5, (*reasons, "the id and the names contradict"))
    return _with_ids(Identity(Verdict.SAME, ID_CONFIDENCE, reasons), ids)


def _with_ids(found: Identity, ids: IdFinding) -> Identity:
    hard_ids = {kind: one.text for kind, one in ids.proven.items()}
    evidence = {kind: one.evidence for kind, one in ids.proven.items()}
    return replace(found, hard_ids=hard_ids, id_evidence=evidence)


def named_measures(
    product: Product, rules: IdentityRules, views: PageViews, siblings: Sequence[Product] = ()
) -> tuple[Measure, ...]:
    """The sizes and capacities by which a page tells a variant that the product leaves open."""
    frame = frame_of(product, rules, siblings)
    own = {unit for _, unit in frame.name.measures}
    found = {
        measure
        for signal in _signals(frame, views)
        if not signal.weak
        for measure in signal.alignment.measures
    }
    return tuple(sorted(measure for measure in found if measure[1] not in own))


def named_connections(
    product: Product, rules: IdentityRules, views: PageViews, siblings: Sequence[Product] = ()
) -> tuple[str, ...]:
    """The connections by which a page tells a variant that the product leaves open."""
    frame = frame_of(product, rules, siblings)
    texts = (
        signal.text
        for signal in _signals(frame, views)
        if not signal.weak and signal.alignment.verdict is Verdict.SAME
    )
    return connections_in(product, *texts)


def connections_in(product: Product, *texts: str) -> tuple[str, ...]:
    """The connections (wired, wireless) in names of a product; none where it names its own."""
    own, said = ({token.text for text in some for token in tokenise(text)} & _CONNECTIONS
                 for some in ((product.model, product.variant), texts))  # fmt: skip
    return () if own else tuple(sorted(said))


def _signals(frame: Frame, views: PageViews) -> Iterator[Signal]:
    """Read the names a page gives itself, each text once."""
    seen: set[str] = set()
    names = [("item", item.name) for item in views.items if item.main and item.name]
    for where, text in (*names, ("heading", views.h1), ("title", views.title)):
        if text and key_of(text) not in seen:
            seen.add(key_of(text))
            yield Signal(where, text, align(frame, text))
    url = views.canonical_url or views.page.final_url or views.page.url
    if slug := slug_words(url):
        yield Signal("URL", slug, align(frame, slug, slug=True), weak=True)


def _weigh(signals: Sequence[Signal]) -> Identity:
    """One verdict out of what the parts of a page say."""
    reasons = tuple(map(str, signals))
    strong = [s for s in signals if not s.weak and s.alignment.verdict is not None]
    slug = next((s.alignment for s in signals if s.weak), None)
    if not strong:
        # the URL alone is a hint, no more
        if slug is None or slug.verdict is None:
            return Identity(Verdict.UNSURE, 0.3, (*reasons, "nothing on the page names a product"))
        return Identity(slug.verdict, round(slug.confidence * 0.8, 3), reasons)
    by_verdict = {v: [s.alignment for s in strong if s.alignment.verdict is v] for v in Verdict}
    if not by_verdict[Verdict.SAME]:
        for verdict in (Verdict.OTHER, Verdict.UNSURE, Verdict.FAMILY):
            if by_verdict[verdict]:
                break
        doubt = any(a.firm for a in by_verdict[verdict])
        if verdict is Verdict.UNSURE and not doubt and slug and slug.verdict is Verdict.SAME:
            return Identity(Verdict.SAME, 0.8, (*reasons, "the URL settles it"))
        return Identity(verdict, max(a.confidence for a in by_verdict[verdict]), reasons)
    if by_verdict[Verdict.OTHER]:
        return Identity(Verdict.UNSURE, 0.5, (*reasons, "its own names contradict each other"))
    if any(a.firm for a in by_verdict[Verdict.UNSURE]):
        return Identity(Verdict.UNSURE, 0.55, reasons)
    if any(a.confidence >= _SEVERAL for a in by_verdict[Verdict.FAMILY]):
        return Identity(Verdict.FAMILY, 0.8, reasons)
    agreeing = by_verdict[Verdict.SAME]
    confidence = max(a.confidence for a in agreeing) + 0.01 * (len(agreeing) - 1)
    confidence -= 0.07 * bool(by_verdict[Verdict.UNSURE])
    if slug is not None and slug.verdict is Verdict.SAME:
        confidence += 0.02
    elif slug is not None and slug.extra:
        if len(agreeing) < 2:
            return Identity(Verdict.UNSURE, 0.5, (*reasons, "the URL names another variant"))
        confidence -= 0.1
    return Identity(Verdict.SAME, round(min(confidence, 0.99), 3), reasons)


def _with_brand(
    found: Identity, frame: Frame, signals: Sequence[Signal], views: PageViews
) -> Identity:
    """A model without its brand anywhere on the page may be anyone's."""
    named = any(s.alignment.brand for s in signals)
    if found.verdict is not Verdict.SAME or named:
        return found
    brand = frame.name.brand
    host = key_of(urlsplit(views.page.final_url or views.page.url).hostname or "")
    items = [item for item in views.items if item.main]
    makers = [m for item in items for path in _MAKERS for m in item.all(path)]
    said = [host, *map(key_of, (*views.breadcrumbs, *makers))]
    text = views.text[:_TEXT_SEARCHED].casefold()
    if any(brand in key for key in said) or brand in "".join(filter(str.isalnum, text)):
        return found
    return Identity(Verdict.UNSURE, 0.5, (*found.reasons, "the brand stands nowhere on the page"))


def _as_sold(found: Identity, frame: Frame, views: PageViews) -> Identity:
    """Structured data may say what the names do not: that it is a used or refurbished one."""
    said = [text for item in views.items if item.main for path in _CONDITIONS
            for text in item.all(path)]  # fmt: skip
    used = bool(said) and all(_USED.search(text) for text in said)
    if found.verdict is not Verdict.SAME or not used or frame.name.variant & CONDITION:
        return found
    return Identity(Verdict.UNSURE, 0.55, (*found.reasons, f"its condition is {said[0]!r}"))
