"""Values that a label, a property or a sentence names."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specfactory.extract.labelled.data_sheets import pdf_pairs
    from specfactory.extract.labelled.label_lookup import Labels
    from specfactory.extract.labelled.labelled_values import MAX_CANDIDATES, LabelledValues
    from specfactory.extract.labelled.list_sections import weigh_lists
    from specfactory.extract.labelled.lists import definition_pairs, line_pairs
    from specfactory.extract.labelled.loose_pairs import open_pairs
    from specfactory.extract.labelled.sentences import find_phrases
    from specfactory.extract.labelled.siblings import sibling_pairs
    from specfactory.extract.labelled.structured_data import find_properties
    from specfactory.extract.labelled.tables import table_pairs
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)

__all__ = [
    "MAX_CANDIDATES", "LabelledValues", "Labels", "definition_pairs", "find_phrases",
    "find_properties", "line_pairs", "open_pairs", "pdf_pairs", "sibling_pairs", "table_pairs",
    "weigh_lists",
]  # fmt: skip
