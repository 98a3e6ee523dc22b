"""Takes contract files and the words of pages; gives contracts, compiled contracts and values.

``derive`` of a compiled contract is the one rule by which a quote becomes a value.
"""

from specfactory.contract.compiled import CompiledContract, compile_contract
from specfactory.contract.files import (
    categories,
    contract_problems,
    contract_schema,
    find_contract,
    parse_contract,
    read_text,
    source_from,
)
from specfactory.contract.matching import FieldRole, LabelMatch, TextMatch
from specfactory.contract.text import make_product, product_id
from specfactory.contract.values import value_from_json, value_to_json

__all__ = [
    "CompiledContract", "FieldRole", "LabelMatch", "TextMatch", "categories", "compile_contract",
    "contract_problems", "contract_schema", "find_contract", "make_product", "parse_contract",
    "product_id", "read_text", "source_from", "value_from_json", "value_to_json",
]  # fmt: skip
