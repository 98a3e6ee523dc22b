"""Takes contract files and the words of pages; gives contracts, compiled contracts and values.

``derive`` of a compiled contract is the one rule by which a quote becomes a value.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .compiled import CompiledContract, compile_contract
    from .field_roles import FieldRole
    from .field_types import FIELD_TYPES
    from .files import (
        add_label,
        categories,
        contract_file,
        contract_problems,
        contract_schema,
        find_contract,
        parse_contract,
        read_text,
        remove_label,
        source_from,
    )
    from .json_values import value_from_json, value_to_json
    from .matching import LabelMatch, TextMatch
    from .text import make_product, product_id
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
