"""Labels for unlabelled pages: columns of texts matched to fields by other sources' records."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .known_values import NOTHING_KNOWN, Knowledge, Words, knowledge_of
    from .layout_labels import Taught, label_layout
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
