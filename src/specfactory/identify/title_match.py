"""Compare a product's name with a title, word by word."""

import re
from collections.abc import Iterator, Sequence

from specfactory.identify.look_alikes import as_seen, has_odd_forms
from specfactory.identify.measures import split_measures
from specfactory.identify.names import BRACKET, GLUED, LIST, PLAIN, SEGMENT, squash, tokenise
from specfactory.identify.other_things import other_thing_check
from specfactory.identify.title import Alignment, Span, Title, family, other, unsure
from specfactory.identify.title_context import HARD, SKIPPED, Frame, Name, WordKind
from specfactory.identify.variants import doubt_check, measure_check, strange_word, variant_check
from specfactory.model import Verdict

_GENERATION = re.compile(r"(?:gen|mk)(?:[2-9]|\d\d)")
_LISTED = frozenset({WordKind.SIBLING, WordKind.VARIANT, WordKind.SUFFIX})
_PAGE_WORDS = SKIPPED - {WordKind.BRAND, WordKind.FOREIGN} | {
    WordKind.WITH, WordKind.EDITION, WordKind.SERIES, WordKind.BUNDLE, WordKind.FOR,
    WordKind.VERSUS,
}  # fmt: skip


def align(frame: Frame, text: str, *, slug: bool = False) -> Alignment:
    """Say whether a title names the product, another one, several, or none.

    Where it makes a difference that letters only look Latin, a person is asked.
    """
    if text.isascii():
        return _align(frame, text, slug)
    shown = as_seen(text, frame.name.words)
    found = _align(frame, shown, slug)
    written = found if shown == text else _align(frame, text, slug)
    named = {found.verdict, written.verdict} & {Verdict.SAME, Verdict.FAMILY} or found.extra
    if not named or (written == found and not has_odd_forms(text)):
        return found
    reason = f"has letters that only look like those of {shown[:80]!r}"
    return Alignment(Verdict.UNSURE, 0.5, reason, found.brand, firm=True, disguised=True)


def _align(frame: Frame, text: str, slug: bool) -> Alignment:
    tokens = tokenise(text)
    kinds = frame.kinds(tokens)
    title = Title(frame, tokens, kinds, slug, WordKind.BRAND in kinds, split_measures(tokens)[1])
    name, lean = frame.name, frame.lean
    span = find(title, name.brand, name.key)
    if span is None and lean != name.model:
        span = find(title, name.brand, squash(lean))
    if span is None:
        span = _find_reordered(title, lean)
    if span is None:
        return _without_model(title)
    # the model's words stand there; does anything next to them make another product of it?
    checks = (
        _names_sibling, _names_several, other_thing_check, _extra_word, variant_check,
        measure_check, doubt_check,
    )  # fmt: skip
    for check in checks:
        if (found := check(title, span)) is not None:
            return found
    confidence, notes = 0.95, ["names the product"]
    words = [title.tokens[at].text for at in range(*span)]
    if [w for w in words if w in name.model] != list(name.model) and len(words) > 1:
        confidence, notes = confidence - 0.05, ["names the product in other words or order"]
    if missing := sorted(name.variant - {token.text for token in title.tokens}):
        confidence -= 0.03
        notes.append(f"does not say {', '.join(missing)}, but the catalogue has one variant only")
    if word := strange_word(title, span[1]):
        confidence -= 0.08
        notes.append(f"goes on with {word!r}")
    if name.brand and not title.brand:
        confidence -= 0.04
        notes.append("without the brand")
    said = ", ".join(notes)
    measures = title.measures
    return Alignment(Verdict.SAME, round(confidence, 3), said, title.brand, measures=measures)


# -- finding a name ---------------------------------------------------------------------------


def find(title: Title, brand: str, key: str) -> Span | None:
    """The first place at which a model is named in its own order, with or without its brand."""
    for at, token in enumerate(title.tokens):
        after_brand = title.kinds[at - 1] is WordKind.BRAND or not token.text.isascii()
        if token.gap == GLUED and not after_brand:
            continue
        for wanted in (key, brand + key):
            end = _consume(title, at, wanted)
            if end is not None:
                return at, end
    return None


