"""Values that carry no label – prices, stock, brands, codes – and what speaks for each."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.unlabelled.brands import find_brands
    from specfactory.extract.unlabelled.buy_buttons import find_stock_hints
    from specfactory.extract.unlabelled.codes import find_codes
    from specfactory.extract.unlabelled.places import FAR, Places
    from specfactory.extract.unlabelled.price_features import PriceFeatures
    from specfactory.extract.unlabelled.prices import (
        Amount,
        Figure,
        find_amounts,
        find_bare,
        find_figures,
    )
    from specfactory.extract.unlabelled.script_keys import (
        KeyedPrices,
        add_keyed,
        find_currency,
        find_keyed,
    )
    from specfactory.extract.unlabelled.stock import MANNERS, StockHint
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "FAR", "MANNERS", "Amount", "Figure", "KeyedPrices", "Places", "PriceFeatures", "StockHint",
    "add_keyed", "find_amounts", "find_bare", "find_brands", "find_codes", "find_currency",
    "find_figures", "find_keyed", "find_stock_hints",
]  # fmt: skip
