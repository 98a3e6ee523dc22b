"""Words of a page → one value of a field, or a refusal with its code."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.contract.values.currencies import (
        CENTS_FOLLOW,
        PAGE_SIGNS,
        PLAIN_CODES,
        SIGN_CHARACTERS,
        SURE_SIGNS,
        currencies_of,
        is_weak,
        split_signs,
    )
    from specfactory.contract.values.dates import date_spans, derive_date
    from specfactory.contract.values.dimensions import derive_dimensions
    from specfactory.contract.values.equality import same_value
    from specfactory.contract.values.json_values import value_from_json, value_to_json
    from specfactory.contract.values.known_units import SPELLINGS
    from specfactory.contract.values.known_units import UNITS as KNOWN_UNITS
    from specfactory.contract.values.multipliers import (
        MULTIPLE_STARTS,
        MULTIPLIERS,
        multiple_behind,
    )
    from specfactory.contract.values.numbers import scan
    from specfactory.contract.values.prices import ISO_CODES, PriceRule, derive_price, read_price
    from specfactory.contract.values.quantities import NumberRule, derive_number
    from specfactory.contract.values.refusal import refuse, says_nothing
    from specfactory.contract.values.running_text import find_quantities
    from specfactory.contract.values.units import (
        ORDINARY_WORDS,
        UnitTable,
        into,
        is_unit,
        resolve,
        spellings_of,
        split_multiplier,
        unit_table,
    )
    from specfactory.contract.values.words import (
        ITEM_MARK,
        MAX_TEXT,
        NO_WORDS,
        YES_WORDS,
        Vocabulary,
        component_name,
        derive_boolean,
        derive_enumeration,
        derive_list,
        derive_text,
        is_prose,
        vocabulary,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "CENTS_FOLLOW", "ISO_CODES", "ITEM_MARK", "KNOWN_UNITS", "MAX_TEXT", "MULTIPLE_STARTS",
    "MULTIPLIERS", "NO_WORDS", "ORDINARY_WORDS", "PAGE_SIGNS", "PLAIN_CODES", "SIGN_CHARACTERS",
    "SPELLINGS", "SURE_SIGNS", "YES_WORDS", "NumberRule", "PriceRule", "UnitTable", "Vocabulary",
    "component_name", "currencies_of", "date_spans", "derive_boolean", "derive_date",
    "derive_dimensions", "derive_enumeration", "derive_list", "derive_number", "derive_price",
    "derive_text", "find_quantities", "into", "is_prose", "is_unit", "is_weak",
    "multiple_behind", "read_price",
    "refuse", "resolve", "same_value", "says_nothing", "scan", "spellings_of", "split_multiplier",
    "split_signs", "unit_table", "value_from_json", "value_to_json", "vocabulary",
]  # fmt: skip
