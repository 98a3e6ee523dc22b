"""Words of a page → one value of a field, or a refusal with its code."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .currencies import (
        CENTS_FOLLOW,
        PAGE_SIGNS,
        PLAIN_CODES,
        SIGN_CHARACTERS,
        SURE_SIGNS,
        currencies_of,
        is_weak,
        split_signs,
    )
    from .dates import date_spans, derive_date
    from .dimensions import derive_dimensions
    from .known_units import SPELLINGS
    from .known_units import UNITS as KNOWN_UNITS
    from .multipliers import MULTIPLE_STARTS, MULTIPLIERS, multiple_behind
    from .numbers import scan
    from .prices import ISO_CODES, PriceRule, derive_price, read_price
    from .quantities import NumberRule, derive_number
    from .refusal import refuse, says_nothing
    from .running_text import find_quantities
    from .units import (
        ORDINARY_WORDS,
        UnitTable,
        into,
        is_unit,
        resolve,
        spellings_of,
        split_multiplier,
        unit_table,
    )
    from .words import (
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
