"""Contracts that nobody wrote: from field names, from examples; and how one is written out."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .from_examples import contract_from_examples, field_name
    from .from_names import wanted_contract
    from .to_yaml import contract_text
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
