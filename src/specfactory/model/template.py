"""Templates: learned rules for one layout of one source."""

from specfactory.model.base import Frozen


class Feature(Frozen):
    """A property of a text on a page: its path, the label before it, its shape …"""

    kind: str
    value: str


class Rule(Frozen):
    """Texts for which all features hold; ``features`` are places in the template's table."""

    features: tuple[int, ...]
    weight: float
    first: bool = False  # of all that it selects, only the first is meant


class Cut(Frozen):
    """Position of the value in its text: after ``left``, before ``right``, ``length`` long."""

    left: str = ""
    right: str = ""
    length: int = 0


class Probe(Frozen):
    """A quick way to a value: a selector, which text below it, and the words before it.

    ``back`` says how many texts before it they stand; 0 stands for any of the few before.
    """

    selector: str
    place: int
    before: str = ""
    back: int = 1


class Ballot(Frozen):
    """Rules that vote together for one value, or for all values of a list.

    ``siblings`` takes the neighbours of the chosen text along that are made as it is made.
    """

    rules: tuple[Rule, ...]
    floor: float
    many: bool = False
    siblings: bool = False


class FieldTemplate(Frozen):
    """Rules for one field on the pages of a layout.

    ``one`` finds the best single value, ``parts`` all values. A text whose form is not among
    ``forms`` needs more votes. ``probes`` are quick ways that
    agreed with the vote on every sample; where they disagree, the rules vote. ``likelihood``
    is calibrated on pages left out; a field that ``leads`` was better there than what the
    pages give without a template.
    """

    field: str
    one: Ballot
    parts: tuple[Ballot, ...]
    forms: tuple[str, ...] = ()
    cut: Cut | None = None
    probes: tuple[Probe, ...] = ()
    optional: bool = False  # some samples had no value
    support: float = 1.0  # the share of the vote on the samples, on average
    likelihood: float | None = None
    leads: bool = False


class Template(Frozen):
    """Learned rules for one layout of one source.

    ``statics`` are the texts that stand on most pages of the layout: labels, menus, headings.
    """

    id: str
    host: str
    statics: tuple[str, ...]
    features: tuple[Feature, ...]
    fields: tuple[FieldTemplate, ...]
    version: int = 1
    shape: tuple[int, ...] = ()  # what pages of the layout have in common; empty fits all
