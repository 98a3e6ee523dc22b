"""Values that carry no label – prices, stock, brands, codes – and what speaks for each."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .brands_and_codes import find_brands, find_codes
    from .places import FAR, Places
    from .price_features import PriceFeatures
    from .prices import Amount, find_amounts, find_bare, find_figures
    from .script_keys import KeyedPrices, add_keyed, find_currency, find_keyed
    from .stock import MANNERS, StockHint, find_stock_hints
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
