"""Contract files: where they are, how they are read, every problem with its line."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.contract.files.catalogue import categories, find_contract, read_text
    from specfactory.contract.files.json_schema import contract_schema
    from specfactory.contract.files.load import (
        contract_problems,
        parse_contract,
        source_from,
        split_selector,
    )
    from specfactory.contract.files.load_fields import FIELD_KEYS
    from specfactory.contract.files.yaml_reader import NAME
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "FIELD_KEYS", "NAME", "categories", "contract_problems", "contract_schema", "find_contract",
    "parse_contract", "read_text", "source_from", "split_selector",
]  # fmt: skip
