"""A title as it is read against a product, and what the reading comes to."""

from specfactory.identify.measures import Measure
from specfactory.identify.names import Token
from specfactory.identify.title_context import Frame, WordKind
from specfactory.model import Frozen, Verdict

Span = tuple[int, int]


class Alignment(Frozen):
    """Reading of one title: ``verdict`` is None when it names no product at all.

    ``extra`` means that it names the model and a word that makes another one of it;
    ``measures`` are the sizes and capacities that it names.
    """

    verdict: Verdict | None
    confidence: float
    reason: str
    brand: bool = False
    extra: bool = False
    measures: frozenset[Measure] = frozenset()
    disguised: bool = False  # by letters that only look Latin
    firm: bool = False  # a doubt that stands even if other names of the page are plain


class Title(Frozen):
    """A title's words with what each is to the product."""

    frame: Frame
    tokens: tuple[Token, ...]
    kinds: list[WordKind]
    slug: bool = False  # words of a URL: ids and counters stand among them
    brand: bool = False
    measures: frozenset[Measure] = frozenset()

    def words(self, kinds: frozenset[WordKind]) -> list[str]:
        """The words of these kinds, in their order."""
        return [t.text for t, kind in zip(self.tokens, self.kinds, strict=True) if kind in kinds]


def other(title: Title, reason: str, confidence: float, *, extra: bool = False) -> Alignment:
    """The title names another product."""
    return Alignment(Verdict.OTHER, confidence, reason, title.brand, extra)


def family(title: Title, reason: str, confidence: float) -> Alignment:
    """The title names several products, or none of a family in particular."""
    return Alignment(Verdict.FAMILY, confidence, reason, title.brand)


def unsure(title: Title, reason: str, confidence: float, *, firm: bool = False) -> Alignment:
    """Only a person can say."""
    return Alignment(Verdict.UNSURE, confidence, reason, title.brand, firm=firm)
