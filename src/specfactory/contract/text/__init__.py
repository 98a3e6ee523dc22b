"""Normal forms of words; ids of products."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.contract.text.normal_form import clean, normal, tokens, unmarked, word_set
    from specfactory.contract.text.product_ids import make_product, product_id, slug
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "clean", "make_product", "normal", "product_id", "slug", "tokens", "unmarked", "word_set",
]  # fmt: skip
