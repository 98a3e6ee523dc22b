"""Templates at work that a new one must be compared with before it replaces them."""

from collections.abc import Sequence

from specfactory.contract import CompiledContract
from specfactory.extract.templates import FITS, Applied, apply_template, share_of
from specfactory.learn import Labelled
from specfactory.model import Template
from specfactory.validate import validate

_LOOKED_AT = 5  # pages of the layout, the latest


def find_rivals(
    proposed: Template,
    at_work: Sequence[Template],
    pages: Sequence[Labelled],
    compiled: CompiledContract,
) -> frozenset[str]:
    """Names of the templates that still give a valid value on pages of the proposed layout.

    After a relaunch there are none: the old one fits no page any more, or finds nothing there.
    """
    if not at_work:
        return frozenset()
    own = [one for one in pages if share_of(proposed.shape, one.shape) >= FITS]

    def works(template: Template) -> bool:
        fitting = (
            one.views for one in own[:_LOOKED_AT] if share_of(template.shape, one.shape) >= FITS
        )
        applied = Applied(template)
        found = (one for views in fitting for one in apply_template(applied, views, compiled)[0])
        return any(validate(one, compiled) is None for one in found)

    return frozenset(template.id for template in at_work if works(template))
