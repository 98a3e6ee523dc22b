"""Contracts that nobody wrote: from field names, from examples; and how one is written out."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.contract.drafts.from_examples import contract_from_examples, field_name
    from specfactory.contract.drafts.from_names import wanted_contract
    from specfactory.contract.drafts.to_yaml import contract_text
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["contract_from_examples", "contract_text", "field_name", "wanted_contract"]
