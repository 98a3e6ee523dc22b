"""Values that a label, a property or a sentence names."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .data_sheets import pdf_pairs
    from .label_lookup import Labels
    from .labelled_values import MAX_CANDIDATES, LabelledValues
    from .loose_pairs import open_pairs
    from .pairs import definition_pairs, line_pairs, sibling_pairs
    from .recipe_lists import weigh_lists
    from .sentences import find_phrases
    from .structured_data import find_properties
    from .tables import table_pairs
else:
    from specfactory.faces import lazy_face

    __getattr__ = lazy_face(__name__)
