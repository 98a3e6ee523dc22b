"""Sample pages, their layouts and their labels."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.learn.samples.layouts import (
        ALIKE,
        common_shape,
        find_copies,
        find_layouts,
        likeness,
    )
    from specfactory.learn.samples.page_labels import (
        PAGE,
        PERSON,
        RECORD,
        Conflict,
        Labelled,
        Lesson,
        label_page,
    )
    from specfactory.learn.samples.samples import (
        KnownSample,
        Sample,
        comparable,
        known_for,
        static_texts,
    )
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "ALIKE", "PAGE", "PERSON", "RECORD", "Conflict", "KnownSample", "Labelled", "Lesson", "Sample",
    "common_shape", "comparable", "find_copies", "find_layouts", "known_for", "label_page",
    "likeness", "static_texts",
]  # fmt: skip