def _consume(title: Title, start: int, key: str) -> int | None:
    """Read ``key`` off the words from ``start`` on; the end, or None.

    Neutral words between may be passed over, breaks between parts of a title may not, and
    two numbers never run together.
    """
    done, at, last = 0, start, ""
    while at < len(title.tokens):
        token = title.tokens[at]
        if at > start and token.gap == SEGMENT:
            return None
        text = "·" + token.text if last.isdigit() and token.text[:1].isdigit() else token.text
        if key.startswith(text, done):
            done, last = done + len(text), token.text[-1:]
            if done == len(key):
                return at + 1
        elif at == start or not _passable(title, at):
            return None
        at += 1
    return None


def _passable(title: Title, at: int) -> bool:
    own_variant = title.tokens[at].text in title.frame.name.variant
    return title.kinds[at] in SKIPPED or own_variant


def _find_reordered(title: Title, words: Sequence[str]) -> Span | None:
    """All words of the model side by side in another order; one word has no order."""
    if len(words) < 2:
        return None
    texts = [token.text for token in title.tokens]
    for start in range(len(texts)):
        wanted = list(words)
        for at in range(start, len(texts) if texts[start] in words else start):
            if at > start and title.tokens[at].gap in (SEGMENT, LIST):
                break
            if texts[at] in wanted:
                wanted.remove(texts[at])
            elif not _passable(title, at):
                break
            if not wanted:
                return start, at + 1
    return None


# -- the model is named -----------------------------------------------------------------------


def _names_sibling(title: Title, span: Span) -> Alignment | None:
    for name, place in _mentions(title):
        if place[0] <= span[0] and span[1] <= place[1] and place != span:
            return other(title, f"names {name.full}", 0.97, extra=True)
    return None


def _names_several(title: Title, span: Span) -> Alignment | None:
    for name, place in _mentions(title):
        if place[1] <= span[0] or span[1] <= place[0]:
            return family(title, f"names {name.full} as well", 0.9)
    if WordKind.VERSUS in title.kinds:
        return family(title, "compares it with something else", 0.85)
    if _repeated(title, span):
        return family(title, "names the family more than once, with different endings", 0.8)
    after = span[1]  # "V3 / V3 Pro": the word by which the next of a list differs
    if after >= len(title.tokens) or title.tokens[after].gap != LIST:
        return None
    while after < len(title.tokens) and title.kinds[after] in (WordKind.OWN, WordKind.BRAND):
        after += 1
    if after >= len(title.tokens) or title.kinds[after] not in HARD:
        return None
    return family(title, f"lists {title.tokens[after].text!r} beside it", 0.8)


def _mentions(title: Title) -> Iterator[tuple[Name, Span]]:
    joined = "".join(token.text for token in title.tokens)
    for sibling in title.frame.siblings:
        likely = len(sibling.key) >= 3 and sibling.model[0] in joined
        place = find(title, sibling.brand, sibling.key) if likely else None
        if place is not None and (sibling.brand == title.frame.name.brand or len(sibling.key) > 4):
            yield sibling, place


def _repeated(title: Title, span: Span) -> bool:
    """Tell whether the family's name stands again, followed by a word of some other model."""
    head = title.frame.lean[0]
    for at in range(len(title.tokens) - 1):
        if span[0] <= at < span[1] or title.tokens[at].text != head or not head.isalpha():
            continue
        plain_gap = title.tokens[at + 1].gap in (PLAIN, GLUED)
        if not plain_gap or len(head) <= 2:
            continue
        # repeated in full, or cut short by a neutral word, it is still the same name
        is_whole = _consume(title, at, title.frame.name.key) is not None
        if not is_whole and title.kinds[at + 1] in HARD | {WordKind.OWN, WordKind.UNKNOWN}:
            return True
    return False


