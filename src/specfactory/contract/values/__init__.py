"""Words of a page → one value of a field, or a refusal with its code."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .currencies import (
        ISO_CODES,
        PLAIN_CODES,
        SIGN_CHARACTERS,
        SURE_SIGNS,
        currencies_of,
        is_weak,
        with_signs,
    )
    from .dates import date_spans, derive_date
    from .dimensions import derive_dimensions
    from .known_units import SPELLINGS
    from .known_units import UNITS as KNOWN_UNITS
    from .multipliers import MULTIPLIERS
    from .numbers import PHRASE_NUMBER, scan
    from .price_search import AMOUNT, ANY_PRICE, Figure, amount_end, may_be_price, with_currency
    from .prices import PHRASE_PRICE, PRICES_FROM, PriceRule, derive_price, read_price
    from .quantities import NumberRule, derive_number
    from .refusal import refuse, says_nothing
    from .running_text import find_quantities
    from .units import (
        FEET_AND_INCHES,
        ORDINARY_WORDS,
        UnitTable,
        convert,
        is_known_unit,
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
