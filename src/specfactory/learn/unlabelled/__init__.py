"""Labels for unlabelled pages: columns of texts matched to fields by other sources' records."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.learn.unlabelled.known_values import (
        NOTHING_KNOWN,
        Knowledge,
        Words,
        knowledge_of,
    )
    from specfactory.learn.unlabelled.layout_labels import Taught, label_layout
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = ["NOTHING_KNOWN", "Knowledge", "Taught", "Words", "knowledge_of", "label_layout"]
