"""Sample pages, their layouts and their labels."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .layouts import ALIKE, common_shape, find_copies, find_layouts, likeness
    from .page_labels import PAGE, PERSON, RECORD, Conflict, Labelled, Lesson, label_page
    from .samples import KnownSample, Sample, comparable, known_for, static_texts
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
