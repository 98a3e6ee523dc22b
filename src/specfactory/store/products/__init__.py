"""Products, attempts, records, decisions, truth."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .attempts import Attempts, attempt_finished
    from .lessons import GOLDEN, REVIEW, Counts, FieldLesson, Kind, Lessons
    from .model_calls import MICROS, ModelCall, ModelCalls, day_of
    from .products import Products
    from .records import Contracts, Published, Records
    from .reviews import Reviews
    from .source_yields import Yields
    from .truth import Goldens, SourceVerdict
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
