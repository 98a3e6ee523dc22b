"""Normal forms of words; ids of products."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .barcodes import find_gtins, is_gtin, is_upc, same_gtin
    from .normal_form import clean, normal, readable, tokens, unmarked
    from .product_ids import SLOTS, make_product, named_product, product_id, slug
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
