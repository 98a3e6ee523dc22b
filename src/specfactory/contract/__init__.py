"""Takes contract files and the words of pages; gives contracts, compiled contracts and values.

``derive`` of a compiled contract is the one rule by which a quote becomes a value.
"""

from specfactory.contract.catalogue import categories, find_contract, read_text
from specfactory.contract.compiled import CompiledContract, compile_contract
from specfactory.contract.field_roles import FieldRole
from specfactory.contract.json_values import value_from_json, value_to_json
from specfactory.contract.labels import LabelMatch
from specfactory.contract.load import contract_problems, parse_contract, source_from
from specfactory.contract.names import make_product, product_id
from specfactory.contract.phrases import TextMatch
from specfactory.contract.schema import contract_schema

__all__ = [
    "CompiledContract",
    "FieldRole",
    "LabelMatch",
    "TextMatch",
    "categories",
    "compile_contract",
    "contract_problems",
    "contract_schema",
    "find_contract",
    "make_product",
    "parse_contract",
    "product_id",
    "read_text",
    "source_from",
    "value_from_json",
    "value_to_json",
]