def _extra_word(title: Title, span: Span) -> Alignment | None:
    """A word next to the model that makes another model of it."""
    at = _hard_after(title, span[1])
    if at is None:  # or right before it, the brand between them set aside
        at, parted = span[0] - 1, title.tokens[span[0]].gap in (SEGMENT, LIST)
        if at < 0 or parted or title.kinds[at] not in _LISTED or _compound(title, at):
            return None
    reason = f"adds {title.tokens[at].text!r} to the model"
    if title.kinds[at] is WordKind.SIBLING:
        reason += ", as a sibling does"
    sure = 0.97 if title.kinds[at] is not WordKind.VERSION else 0.9
    return other(title, reason, sure, extra=True)


def _hard_after(title: Title, start: int) -> int | None:
    """A telling word after the model: listed ones beyond neutral words too, others only next."""
    for at in range(start, len(title.tokens)):
        kind, gap = title.kinds[at], title.tokens[at].gap
        if gap in (SEGMENT, LIST):
            return None
        text = title.tokens[at].text
        # a bare number or letter is telling only right behind the name
        telling = kind in _LISTED and len(text) > 1 and not text.isdigit()
        if kind in HARD and (telling or _counts_next(title, at, start)):
            return None if _compound(title, at) else at
        if gap == GLUED and at == start and kind is WordKind.UNKNOWN:
            return at
        if kind not in SKIPPED | {WordKind.OWN, WordKind.CODE}:
            return None
    return None


def _counts_next(title: Title, at: int, start: int) -> bool:
    """Tell whether a word that looks like a piece of a model stands right behind the model."""
    if title.tokens[at].gap == BRACKET and not _GENERATION.fullmatch(title.tokens[at].text):
        return False
    between = title.kinds[start:at]
    text = title.tokens[at].text
    numbered = text[:1].isalpha() and text[-1:].isdigit()
    return all(k in (WordKind.OWN, WordKind.BRAND) for k in between) and (
        numbered or not title.slug
    )


def _compound(title: Title, at: int) -> bool:
    """``ultra lightweight`` and ``super fast`` are praise, not names."""
    if title.tokens[at].text not in ("ultra", "super") or at + 1 >= len(title.tokens):
        return False
    return title.kinds[at + 1] is WordKind.NEUTRAL and title.tokens[at + 1].gap in (PLAIN, GLUED)


# -- the model is not named -------------------------------------------------------------------


def _without_model(title: Title) -> Alignment:
    """Something else, the family, or nothing is named."""
    for name, _ in _mentions(title):
        return other(title, f"names {name.full}", 0.95)
    texts, lean = {token.text for token in title.tokens}, title.frame.lean
    present, missing = [w for w in lean if w in texts], [w for w in lean if w not in texts]
    if title.frame.lean[0] in present:
        # the first word of the model stands there, but not all of it
        hard = title.words(HARD)
        if hard and missing:
            return other(title, f"says {hard[0]!r} and lacks {missing[0]!r}", 0.95)
        if WordKind.SERIES in title.kinds:
            return family(title, "names the family only", 0.7)
        numbered = any(any(c.isdigit() for c in w) for w in title.words(frozenset({WordKind.OWN})))
        if numbered or not missing:
            return other(title, f"lacks {(missing or ['the order'])[0]!r} of the model", 0.9)
        return family(title, f"names the family, but not {missing[0]!r}", 0.6)
    if present and not missing[1:] and WordKind.UNKNOWN not in title.kinds:
        return unsure(title, f"leaves out {missing[0]!r}", 0.5)
    kinds = set(title.kinds)
    pointing = title.words(HARD | {WordKind.RIVAL})
    strange = title.words(frozenset({WordKind.UNKNOWN, WordKind.CODE}))
    if WordKind.BRAND in kinds:
        if pointing or (strange and WordKind.SERIES not in kinds):
            return other(title, f"another product of the brand: {(pointing or strange)[0]!r}", 0.9)
        return family(title, "names the brand only", 0.4)
    if pointing and not title.slug:
        return other(title, f"points to something else: {pointing[0]!r}", 0.75)
    known = sum(kind in _PAGE_WORDS for kind in title.kinds)
    if strange and known < len(strange):
        return unsure(title, f"may name something else: {strange[0]!r}", 0.4)
    return Alignment(None, 0.5, "names no product")
