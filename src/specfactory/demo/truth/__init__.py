"""The truth of the demo web: its products and every value, drawn from the seed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.demo.truth.catalogue import Mouse, choose_mice, read_yaml, siblings
    from specfactory.demo.truth.facts import Facts, draw_facts
    from specfactory.demo.truth.own_values import OWN_FIELDS, FactsAt, facts_at, leading
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "OWN_FIELDS", "Facts", "FactsAt", "Mouse", "choose_mice", "draw_facts", "facts_at", "leading",
    "read_yaml", "siblings",
]  # fmt: skip
