"""Contract files: where they are, how they are read, every problem with its line."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .catalogue import categories, contract_file, find_contract, read_text
    from .json_schema import contract_schema
    from .label_insertion import add_label, remove_label
    from .load import contract_problems, parse_contract, source_from, split_selector
    from .load_fields import FIELD_KEYS
    from .yaml_reader import NAME
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
