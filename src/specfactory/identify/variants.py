"""The model is named: is it this variant of it, and as its maker sells it?"""

from specfactory.identify.measures import lists_several, of_unit, say
from specfactory.identify.names import GLUED, PLAIN
from specfactory.identify.title import Alignment, Span, Title, family, other, unsure
from specfactory.identify.title_context import WordKind
from specfactory.identify.vocabulary import COLOURS, CONDITION, CONNECTIONS

_CONNECTIONS = frozenset(CONNECTIONS.values())
_COLOURS = frozenset(COLOURS.values())


def variant_check(title: Title, span: Span) -> Alignment | None:
    """Connection, colour: contradicted, or left open although the catalogue knows several."""
    own = title.frame.name.variant
    for group in (_CONNECTIONS, _COLOURS):
        named = (
            set(title.words(frozenset({WordKind.CONNECTION, WordKind.COLOUR, WordKind.OWN})))
            & group
        )
        if own & group and named and not named & own:
            return other(title, f"says {min(named)}, not {min(own & group)}", 0.93, extra=True)
    missing = sorted(own - {token.text for token in title.tokens})
    if missing and (title.frame.split or CONDITION & own):
        return family(title, f"does not say which variant ({', '.join(missing)})", 0.7)
    return None


def measure_check(title: Title, span: Span) -> Alignment | None:
    """Size and capacity: another one than the product's, a sibling's, several, or none."""
    name = title.frame.name
    for unit in sorted({unit for _, unit in name.measures}):
        own, named = of_unit(name.measures, unit), of_unit(title.measures, unit)
        if named and not named & own:
            return other(title, f"says {say(named)}, not {say(own)}", 0.95, extra=True)
        if lists_several(named):
            return family(title, f"names several variants: {say(named)}", 0.8)
        if not named and not any(map(title.frame.is_size, title.tokens)):
            return family(title, f"does not say which variant ({say(own)})", 0.7)
    for sibling in title.frame.siblings:
        theirs = (sibling.measures - name.measures) & title.measures
        if theirs and (sibling.brand, sibling.key) == (name.brand, name.key):
            return other(title, f"names {sibling.full} ({say(theirs)})", 0.97, extra=True)
    return None


def doubt_check(title: Title, span: Span) -> Alignment | None:
    """Ask for review of what may or may not make another product of it."""
    if WordKind.BUNDLE in title.kinds:
        return unsure(title, "is a bundle with other things", 0.55, firm=True)
    if WordKind.CONDITION in title.kinds and "new" not in title.words(
        frozenset({WordKind.NEUTRAL})
    ):
        words = " ".join(title.words(frozenset({WordKind.CONDITION})))
        return unsure(title, f"is {words!r}, not as it was made", 0.55, firm=True)
    start, kinds = span[0], title.kinds
    in_part = start > 0 and title.tokens[start].gap in (PLAIN, GLUED)
    if in_part and kinds[start - 1] is WordKind.UNKNOWN and title.frame.bare:
        reason = f"has {title.tokens[start - 1].text!r} before it, which may be part of a name"
        return unsure(title, reason, 0.55, firm=True)
    for at in range(1, len(kinds)):  # colours and the standard one name no edition
        if kinds[at] is WordKind.EDITION and kinds[at - 1] is WordKind.UNKNOWN:
            return unsure(title, f"is the edition {title.tokens[at - 1].text!r}", 0.55)
    word = strange_word(title, span[1])
    if word is not None and not title.frame.name.numbered:
        return unsure(title, f"goes on with {word!r}, which may be part of a name", 0.55)
    return None


def strange_word(title: Title, after: int) -> str | None:
    """A word right behind the model that nobody knows."""
    if after >= len(title.tokens) or title.tokens[after].gap not in (PLAIN, GLUED):
        return None
    return title.tokens[after].text if title.kinds[after] is WordKind.UNKNOWN else None
