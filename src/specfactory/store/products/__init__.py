"""Products, attempts, records, decisions, truth."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.store.products.attempts import Attempts
    from specfactory.store.products.contracts import Contracts
    from specfactory.store.products.lessons import (
        GOLDEN,
        REVIEW,
        Counts,
        FieldLesson,
        Kind,
        Lessons,
    )
    from specfactory.store.products.model_calls import MICROS, ModelCall, ModelCalls, day_of
    from specfactory.store.products.products import Products
    from specfactory.store.products.records import Published, Records
    from specfactory.store.products.reviews import Reviews
    from specfactory.store.products.source_yields import Yields
    from specfactory.store.products.truth import Goldens, SourceVerdict
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "GOLDEN", "MICROS", "REVIEW", "Attempts", "Contracts", "Counts", "FieldLesson", "Goldens",
    "Kind", "Lessons", "ModelCall", "ModelCalls", "Products", "Published", "Records", "Reviews",
    "SourceVerdict", "Yields", "day_of",
]  # fmt: skip
