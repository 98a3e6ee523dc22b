"""The truth of the demo web: its products and every value, drawn from the seed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .catalogue import Mouse, choose_mice, read_yaml, siblings
    from .facts import Facts, draw_facts
    from .own_values import OWN_FIELDS, FactsAt, facts_at, leading
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
