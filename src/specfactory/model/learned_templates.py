"""Learned templates with their figures, people's labels, and counts of templates in use."""

import math

from specfactory.model.base import Explained, Frozen, Instant, field

_Z = 1.645  # one-sided, 95%


class TemplateStatus(Explained):
    """State of a template."""

    PROPOSED = "proposed", "Learned, but a person is asked first."
    TRIAL = "trial", "Its values are counted beside those at work, and not used yet."
    ADOPTED = "adopted", "At work."
    RETIRED = "retired", "Was at work, or was overtaken by a later one."
    REJECTED = "rejected", "A person said no, or rolled it back."


def lower_bound(right: int, tried: int) -> float:
    """The share that is exceeded with 95% certainty (Wilson); 0 when nothing was tried."""
    if not tried:
        return 0.0
    share = right / tried
    middle = share + _Z * _Z / (2 * tried)
    spread = _Z * math.sqrt(share * (1 - share) / tried + _Z * _Z / (4 * tried * tried))
    return (middle - spread) / (1 + _Z * _Z / tried)


class FieldFigures(Frozen):
    """Figures of one field of a template: on held-out pages, and on all samples (the baseline)."""

    field: str
    right: int = 0  # on held-out pages
    tried: int = 0
    pages: int = 0  # of all samples
    filled: int = 0
    valid: int = 0
    quotes: tuple[str, ...] = ()  # examples, as they stand on the samples
    origins: tuple[str, ...] = ()  # origins of the labels: person, structured data …
    left_out: str = ""  # why the template does not have it
    better: int = 0  # held-out pages on which it beats what they give without a template
    worse: int = 0  # and those on which it is worse

    @property
    def likelihood(self) -> float:
        """The likelihood of its answers; few pages make nothing certain."""
        return (self.right + 1) / (self.tried + 2)

    @property
    def accuracy(self) -> float:
        """The share of right answers on held-out pages."""
        return self.right / self.tried if self.tried else 0.0

    @property
    def lower_bound(self) -> float:
        """The accuracy that is exceeded with 95% certainty."""
        return lower_bound(self.right, self.tried)

    @property
    def fill_rate(self) -> float:
        """The share of samples on which it finds a value."""
        return self.filled / self.pages if self.pages else 0.0


class LearnedTemplate(Frozen):
    """A template in the store, without its rules."""

    host: str
    category: str
    layout: str  # a short name, the same for all versions
    status: TemplateStatus
    accuracy: float
    lower_bound: float
    sample_count: int
    created_at: Instant
    created_by: str
    fields: tuple[FieldFigures, ...] = ()
    reason: str = ""  # of its status
    digest: str = ""
    id: int = 0
    version: int = 0
    reviewed_at: Instant | None = None
    reviewed_by: str | None = None
    replaces: int | None = None  # the one that was at work for the layout before
    pages_read: int = 0
    drifted_at: Instant | None = None

    @property
    def name(self) -> str:
        """Its id as people see it."""
        return template_name(self.id)

    @property
    def at_work(self) -> tuple[FieldFigures, ...]:
        """The fields that it has."""
        return tuple(figures for figures in self.fields if not figures.left_out)


def template_name(template_id: int) -> str:
    """A template's id as people see it: ``t12``."""
    return f"t{template_id}"


class PageLabel(Frozen):
    """A person's label of a field on a page; no value: the page does not say."""

    page_id: str
    host: str
    field: str
    values: tuple[str, ...]
    actor: str
    set_at: Instant


class TemplateUse(Frozen):
    """Fields of one template on one page; ``disagreed`` with values read without it."""

    template_id: str
    filled: tuple[str, ...] = ()
    valid: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    disagreed: tuple[str, ...] = ()
    trial: bool = False


class FieldConduct(Frozen):
    """Counts of one field of a template over its latest pages."""

    field: str
    pages: int
    filled: int
    valid: int
    agreed: int = 0
    disagreed: int = 0


class TemplateConduct(Frozen):
    """Counts of a template over its latest pages, field by field."""

    pages: int
    fields: tuple[FieldConduct, ...] = field(default_factory=tuple)
